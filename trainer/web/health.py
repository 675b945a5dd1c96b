"""Whether the program and its database answer."""

from flask import Blueprint, Response

from trainer.service.health import check_storage

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> Response:
    """200 where all is well; a database that does not answer is a 503 like on every page."""
    check_storage()
    return Response("ok\n", mimetype="text/plain")
