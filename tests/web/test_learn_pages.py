"""Lessons: for any rules they can be read, their numbers are the engine's, and the hands to try are dealt."""

import pytest

from tests.web.built import ALL, BUILT, close
from tests.web.pages import evs_of, hand_of, parse, token_of
from trainer.drill.grade import judge
from trainer.drill.situation import Situation
from trainer.engine.cards import Card
from trainer.engine.chart import MEANINGS
from trainer.engine.hands import Hand
from trainer.engine.rule_key import rules_for
from trainer.web.hand_view import LABELS
from trainer.web.lessons import LESSONS

SLUGS = [lesson.slug for lesson in LESSONS]
GAMES = ["hall-of-thoth", "classic", "squarescores", "shoe-h17", *BUILT]
NO_DOUBLING = "double_on~none.double_soft~no.double_after_split~no"


@pytest.fixture
def play_by(client):
    def choose(key):
        client.post(f"/rules/{key}/default")
        return client

    return choose


def hands_in(root):
    """Title to (the texts of its moves, what the chart is said to say)."""
    found = {}
    for section in root.all("section", "sheet"):
        rows = section.one("table", "evs").one("tbody").all("tr")
        evs = {row.one("th").text: row.one("td", "number").text for row in rows}
        found[section.one("h3").text] = evs, section.all("p", "aside")[-1].text
    return found


def read(title):
    """``A-7 with a 9 up`` as cards and upcard."""
    hand, _, upcard = title.replace("an ace up", "a A up").replace(" an ", " a ").partition(" with a ")
    ranks = [each.replace("10", "T") for each in hand.split("-")]
    return "".join(ranks), upcard.removesuffix(" up").replace("10", "T")


def test_every_lesson_is_listed_in_order(client):
    links = [link.attributes["href"] for link in parse(client.get("/learn").text).one("ol", "lessons").all("a")]
    assert links == [f"/learn/{slug}" for slug in SLUGS]
    assert set(SLUGS) >= {"play", "soft-and-hard", "doubling", "splitting", "surrender", "chart", "ev", "two-tables"}


@pytest.mark.parametrize("key", [*GAMES, NO_DOUBLING])
@pytest.mark.parametrize("slug", SLUGS)
def test_every_number_of_a_hand_is_the_engines(play_by, strategies, slug, key):
    rules = rules_for(key)
    response = play_by(key).get(f"/learn/{slug}")
    assert response.status_code == 200
    strategy = strategies.get(rules)
    for title, (evs, said) in hands_in(parse(response.text)).items():
        cards, upcard = read(title)
        situation = Situation(rules, Hand.parse(cards), Card(upcard))
        judgement = judge(strategy, situation)
        assert set(evs) == {LABELS[move] for move in judgement.evs}
        assert all(close(evs[LABELS[move]], ev, 4) for move, ev in judgement.evs.items())
        assert next(iter(evs)) == LABELS[judgement.exact]
        assert said.endswith(f"The chart: {MEANINGS[strategy.chart.code(situation.cell)]}.")


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("slug", SLUGS)
def test_the_hands_to_try_are_dealt(app, play_by, slug, key):
    client = play_by(key)
    links = parse(client.get(f"/learn/{slug}").text).one("ul", "tries").all("a")
    assert 2 <= len(links) <= 3
    for link in links:
        situation = hand_of(app, client, token_of(client.get(link.attributes["href"]))).situation
        assert situation.rules == rules_for(key)
        assert situation.upcard.rank == Card(read(link.text)[1]).rank
        named = link.text.partition(" with ")[0]
        cell = situation.cell
        assert named in (f"Hard {cell.row}", f"Soft {cell.row}", cell.row_label)


@pytest.mark.parametrize("key", ALL)
def test_numbers_in_the_text_are_the_engines(play_by, strategies, key):
    rules, strategy = rules_for(key), strategies.get(rules_for(key))
    client = play_by(key)

    def text(slug):
        return parse(client.get(f"/learn/{slug}").text).one("main").text

    value = strategy.by_chart
    paid = rules.blackjack_pays.replace(":", " to ")
    assert f"once in {1 / value.naturals:.0f} hands and pays {paid}" in text("play")
    assert f"happens to {100 * value.busts:.0f}% of hands" in text("play")
    hard_16 = judge(strategy, Situation(rules, Hand.parse("T6"), Card("T")))
    lost = -100 * max(hard_16.evs.values())
    assert f"of every 100 chips bet in this spot, {lost:.0f} are lost on average" in text("ev")
    soft_17 = judge(strategy, Situation(rules, Hand.parse("A6"), Card("7"))).evs
    assert f"gives up {soft_17['hit'] - soft_17['stand']:.2f} of a bet" in text("soft-and-hard")
    assert soft_17["hit"] > soft_17["stand"]
    soft_18 = judge(strategy, Situation(rules, Hand.parse("A7"), Card("9"))).evs
    assert f"by {soft_18['hit'] - soft_18['stand']:.2f} of a bet" in text("soft-and-hard")
    assert soft_18["hit"] > soft_18["stand"]
    gain = 100 * (strategy.exact.edge - value.edge)
    assert f"+{gain:.4f} percentage points" in text("two-tables")


def test_the_worth_of_surrender_is_the_difference_of_two_games(play_by, strategies):
    for key in ("hall-of-thoth", "shoe-h17"):
        rules = rules_for(key)
        with_it, without = (strategies.get(type(rules).from_mapping({"surrender": kind}, base=rules))
                            for kind in ("late", "none"))
        worth = 100 * (with_it.by_chart.edge - without.by_chart.edge)
        assert f"+{worth:.4f} percentage points" in parse(play_by(key).get("/learn/surrender").text).one("main").text


def test_hands_on_which_the_tables_differ_do(play_by, strategies):
    rules = rules_for("squarescores")
    response = play_by("squarescores").get("/learn/two-tables")
    shown = hands_in(parse(response.text))
    assert len(shown) == 2
    for title in shown:
        cards, upcard = read(title)
        judgement = judge(strategies.get(rules), Situation(rules, Hand.parse(cards), Card(upcard)))
        assert judgement.tables_differ


def test_a_lesson_names_the_rules_and_its_neighbours(client):
    root = parse(client.get("/learn/doubling").text)
    assert "worked out for Hall of Thoth" in root.one("main").text
    links = [link.attributes["href"] for link in root.one("nav", "neighbours").all("a")]
    assert links == ["/learn/soft-and-hard", "/learn/splitting"]
    assert client.get("/learn/nonsense").status_code == 404


def test_a_lesson_has_as_many_bars_as_moves(client):
    response = client.get("/learn/surrender")
    assert len(hands_in(parse(response.text))) == 2
    with pytest.raises(AssertionError):
        evs_of(response)  # more than one table of moves
