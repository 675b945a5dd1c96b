"""Registering, logging in and out, recovering; the page of one's account and data."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, flash, make_response, render_template, request, url_for

from trainer.service import accounts
from trainer.service.accounts import CredentialError, Opened, WrongCredentialsError
from trainer.web import visitor as who
from trainer.web.account_forms import LogInForm, RecoverForm, RegisterForm
from trainer.web.account_pages import code_page, form_page, refused_page
from trainer.web.htmx import go_to
from trainer.web.tables import titles_in_play

blueprint = Blueprint("account", __name__)

_LONGEST_PATH = 500


@dataclass(frozen=True)
class AccountPage:
    """What the account's own page shows; a guest has neither name nor logins."""

    username: str = ""
    since: str = ""
    logins: int = 0


def own_path(text: str) -> str:
    """A path on this site to go on to; the drill for whatever else somebody has put there.

    >>> own_path("/progress?period=7"), own_path("//elsewhere.example"), own_path("https://elsewhere.example")
    ('/progress?period=7', '/', '/')
    """
    is_plain = text.isascii() and text.isprintable() and "\\" not in text and " " not in text
    is_own = text.startswith("/") and not text.startswith("//")
    return text if is_own and is_plain and len(text) <= _LONGEST_PATH else "/"


@blueprint.get("/account")
def show() -> Response:
    """One's account and data; for a guest too, who has data."""
    account = who.account()
    page = AccountPage() if account is None else AccountPage(
        account.username, f"{account.created_at:%d %B %Y}".lstrip("0"), accounts.count_logins(account, who.now()))
    return make_response(render_template("account/page.html", page=page))


@blueprint.get("/register")
def register_page() -> Response:
    """A form for a name and a password."""
    if who.account():
        return go_to(url_for("account.show"))
    return form_page("register", RegisterForm(formdata=None, data={"next": own_path(request.args.get("next", "/"))}))


@blueprint.post("/register")
def register() -> Response:
    """Make an account of the guest, whose history stays."""
    form = RegisterForm(request.form)
    if who.account():
        return go_to(url_for("account.show"))
    if not form.validate():
        return form_page("register", form, 422)
    try:
        opened = accounts.register(who.guest(), form.username.data, form.password.data, who.now())
    except CredentialError as error:
        return refused_page("register", form, error)
    return _opened(opened, own_path(form.next.data or "/"))


@blueprint.get("/login")
def log_in_page() -> Response:
    """A form for name and password."""
    if who.account():
        return go_to(url_for("account.show"))
    return _joining_page("login", LogInForm(formdata=None, data={"next": own_path(request.args.get("next", "/"))}))


@blueprint.post("/login")
def log_in() -> Response:
    """Log in; what the guest answered here comes along."""
    form = LogInForm(request.form)
    if who.account():
        return go_to(own_path(form.next.data or "/"))
    if not form.validate():
        return _joining_page("login", form, 422)
    try:
        opened = accounts.log_in(who.guest(), form.username.data, form.password.data, who.now())
    except WrongCredentialsError:
        form.form_errors.append("Name and password do not belong together.")
        return _joining_page("login", form, 422)
    return _opened(opened, own_path(form.next.data or "/"))


@blueprint.get("/recover")
def recover_page() -> Response:
    """A form for name, recovery code and new password."""
    if who.account():
        return go_to(url_for("account.show"))
    return _joining_page("recover", RecoverForm(formdata=None))


@blueprint.post("/recover")
def recover() -> Response:
    """A new password by the recovery code; every other browser is logged out."""
    form = RecoverForm(request.form)
    if who.account():
        return go_to(url_for("account.show"))
    if not form.validate():
        return _joining_page("recover", form, 422)
    try:
        opened = accounts.recover(who.guest(), form.username.data, form.code.data, form.password.data, who.now())
    except CredentialError as error:
        return refused_page("recover", form, error, in_play=titles_in_play(who.guest()))
    except WrongCredentialsError:
        form.form_errors.append("Name and recovery code do not belong together.")
        return _joining_page("recover", form, 422)
    return _opened(opened, url_for("account.show"))


@blueprint.post("/logout")
def log_out() -> Response:
    """Log this browser out; it goes on as a new guest."""
    login = who.login()
    if login:
        accounts.log_out(login)
    who.leave("You are logged out.")
    return go_to(url_for("drill.home"))


def _joining_page(name: str, form: Any, status: int = 200) -> Response:
    """A form by which a guest comes to an account, with a word on rounds that may end by it."""
    return form_page(name, form, status, in_play=titles_in_play(who.guest()))


def _opened(opened: Opened, then: str) -> Response:
    """Go on logged in; by way of the recovery code, where there is a new one."""
    who.enter(opened.login)
    account = who.account()
    name = account.username if account else ""
    if opened.recovery_code:
        return code_page(opened.recovery_code, name, then)
    merged = " What you had answered here is part of your history now." if opened.has_merged else ""
    flash(f"You are logged in as {name}.{merged}")
    return go_to(then)
