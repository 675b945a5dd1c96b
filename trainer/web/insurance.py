"""Insurance and even money, in exact figures, for any rules."""

from flask import Blueprint, Response, make_response, render_template
from htmx_flask import request

from trainer.engine.errors import ImpossibleHandError
from trainer.engine.insurance import ten_share_left
from trainer.engine.rule_key import rules_for
from trainer.web import visitor as who
from trainer.web.insurance_view import insurance_page
from trainer.web.rule_address import key_in_query

blueprint = Blueprint("insurance", __name__)

_FIELDS = ("tens", "others")


@blueprint.get("/insurance")
def show() -> Response:
    """What insurance is worth: by decks and tens held, by cards seen, and what three habits cost."""
    rules_key = key_in_query(who.preferences().rules)
    typed = {name: request.args.get(name, "") for name in _FIELDS}
    share, errors = None, {}
    if any(typed.values()):
        counts = {name: _count(text) for name, text in typed.items()}
        errors = {name: "Enter a whole number, 0 or more." for name in _FIELDS if counts[name] is None}
        if counts["others"] == 0:
            errors["others"] = "Enter 1 or more: the dealer’s ace is among them."
        if not errors:
            try:
                share = ten_share_left(rules_for(rules_key), counts["tens"] or 0, counts["others"] or 0)
            except ImpossibleHandError as error:
                errors = {"tens": f"{error}."}
    page = insurance_page(rules_key, typed, share, errors)
    return make_response(render_template("insurance/page.html", page=page), 422 if errors else 200)


def _count(text: str) -> int | None:
    """A whole number of cards; an empty field is none."""
    text = text.strip() or "0"
    return int(text) if len(text) < 5 and text.isascii() and text.isdigit() else None
