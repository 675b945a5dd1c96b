"""Settings: saved all or none, and what each of them changes."""

import json

import pytest

from tests.web.pages import HTMX, answer, count, hand_of, heading_of, is_page, parse, put_hand, rows, token_of

GOOD = {"rules": "squarescores", "grading": "exact", "bet_unit": "25", "daily_goal": "40", "theme": "dark",
        "four_colour": "y", "auto_advance": "y", "reduced_motion": "y", "shortcuts": "y"}
PLAIN = {"rules": "hall-of-thoth", "grading": "chart", "bet_unit": "10", "theme": "system"}
DEFAULTS = {"rules": "hall-of-thoth", "grading": "chart", "theme": "system", "four_colour": False,
            "auto_advance": False, "reduced_motion": False, "shortcuts": True, "bet_unit": 10, "daily_goal": 0,
            "time_zone": ""}


def shown(client):
    """The settings as the form has them."""
    form = parse(client.get("/settings").text).one("form", "settings")
    values = {"rules": next(each.attributes["value"] for each in form.all("option") if "selected" in each.attributes)}
    for field in form.all("input"):
        kind, name = field.attributes.get("type"), field.attributes["name"]
        if kind == "radio" and "checked" in field.attributes:
            values[name] = field.attributes["value"]
        elif kind == "checkbox":
            values[name] = "checked" in field.attributes
        elif kind not in ("radio", "hidden"):
            values[name] = field.attributes["value"]
    return values


def stored(instance):
    return [json.loads(settings) for settings, in rows(instance, "SELECT settings FROM users")]


def test_the_form_shows_the_defaults_and_makes_no_user(client, instance):
    numbers = ("bet_unit", "daily_goal")
    assert shown(client) == {name: str(value) if name in numbers else value for name, value in DEFAULTS.items()
                             if name != "time_zone"}
    assert count(instance, "users") == 0


def test_settings_are_saved_and_shown(client, instance):
    response = client.post("/settings", data=GOOD)
    assert (response.status_code, response.location) == (303, "/settings")
    assert shown(client) == {**{name: value == "y" or value for name, value in GOOD.items()}}
    assert stored(instance) == [{"rules": "squarescores", "grading": "exact", "theme": "dark", "four_colour": True,
                                 "auto_advance": True, "reduced_motion": True, "shortcuts": True, "bet_unit": 25,
                                 "daily_goal": 40, "time_zone": ""}]


def test_saving_is_confirmed_once(client):
    client.post("/settings", data=GOOD)
    assert "Saved." in client.get("/settings").text
    assert "Saved." not in client.get("/settings").text


def test_saving_again_replaces_and_stays_one_user(client, instance):
    client.post("/settings", data=GOOD)
    client.post("/settings", data=PLAIN)
    assert stored(instance) == [DEFAULTS | {"shortcuts": False}]


@pytest.mark.parametrize(("name", "value", "said"), [
    ("rules", "nonsense", "Not a valid choice"),
    ("rules", "", "Not a valid choice"),
    ("grading", "both", "Not a valid choice"),
    ("grading", None, "Not a valid choice"),
    ("theme", "pink", "Not a valid choice"),
    ("bet_unit", "", "Enter a whole number from 1 to 100000."),
    ("bet_unit", None, "Enter a whole number from 1 to 100000."),
    ("bet_unit", "0", "Enter a whole number from 1 to 100000."),
    ("bet_unit", "-5", "Enter a whole number from 1 to 100000."),
    ("bet_unit", "100001", "Enter a whole number from 1 to 100000."),
    ("bet_unit", "2.5", "Enter a whole number from 1 to 100000."),
    ("daily_goal", "-1", "Enter a whole number from 0 to 10000."),
    ("daily_goal", "10001", "Enter a whole number from 0 to 10000."),
    ("bet_unit", "ten", "Enter a whole number from 1 to 100000."),
    ("bet_unit", "9" * 5_000, "Enter a whole number from 1 to 100000."),
])
def test_a_wrong_value_gets_a_message_at_its_field_and_nothing_is_saved(client, instance, name, value, said):
    client.post("/settings", data=PLAIN)
    before = stored(instance)
    data = GOOD | {name: value} if value is not None else {other: GOOD[other] for other in GOOD if other != name}
    for headers in (HTMX, {}):
        response = client.post("/settings", data=data, headers=headers)
        assert response.status_code == 422
        assert stored(instance) == before
    root = parse(response.text)
    message = root.one("p", "field-error")
    assert said in message.text
    assert message.attributes["id"] == f"{name}-error"
    if name == "bet_unit":
        field = root.one("input", id="bet_unit")
        assert (field.attributes["aria-invalid"], field.attributes["aria-describedby"]) == ("true", "bet_unit-error")
    assert [root.one("input", id=each).attributes.get("checked") for each in ("four_colour", "shortcuts")] == ["", ""]


def test_all_wrong_values_are_told_at_once(client):
    response = client.post("/settings", data={"rules": "x", "grading": "x", "theme": "x", "bet_unit": "x"})
    assert len(parse(response.text).all("p", "field-error")) == 4


def test_one_visitors_settings_are_not_anothers(client, other_client):
    client.post("/settings", data=GOOD)
    assert shown(other_client)["theme"] == "system"


@pytest.mark.parametrize(("theme", "scheme"), [("system", "light dark"), ("light", "light"), ("dark", "dark")])
def test_the_theme_is_on_every_page(client, theme, scheme):
    client.post("/settings", data=PLAIN | {"theme": theme})
    for path in ("/", "/progress", "/nowhere", "/settings"):
        root = parse(client.get(path).text)
        assert root.one("html").attributes["data-theme"] == theme
        assert root.one("meta", name="color-scheme").attributes["content"] == scheme


@pytest.mark.parametrize(("name", "tag", "attribute", "value"), [
    ("four_colour", "html", "data-deck", "four"),
    ("reduced_motion", "html", "data-motion", "none"),
    ("auto_advance", "body", "data-auto-advance", ""),
    ("shortcuts", "body", "data-shortcuts", ""),
])
def test_a_switch_is_an_attribute_of_every_page(client, name, tag, attribute, value):
    for data, expected in ((PLAIN | {name: "y"}, value), (PLAIN, None)):
        client.post("/settings", data=data)
        for path in ("/", "/progress", "/charts/classic"):
            assert parse(client.get(path).text).one(tag).attributes.get(attribute) == expected


def test_without_shortcuts_no_key_is_named(app, client):
    def named():
        token = put_hand(app, client, "8s8h", "9d")
        return (client.get(f"/hand/{token}").text + answer(client, token, "split", headers=HTMX).text).count("<kbd")

    assert named() == 5
    client.post("/settings", data=PLAIN)
    assert named() == 0
    assert "press its key" not in client.get("/?mode=mixed").text


def test_only_a_right_answer_goes_on_by_itself(app, client):
    client.post("/settings", data=PLAIN | {"auto_advance": "y"})
    for move, goes_on in (("split", True), ("hit", False)):
        verdict = answer(client, put_hand(app, client, "8s8h", "9d"), move, headers=HTMX)
        assert ("data-advance" in verdict.text) == goes_on


def test_the_rule_set_is_the_one_that_is_dealt(app, client):
    client.post("/settings", data=PLAIN | {"rules": "shoe-h17"})
    token = token_of(client.get("/", follow_redirects=True))
    assert hand_of(app, client, token).situation.rules.surrender == "late"
    assert client.get("/charts").location == "/charts/shoe-h17"


def test_another_rule_set_keeps_what_is_practised(client):
    client.get("/?rules=classic&mode=focus&focus=soft")
    client.post("/settings", data=PLAIN | {"rules": "squarescores"})
    assert client.get("/").location == "/?rules=squarescores&mode=focus&focus=soft"


def test_another_setting_keeps_the_rule_set_that_is_practised(client):
    client.get("/?rules=classic&mode=focus&focus=soft")
    client.post("/settings", data=PLAIN | {"theme": "dark"})
    assert client.get("/").location == "/?rules=classic&mode=focus&focus=soft"


def test_the_hand_on_the_table_is_graded_as_the_settings_are_at_the_answer(app, client):
    token = put_hand(app, client, "Ts2h", "4d")
    client.post("/settings", data=PLAIN | {"grading": "exact"})
    verdict = answer(client, token, "stand", headers=HTMX)
    assert heading_of(verdict) == "Hit, not stand"
    client.post("/settings", data=PLAIN)
    assert heading_of(client.get(f"/hand/{token}")) == "Hit, not stand"


def test_saving_keeps_the_time_zone_that_the_browser_told(app, client, instance):
    client.post(f"/hand/{put_hand(app, client, '8s8h', '9d')}", data={"action": "split", "time_zone": "Asia/Tokyo"})
    client.post("/settings", data=GOOD)
    assert [settings["time_zone"] for settings in stored(instance)] == ["Asia/Tokyo"]


def test_settings_are_a_page_for_everyone(client):
    assert is_page(client.get("/settings", headers=HTMX))
    assert is_page(client.get("/settings"))
