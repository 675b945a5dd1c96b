"""Lessons on the game, each with live numbers and hands to try, by the visitor's own rules."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, abort, current_app, make_response, render_template

from trainer.engine.rule_key import rules_for
from trainer.engine.rules import Rules
from trainer.engine.strategy import Strategy
from trainer.service.appraisal import Appraiser
from trainer.service.strategies import StrategyCache
from trainer.web import rule_choice
from trainer.web import visitor as who
from trainer.web.learn_view import ExampleView, TryView, example_view, try_view
from trainer.web.lessons import LESSONS, Lesson

blueprint = Blueprint("learn", __name__)


@dataclass(frozen=True)
class LessonPage:
    """Everything a lesson's template reads; ``before`` and ``after`` are its neighbours."""

    lesson: Lesson
    rules: Rules
    rules_key: str
    rules_title: str
    examples: tuple[ExampleView, ...]
    tries: tuple[TryView, ...]
    facts: Mapping[str, str]
    before: Lesson | None
    after: Lesson | None


@blueprint.get("/learn")
def index() -> Response:
    """The lessons in the order in which they are best read."""
    return make_response(render_template("learn/index.html", lessons=LESSONS))


@blueprint.get("/learn/<slug>")
def lesson(slug: str) -> Response:
    """One lesson."""
    place = next((place for place, each in enumerate(LESSONS) if each.slug == slug), None)
    if place is None:
        abort(404)
    return make_response(render_template(f"learn/{slug}.html", page=_page(place)))


def _page(place: int) -> LessonPage:
    key, found = who.preferences().rules, LESSONS[place]
    rules, strategy = rules_for(key), _strategy(key)
    appraiser: Appraiser = current_app.extensions["appraiser"]
    material = found.gather(strategy, rules, appraiser)
    return LessonPage(
        found, rules, key, rule_choice.title_of(key),
        tuple(example_view(strategy, rules, *hand) for hand in material.shown),
        tuple(try_view(key, rules, *hand) for hand in material.tried),
        material.facts,
        LESSONS[place - 1] if place else None,
        LESSONS[place + 1] if place + 1 < len(LESSONS) else None,
    )


def _strategy(key: str) -> Strategy:
    strategies: StrategyCache = current_app.extensions["strategies"]
    return strategies.get(rules_for(key))
