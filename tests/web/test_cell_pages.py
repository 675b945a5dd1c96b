"""The page of a chart cell: every number against the engine, its neighbours, and the visitor's own record."""

from datetime import timedelta

import pytest

from tests.rule_keys import KEYS
from tests.web.pages import START, Clock, answer, parse, put_hand
from trainer.drill.parameters import row_name
from trainer.drill.plan import Plan
from trainer.drill.words import percent, signed
from trainer.engine.cards import Card, label_of
from trainer.engine.cell import report_cell
from trainer.engine.chart import MEANINGS, SECTIONS, UPCARD_ORDER, Cell, asked_rows
from trainer.engine.hands import Hand, label
from trainer.engine.rule_key import canonical_key, rules_for

WANTED = [Cell("hard", 16, 10), Cell("hard", 12, 4), Cell("soft", 18, 1), Cell("pair", 8, 1), Cell("hard", 20, 10),
          Cell("pair", 7, 10)]


def url_of(key, cell):
    return f"/charts/{canonical_key(key)}/{row_name(cell)}/{label_of(cell.upcard)}"


def facts_of(root):
    """The figures in the boxes by name."""
    return {row.one("dt").text: row.one("dd").text for part in root.all("section", "facts") for row in part.all("div")}


def hands_of(root):
    """The rows of all tables of hands, in order: cards, how often, best move, margin, then the EVs by move."""
    for table in root.all("table", "worths"):
        moves = [head.text.lower() for head in table.one("thead").all("th")][4:]
        for row in table.one("tbody").all("tr"):
            often, best, margin, *evs = row.all("td")
            yield (row.one("th").text, often.text, best, margin.text,
                   {move: cell for move, cell in zip(moves, evs, strict=True) if cell.text})


@pytest.mark.parametrize("key", KEYS)
def test_every_number_is_the_engines(client, strategies, key):
    strategy = strategies.get(rules_for(key))
    for cell in WANTED:
        report = report_cell(strategy, cell)
        response = client.get(url_of(key, cell))
        if cell.row not in asked_rows(strategy.rules, cell.section):
            assert response.status_code == 404
            continue
        root = parse(response.text)
        facts = facts_of(root)
        assert facts["Comes up in 1,000 hands"] == f"{1000 * report.frequency:.2f}"
        words = "Behind a better move by" if report.margin < 0 else "Ahead of the next best move by"
        assert facts[words] == f"{abs(report.margin):.4f}"
        assert facts["Costs against exact play, each time"] == f"{report.ev_cost:.6f}"
        assert facts["Costs in 1,000 hands"] == f"{1000 * report.frequency * report.ev_cost:.4f}"
        assert root.one(id="facts").text == f"The chart: {report.code} {MEANINGS[report.code]}"
        check_hands(root, report)


def check_hands(root, report):
    rows = list(hands_of(root))
    assert len(rows) == len(report.compositions)
    for (cards, often, best, margin, evs), hand in zip(rows, report.compositions, strict=True):
        assert cards.replace("10", "T").replace("-", "") == label(hand.composition)
        assert {move: cell.text for move, cell in evs.items()} == {
            str(action): signed(ev) for action, ev in hand.evs.items()}
        assert [move for move, cell in evs.items() if "best" in cell.classes] == [str(hand.exact)]
        assert best.text.removesuffix(" ≠").lower() == str(hand.exact)
        assert ("≠" in best.text) == (hand.exact != hand.chart)
        ordered = sorted(hand.evs.values())
        assert margin == f"{ordered[-1] - ordered[-2]:.4f}"
        if hand.is_after_split_only:
            assert often == "after a split only"
        else:
            expected = percent(hand.share, 2) if hand.share >= 0.00005 else "under 0.01%"
            assert often == (expected if hand.share else "never")


@pytest.mark.parametrize("key", ["hall-of-thoth", "squarescores", "classic"])
def test_the_shares_shown_add_up_to_all(client, key):
    for cell in WANTED[:3]:
        root = parse(client.get(url_of(key, cell)).text)
        shares = [often for _, often, *_ in hands_of(root) if often.endswith("%") and not often.startswith("under")]
        assert sum(float(share.removesuffix("%")) for share in shares) == pytest.approx(100, abs=1.0)


@pytest.mark.parametrize("key", ["hall-of-thoth", "decks~4.hole_card~obo.no_split~A-T.surrender~early"])
def test_what_comes_up_in_a_thousand_hands_adds_up_over_all_cells(client, strategies, key):
    strategy = strategies.get(rules_for(key))
    cells = [Cell(section, row, upcard) for section in SECTIONS for row in asked_rows(strategy.rules, section)
             for upcard in UPCARD_ORDER]
    shown = sum(float(facts_of(parse(client.get(url_of(key, cell)).text))["Comes up in 1,000 hands"])
                for cell in cells)
    expected = 1000 * sum(report_cell(strategy, cell, only_met=True).frequency for cell in cells)
    assert shown == pytest.approx(expected, abs=0.005 * len(cells))
    assert 1100 < shown < 1500


def test_the_sentence_tells_whether_the_hands_agree(client):
    def main(cell):
        return parse(client.get(url_of("hall-of-thoth", cell)).text).one("main").text

    assert "The one hand that comes here is best played as the chart says." in main(Cell("pair", 8, 10))
    assert "The one hand that comes here is better played by standing, by" in parse(
        client.get(url_of("squarescores", Cell("pair", 7, 10))).text).one("main").text
    assert "hands that come here are best played as the chart says." in main(Cell("hard", 20, 6))
    assert "2-10, for one, by hitting, by" in main(Cell("hard", 12, 4))


def test_neighbours_are_the_cells_beside_it(client):
    def neighbours(path):
        nav = parse(client.get(path).text).one("nav", aria_label="Cells beside this one")
        return {link.text.partition(" ")[0]: link.attributes["href"] for link in nav.all("a")}

    assert neighbours("/charts/classic/h16/T") == {
        "←": "/charts/classic/h16/9", "→": "/charts/classic/h16/A",
        "↑": "/charts/classic/h17/T", "↓": "/charts/classic/h15/T"}
    assert neighbours("/charts/shoe-h17/pA/2") == {
        "→": "/charts/shoe-h17/pA/3", "↓": "/charts/shoe-h17/pT/2"}
    assert neighbours("/charts/shoe-h17/h5/A") == {
        "←": "/charts/shoe-h17/h5/T", "↑": "/charts/shoe-h17/h6/A"}


def test_the_row_is_shown_with_the_cell_in_it(client, strategies):
    strategy = strategies.get(rules_for("shoe-h17"))
    row = parse(client.get("/charts/shoe-h17/s18/9").text).one("table", "strip-row").one("tbody")
    codes = [strategy.chart.code(Cell("soft", 18, upcard)) for upcard in UPCARD_ORDER]
    assert [cell.text for cell in row.all("td")] == codes
    (here,) = [cell for cell in row.all("td") if "here" in cell.classes]
    assert here.one("a").attributes["aria-current"] == "page"
    assert here.one("a").attributes["href"] == "/charts/shoe-h17/s18/9"


def test_it_can_be_drilled_and_its_hands_worked_out(client):
    root = parse(client.get("/charts/classic/s18/9").text)
    plan = Plan.from_text(root.one("a", "button").attributes["href"].removeprefix("/?"))
    assert (plan.rules_key, plan.rows, plan.upcards) == ("classic", ("s18",), ("9",))
    link = root.all("table", "worths")[0].all("a")[0].attributes["href"]
    assert link == "/hands/A7/9?rules=classic"
    assert client.get(link).status_code == 200


def test_the_record_is_the_visitors_own_on_this_strategy(app, client, other_client, monkeypatch):
    clock = Clock.install(monkeypatch)
    path = "/charts/hall-of-thoth/h16/T"
    assert "You have not been asked this yet." in parse(client.get(path).text).one("main").text
    lost = 0.0
    for cards, rules_key, move in (("Ts6h", "hall-of-thoth", "hit"), ("9s7h", "openseat", "stand"),
                                   ("Ts6h", "hall-of-thoth", "stand"), ("Ts6h", "squarescores", "stand")):
        token = put_hand(app, client, cards, "Kd", rules_key, at=clock())
        answer(client, token, move)
        clock.advance(seconds=5)
    solution = app.extensions["strategies"].get(rules_for("hall-of-thoth")).solution
    for cards in ("T6", "97"):
        evs = solution.evs(*hand_and_upcard(cards, "T"))
        lost += evs["hit"] - evs["stand"]
    facts = facts_of(parse(client.get(path).text))
    assert {name: facts[name] for name in ("Decisions", "Right", "EV lost")} == {
        "Decisions": "3", "Right": "33.3%", "EV lost": f"{lost:.4f}"}
    assert facts_of(parse(client.get("/charts/openseat/h16/T").text))["Decisions"] == "3"
    assert facts_of(parse(client.get("/charts/squarescores/h16/T").text))["Decisions"] == "1"
    for stranger in ("/charts/hall-of-thoth/h16/9", "/charts/hall-of-thoth/h15/T", "/charts/classic/h16/T"):
        assert "Decisions" not in facts_of(parse(client.get(stranger).text))
    assert "Decisions" not in facts_of(parse(other_client.get(path).text))
    assert clock() == START + timedelta(seconds=20)


def test_a_hinted_answer_is_told_apart(app, client):
    token = put_hand(app, client, "Ts6h", "Kd")
    client.post(f"/hand/{token}/hint")
    answer(client, token, "hit")
    facts = facts_of(parse(client.get("/charts/hall-of-thoth/h16/T").text))
    assert (facts["Decisions"], facts["Right"], facts["With the chart in view"]) == ("0", "–", "1")


def hand_and_upcard(cards, upcard):
    return Hand.parse(cards), Card(upcard)


@pytest.mark.parametrize(("key", "row", "upcard"), [
    ("hall-of-thoth", "h4", "6"), ("hall-of-thoth", "h21", "6"), ("hall-of-thoth", "s12", "6"),
    ("hall-of-thoth", "p11", "6"), ("hall-of-thoth", "p1", "6"), ("hall-of-thoth", "H16", "6"),
    ("hall-of-thoth", "h16", "10"), ("hall-of-thoth", "h16", "K"), ("hall-of-thoth", "h16", "a"),
    ("classic", "p4", "6"), ("classic", "pT", "6"),
])
def test_what_is_not_on_the_chart_is_not_found(client, key, row, upcard):
    response = client.get(f"/charts/{key}/{row}/{upcard}")
    assert response.status_code == 404
    assert f"/charts/{key}" in [link.attributes["href"] for link in parse(response.text).one("main").all("a")]


def test_where_a_pair_may_not_be_split_its_total_is_on_the_chart(client):
    key = "decks~4.hole_card~obo.no_split~A-T.surrender~early"
    assert client.get(url_of(key, Cell("soft", 12, 6))).status_code == 200
    assert client.get(url_of(key, Cell("pair", 1, 6))).status_code == 404
