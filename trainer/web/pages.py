"""All pages, put on an application."""


from flask import Flask
from flask_wtf.csrf import CSRFProtect
from jinja2 import StrictUndefined
from werkzeug.routing import BaseConverter

from trainer.engine.presets import TITLES
from trainer.service.drill import DrillService, StorageError
from trainer.service.playout import PlayOutService
from trainer.service.preferences import Preferences
from trainer.service.tables import TableService
from trainer.web import (
    assets,
    charts,
    drill,
    errors,
    hands,
    headers,
    health,
    htmx,
    insurance,
    mistakes,
    playout,
    progress,
    runs,
    settings,
    tables,
)
from trainer.web import visitor as who

_BLUEPRINTS = tuple(module.blueprint for module in (
    drill, playout, tables, runs, progress, mistakes, charts, hands, insurance, settings, health))


class TokenConverter(BaseConverter):
    """A hand's id in an address; anything else is no address at all."""

    regex = r"[A-Za-z0-9_-]{22}"


def init_app(app: Flask) -> None:
    """Register every blueprint and what all pages share."""
    app.url_map.converters["token"] = TokenConverter
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    CSRFProtect(app)
    app.extensions["drill"] = DrillService(app.extensions["strategies"])
    app.extensions["playout"] = PlayOutService(app.extensions["strategies"])
    app.extensions["tables"] = TableService(app.extensions["strategies"])
    for part in (htmx, headers, errors, assets):
        part.init_app(app)
    for blueprint in _BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.jinja_env.globals["rule_set_titles"] = TITLES
    app.context_processor(_shared)


def _shared() -> dict[str, object]:
    """What ``base.html`` reads; the defaults where the settings cannot be read, so that an error page still shows."""
    try:
        preferences = who.preferences()
    except StorageError:
        preferences = Preferences()
    return {"preferences": preferences}


