"""Junk in every form, field and address, from guests and accounts: refused or taken, never a fault of the program."""

from collections import Counter

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from werkzeug.routing import Rule

from tests.web.account_holders import PASSWORD
from tests.web.pages import HTMX, NOBODYS_HAND, parse
from trainer.engine.presets import RULE_SETS

# Requests in all are runs times steps; the seed is fixed, as everywhere.
FEW, MANY = (12, 40), (200, 50)
NASTY = ["", "\x00", "\x1b[31m", "'", '"', "<script>", "{{7*7}}", "%s", "%00", "../../etc/passwd", "-1", "0", "1e309",
         "NaN", "9" * 400, "9223372036854775808", "\N{RIGHT-TO-LEFT OVERRIDE}x", "\N{SUPERSCRIPT TWO}", "=1+1",
         "x" * 3000,
         "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}", "a\r\nSet-Cookie: b=c", "//elsewhere.example", ",", ",,,",
         "0.5,3", "inf,1", "\ufffd", "\U0001f0a1"]
GOOD = ["hit", "stand", "double", "split", "mixed", "focus", "insurance", "mistakes", "multi-card", "close-calls",
        "soft", "hard", "pair", "surrender", "classic", "chart", "exact", "dark", "10", "all", "7", "newest",
        "costliest", "T", "A", "h16", "h16,s18,p8", "Europe/Berlin", "y", "Ada", PASSWORD, *RULE_SETS]
# Every field that any page reads, and one that none does.
FIELDS = [
    "action", "time_zone", "mode", "rules", "focus", "rows", "upcards", "seed", "session", "category", "upcard",
    "all_rules", "order", "after", "period", "grading", "bet_unit", "theme", "four_colour", "auto_advance",
    "reduced_motion", "shortcuts", "daily_goal", "row", "move", "since", "until", "page", "line", "heat", "section",
    "h16T", "pA6", "table", "cards", "seen", "add", "up", "see", "tens", "others", "decks", "no_split", "shuffle",
    "hole_card", "bet", "hands_per_hour", "done", "name", "username", "password", "code", "old", "next",
    "csrf_token", "v", "junk",
]
# What stands in an address where it names something.
WORDS = {"rules_key": [*RULE_SETS, "decks~2.surrender~late"], "row": ["h16", "s18", "pA"], "upcard": ["A", "T", "6"],
         "cards": ["A7", "T6", "88", "AAAAA"], "slug": ["ev", "soft-and-hard"]}
# Text that can be sent: a lone surrogate cannot.
_texts = st.sampled_from(NASTY) | st.sampled_from(GOOD) | st.text(st.characters(codec="utf-8"), max_size=60)
_fields = st.lists(st.tuples(st.sampled_from(FIELDS), _texts), max_size=6)


@pytest.fixture
def app(everywhere: Flask) -> Flask:
    return everywhere


class Visitors(RuleBasedStateMachine):
    """A guest, somebody with an account, and nobody, who send what no page of ours sends."""

    app: Flask
    sent: Counter[int]
    people = Bundle("people")

    @initialize(target=people)
    def guest(self):
        return self.app.test_client()

    @initialize(target=people)
    def nobody(self):
        return self.app.test_client(use_cookies=False)

    @initialize(target=people, name=st.text(st.characters(codec="utf-8"), min_size=2, max_size=12))
    def account(self, name):
        client = self.app.test_client()
        self.send(client, "POST", "/register", data={"username": name, "password": PASSWORD})
        return client

    @rule(person=people, data=st.data(), query=_fields, form=_fields, headers=st.sampled_from([{}, HTMX]))
    def any_route(self, person, data, query, form, headers):
        route: Rule = data.draw(st.sampled_from(list(self.app.url_map.iter_rules())))
        method = data.draw(st.sampled_from(sorted(route.methods - {"OPTIONS"})))
        values = {name: data.draw(_values_for(name)) for name in sorted(route.arguments)}
        with self.app.test_request_context():
            path = route.build(values, append_unknown=False)[1]
        self.send(person, method, path, headers=headers, query_string=_pairs(query),
                  data=_pairs(form) if method == "POST" else None)

    @rule(person=people, path=_texts, method=st.sampled_from(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"]))
    def any_address(self, person, path, method):
        self.send(person, method, f"/{path.lstrip('/')}")

    @rule(person=people, body=st.binary(max_size=200), path=st.sampled_from(["/login", "/settings", "/register"]),
          kind=st.sampled_from(["application/json", "text/plain", "multipart/form-data", "",
                                "multipart/form-data; boundary=x", "application/x-www-form-urlencoded; charset=x"]))
    def any_body(self, person, body, path, kind):
        self.send(person, "POST", path, data=body, content_type=kind)

    @rule(person=people, cookie=_texts.filter(lambda text: text.isascii() and text.isprintable()))
    def any_cookie(self, person, cookie):
        self.send(person, "GET", "/progress", headers={"Cookie": f"session={cookie}"})

    @rule(person=people, form=_fields)
    def answer_what_is_open(self, person, form):
        page = self.send(person, "GET", "/?mode=mixed")
        forms = parse(page.text).all("form", "moves")
        if forms:
            self.send(person, "POST", forms[0].attributes["action"], data=_pairs([*form, ("action", "stand")]))

    def send(self, person, method, path, **sent):
        with person.open(path, method=method, **sent) as response:
            assert response.status_code < 500, (method, path, sent)
            self.sent[response.status_code] += 1
            if response.mimetype == "text/html" and response.status_code not in (204, 303, 308) and method != "HEAD":
                parse(response.text)
            return response


def _values_for(name: str):
    """What stands in an address: mostly something that the route takes at all."""
    if name == "token":
        return st.just(NOBODYS_HAND) | st.from_regex(r"\A[A-Za-z0-9_-]{22}\Z")
    if name.endswith("_id"):
        return st.integers(0, 3) | st.integers(0, 10**30)
    return st.sampled_from(WORDS.get(name, GOOD)) | _texts.filter(bool)


def _pairs(fields):
    found: dict[str, list[str]] = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize(("runs", "steps"), [FEW, pytest.param(*MANY, marks=pytest.mark.slow)], ids=["few", "many"])
def test_nothing_that_is_sent_is_a_fault(app, runs, steps):
    for limiter in app.extensions["limiter"]:
        limiter.enabled = False
    machine = type("Fuzz", (Visitors,), {"app": app, "sent": Counter()})
    run_state_machine_as_test(machine, settings=settings(
        max_examples=runs, stateful_step_count=steps, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck)))
    print(machine.sent)
    assert sum(machine.sent.values()) >= runs * steps / 2
    assert {200, 303, 404, 422, 400, 405} <= set(machine.sent)
