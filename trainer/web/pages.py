"""All pages, put on an application."""

from pathlib import Path

from flask import Flask
from flask_wtf.csrf import CSRFProtect
from jinja2 import StrictUndefined
from werkzeug.routing import BaseConverter

from trainer.service.appraisal import Appraiser
from trainer.service.drill import DrillService, StorageError
from trainer.service.imports import Importer
from trainer.service.playout import PlayOutService
from trainer.service.preferences import Preferences
from trainer.service.tables import TableService
from trainer.web import (
    about,
    account,
    account_change,
    assets,
    charts,
    drill,
    edge,
    errors,
    fill,
    hands,
    headers,
    health,
    htmx,
    imports,
    insurance,
    learn,
    limits,
    mistakes,
    navigation,
    own_data,
    playout,
    progress,
    request_log,
    rule_choice,
    rules,
    runs,
    settings,
    tables,
)
from trainer.web import visitor as who
from trainer.web.cookies import SessionInterface
from trainer.web.people_cli import guests
from trainer.web.recount_cli import recount

_BLUEPRINTS = tuple(module.blueprint for module in (
    drill, playout, tables, runs, fill, progress, mistakes, charts, hands, rules, edge, insurance, learn, settings,
    account, account_change, own_data, imports, about, health))


class TokenConverter(BaseConverter):
    """A hand's id in an address; anything else is no address at all."""

    regex = r"[A-Za-z0-9_-]{22}"


def init_app(app: Flask) -> None:
    """Register every blueprint and what all pages share."""
    app.url_map.converters["token"] = TokenConverter
    app.session_interface = SessionInterface()
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    request_log.init_app(app)
    imports.init_app(app)  # before the form token is looked for, which reads the whole upload
    CSRFProtect(app)
    app.extensions["drill"] = DrillService(app.extensions["strategies"])
    app.extensions["playout"] = PlayOutService(app.extensions["strategies"])
    app.extensions["tables"] = TableService(app.extensions["strategies"])
    app.extensions["importer"] = Importer(app.extensions["strategies"], Path(app.instance_path) / "imports")
    app.extensions["appraiser"] = Appraiser(app.extensions["strategies"])
    for part in (htmx, headers, errors, assets, navigation):
        part.init_app(app)
    for blueprint in _BLUEPRINTS:
        app.register_blueprint(blueprint)
    limits.init_app(app)
    app.cli.add_command(guests)
    app.cli.add_command(recount)
    app.jinja_env.globals["rule_set_choices"] = rule_choice.offered
    app.context_processor(_shared)


def _shared() -> dict[str, object]:
    """What ``base.html`` reads; the defaults where the settings cannot be read, so that an error page still shows."""
    try:
        account, preferences = who.account(), who.preferences()
    except StorageError:
        account, preferences = None, Preferences()
    return {"preferences": preferences, "account": account}
