"""Importing a download of everything of one's own: the upload, and the steps that work it off."""

from contextlib import suppress
from typing import IO

from flask import Blueprint, Flask, Response, current_app, flash, g, request, url_for

from trainer.service.imports import Importer, ImportFaultError, ImportRefusedError, Progress
from trainer.web import visitor as who
from trainer.web.htmx import go_to, render, wants_fragment

blueprint = Blueprint("imports", __name__)

_UPLOAD = "imports.upload"
_BYTES = 1024 * 1024


def init_app(app: Flask) -> None:
    """Let the one route that takes a file take a large one, onto the disk and beside nothing else."""
    app.before_request(_make_room)
    app.teardown_request(_close)


def _make_room() -> None:
    if request.endpoint == _UPLOAD and request.mimetype == "multipart/form-data":
        request.max_content_length = current_app.config["IMPORT_MEGABYTES"] * _BYTES
        # The parser's buffer counts as well, which is as large as a form may be elsewhere.
        request.max_form_memory_size = _BYTES
        request._get_file_stream = _open  # type: ignore[method-assign]


def _open(*_told: object, **_more: object) -> IO[bytes]:
    """A file for a part of an upload, kept to be closed: who is refused half-way never comes to read it."""
    file = _importer().upload_file()
    g.setdefault("uploads", []).append(file)
    return file


def _close(_error: BaseException | None) -> None:
    for file in g.pop("uploads", ()):
        with suppress(OSError):  # what a full disk did not take; the answer, which says so, must still be sent
            file.close()


@blueprint.get("/account/import")
def show() -> Response:
    """The form, or how far an import has come."""
    return _page(_importer().running(who.known_visitor()))


@blueprint.post("/account/import")
def upload() -> Response:
    """Check a file and begin to import it."""
    file = request.files.get("file")
    if file is None or not file.filename:
        return _page(_importer().running(who.known_visitor()), "Choose the file that you downloaded.")
    try:
        _importer().begin(who.ensure_visitor(), file.stream, who.now())
    except (ImportFaultError, ImportRefusedError) as error:
        return _page(_importer().running(who.known_visitor()), f"{error} Nothing was imported.")
    return go_to(url_for("imports.show"))


@blueprint.post("/account/import/step")
def step() -> Response:
    """Go on with one's import for a moment."""
    try:
        progress = _importer().step(who.known_visitor(), who.now())
    except ImportFaultError as error:
        return _page(None, f"{error} The import ended there; the {error.kept:,} answers before it are kept.")
    if not progress.is_over:
        return _page(progress) if wants_fragment() else go_to(url_for("imports.show"))
    flash(_said(progress))
    return go_to(url_for("account.show"))


@blueprint.post("/account/import/stop")
def stop() -> Response:
    """End one's import where it is."""
    _importer().stop(who.known_visitor())
    flash("The import is stopped. What it had brought is kept.")
    return go_to(url_for("account.show"))


def _said(progress: Progress) -> str:
    """What an import has come to, in a sentence."""
    answers = "1 answer" if progress.added == 1 else f"{progress.added:,} answers"
    known = f" {progress.known:,} were here already." if progress.known else ""
    return f"Imported: {answers}.{known}"


def _page(progress: Progress | None, error: str = "") -> Response:
    partial = "account/_import.html"
    return render("account/import.html", partial, 422 if error else 200, progress=progress, error=error,
                  megabytes=current_app.config["IMPORT_MEGABYTES"])


def _importer() -> Importer:
    importer: Importer = current_app.extensions["importer"]
    return importer


