"""The session cookie: guarded by HTTPS wherever there is HTTPS, and working without it at home."""

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface


class SessionInterface(SecureCookieSessionInterface):
    """A signed cookie; over HTTPS it is ``Secure`` and, by its name, this host's alone."""

    def get_cookie_name(self, app: Flask) -> str:
        name = super().get_cookie_name(app)
        return f"__Host-{name}" if request.is_secure else name

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002
        return request.is_secure
