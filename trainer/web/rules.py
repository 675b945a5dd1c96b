"""Rule sets: those that ship side by side, the visitor's own, and a builder for any other."""

from dataclasses import dataclass, replace

from flask import Blueprint, Response, abort, current_app, flash, make_response, render_template, url_for
from htmx_flask import request
from werkzeug.datastructures import MultiDict

from trainer.engine.presets import RULE_SETS, TITLES
from trainer.engine.rule_key import canonical_key, is_key, key_of, rules_for
from trainer.service.appraisal import Appraiser
from trainer.service.preferences import save_preferences
from trainer.service.rule_sets import (
    MOST_LETTERS,
    MOST_SAVED,
    SavedRuleSet,
    SavingError,
    delete_rule_set,
    rename_rule_set,
    save_rule_set,
)
from trainer.service.strategies import SolverBusyError
from trainer.web import rule_choice
from trainer.web import visitor as who
from trainer.web.htmx import go_to, render, wants_fragment
from trainer.web.rule_form import BuilderForm, read_builder
from trainer.web.rules_view import UPCARDS, Comparison, PreviewView, compare, preview_view

blueprint = Blueprint("rules", __name__)


@dataclass(frozen=True)
class SaveForm:
    """Keeping the built rules under a name: ``known_as`` where they have one already."""

    key: str
    known_as: str
    name: str = ""
    error: str = ""
    most_letters: int = MOST_LETTERS


@dataclass(frozen=True)
class RulesPage:
    """Everything the list of rule sets reads; ``renaming``: the id, the name and the fault of a refused rename."""

    comparison: Comparison
    own: tuple[SavedRuleSet, ...]
    default_key: str
    default_title: str
    renaming: tuple[int, str, str]
    most: int = MOST_SAVED
    most_letters: int = MOST_LETTERS


@dataclass(frozen=True)
class BuilderPage:
    """Everything the builder's templates read; without ``preview`` a field is wrong, or the server too busy."""

    base_key: str
    base_title: str
    title: str
    form: BuilderForm
    preview: PreviewView | None
    saving: SaveForm
    is_busy: bool
    again_url: str
    is_default: bool
    upcards: tuple[str, ...] = UPCARDS


@blueprint.get("/rules")
def index() -> Response:
    """The rule sets that ship, and the visitor's own."""
    return _index()


@blueprint.get("/rules/<rules_key>")
def build(rules_key: str) -> Response:
    """A rule set to look at and to change; the address may change fields of it."""
    if not is_key(rules_key):
        abort(404)
    form = read_builder(request.args, rules_for(rules_key))
    page = _builder(canonical_key(rules_key), form)
    return render("rules/builder.html", "rules/_preview.html", 422 if form.faults else 200, page=page)


@blueprint.post("/rules/<rules_key>/save")
def save(rules_key: str) -> Response:
    """Keep a rule set under a name."""
    if not is_key(rules_key):
        abort(404)
    key, name = canonical_key(rules_key), request.form.get("name", "")
    try:
        kept = save_rule_set(who.ensure_visitor(), key, name, who.now())
    except SavingError as error:
        saving = SaveForm(key, "", name[:MOST_LETTERS], str(error))
        page = _builder(key, read_builder(MultiDict(), rules_for(key)), saving)
        return render("rules/builder.html", "rules/_save.html", 422, page=page)
    flash(f"Saved as {kept}.")
    return go_to(url_for("rules.index", _anchor="own"))


@blueprint.post("/rules/<rules_key>/default")
def make_default(rules_key: str) -> Response:
    """Drill by this rule set from now on."""
    if not is_key(rules_key):
        abort(404)
    key = canonical_key(rules_key)
    visitor = who.ensure_visitor()
    save_preferences(visitor, replace(who.preferences(), rules=key), who.now())
    who.remember_plan(replace(who.remembered_plan(), rules_key=key))
    flash(f"{rule_choice.title_of(key)}: these are your rules now.")
    return go_to(url_for("rules.index"))


@blueprint.post("/rules/saved/<int:saved_id>/rename")
def rename(saved_id: int) -> Response:
    """Give one of the visitor's own another name."""
    name = request.form.get("name", "")
    try:
        kept = rename_rule_set(who.known_visitor(), saved_id, name)
    except SavingError as error:
        return _index((saved_id, name[:MOST_LETTERS], str(error)), 422)
    flash(f"Renamed to {kept}.")
    return go_to(url_for("rules.index", _anchor="own"))


@blueprint.post("/rules/saved/<int:saved_id>/delete")
def delete(saved_id: int) -> Response:
    """Forget one of the visitor's own; what was practised by it stays."""
    name = delete_rule_set(who.known_visitor(), saved_id)
    flash(f"Deleted {name}. What you practised by these rules is kept.")
    return go_to(url_for("rules.index", _anchor="own"))


def _index(renaming: tuple[int, str, str] = (0, "", ""), status: int = 200) -> Response:
    key = who.preferences().rules
    comparison = compare([_appraiser().appraise(rules) for rules in RULE_SETS.values()])
    page = RulesPage(comparison, rule_choice.saved(), key, rule_choice.title_of(key), renaming)
    return make_response(render_template("rules/page.html", page=page), status)


def _builder(base_key: str, form: BuilderForm, saving: SaveForm | None = None) -> BuilderPage:
    base = rules_for(base_key)
    key = key_of(form.rules) if form.rules else base_key
    is_busy, preview = False, None
    try:
        if form.rules:
            appraise = _appraiser().appraise
            preview = preview_view(form.rules, base, appraise(form.rules), appraise(base))
    except SolverBusyError:
        if not wants_fragment():
            raise
        is_busy = True
    return BuilderPage(
        base_key, rule_choice.title_of(base_key), rule_choice.title_of(key), form, preview,
        saving or SaveForm(key, _known_as(key)), is_busy, request.full_path, key == who.preferences().rules,
    )


def _known_as(key: str) -> str:
    return TITLES.get(key) or next((each.name for each in rule_choice.saved() if each.key == key), "")


def _appraiser() -> Appraiser:
    appraiser: Appraiser = current_app.extensions["appraiser"]
    return appraiser
