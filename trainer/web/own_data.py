"""One's own data: everything as a file, or the history deleted."""

from collections.abc import Iterator

from flask import Blueprint, Response, flash, make_response, render_template, stream_with_context, url_for

from trainer.service import own_data
from trainer.web import visitor as who
from trainer.web.csv_text import csv_cell
from trainer.web.htmx import go_to

blueprint = Blueprint("own_data", __name__)


@blueprint.get("/account/export.json")
def export_json() -> Response:
    """Everything of one's own, for a program to read."""
    parts = own_data.export_json(who.known_visitor(), who.account(), who.now())
    return _download(parts, "application/json", "json")


@blueprint.get("/account/export.csv")
def export_csv() -> Response:
    """One's own decisions, for a spreadsheet."""
    return _download(own_data.export_csv(who.known_visitor(), csv_cell), "text/csv", "csv")


@blueprint.get("/account/history/delete")
def ask_to_delete() -> Response:
    """Ask once more."""
    return make_response(render_template("account/delete_history.html"))


@blueprint.post("/account/history/delete")
def delete_history() -> Response:
    """Delete one's answers and all figures made of them."""
    own_data.delete_history(who.known_visitor())
    flash("Your history is deleted.")
    return go_to(url_for("account.show"))


def _download(parts: Iterator[str], mimetype: str, suffix: str) -> Response:
    name = f"blackjack-trainer-{who.now():%Y-%m-%d}.{suffix}"
    response = Response(stream_with_context(parts), mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response
