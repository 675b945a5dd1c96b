"""Decisions at tables that somebody made up and imported: every page shows them."""

import io
import json
from random import Random

import pytest

from tests.web.pages import parse, ways_on
from tests.web.tables import Player, lay_shoes
from trainer.engine.cards import composition_of
from trainer.engine.hands import total_of
from trainer.engine.presets import RULE_SETS
from trainer.engine.rule_key import key_of
from trainer.engine.rules import Rules
from trainer.table.moves import possible_answers
from trainer.table.shoe import full_deck

RULES = (*RULE_SETS.values(), Rules(surrender="early"), Rules(resplit_aces=True, hit_split_aces=True, decks=8))
MOST = {"stand": 1.0, "hit": 1.0, "double": 2.0, "split": 2.0, "decline": 2.0}
LINKS = 60


@pytest.fixture
def download(app, client):
    """What somebody has downloaded who split, insured and stood at a table."""
    dice, player = lay_shoes(app), Player(client).sit()
    for cards, words in (("8 6 8 T 3 T 9", ("split", "hit", "stand")), ("T A 9 7", ("insure", "stand"))):
        dice.lay(cards)
        player.bet("10")
        for word in words:
            assert player.say(word).status_code == 303
    return json.loads(client.get("/account/export.json").data)


def import_all(client, data):
    file = io.BytesIO(json.dumps(data).encode())
    assert client.post("/account/import", data={"file": (file, "x.json")}).location == "/account/import"
    steps = (client.post("/account/import/step").location for _ in range(100))
    assert next(each for each in steps if each != "/account/import") == "/account"


def dealt(rules, random):
    """A hand and the rest of the shoe: often a pair, an ace or a ten up, hardly a card of some rank unseen."""
    deck, first, last = list(full_deck(rules.decks)), random.randint(1, 40), random.randint(1, 10)
    random.shuffle(deck)
    size = random.choice([2, 2, 2, 3, 4])
    deck[:30] = sorted(deck[:30], key=lambda card: card.rank != first)
    deck[size + 1:] = sorted(deck[size + 1:], key=lambda card: card.rank == last)
    if random.random() < 0.3:
        deck[size:] = sorted(deck[size:], key=lambda card: card.rank not in (1, 10))
    return tuple(deck[:size]), deck[size:]


def made_up(like, number):
    """A decision that the rules of some table allow, with figures from the ends of what is believed, and others."""
    random = Random(number)
    while True:
        rules = random.choice(RULES)
        cards, (upcard, *others) = dealt(rules, random)
        possible = sorted(possible_answers(rules, cards, upcard)) if total_of(composition_of(cards)) < 21 else []
        seen = others[:random.choice([0, 1, 30, random.randint(0, len(others) - 20), len(others) - 20])]
        if possible and any(1 < card.rank < 10 for card in others[len(seen):]):
            break
    legal = random.choice(possible)
    evs = {word: -0.5 if word == "surrender" else random.choice([-1, 1, 0, random.uniform(-1, 1)]) * MOST[word]
           for word in legal}
    is_hinted = random.random() < 0.1
    return like | {
        "token": f"made_up{number:015}", "rules": f"rules {RULES.index(rules)}", "cards": "".join(map(str, cards)),
        "plan": f"rules={key_of(rules)}&mode=mixed", "upcard": str(upcard), "seen": "".join(map(str, seen)),
        "legal": legal, "evs": evs, "chosen": random.choice(legal), "grading": random.choice(["chart", "exact"]),
        "is_hinted": is_hinted, "time_ms": None if is_hinted else random.randint(0, 60_000), "is_slow": False,
    }


def test_whatever_is_made_up_is_shown(client, other_client, download):
    like = download["table_decisions"][0]
    download["table_decisions"] = [made_up(like, number) for number in range(120)]
    download["rule_sets"] |= {f"rules {place}": rules.to_dict() for place, rules in enumerate(RULES)}
    import_all(other_client, download)
    tokens = [each["token"] for each in download["table_decisions"]]
    links = {"/mistakes", "/mistakes?order=costliest", "/progress", "/account/export.csv", "/?mode=mistakes"}
    for token in tokens:
        response = other_client.get(f"/hand/{token}")
        assert response.status_code == 200, token
        page = parse(response.text)
        assert page.one(id="verdict").text
        assert "Played at a table" in page.text
        links |= set(ways_on(response))
        assert client.get(f"/hand/{token}").status_code == 404
    found = other_client.get("/account/export.json").json
    assert [each["token"] for each in found["table_decisions"]] == tokens
    links |= {link for page in ("/mistakes", "/mistakes?order=costliest", "/progress", "/mistakes?by=cell")
              for link in ways_on(other_client.get(page))}
    local = sorted(link for link in links if link.startswith("/"))
    assert len(local) > LINKS
    for link in Random(1).sample(local, LINKS):
        assert other_client.get(link, follow_redirects=True).status_code == 200, link


def test_hands_of_tables_that_were_imported_are_listed_and_drilled_again(client, other_client, download):
    import_all(other_client, download)
    lists = [parse(each.get("/mistakes").text).one("table", "hands") for each in (client, other_client)]
    assert lists[0].text == lists[1].text
    wrong = [each for name in ("decisions", "table_decisions") for each in download[name] if not each["is_right"]]
    assert len(lists[1].all("a")) == len(wrong) > 1
    assert parse(other_client.get("/?mode=mistakes").text).one("form", "moves")
