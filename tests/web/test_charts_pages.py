"""The chart of every rule set as a page, and picking a part of it to practise."""

import pytest

from tests.rule_keys import KEYS
from tests.web.pages import hand_of, parse, token_of
from trainer.drill.parameters import row_name
from trainer.drill.plan import Plan
from trainer.engine.cards import label_of
from trainer.engine.chart import MEANINGS, SECTIONS, UPCARD_ORDER, Cell, asked_rows
from trainer.engine.presets import RULE_SETS, TITLES
from trainer.engine.rule_key import canonical_key, rules_for
from trainer.engine.survey import survey_of

TITLED = {"Hard hands": "hard", "Soft hands": "soft", "Pairs": "pair", "Surrender": "surrender"}
HEAD = ["", *"23456789", "10", "A"]


def sections_of(response):
    """Section, row label, codes and the names in the boxes to tick; the surrenders, which are told twice, left out."""
    for table in parse(response.text).all("table", "section"):
        section = TITLED[table.one("caption").text.removesuffix(" drill")]
        if section == "surrender":
            continue
        assert [cell.text for cell in table.one("thead").one("tr").all() if cell.tag in ("td", "th")] == HEAD
        for row in table.one("tbody").all("tr"):
            boxes = [box.attributes["value"] for box in row.all("input")]
            yield section, row.one("th").text, [cell.text for cell in row.all("td")], boxes


@pytest.mark.parametrize("table", ["chart", "exact"])
@pytest.mark.parametrize("key", KEYS)
def test_every_cell_is_the_engines(client, strategies, key, table):
    strategy = strategies.get(rules_for(key))
    chart = survey_of(strategy).exact if table == "exact" else strategy.chart
    shown = {}
    response = client.get(f"/charts/{key}?table={table}", follow_redirects=True)
    for section, label, codes, _ in sections_of(response):
        shown[section, label] = codes
    assert ("pair", "8-8") in shown
    for (section, label), codes in shown.items():
        last = label.rpartition("-")[2]
        rank = {"A": 1, "10": 10}.get(last) or int(last)
        row = {"hard": rank, "soft": rank + (11 if rank < 11 else 0), "pair": rank}[section]
        cells = [Cell(section, row, upcard) for upcard in UPCARD_ORDER]
        assert cells[0].row_label == label
        assert codes == [chart.code(cell) for cell in cells]
    assert len(shown) == sum(len(asked_rows(strategy.rules, section)) for section in SECTIONS)


@pytest.mark.parametrize("table", ["chart", "exact"])
@pytest.mark.parametrize("key", KEYS)
def test_every_cell_opens_its_page_and_is_marked_where_hands_differ(client, strategies, key, table):
    """Code, words, colour, mark and link of every cell, in the surrender table too."""
    strategy, canonical = strategies.get(rules_for(key)), canonical_key(key)
    survey = survey_of(strategy)
    chart, marks = strategy.chart, survey.chart_differs
    if table == "exact":
        chart, marks = survey.exact, survey.exact_differs
    places = {f"/charts/{canonical}/{row_name(cell)}/{label_of(cell.upcard)}": cell for cell in survey.frequencies}
    root = parse(client.get(f"/charts/{canonical}?table={table}").text)
    seen = set()
    for part in root.all("table", "section"):
        for node in part.one("tbody").all("td"):
            link = node.one("a")
            cell = places[link.attributes["href"]]
            code, name = chart.code(cell), link.attributes["aria-label"]
            seen.add(cell)
            if node.text == "\N{EN DASH}":
                assert (part.one("caption").text, node.classes[0]) == ("Surrender drill", "none")
                assert name.startswith("\N{EN DASH}: no surrender, ")
                assert "marked" not in node.classes
                assert code[0] != "R"
                continue
            assert (node.text, node.classes[0]) == (code, f"code-{code[0].lower()}")
            assert name.startswith(f"{code}: {MEANINGS[code]}, ")
            assert f" against {HEAD[1 + UPCARD_ORDER.index(cell.upcard)]}" in name
            assert ("marked" in node.classes) == (cell in marks) == ("better played otherwise" in name)
    assert seen == {cell for cell in places.values() if cell.row in asked_rows(strategy.rules, cell.section)}
    assert bool(root.one("dl", "legend").all("dt", "marked")) == bool(marks)


def test_the_surrender_table_has_the_rows_that_surrender(client, strategies):
    strategy = strategies.get(RULE_SETS["shoe-h17"])
    (table,) = parse(client.get("/charts/shoe-h17?section=surrender").text).all("table", "section")
    shown = {row.one("th").text: [cell.text for cell in row.all("td")] for row in table.one("tbody").all("tr")}
    expected = {}
    for section in SECTIONS:
        for row in asked_rows(strategy.rules, section):
            cells = [Cell(section, row, upcard) for upcard in UPCARD_ORDER]
            codes = [strategy.chart.code(cell) for cell in cells]
            if any(code[0] == "R" for code in codes):
                expected[cells[0].row_label] = [code if code[0] == "R" else "\N{EN DASH}" for code in codes]
    assert shown == expected != {}
    assert "no surrender" in parse(client.get("/charts/classic?section=surrender").text).one("p", "notice").text


@pytest.mark.parametrize(("section", "titles"), [
    ("", ["Hard hands", "Soft hands", "Pairs", "Surrender"]), ("hard", ["Hard hands"]), ("soft", ["Soft hands"]),
    ("pair", ["Pairs"]), ("surrender", ["Surrender"]),
])
def test_a_section_by_itself(client, section, titles):
    root = parse(client.get("/charts/shoe-h17", query_string={"section": section, "table": "exact"}).text)
    shown = [table.one("caption").text for table in root.all("table", "section")]
    assert shown == [f"{title} drill" for title in titles]
    current = [chip.text for chip in root.all("a", "chip") if "aria-current" in chip.attributes]
    assert current == ["Casino shoe, H17", "Exact play", {"": "All"}.get(section, titles[0])]


def test_rows_columns_and_tables_start_drills_of_themselves(client):
    for table in parse(client.get("/charts/shoe-h17").text).all("table", "section"):
        focus = TITLED[table.one("caption").text.removesuffix(" drill")]
        assert plan_of(table.one("a", "drill")).focus == focus
        names = []
        for row in table.one("tbody").all("tr"):
            plan = plan_of(row.one("th").one("a"))
            (name,) = plan.rows
            assert (plan.rules_key, plan.upcards) == ("shoe-h17", ())
            assert all(f"/{name}/" in cell.one("a").attributes["href"] for cell in row.all("td"))
            names.append(name)
        for head in table.one("thead").all("th"):
            if focus == "surrender":
                assert head.all("a") == []
                continue
            plan = plan_of(head.one("a"))
            assert sorted(plan.rows) == sorted(names)
            assert plan.upcards == (head.text.replace("10", "T"),)


def plan_of(link):
    return Plan.from_text(link.attributes["href"].removeprefix("/?"))


@pytest.mark.parametrize("query", ["table=", "table=Exact", "section=pairs", "section=all", "table=chart&section=x"])
def test_a_table_or_section_that_is_none_is_refused(client, query):
    response = client.get(f"/charts/classic?{query}")
    assert response.status_code == 400
    assert "/charts/classic" in [link.attributes["href"] for link in parse(response.text).one("main").all("a")]


@pytest.mark.parametrize(("path", "there"), [
    ("/charts/decks~6", "/charts/hall-of-thoth"),
    ("/charts/surrender~late.decks~2?table=exact&section=pair",
     "/charts/decks~2.surrender~late.shuffle~hand?table=exact&section=pair"),
    ("/charts/decks~6/pick", "/charts/hall-of-thoth/pick"),
    ("/charts/decks~6/h16/T", "/charts/hall-of-thoth/h16/T"),
    ("/charts/decks~6/chart.csv?table=exact", "/charts/hall-of-thoth/chart.csv?table=exact"),
    ("/charts/decks~6/evs.csv", "/charts/hall-of-thoth/evs.csv"),
    ("/hands?rules=decks~6", "/hands?rules=hall-of-thoth"),
    ("/hands/A7/6?rules=decks~6&seen=55", "/hands/A7/6?rules=hall-of-thoth&seen=55"),
    ("/insurance?rules=decks~6&tens=1&others=2", "/insurance?rules=hall-of-thoth&tens=1&others=2"),
    ("/insurance", "/insurance?rules=hall-of-thoth"),
    ("/hands", "/hands?rules=hall-of-thoth"),
])
def test_a_rule_set_has_one_address(client, path, there):
    response = client.get(path)
    assert (response.status_code, response.location) == (303, there)
    assert client.get(there).status_code == 200


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
    told.pop("", None)
    told.pop("\N{EN DASH}", None)
    used = {code for *_, codes, _ in sections_of(response) for code in codes}
    assert told == {code: meaning for code, meaning in MEANINGS.items() if code in used}


def test_a_cell_to_pick_has_letter_words_and_colour(client):
    table = parse(client.get("/charts/shoe-h17/pick").text).all("table", "section")[0]
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
    chips = root.one("nav", aria_label="Rule set").all("a", "chip")
    links = {chip.text: chip.attributes for chip in chips}
    assert {title: links[title]["href"] for title in TITLES.values()} == {
        TITLES[key]: endpoint.format(key) for key in RULE_SETS}
    assert [title for title, attributes in links.items() if "aria-current" in attributes] == [TITLES["classic"]]


def test_charts_leads_to_the_chart_of_the_visitors_rule_set(client):
    response = client.get("/charts", follow_redirects=True)
    assert parse(response.text).one("h1").text == "Hall of Thoth"


def test_a_chart_leads_to_a_drill_on_its_rules(app, client):
    root = parse(client.get("/charts/squarescores").text)
    token = token_of(client.get(root.all("a", "button")[0].attributes["href"]))
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
    for path in ("/charts/{}", "/charts/{}/pick", "/charts/{}/h16/T", "/charts/{}/chart.csv", "/charts/{}/evs.csv",
                 "/hands?rules={}", "/hands/A7/6?rules={}", "/insurance?rules={}"):
        response = client.get(path.format(key))
        assert response.status_code == 404
        ways = {link.text: link.attributes["href"] for link in parse(response.text).one("main").all("a")}
        assert {title: ways[title] for title in TITLES.values()} == {TITLES[key]: f"/charts/{key}" for key in RULE_SETS}

