"""How the pages of accounts are answered: a form, a form refused, a recovery code."""

from typing import Any

from flask import Response, make_response, render_template

from trainer.service.accounts import CredentialError


def form_page(name: str, form: Any, status: int = 200, **context: Any) -> Response:
    """A form's page."""
    return make_response(render_template(f"account/{name}.html", form=form, **context), status)


def refused_page(name: str, form: Any, error: CredentialError, **context: Any) -> Response:
    """The form again, with what is wrong at its field."""
    form[error.field].errors = [*form[error.field].errors, str(error)]
    return form_page(name, form, 422, **context)


def code_page(code: str, username: str, then: str) -> Response:
    """The one page that shows a recovery code."""
    return make_response(render_template("account/code.html", code=code, username=username, then=then))
