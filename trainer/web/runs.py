"""Starting a streak or a sprint."""

from flask import Blueprint, Response, request, url_for

from trainer.drill.parameters import PlanError
from trainer.drill.plan import RUN_MODES, Plan
from trainer.service import runs
from trainer.web import visitor as who
from trainer.web.htmx import go_to

blueprint = Blueprint("runs", __name__)


@blueprint.post("/start")
def start() -> Response:
    """Start the run that the form names, and go to its first hand."""
    plan = Plan.from_query({name: request.form.get(name, "") for name in ("rules", "mode")})
    if plan.mode not in RUN_MODES:
        raise PlanError("mode", f"{plan.mode} needs no start")
    runs.start(who.ensure_visitor(), plan, who.now())
    who.remember_plan(plan)
    return go_to(f"{url_for('drill.home')}?{plan.to_query()}")
