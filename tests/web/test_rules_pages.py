"""Rules: side by side, built with every fault told at its field, previewed with the engine's numbers, and kept."""

from urllib.parse import urlencode

import pytest

from tests.web.built import ALL, BUILT, close
from tests.web.pages import HTMX, count, hand_of, is_page, parse, rows, table_of, token_of
from trainer.engine.chart import MEANINGS, UPCARD_ORDER, Cell, cells
from trainer.engine.presets import RULE_SETS, TITLES
from trainer.engine.rule_key import rules_for
from trainer.engine.rules import FIELDS, Rules
from trainer.web.rule_words import choices_of, value_words

KEY = next(iter(BUILT))


def save(client, name="My table", key=KEY, **options):
    return client.post(f"/rules/{key}/save", data={"name": name}, **options)


def own(client):
    """Names and addresses of the visitor's own."""
    links = [item.one("h3").one("a") for item in parse(client.get("/rules").text).one(id="own").all("li")]
    return {link.text: link.attributes["href"] for link in links}


def saved_id(instance, name="My table"):
    return rows(instance, "SELECT id FROM saved_rules WHERE name = ?", name)[0][0]


def sent(rules):
    """What the builder's form sends for a rule set."""
    texts = rules.to_text()
    pairs = [(name, text) for name, text in texts.items() if name != "no_split"]
    pairs.append(("no_split", "none"))
    return [*pairs, *(("no_split", rank) for rank in texts["no_split"].split(",") if rank != "none")]


def fields(root):
    """What the builder's form shows, by field."""
    form = root.one("form", aria_label="Rules")
    values = {each.attributes["name"]: next(option.attributes["value"] for option in each.all("option")
                                           if "selected" in option.attributes) for each in form.all("select")}
    values["shuffle"] = form.one("input", name="shuffle").attributes["value"]
    ticked = [box.attributes["value"] for box in form.all("input", type="checkbox") if "checked" in box.attributes]
    return values | {"no_split": ",".join(ticked) or "none"}


def changes_in(root):
    """The changed cells of a preview: (row's label, upcard's column) to (before, after)."""
    found = {}
    for table in root.all("table", "changed"):
        for row in table.one("tbody").all("tr"):
            for column, cell in enumerate(row.all("td")):
                if cell.all("ins"):
                    found[table.one("caption").text, row.one("th").text, column] = (
                        cell.one("del").text, cell.one("ins").text)
                    assert cell.one("del").one("abbr").attributes["title"] == f"was: {MEANINGS[cell.one('del').text]}"
                    assert cell.one("ins").one("abbr").attributes["title"] == f"now: {MEANINGS[cell.one('ins').text]}"
    return found


def expected_changes(before, after):
    titles = {"hard": "Hard hands", "soft": "Soft hands", "pair": "Pairs"}
    found = {}
    for cell in cells():
        old, new = before.chart.code(cell), after.chart.code(cell)
        asked = [rules for rules in (before.rules, after.rules)
                 if (rules.can_split_rank(cell.row) if cell.section == "pair" else
                     not ((cell.section, cell.row) == ("hard", 4) and rules.can_split_rank(2)) and
                     not ((cell.section, cell.row) == ("soft", 12) and rules.can_split_rank(1)))]
        if old != new and asked:
            found[titles[cell.section], cell.row_label, UPCARD_ORDER.index(cell.upcard)] = (old, new)
    return found


# Side by side


def test_the_table_has_every_rule_in_which_they_differ(client):
    table = parse(client.get("/rules").text).one("table", "compared")
    assert [head.text for head in table.one("thead").all("th")] == list(TITLES.values())
    shown = {row[0]: row[1:] for row in table_of(table)}
    for rules in RULE_SETS.values():
        assert len(shown["Decks"]) == len(RULE_SETS)
        assert value_words("shuffle", rules.normalised().shuffle) in shown["Shuffle"]
    assert shown["Decks"] == [str(rules.decks) for rules in RULE_SETS.values()]
    assert shown["Pairs go by"] == [value_words("split_by", rules.split_by) for rules in RULE_SETS.values()]
    assert shown["Never split"] == [value_words("no_split", rules.no_split) for rules in RULE_SETS.values()]
    assert "A natural pays" not in shown
    assert "a natural pays: 3 to 2" in parse(client.get("/rules").text).one("main").text


def test_the_table_has_the_engines_edges_and_marks_what_is_other(client, strategies):
    table = parse(client.get("/rules").text).one("table", "compared")
    shown = {row[0]: row[1:] for row in table_of(table)}
    for key, chart, exact in zip(RULE_SETS, shown["Edge by the chart"], shown["Edge by exact play"], strict=True):
        strategy = strategies.get(RULE_SETS[key])
        assert close(chart, 100 * strategy.by_chart.edge, 4)
        assert close(exact, 100 * strategy.exact.edge, 4)
    decks = next(row for row in table.all("tr") if row.text.startswith("Decks"))
    assert [bool(cell.all("strong")) for cell in decks.all("td")] == [
        rules.decks != Rules().decks for rules in RULE_SETS.values()]


# The builder


@pytest.mark.parametrize("key", ALL)
def test_the_builder_starts_from_the_rules_as_they_are(client, key):
    root = parse(client.get(f"/rules/{key}").text)
    assert fields(root) == rules_for(key).to_text()
    assert root.all("table", "changed") == []
    for name in FIELDS:
        if name not in ("shuffle", "no_split"):
            options = root.one("select", id=name).all("option")
            assert [(each.attributes["value"], each.text) for each in options] == list(choices_of(name))


@pytest.mark.parametrize(("base", "key"), [
    ("hall-of-thoth", key) for key in ALL if key not in ("hall-of-thoth", "openseat")] + [
    (key, "hall-of-thoth") for key in BUILT] + [("classic", "shoe-h17")])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_preview_is_the_engines_difference(client, strategies, base, key, headers):
    response = client.get(f"/rules/{base}?{urlencode(sent(ALL[key]))}", headers=headers)
    assert response.status_code == 200
    assert is_page(response) == (not headers)
    root = parse(response.text)
    before, after = strategies.get(ALL[base]), strategies.get(ALL[key])
    assert changes_in(root) == expected_changes(before, after)
    heading = root.one(id="preview").one("h3").text
    number = len(expected_changes(before, after))
    assert heading == f"{number or 'No'} cell{'' if number == 1 else 's'} of the chart changed"
    lines = table_of(root.one(id="preview").all("table", "plain")[0])
    for line, old, new in zip(lines, (before.by_chart.edge, before.exact.edge),
                              (after.by_chart.edge, after.exact.edge), strict=True):
        assert close(line[1], 100 * old, 4)
        assert close(line[2], 100 * new, 4)
        assert close(line[3], 100 * (new - old), 4)
    assert lines[0][2] in root.one(id="preview-line").text


def test_unchanged_cells_of_a_changed_row_show_their_code(client, strategies):
    root = parse(client.get("/rules/hall-of-thoth?surrender=late").text)
    after = strategies.get(Rules(surrender="late"))
    row = next(row for row in root.all("table", "changed")[0].all("tr") if row.text.startswith("16"))
    assert [cell.all("ins")[0].text if cell.all("ins") else cell.text for cell in row.all("td")] == [
        after.chart.code(Cell("hard", 16, upcard)) for upcard in UPCARD_ORDER]


def test_one_field_in_the_address_changes_that_field_only(client):
    root = parse(client.get("/rules/classic?decks=2").text)
    assert fields(root) == rules_for("classic").to_text() | {"decks": "2"}


def test_rules_that_change_no_move_are_told_apart_all_the_same(client):
    root = parse(client.get("/rules/hall-of-thoth?shuffle=20").text)
    assert root.one(id="preview").one("h3").text == "No cells of the chart changed"
    assert root.one(id="keep").all("form", action="/rules/shuffle~20/save")


FAULTS = {"decks": "9", "dealer_hits_soft_17": "maybe", "hole_card": "two", "blackjack_pays": "9:5", "double_on": "12",
          "double_soft": "x", "double_cards": "three", "double_after_split": "?", "max_split_hands": "5",
          "split_by": "suit", "no_split": "11", "resplit_aces": "2", "hit_split_aces": "-", "surrender": "never",
          "insurance": "all", "shuffle": "soon"}


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_all_faults_are_told_at_once_each_at_its_field(client, headers):
    assert set(FAULTS) == set(FIELDS)
    response = client.get(f"/rules/hall-of-thoth?{urlencode(FAULTS)}", headers=headers)
    assert response.status_code == 422
    root = parse(response.text)
    for name, value in FAULTS.items():
        message = root.one("p", "field-error", id=f"{name}-error").text
        assert f"“{value}” is not allowed here" in message
        assert FIELDS[name].allowed in message
        assert "hx-swap-oob" in root.one(id=f"{name}-error").attributes or not headers
    assert root.one("input", id="shuffle").attributes["aria-invalid"] == "true"
    assert "Nothing can be shown" in root.one(id="preview").text
    if not headers:
        assert root.one("select", id="decks").attributes["aria-describedby"] == "decks-error"
        assert root.one("select", id="decks").attributes["aria-invalid"] == "true"


@pytest.mark.parametrize(("name", "value"), [
    ("decks", ""), ("decks", "0"), ("decks", "1.5"), ("decks", "9" * 5_000), ("shuffle", ""), ("shuffle", "75-60"),
    ("shuffle", "x" * 5_000), ("no_split", "A,B"), ("surrender", "\x00"),
])
def test_one_fault_leaves_the_other_fields_alone(client, name, value):
    root = parse(client.get("/rules/classic", query_string={name: value}).text)
    told = {each.attributes["id"]: each.text for each in root.all("p", "field-error") if each.text}
    assert list(told) == [f"{name}-error"]
    assert len(told[f"{name}-error"]) < 200
    shown = fields(root)
    assert len(shown.pop("shuffle") if name == "shuffle" else "") <= 20
    assert shown.items() <= rules_for("classic").to_text().items()


def test_messages_go_away_when_the_fault_does(client):
    root = parse(client.get("/rules/classic?decks=2", headers=HTMX).text)
    messages = root.all("p", "field-error")
    assert len(messages) == len(FIELDS)
    assert all(each.text == "" and each.attributes["hx-swap-oob"] == "true" for each in messages)
    assert "aria-invalid" not in root.one("input", id="shuffle").attributes


@pytest.mark.parametrize("key", ["nonsense", "decks~99", "decks~2.decks~3", "x" * 500, "saved"])
def test_what_is_no_rule_set_is_not_found(client, key):
    assert client.get(f"/rules/{key}").status_code == 404
    assert client.post(f"/rules/{key}/save", data={"name": "x"}).status_code == 404
    assert client.post(f"/rules/{key}/default").status_code == 404


def test_looking_at_rules_stores_nothing(client, instance):
    client.get("/rules")
    client.get("/rules/classic?decks=2")
    assert [count(instance, table) for table in ("users", "rule_sets", "saved_rules")] == [0, 0, 0]


# Kept


@pytest.mark.parametrize("key", BUILT)
def test_what_is_saved_is_listed_and_opened_by_anybody(client, other_client, key):
    preview = parse(client.get(f"/rules/hall-of-thoth?{urlencode(sent(BUILT[key]))}").text)
    form = preview.one(id="keep").all("form", method="post")[0]
    assert form.attributes["action"] == f"/rules/{key}/save"
    response = client.post(form.attributes["action"], data={"name": "  My   table "})
    assert (response.status_code, response.location) == (303, "/rules#own")
    assert own(client) == {"My table": f"/rules/{key}"}
    assert own(other_client) == {}
    shared = parse(other_client.get(f"/rules/{key}").text)
    assert fields(shared) == rules_for(key).to_text()
    assert "My table" not in shared.text
    assert parse(client.get(f"/rules/{key}").text).one("h1").text == "My table"


@pytest.mark.parametrize(("name", "said"), [
    ("", "Give it a name."), (" ", "Give it a name."), ("x" * 61, "use up to 60"), ("Classic", "ships"),
    ("a\x00", "can be seen"),
])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_name_that_cannot_be_is_told_at_its_field(client, instance, name, said, headers):
    response = save(client, name, headers=headers)
    assert response.status_code == 422
    root = parse(response.text)
    assert said in root.one("p", id="name-error").text
    field = root.one("input", id="name")
    assert (field.attributes["aria-invalid"], field.attributes["aria-describedby"]) == ("true", "name-error")
    assert count(instance, "saved_rules") == 0


def test_saved_twice_is_saved_once(client, instance):
    assert save(client).status_code == 303
    assert save(client).status_code == 422
    assert count(instance, "saved_rules") == 1
    assert "in the list as My table" in parse(client.get(f"/rules/{KEY}").text).one(id="keep").text


def test_what_ships_needs_no_saving(client):
    keep = parse(client.get("/rules/classic").text).one(id="keep")
    assert "in the list as Classic" in keep.text
    assert keep.all("input", name="name") == []
    assert save(client, key="classic").status_code == 422


def test_a_name_is_changed_and_a_wrong_one_told_at_its_field(client, instance):
    save(client)
    save(client, "Other", "decks~8")
    which = saved_id(instance)
    response = client.post(f"/rules/saved/{which}/rename", data={"name": "OTHER"})
    assert response.status_code == 422
    item = next(item for item in parse(response.text).one(id="own").all("li") if item.all("p", "field-error"))
    assert "another rule set of that name, Other" in item.one("p", "field-error").text
    assert item.one("input", id=f"name-{which}").attributes["value"] == "OTHER"
    assert "open" in item.one("details").attributes
    assert client.post(f"/rules/saved/{which}/rename", data={"name": "New"}).location == "/rules#own"
    assert own(client) == {"New": f"/rules/{KEY}", "Other": "/rules/decks~8"}


def test_a_stranger_changes_nothing(client, other_client, app, instance):
    save(client)
    which = saved_id(instance)
    save(other_client, "Theirs")
    for stranger in (other_client, app.test_client()):
        assert stranger.post(f"/rules/saved/{which}/rename", data={"name": "Stolen"}).status_code == 404
        assert stranger.post(f"/rules/saved/{which}/delete").status_code == 404
    assert list(own(client)) == ["My table"]
    assert list(own(other_client)) == ["Theirs"]


def test_deleting_keeps_what_was_practised(client, instance):
    save(client)
    token = token_of(client.get(f"/?rules={KEY}&mode=mixed"))
    client.post(f"/hand/{token}", data={"action": "stand"})
    assert client.post(f"/rules/saved/{saved_id(instance)}/delete").location == "/rules#own"
    assert own(client) == {}
    assert count(instance, "decisions") == 1
    assert client.get(f"/hand/{token}").status_code == 200
    assert client.get(f"/?rules={KEY}&mode=mixed").status_code == 200


# Offered everywhere


def options_of(node, select_id):
    return {option.text: option.attributes["value"] for option in node.one("select", **select_id).all("option")}


def test_a_saved_set_is_drilled_and_offered_where_rules_are_chosen(app, client):
    save(client)
    drill = parse(client.get("/?mode=mixed").text)
    assert options_of(drill, {"id": "rules"}) == {title: key for key, title in TITLES.items()} | {"My table": KEY}
    assert options_of(parse(client.get("/settings").text), {"id": "rules"})["My table"] == KEY
    token = token_of(client.get(f"/?rules={KEY}&mode=mixed"))
    assert hand_of(app, client, token).situation.rules.strategy_hash == BUILT[KEY].strategy_hash
    client.post(f"/hand/{token}", data={"action": "stand"})
    mistakes = client.get(f"/mistakes?rules={KEY}")
    assert mistakes.status_code == 200
    chips = {chip.text: chip.attributes["href"] for chip in parse(client.get("/progress").text).all("a", "chip")}
    assert KEY in chips["My table"]
    line = parse(client.get(chips["My table"]).text).all("table", "plain")[0].one("tfoot")
    assert line.all("td")[0].text == "1"


def test_what_was_practised_and_is_not_saved_shows_by_its_rules(client):
    token = token_of(client.get(f"/?rules={KEY}&mode=mixed"))
    client.post(f"/hand/{token}", data={"action": "stand"})
    chips = [chip.text for chip in parse(client.get("/progress").text).all("a", "chip")]
    assert any(chip.startswith("Two decks, dealer hits soft 17") for chip in chips)


def test_a_mistake_is_listed_under_the_saved_name(app, client):
    save(client)
    for _ in range(60):
        token = token_of(client.get(f"/?rules={KEY}&mode=mixed"))
        situation = hand_of(app, client, token).situation
        evs = app.extensions["drill"].judge(situation).evs
        client.post(f"/hand/{token}", data={"action": min(evs, key=evs.get)})
        listed = parse(client.get(f"/mistakes?rules={KEY}").text)
        if listed.all("table"):
            break
    assert "My table" in listed.one("table").text
    assert options_of(listed, {"name": "rules"})["My table"] == KEY


def test_a_saved_set_becomes_the_default_by_button_and_by_settings(client):
    save(client)
    assert client.post(f"/rules/{KEY}/default").location == "/rules"
    assert KEY in client.get("/").location
    assert "You practise by My table" in parse(client.get("/rules").text).one("main").text
    good = {"grading": "chart", "bet_unit": "10", "theme": "system"}
    assert client.post("/settings", data=good | {"rules": "classic"}).status_code == 303
    assert client.post("/settings", data=good | {"rules": KEY}).status_code == 303
    assert client.post("/settings", data=good | {"rules": "decks~3"}).status_code == 422


def test_a_default_that_was_never_saved_or_was_deleted_stays_to_choose(client, instance):
    client.post("/rules/decks~8/default")
    assert options_of(parse(client.get("/settings").text), {"id": "rules"})["Eight decks"] == "decks~8"
    save(client, "Eight", "decks~8")
    assert "Eight decks" not in options_of(parse(client.get("/settings").text), {"id": "rules"})
    client.post(f"/rules/saved/{saved_id(instance, 'Eight')}/delete")
    assert options_of(parse(client.get("/settings").text), {"id": "rules"})["Eight decks"] == "decks~8"


def test_anothers_saved_sets_are_not_offered(client, other_client):
    save(client)
    for path in ("/?mode=mixed", "/settings", "/mistakes", "/rules"):
        assert "My table" not in other_client.get(path).text
