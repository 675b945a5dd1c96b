"""An empty chart filled in from memory: marked cell by cell, refused in words, nothing stored."""

import pytest

from tests.web.pages import HTMX, Node, count, is_page, parse, table_of, ways_on
from trainer.drill.fill import mark_chart
from trainer.drill.parameters import row_name
from trainer.drill.plan import Mode, Plan
from trainer.drill.sheet import sheet_of
from trainer.engine.cards import label_of
from trainer.engine.chart import SECTIONS, Cell
from trainer.engine.presets import RULE_SETS
from trainer.web.fill_view import field_name

CASINO = "/fill?rules=shoe-h17"
TABLES = ("decisions", "users", "tallies", "practice_sessions", "questions", "cell_memories")
WRONG = {"h16T": "S", "h11A": "H", "s182": "H", "p8A": "P", "h204": "H"}


@pytest.fixture
def sheet(strategies):
    return sheet_of(strategies.get(RULE_SETS["shoe-h17"]))


@pytest.fixture
def own_codes(sheet):
    """The chart as it is filled in without a mistake."""
    return {field_name(cell): code for cell, code in zip(sheet.cells, sheet.codes, strict=True)}


def inputs(response) -> dict[str, Node]:
    return {field.attributes["name"]: field for field in parse(response.text).all("input", type="text")}


def marks(response) -> dict[str, Node]:
    """The cells of the marked tables by the address of their page."""
    cells = [cell for table in parse(response.text).all("table", "section") for cell in table.all("td")]
    return {cell.one("a").attributes["href"]: cell for cell in cells if cell.all("a")}


def page_of(cell: Cell) -> str:
    return f"/charts/shoe-h17/{row_name(cell)}/{label_of(cell.upcard)}"


@pytest.mark.parametrize(("query", "address"), [
    ("mode=fill-the-chart&rules=classic", "/fill?rules=classic"),
    ("mode=fill-the-chart&focus=soft&rules=shoe-h17", "/fill?rules=shoe-h17&section=soft"),
    ("mode=fill-the-chart", "/fill?rules=hall-of-thoth"),
])
def test_the_mode_leads_to_its_page_and_is_not_what_the_drill_goes_on_with(client, instance, query, address):
    client.get("/?mode=mixed")
    assert client.get(f"/?{query}").location == address
    assert client.get(f"/?{query}", headers=HTMX).headers["HX-Redirect"] == address
    assert client.get(address).status_code == 200
    assert client.get("/").location == "/?rules=hall-of-thoth&mode=mixed"
    assert count(instance, "questions") == 1


@pytest.mark.parametrize("rules_key", RULE_SETS)
def test_every_cell_has_one_field_with_a_name_to_be_read_out(client, strategies, rules_key):
    sheet = sheet_of(strategies.get(RULE_SETS[rules_key]))
    response = client.get(f"/fill?rules={rules_key}")
    fields = inputs(response)
    assert set(fields) == {field_name(cell) for cell in sheet.cells}
    assert all(field.attributes["value"] == "" for field in fields.values())
    assert fields["h16T"].attributes["aria-label"] == "hard 16 v 10"
    assert fields["s18A"].attributes["aria-label"] == "soft 18 v A"
    assert fields["p82"].attributes["aria-label"] == "pair of 8s v 2"
    labels = [field.attributes["aria-label"] for field in fields.values()]
    assert len(set(labels)) == len(labels)


def test_the_answers_are_not_on_the_empty_page(client):
    tables = parse(client.get(CASINO).text).all("table", "section")
    assert [table.one("caption").text for table in tables] == ["Hard hands", "Soft hands", "Pairs"]
    for table in tables:
        assert {cell.text for cell in table.one("tbody").all("td")} == {""}
        assert [head.text for head in table.one("thead").all("th", scope="col")] == [*"23456789", "10", "A"]
        assert all(row.one("th").attributes["scope"] == "row" for row in table.one("tbody").all("tr"))


@pytest.mark.parametrize(("rules_key", "codes"), [
    ("shoe-h17", "H S D Ds P Rh Rs Rp"), ("classic", "H S D Ds P"), ("shoe-h17&section=hard", "H S D Ds Rh Rs"),
])
def test_the_legend_has_the_codes_of_these_rules(client, rules_key, codes):
    root = parse(client.get(f"/fill?rules={rules_key}").text)
    assert [term.text for term in root.one("dl", "legend").all("dt")] == codes.split()
    assert root.one("form").attributes["data-codes"] == codes


@pytest.mark.parametrize("section", SECTIONS)
def test_one_section_alone_and_links_to_the_others(client, section):
    response = client.get(f"{CASINO}&section={section}")
    assert {name[0] for name in inputs(response)} == {section[0]}
    assert parse(response.text).one("form").attributes["action"] == f"{CASINO}&section={section}"
    links = ways_on(response)
    assert {f"{CASINO}&section={each}" for each in SECTIONS} | {CASINO} <= set(links)
    assert f"/fill?rules=classic&section={section}" in links


def test_a_chart_without_a_mistake_is_all_right(client, own_codes, instance):
    response = client.post(CASINO, data={name: code.lower() for name, code in own_codes.items()})
    root = parse(response.text)
    assert response.status_code == 200
    assert root.one("h2", tabindex="-1").text == f"All {len(own_codes)} right"
    assert {cell.classes[0] for cell in marks(response).values()} == {"right"}
    assert not root.all("table", "hands")
    assert [count(instance, table) for table in TABLES] == [0] * len(TABLES)


def test_marks_say_in_words_and_shape_what_is_right_wrong_and_blank(client, sheet, own_codes):
    sent = own_codes | WRONG | {"h122": "", "p2A": " "}
    response = client.post(CASINO, data=sent)
    named = {field_name(cell): cell for cell in sheet.cells}
    expected = mark_chart(sheet, {named[name]: code for name, code in sent.items() if code.strip()})
    found = marks(response)
    for mark in expected.marks:
        cell = found[page_of(mark.cell)]
        name, result = cell.one("a").attributes["aria-label"], cell.classes[0]
        if mark.is_right:
            assert (result, cell.text, name.split(": ")[1]) == ("right", f"✓ {mark.entered}", f"right, {mark.entered}")
        elif mark.entered:
            told = f"wrong, {mark.entered} in place of {mark.expected}, gives up {mark.ev_lost:.4f} each time"
            assert (result, cell.text) == ("wrong", f"✕{mark.entered} {mark.expected}")
            assert name.split(": ")[1] == told
        else:
            assert (result, cell.text) == ("blank", f"○ {mark.expected}")
    figures = [each.text for each in parse(response.text).one("dl", "figures").all("dd")]
    assert figures == [str(expected.right), str(len(expected.wrong)), "2"]
    assert parse(response.text).one("strong", "number").text == f"{expected.ev_lost_per_100:.4f}"


def test_mistakes_are_listed_costliest_first_with_their_pages_and_drills(client, sheet, own_codes):
    response = client.post(CASINO, data=own_codes | WRONG)
    named = {field_name(cell): cell for cell in sheet.cells}
    wrong = mark_chart(sheet, {named[name]: code for name, code in (own_codes | WRONG).items()}).wrong
    table = parse(response.text).one("table", "hands")
    assert len(wrong) == len(WRONG)
    assert [row[1:5] for row in table_of(table)] == [
        [mark.entered, mark.expected, f"{mark.ev_lost:.4f}", f"{mark.ev_lost_per_100:.4f}"] for mark in wrong]
    links = [link.attributes["href"] for link in table.all("a")]
    drills = [Plan("shoe-h17", Mode.FOCUS, rows=(row_name(mark.cell),), upcards=(label_of(mark.cell.upcard),))
              for mark in wrong]
    assert links[::2] == [page_of(mark.cell) for mark in wrong]
    assert links[1::2] == [f"/?{drill.to_query()}" for drill in drills]
    for link in (*links, ways_on(response)[0]):
        assert client.get(link).status_code == 200, link


def test_many_mistakes_are_all_listed_the_cheaper_ones_folded(client, own_codes):
    response = client.post(CASINO, data=dict.fromkeys(own_codes, "H"))
    root = parse(response.text)
    tables = [table_of(table) for table in root.all("table", "hands")]
    costs = [float(row[4]) for table in tables for row in table]
    wrong = int(root.one("dl", "figures").all("dd")[1].text)
    assert len(costs) == wrong > 100
    assert costs == sorted(costs, reverse=True)
    assert root.one("summary").text == f"{wrong - len(tables[0])} cheaper ones"


def test_what_is_right_is_kept_for_another_go(client, own_codes):
    sent = own_codes | WRONG | {"h122": ""}
    marked = parse(client.post(CASINO, data=sent).text)
    form = next(form for form in marked.all("form") if form.all("button", name="again"))
    kept = {field.attributes["name"]: field.attributes["value"] for field in form.all("input", type="hidden")}
    kept.pop("csrf_token")
    again = client.post(form.attributes["action"], data=kept | {"again": "right"})
    values = {name: field.attributes["value"] for name, field in inputs(again).items()}
    assert again.status_code == 200
    assert values == {name: "" if name in {*WRONG, "h122"} else code for name, code in own_codes.items()}


def test_nothing_filled_in_is_told_so(client):
    root = parse(client.post(CASINO).text)
    assert root.one("h2", tabindex="-1").text == "Nothing was filled in"
    assert not root.all("button", name="again")


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_nonsense_is_told_at_its_field_and_everything_is_kept(client, own_codes, headers):
    sent = own_codes | {"h16T": "xyz" * 9, "h5A": "p", "s182": "<b>", "p8A": ""}
    response = client.post(CASINO, data=sent, headers=headers)
    root, fields = parse(response.text), inputs(response)
    assert response.status_code == 422
    assert is_page(response)
    assert "<b>" not in response.text
    assert {name: field.attributes["value"] for name, field in fields.items()} == sent
    faulty = [name for name, field in fields.items() if "aria-invalid" in field.attributes]
    assert sorted(faulty) == ["h16T", "h5A", "s182"]
    for name in faulty:
        message = root.one(id=fields[name].attributes["aria-describedby"]).text
        assert "is no answer for" in message
        assert "use one of H, S" in message
    alert = root.one(role="alert")
    assert alert.one("h2").text == "3 entries cannot be read"
    assert [link.attributes["href"] for link in alert.all("a")] == ["#h16T", "#h5A", "#s182"]
    assert "✓" not in root.one("form").text


@pytest.mark.parametrize("section", ["nonsense", "surrender", "Hard", "%00", "x" * 500])
def test_a_part_that_there_is_not_is_refused(client, section):
    for response in (client.get(f"{CASINO}&section={section}"), client.post(f"{CASINO}&section={section}")):
        assert response.status_code == 400
        assert CASINO in ways_on(response)


def test_an_address_has_its_rules_in_their_one_form(client):
    assert client.get("/fill").location == "/fill?rules=hall-of-thoth"
    assert client.get("/fill?rules=decks~6&section=soft").location == "/fill?rules=hall-of-thoth&section=soft"
    assert client.get("/fill?rules=nonsense").status_code == 404


def test_rules_without_pairs_say_so(client):
    response = client.get("/fill?rules=max_split_hands~1&section=pair", follow_redirects=True)
    assert response.status_code == 200
    assert "nothing there to fill in" in response.text
    assert not inputs(response)


def test_a_form_of_several_parts_has_room_for_every_cell(client, own_codes):
    response = client.post(CASINO, data=own_codes, content_type="multipart/form-data")
    assert f"All {len(own_codes)} right" in response.text


def test_the_chart_page_leads_here(client):
    assert CASINO in ways_on(client.get("/charts/shoe-h17"))
