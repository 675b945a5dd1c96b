"""What is kept of whoever practises here."""

from flask import Blueprint, Response, make_response, render_template

from trainer.service.accounts import LOGIN_LIFETIME
from trainer.service.own_data import GUEST_MONTHS

blueprint = Blueprint("about", __name__)


@blueprint.get("/privacy")
def privacy() -> Response:
    """The privacy page."""
    return make_response(render_template(
        "about/privacy.html", guest_months=GUEST_MONTHS, login_days=LOGIN_LIFETIME.days))
