"""Where the site's links lead, and which of them stands for the page that is shown."""

from dataclasses import dataclass

from flask import Flask, current_app, request

_STRATEGY = (
    ("Charts", "/charts"), ("Any hand", "/hands"), ("Rules", "/rules"), ("Edge", "/edge"), ("Insurance", "/insurance"),
)


@dataclass(frozen=True)
class NavigationLink:
    """A link of the navigation; ``is_here`` where the page shown is its or belongs under it."""

    label: str
    url: str
    is_here: bool


def init_app(app: Flask) -> None:
    """Give ``base.html`` its links."""
    app.jinja_env.globals.update(site_links=site_links, strategy_links=strategy_links, is_settings=is_settings)


def site_links() -> tuple[NavigationLink, ...]:
    """The links at the head of every page."""
    under_strategy = any(_is_under(path) for _, path in _STRATEGY)
    is_drill = request.blueprint in ("drill", "playout", "fill")
    return (
        NavigationLink("Drill", "/", is_drill),
        NavigationLink("Tables", "/tables", _is_under("/tables")),
        NavigationLink("Progress", "/progress", _is_under("/progress")),
        NavigationLink("Mistakes", "/mistakes", _is_under("/mistakes")),
        NavigationLink("Strategy", "/charts", under_strategy),
        NavigationLink("Learn", "/learn", _is_under("/learn")),
    )


def is_settings() -> bool:
    """Whether the page shown is that of the settings, whose link stands apart."""
    return _is_under("/settings")


def strategy_links() -> tuple[NavigationLink, ...]:
    """The links under "Strategy", on the pages that belong there and nowhere else."""
    if not any(_is_under(path) for _, path in _STRATEGY):
        return ()
    known = {rule.rule.rstrip("/") for rule in current_app.url_map.iter_rules()}
    return tuple(NavigationLink(label, path, _is_under(path)) for label, path in _STRATEGY if path in known)


def _is_under(path: str) -> bool:
    return request.path == path or request.path.startswith(f"{path}/")
