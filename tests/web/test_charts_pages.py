"""The chart of every rule set as a page, and picking a part of it to practise."""

import pytest

from tests.web.pages import hand_of, parse, token_of
from trainer.engine.chart import MEANINGS, UPCARD_ORDER, Cell
from trainer.engine.presets import RULE_SETS, TITLES

SECTIONS = {"Hard hands": "hard", "Soft hands": "soft", "Pairs": "pair"}
HEAD = ["", *"23456789", "10", "A"]


def sections_of(response):
    """Section, row label, codes and the names in the boxes to tick."""
    for table in parse(response.text).all("table", "section"):
        section = SECTIONS[table.one("caption").text]
        assert [cell.text for cell in table.one("thead").one("tr").all() if cell.tag in ("td", "th")] == HEAD
        for row in table.one("tbody").all("tr"):
            boxes = [box.attributes["value"] for box in row.all("input")]
            yield section, row.one("th").text, [cell.text for cell in row.all("td")], boxes


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_cell_is_the_engines(client, strategies, key):
    strategy = strategies.get(RULE_SETS[key])
    shown = {}
    for section, label, codes, _ in sections_of(client.get(f"/charts/{key}")):
        shown[section, label] = codes
    assert ("pair", "8-8") in shown
    for (section, label), codes in shown.items():
        last = label.rpartition("-")[2]
        rank = {"A": 1, "10": 10}.get(last) or int(last)
        row = {"hard": rank, "soft": rank + (11 if rank < 11 else 0), "pair": rank}[section]
        cells = [Cell(section, row, upcard) for upcard in UPCARD_ORDER]
        assert cells[0].row_label == label
        assert codes == [strategy.chart.code(cell) for cell in cells]


@pytest.mark.parametrize(("key", "there", "missing"), [
    ("hall-of-thoth", ["A-A", "10-10", "4-4", "5-5", "20", "5", "A-9", "A-2"], ["4", "21", "A-A!"]),
    ("classic", ["A-A", "8-8", "4", "20"], ["4-4", "5-5", "10-10"]),
])
def test_the_rows_are_those_that_are_asked(client, key, there, missing):
    labels = [label for section, label, *_ in sections_of(client.get(f"/charts/{key}"))]
    assert [label for label in there if label not in labels and label != "4"] == []
    assert [label for label in missing if label in labels] == []
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_legend_tells_every_code_in_use(client, key):
    response = client.get(f"/charts/{key}")
    legend = parse(response.text).one("dl", "legend")
    told = dict(zip((term.text for term in legend.all("dt")), (text.text for text in legend.all("dd")), strict=True))
    used = {code for *_, codes, _ in sections_of(response) for code in codes}
    assert told == {code: meaning for code, meaning in MEANINGS.items() if code in used}


def test_a_cell_has_letter_words_and_colour(client):
    table = parse(client.get("/charts/shoe-h17").text).all("table", "section")[0]
    for cell in table.one("tbody").all("td"):
        assert cell.one("abbr").attributes["title"] == MEANINGS[cell.text]
        assert cell.classes == [f"code-{cell.text[0].lower()}"]


@pytest.mark.parametrize(("key", "chart", "exact"), [
    ("hall-of-thoth", "\N{MINUS SIGN}0.4059%", "\N{MINUS SIGN}0.4029%"),
    ("squarescores", None, None),
])
def test_the_page_tells_the_edge(client, strategies, key, chart, exact):
    text = parse(client.get(f"/charts/{key}").text).one("main").text
    strategy = strategies.get(RULE_SETS[key])
    for edge, known in ((strategy.by_chart.edge, chart), (strategy.exact.edge, exact)):
        shown = f"{abs(100 * edge):.4f}%"
        assert shown in text
        assert known is None or known in text


@pytest.mark.parametrize("endpoint", ["/charts/{}", "/charts/{}/pick"])
def test_every_rule_set_is_one_link_away(client, endpoint):
    root = parse(client.get(endpoint.format("classic")).text)
    links = {chip.text: chip.attributes for chip in root.one("main").all("a", "chip")}
    assert {title: links[title]["href"] for title in TITLES.values()} == {
        TITLES[key]: endpoint.format(key) for key in RULE_SETS}
    assert [title for title, attributes in links.items() if "aria-current" in attributes] == [TITLES["classic"]]


def test_charts_leads_to_the_chart_of_the_visitors_rule_set(client):
    response = client.get("/charts", follow_redirects=True)
    assert parse(response.text).one("h1").text == "Hall of Thoth"


def test_a_chart_leads_to_a_drill_on_its_rules(app, client):
    root = parse(client.get("/charts/squarescores").text)
    token = token_of(client.get(root.one("a", "button").attributes["href"]))
    assert hand_of(app, client, token).situation.rules.decks == 1


def test_every_box_can_be_drilled(client):
    page = client.get("/charts/hall-of-thoth/pick")
    names = [name for *_, boxes in sections_of(page) for name in boxes]
    assert len(names) == len(set(names)) >= 33
    for name in names:
        assert token_of(client.get(f"/?rules=hall-of-thoth&mode=focus&rows={name}"))


def test_what_is_picked_is_dealt_and_ticked_the_next_time(app, client):
    form = parse(client.get("/charts/classic/pick").text).one("form", "pick")
    assert (form.attributes["method"], form.attributes["action"]) == ("get", "/")
    hidden = {field.attributes["name"]: field.attributes["value"] for field in form.all("input", type="hidden")}
    response = client.get("/", query_string=hidden | {"rows": ["s18", "p8"], "upcards": ["9", "T"]})
    cell = hand_of(app, client, token_of(response)).situation.cell
    assert (cell.section, cell.row) in {("soft", 18), ("pair", 8)}
    assert cell.upcard in (9, 10)
    boxes = parse(client.get("/charts/classic/pick").text).all("input", type="checkbox")
    assert [box.attributes["value"] for box in boxes if "checked" in box.attributes] == ["9", "T", "s18", "p8"]


def test_nothing_picked_means_the_whole_chart(app, client):
    page = parse(client.get("/charts/hall-of-thoth/pick").text)
    assert "No row ticked means every row, no upcard every upcard." in page.text
    form = page.one("form", "pick")
    hidden = {field.attributes["name"]: field.attributes["value"] for field in form.all("input", type="hidden")}
    sections = set()
    for number in range(40):
        response = client.get("/", query_string=hidden | {"seed": number})
        sections.add(hand_of(app, client, token_of(response)).situation.category)
    assert sections == {"hard", "soft", "pair"}


@pytest.mark.parametrize("key", ["nonsense", "Classic", "hall-of-thoth%00", "x" * 10_000])
def test_a_rule_set_that_is_none_is_not_found(client, key):
    for path in (f"/charts/{key}", f"/charts/{key}/pick"):
        assert client.get(path).status_code == 404
