"""The composition root: configuration, services, commands and pages put together."""

import os
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from trainer.config import Settings
from trainer.service.strategies import StrategyCache
from trainer.web.strategy_cli import strategy

ROOT = Path(__file__).resolve().parent


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The application; ``config`` overrides Flask's settings and, as ``SETTINGS``, the environment's."""
    overrides = dict(config or {})
    settings = overrides.pop("SETTINGS", None) or Settings.from_environment(os.environ, ROOT)
    app = Flask(__name__, instance_path=str(settings.instance))
    app.extensions["strategies"] = StrategyCache(settings.instance / "strategies")
    app.cli.add_command(strategy)
    if sys.argv[1:2] == ["strategy"]:
        return app  # `flask strategy` needs neither pages nor a database
    app.config.update(_page_settings(settings) | overrides)
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, hops, hops, hops)  # type: ignore[method-assign]
    _add_pages(app)
    return app


def _page_settings(settings: Settings) -> dict[str, Any]:
    from trainer.storage.database import engine_options

    settings.instance.mkdir(parents=True, exist_ok=True)
    url = settings.resolved_database_url()
    return {
        "SECRET_KEY": settings.resolved_secret_key(),
        "SQLALCHEMY_DATABASE_URI": url,
        "SQLALCHEMY_ENGINE_OPTIONS": engine_options(url),
        "SESSION_COOKIE_SAMESITE": "Lax",
        "PERMANENT_SESSION_LIFETIME": timedelta(days=365),
        "MAX_CONTENT_LENGTH": 64 * 1024,
        "MAX_FORM_MEMORY_SIZE": 64 * 1024,
        "WTF_CSRF_TIME_LIMIT": None,  # a drill page stays open for hours
        "RATELIMIT_STORAGE_URI": settings.redis_url or "process://",
        "REQUEST_LOG": settings.is_request_logged,
        "IMPORT_MEGABYTES": settings.import_megabytes,
    }


def _add_pages(app: Flask) -> None:
    from flask_migrate import Migrate

    from trainer.storage.database import MIGRATIONS, db
    from trainer.web import pages

    db.init_app(app)
    Migrate(app, db, directory=str(MIGRATIONS))
    pages.init_app(app)
