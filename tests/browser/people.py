"""People who have practised already: driven without a browser, so that a browser can look at what they left."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from itertools import count

from flask import Flask

from tests.browser.reference import Reference, look_up
from trainer.engine.presets import RULE_SETS
from trainer.engine.strategy import Strategy
from trainer.web.lessons import LESSONS

# All pages are looked at in so many parts, for processes that test side by side.
PARTS = 6
_MOST_TRIES = 400


@dataclass(frozen=True)
class Dealt:
    """An open hand as its page describes it."""

    query: str
    path: str
    csrf_token: str
    dealer: str
    player: tuple[str, ...]
    moves: tuple[str, ...]
    is_natural: bool


class Person:
    """A visitor with a cookie of their own."""

    def __init__(self, app: Flask, strategy_of: Callable[[str], Strategy]) -> None:
        self._client = app.test_client()
        self._strategy_of = strategy_of

    @property
    def cookie(self) -> str:
        cookie = self._client.get_cookie("session")
        assert cookie is not None
        return cookie.value

    def ask(self, query: str) -> Dealt:
        """Have a hand dealt."""
        html = unescape(self._client.get(f"/?{query}").get_data(as_text=True))
        dealer, *player = re.findall(r'class="card suit-[^"]*"[^>]* aria-label="([^"]+)"', html)
        path = re.search(r'action="(/hand/[\w-]{22})"', html)
        token = re.search(r'name="csrf_token" value="([^"]+)"', html)
        assert path is not None
        assert token is not None
        moves = re.findall(r'<button class="move"[^>]* value="(\w+)"', html)
        return Dealt(query, path[1], token[1], dealer, tuple(player), tuple(moves), "natural</small>" in html)

    def find(self, query: str, is_wanted: Callable[[Dealt], bool]) -> Dealt:
        """The hand of the first seed that deals what is wanted."""
        for seed in count():
            dealt = self.ask(f"{query}&seed={seed}")
            if is_wanted(dealt):
                return dealt
            assert seed < _MOST_TRIES, f"no such hand among {_MOST_TRIES} of {query}"
        raise AssertionError

    def reference(self, dealt: Dealt) -> Reference:
        """What the engine says of the hand."""
        named = re.search(r"rules=([\w-]+)", dealt.query)
        return look_up(self._strategy_of(named[1] if named else "hall-of-thoth"), dealt.dealer, dealt.player)

    def post(self, dealt: Dealt, path: str, **fields: str) -> str:
        """Send a form of the hand's page; where it leads to."""
        response = self._client.post(path, data={"csrf_token": dealt.csrf_token, **fields})
        assert response.status_code == 303
        return response.location

    def answer(self, dealt: Dealt, move: str) -> str:
        """Answer the hand; the verdict's path."""
        return self.post(dealt, dealt.path, action=move)

    def answer_right(self, query: str) -> str:
        dealt = self.ask(query)
        return self.answer(dealt, self.reference(dealt).best)

    def answer_wrong(self, query: str) -> str:
        dealt = self.ask(query)
        return self.answer(dealt, self.reference(dealt).wrong_moves[-1])

    def save_rules(self, rules_key: str, name: str) -> None:
        """Keep a rule set under a name."""
        html = self._client.get(f"/rules/{rules_key}").get_data(as_text=True)
        token = re.search(r'name="csrf_token" value="([^"]+)"', html)
        assert token is not None
        response = self._client.post(f"/rules/{rules_key}/save", data={"csrf_token": token[1], "name": name})
        assert response.status_code == 303

    def start(self, query: str) -> None:
        """Start the streak or sprint that the address names."""
        html = self._client.get(f"/?{query}").get_data(as_text=True)
        form = html.partition('action="/start"')[2]
        fields = dict(re.findall(r'name="(csrf_token|rules|mode)" value="([^"]+)"', form))
        assert self._client.post("/start", data=fields).status_code == 303

    def finish(self) -> str:
        """End the session; its summary's path."""
        return self.post(self.ask("mode=mixed"), "/finish")


@dataclass(frozen=True)
class Practised:
    """A person's cookie, and the paths of pages that show what they did, by name."""

    cookie: str = field(repr=False)
    paths: dict[str, str] = field(repr=False)

    def part(self, index: int) -> dict[str, str]:
        """One of the ``PARTS`` of the pages; like pages are in different parts."""
        return dict(list(self.paths.items())[index::PARTS])


def practise(person: Person) -> Practised:
    """Make a person with something on every page; the longest of each kind."""
    five_moves = "rules=shoe-h17&mode=focus&rows=p8&upcards=A"
    paths = {
        "right": person.answer_right("mode=focus&rows=h16&upcards=T"),
        "wrong": person.answer_wrong("mode=focus&rows=s18&upcards=9"),
        "wrong of five moves": person.answer_wrong(five_moves),
    }
    many = person.find("mode=multi-card", lambda dealt: len(dealt.player) >= 5 and _differ(person.reference(dealt)))
    paths["verdict on five cards"] = person.answer(many, person.reference(many).chart)
    differing = person.find("mode=focus&rows=h12&upcards=4", lambda dealt: _differ(person.reference(dealt)))
    paths["chart against exact play"] = person.answer(differing, person.reference(differing).chart)
    insured = person.find("mode=insurance", lambda dealt: not dealt.is_natural)
    natural = person.find("mode=insurance", lambda dealt: dealt.is_natural)
    paths["insurance taken"] = person.answer(insured, "insure")
    paths["even money declined"] = person.answer(natural, "decline")
    hinted = person.ask("rules=shoe-h17&mode=focus&rows=h15&upcards=A")
    person.post(hinted, f"{hinted.path}/hint")
    paths["verdict with the chart in view"] = person.answer(hinted, "stand")
    paths["summary"] = person.finish()
    person.answer_right("mode=focus&rows=h11&upcards=6")
    paths["summary, all right"] = person.finish()
    for query in ("mode=focus&focus=hard", "mode=focus&focus=soft", "mode=focus&focus=pair"):
        person.answer_wrong(query)
    person.save_rules("decks~2.surrender~late.shuffle~hand", "A table of our own with a rather long name, friends only")
    for rules_key in ("hall-of-thoth", "shoe-h17"):
        person.start(f"rules={rules_key}&mode=streak")
    person.answer_right("rules=shoe-h17&mode=streak")
    person.answer_wrong("rules=shoe-h17&mode=streak")
    open_hint = person.ask("rules=shoe-h17&mode=focus&rows=h14&upcards=T")
    person.post(open_hint, f"{open_hint.path}/hint")
    return Practised(person.cookie, paths | {
        "question": "/?mode=mixed&seed=look",
        "question with five moves": f"/?{five_moves}",
        "question without a hole card": "/?rules=classic&mode=focus&focus=pair&seed=look",
        "question with the chart": f"/?{open_hint.query}",
        "question with five cards": f"/?{many.query}",
        "insurance": f"/?{insured.query}",
        "even money": f"/?{natural.query}",
        "nothing to deal": "/?rules=classic&mode=focus&focus=surrender",
        "for you": "/?rules=hall-of-thoth&mode=default-mix",
        "weak spots": "/?rules=hall-of-thoth&mode=weak-spots",
        "review, nothing due": "/?rules=classic&mode=review",
        "streak, to be started": "/?rules=classic&mode=streak",
        "streak": "/?rules=hall-of-thoth&mode=streak",
        "streak, ended": "/?rules=shoe-h17&mode=streak",
        "sprint, to be started": "/?rules=classic&mode=sprint",
        "fill the chart": "/fill?rules=shoe-h17",
        "fill a part of the chart": "/fill?rules=classic&section=soft",
        "fill, nothing there": "/fill?rules=max_split_hands~1&section=pair",
        "progress": "/progress",
        "progress, nothing by these rules": "/progress?rules=squarescores",
        "play it out": "/?mode=play-it-out&focus=soft",
        "tables": "/tables",
        "table before one sits down": "/tables/scribes",
        "no such table": "/tables/nonsense",
        "mistakes": "/mistakes",
        "mistakes, by cell": "/mistakes?order=cells",
        "mistakes, none like that": "/mistakes?category=insurance&upcard=2",
        "settings": "/settings",
        "account of a guest": "/account",
        "import": "/account/import",
        "register": "/register",
        "log in": "/login",
        "recover": "/recover",
        "delete history": "/account/history/delete",
        "privacy": "/privacy",
        **{f"chart of {key}": f"/charts/{key}" for key in RULE_SETS},
        "pick": "/charts/shoe-h17/pick",
        "exact table of a built rule set": "/charts/decks~2.dealer_hits_soft_17~yes.surrender~early.shuffle~hand"
                                           "?table=exact",
        "cell with a record": "/charts/hall-of-thoth/h16/T",
        "cell of a pair": "/charts/shoe-h17/p8/A",
        "no such cell": "/charts/shoe-h17/h99/A",
        "no such rules": "/charts/nonsense",
        "calculator": "/hands/88/A?rules=shoe-h17&seen=55TA",
        "calculator, many cards": "/hands/AAAAA222/T?rules=hall-of-thoth",
        "calculator, half a hand": "/hands?rules=shoe-h17&cards=A",
        "calculator, bust": "/hands/T95/A?rules=shoe-h17",
        "insurance page": "/insurance?rules=live-casino&tens=3&others=40",
        "insurance page, refused": "/insurance?rules=classic&tens=x&others=0",
        "rules": "/rules",
        "builder": "/rules/decks~2.surrender~late.shuffle~hand",
        "builder with changes": "/rules/hall-of-thoth?decks=1&dealer_hits_soft_17=yes&surrender=early",
        "builder refused": "/rules/classic?decks=99&shuffle=soon",
        "edge": "/edge?rules=squarescores&all=yes",
        "edge refused": "/edge?bet=0&all=yes",
        "lessons": "/learn",
        **{f"lesson {lesson.slug}": f"/learn/{lesson.slug}" for lesson in LESSONS},
        "not found": "/nowhere",
        "not one's own hand": "/hand/aaaaaaaaaaaaaaaaaaaaaa",
        "no such practice": "/?mode=nonsense",
    })


# What somebody sees who has done nothing yet.
NEWCOMER: dict[str, str] = {
    "first question": "/?mode=mixed&seed=look",
    "progress, empty": "/progress",
    "mistakes, empty": "/mistakes",
    "no mistakes to deal": "/?mode=mistakes",
    "no reviews yet": "/?mode=review",
}


def _differ(reference: Reference) -> bool:
    return reference.chart != reference.best
