"""What is done to an account by whoever is logged in: password, recovery code, log out everywhere, delete."""

from dataclasses import dataclass
from functools import wraps
from typing import Any, Protocol

from flask import Blueprint, Response, flash, request, url_for

from trainer.service import accounts
from trainer.service.accounts import AccountRow, CredentialError
from trainer.web import visitor as who
from trainer.web.account_forms import ConfirmForm, PasswordForm
from trainer.web.account_pages import code_page, form_page, refused_page
from trainer.web.htmx import go_to

blueprint = Blueprint("account_change", __name__)


@dataclass(frozen=True)
class ConfirmPage:
    """A question before something happens, with the password or without."""

    title: str
    lead: str
    button: str
    is_grave: bool = False


_RENEW = ConfirmPage("New recovery code", "You get a new recovery code. The old one no longer works.",
                     "Show a new code")
_DELETE = ConfirmPage("Delete account", "Your account, your history, your settings and every figure made of them are "
                      "deleted at once. Nobody can bring them back.", "Delete my account", is_grave=True)


class View(Protocol):
    """A view for somebody who is logged in."""

    __name__: str

    def __call__(self, account: AccountRow) -> Response: ...


def for_account(view: View) -> Any:
    """Give a view the account that the browser is logged in to; whoever is not logged in is asked to."""

    @wraps(view)
    def guarded() -> Response:
        account = who.account()
        if account is None:
            here = request.path if request.method == "GET" else url_for("account.show")
            return go_to(url_for("account.log_in_page", next=here))
        return view(account)

    return guarded


@blueprint.post("/account/logout-everywhere")
@for_account
def log_out_everywhere(account: AccountRow) -> Response:
    """Log every browser out, this one too."""
    accounts.log_out_everywhere(account)
    who.leave("You are logged out everywhere.")
    return go_to(url_for("account.log_in_page"))


@blueprint.get("/account/password")
@for_account
def password_page(account: AccountRow) -> Response:
    """A form for the old password and a new one."""
    return form_page("password", PasswordForm(formdata=None), username=account.username)


@blueprint.post("/account/password")
@for_account
def change_password(account: AccountRow) -> Response:
    """Change it; every other browser is logged out."""
    form = PasswordForm(request.form)
    if not form.validate():
        return form_page("password", form, 422, username=account.username)
    try:
        opened = accounts.change_password(account, form.old.data, form.password.data, who.now())
    except CredentialError as error:
        return refused_page("password", form, error, username=account.username)
    who.enter(opened.login)
    flash("Password changed. Every other browser is logged out.")
    return go_to(url_for("account.show"))


@blueprint.get("/account/recovery-code")
@for_account
def ask_for_code(account: AccountRow) -> Response:
    """Ask for the password before a new recovery code is made."""
    return form_page("confirm", ConfirmForm(formdata=None), page=_RENEW, username=account.username)


@blueprint.post("/account/recovery-code")
@for_account
def renew_code(account: AccountRow) -> Response:
    """A new recovery code, shown once."""
    form = ConfirmForm(request.form)
    if not form.validate():
        return form_page("confirm", form, 422, page=_RENEW, username=account.username)
    try:
        code = accounts.renew_recovery_code(account, form.password.data)
    except CredentialError as error:
        return refused_page("confirm", form, error, page=_RENEW, username=account.username)
    return code_page(code, account.username, url_for("account.show"))


@blueprint.get("/account/delete")
@for_account
def delete_page(account: AccountRow) -> Response:
    """Ask for the password before everything is deleted."""
    return form_page("confirm", ConfirmForm(formdata=None), page=_DELETE, username=account.username)


@blueprint.post("/account/delete")
@for_account
def delete(account: AccountRow) -> Response:
    """Delete the account and everything of its own."""
    form = ConfirmForm(request.form)
    if not form.validate():
        return form_page("confirm", form, 422, page=_DELETE, username=account.username)
    try:
        accounts.delete_account(account, form.password.data)
    except CredentialError as error:
        return refused_page("confirm", form, error, page=_DELETE, username=account.username)
    who.leave("Your account and everything of it is deleted.")
    return go_to(url_for("drill.home"))
