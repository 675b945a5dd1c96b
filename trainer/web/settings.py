"""Settings."""

from dataclasses import asdict, replace

from flask import Blueprint, Response, flash, make_response, render_template, request, url_for
from wtforms.fields.choices import SelectChoice

from trainer.service.preferences import save_preferences
from trainer.web import rule_choice
from trainer.web import visitor as who
from trainer.web.forms import SettingsForm
from trainer.web.htmx import go_to

blueprint = Blueprint("settings", __name__)

_FIELDS = ("rules", "grading", "bet_unit", "daily_goal", "theme", "four_colour", "auto_advance", "reduced_motion",
           "shortcuts")


@blueprint.get("/settings")
def show() -> Response:
    """The settings as they are."""
    return _page(_with_rule_sets(SettingsForm(formdata=None, data=asdict(who.preferences()))))


@blueprint.post("/settings")
def save() -> Response:
    """Keep them, all or none."""
    form = _with_rule_sets(SettingsForm(request.form))  # a body of any other kind is an empty form
    if not form.validate():
        return _page(form, 422)
    before = who.preferences()
    chosen = replace(before, **{name: form[name].data for name in _FIELDS})
    save_preferences(who.ensure_visitor(), chosen, who.now())
    if chosen.rules != before.rules:
        who.remember_plan(replace(who.remembered_plan(), rules_key=chosen.rules))
    flash("Saved.")
    return go_to(url_for("settings.show"))


def _with_rule_sets(form: SettingsForm) -> SettingsForm:
    form.rules.choices = [SelectChoice(*choice) for choice in rule_choice.offered(who.preferences().rules)]
    return form


def _page(form: SettingsForm, status: int = 200) -> Response:
    return make_response(render_template("settings/page.html", form=form), status)
