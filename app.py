"""The composition root: configuration, services, commands and pages put together."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask

from trainer.config import Settings
from trainer.service.strategies import StrategyCache
from trainer.web.strategy_cli import strategy

ROOT = Path(__file__).resolve().parent


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The application; ``config`` overrides Flask settings and, as ``SETTINGS``, the environment's."""
    overrides = dict(config or {})
    settings = overrides.pop("SETTINGS", None) or Settings.from_environment(os.environ, ROOT)
    app = Flask(__name__, instance_path=str(settings.instance))
    app.config.update(overrides)
    app.extensions["strategies"] = StrategyCache(settings.instance / "strategies")
    app.cli.add_command(strategy)
    return app
