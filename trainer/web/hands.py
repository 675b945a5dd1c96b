"""The calculator: any hand, any upcard, any rules, cards seen taken out; every move's exact worth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, url_for
from htmx_flask import request

from trainer.engine.cards import Card
from trainer.engine.rule_key import rules_for
from trainer.service.calculator import FieldError, Query, read_query, work_out
from trainer.service.strategies import StrategyCache
from trainer.web import visitor as who
from trainer.web.hands_view import CalculatorPage, calculator_page
from trainer.web.htmx import go_to, render, wants_fragment
from trainer.web.rule_address import key_in_query

blueprint = Blueprint("hands", __name__)


@dataclass(frozen=True)
class Typed:
    """The fields as they were typed, or as a pressed card changes them."""

    cards: str = ""
    upcard: str = ""
    seen: str = ""

    def pressed(self, buttons: Mapping[str, str]) -> "Typed":
        """After the button that was pressed, if it was one: a card more in a field, or one less."""
        if "add" in buttons:
            return replace(self, cards=f"{self.cards} {buttons['add']}".strip())
        if "up" in buttons:
            return replace(self, upcard=buttons["up"])
        if "see" in buttons:
            return replace(self, seen=f"{self.seen} {buttons['see']}".strip())
        return self


@blueprint.get("/hands")
def enter() -> Response:
    """Put a hand together: typed, or card by card; once it is complete, it is worked out at an address of its own."""
    rules_key = key_in_query(who.preferences().rules)
    typed = Typed(*(request.args.get(name, "") for name in ("cards", "upcard", "seen"))).pressed(request.args)
    return _answer(rules_key, typed)


@blueprint.get("/hands/<cards>/<upcard>")
def hand(cards: str, upcard: str) -> Response:
    """One hand, worked out."""
    rules_key = key_in_query(who.preferences().rules)
    return _answer(rules_key, Typed(cards, upcard, request.args.get("seen", "")))


def _answer(rules_key: str, typed: Typed) -> Response:
    """The page of what was typed, at its one address."""
    rules = rules_for(rules_key)
    try:
        query = read_query(rules, typed.cards, typed.upcard, typed.seen)
        result = work_out(_strategies(), rules, query) if query.is_complete else None
    except FieldError as error:
        return _page(calculator_page(rules_key, typed.cards, typed.upcard, typed.seen, error=error), 422)
    address = _address(rules_key, query)
    if not wants_fragment() and address != _here():
        return go_to(address)
    page = calculator_page(rules_key, _text(query.cards), _face(query.upcard), _text(query.seen),
                           query=query, result=result)
    response = _page(page, 200)
    response.headers["HX-Push-Url"] = address
    if result:
        response.headers["HX-Reswap"] = "outerHTML show:top"  # on a phone the keys are further down
    return response


def _page(page: CalculatorPage, status: int) -> Response:
    return render("hands/page.html", "hands/_calculator.html", status, page=page)


def _address(rules_key: str, query: Query) -> str:
    """The one address of a query: cards by their faces, nothing that is empty."""
    named = {"rules": rules_key, "seen": _text(query.seen)}
    if query.is_complete and query.upcard:
        path = url_for("hands.hand", cards=_text(query.cards), upcard=_face(query.upcard))
    else:
        path = url_for("hands.enter")
        named |= {"cards": _text(query.cards), "upcard": _face(query.upcard)}
    return f"{path}?{urlencode({name: value for name, value in named.items() if value})}"


def _here() -> str:
    return f"{request.path}?{urlencode(request.args.to_dict())}"


def _text(cards: tuple[Card, ...]) -> str:
    return "".join(card.face for card in cards)


def _face(card: Card | None) -> str:
    return card.face if card else ""


def _strategies() -> StrategyCache:
    strategies: StrategyCache = current_app.extensions["strategies"]
    return strategies
