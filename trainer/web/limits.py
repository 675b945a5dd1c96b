"""How often one address, name or visitor may try, in each process's memory or, for several of them, in Redis.

Whom a count belongs to is a keyed digest: neither addresses nor names are kept. Where Redis does not answer, each
process counts for itself until it does.
"""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from flask import Flask, current_app, request
from flask_limiter import Limiter

from trainer.service.credentials import username_key
from trainer.web import process_storage  # noqa: F401 - makes process:// known
from trainer.web import visitor as who

# Nothing is counted for longer than an hour; the privacy page says so.
DEFAULTS: Mapping[str, str] = {
    "answers": "300 per minute",
    "logins by address": "20 per minute; 100 per hour",
    "logins by name": "60 per hour",
    "registrations": "10 per minute; 60 per hour",
    "passwords": "10 per minute; 30 per hour",
    "exports": "30 per hour",
    "imports": "20 per hour",
}
# Redis that hangs must not hang answers.
_REDIS_OPTIONS = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}


def init_app(app: Flask) -> None:
    """Put limits on the views that want them; ``RATE_LIMITS`` of the configuration replaces some."""
    if app.config["RATELIMIT_STORAGE_URI"].startswith("redis"):
        app.config.setdefault("RATELIMIT_STORAGE_OPTIONS", _REDIS_OPTIONS)
    limiter = Limiter(_by_address, app=app, strategy="moving-window", in_memory_fallback_enabled=True,
                      swallow_errors=True)  # a second thread that finds Redis gone lets its one request pass
    limits = {**DEFAULTS, **app.config.get("RATE_LIMITS", {})}
    for endpoint, chosen in _LIMITED.items():
        view: Any = app.view_functions[endpoint]
        for name, key in chosen:
            view = limiter.shared_limit(limits[name], scope=name, key_func=key)(view)
        app.view_functions[endpoint] = view


def _by_address() -> str:
    """The network of whoever asks: one address, or the 64 bits of an IPv6 address that a home has to itself."""
    text = request.remote_addr or ""
    try:
        address = ip_address(text)
    except ValueError:
        return _digest(text)
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        text = str(mapped or ip_network((address, 64), strict=False))
    return _digest(text)


def _by_name() -> str:
    return _digest(username_key(request.form.get("username", ""))[:200])


def _by_browser() -> str:
    return _digest(who.browser() or request.remote_addr or "")


def _digest(text: str) -> str:
    key = str(current_app.config["SECRET_KEY"]).encode()
    return hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:32]


_Chosen = tuple[tuple[str, Callable[[], str]], ...]
_BY_PASSWORD: _Chosen = (("passwords", _by_browser), ("logins by address", _by_address))
_LIMITED: Mapping[str, _Chosen] = {
    "drill.answer": (("answers", _by_browser),),
    "account.log_in": (("logins by address", _by_address), ("logins by name", _by_name)),
    "account.recover": (("logins by address", _by_address), ("logins by name", _by_name)),
    "account.register": (("registrations", _by_address),),
    "account_change.change_password": _BY_PASSWORD,
    "account_change.renew_code": _BY_PASSWORD,
    "account_change.delete": _BY_PASSWORD,
    "own_data.export_json": (("exports", _by_browser),),
    "own_data.export_csv": (("exports", _by_browser),),
    "imports.upload": (("imports", _by_address),),
}
