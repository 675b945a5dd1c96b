"""The edge: every figure on the page is the engine's, lines come in one after another, and bad stakes are told."""

from math import sqrt

import pytest

from tests.web.built import ALL, BUILT, close, number
from tests.web.pages import HTMX, is_page, parse, table_of
from trainer.engine.advice import ADVICE
from trainer.engine.cards import full_shoe
from trainer.engine.chart import UPCARD_ORDER
from trainer.engine.edge import chart_edge
from trainer.engine.play import chart_play
from trainer.engine.presets import TITLES
from trainer.engine.solution import full_shoe_outcomes, full_table
from trainer.engine.spread import round_results
from trainer.engine.variation import single_changes
from trainer.service.strategies import SolverBusyError
from trainer.web.rule_words import change_words

WAYS = {"Exact play": "exact", "The chart": "chart", "The short version": "short-version",
        "The classic version": "classic-version", "Mimic the dealer": "mimic-the-dealer", "Never bust": "never-bust"}
SOME = ["classic", "squarescores", *BUILT]


@pytest.fixture
def appraiser(app):
    return app.extensions["appraiser"]


def page_of(client, key, **query):
    response = client.get("/edge", query_string={"rules": key} | query)
    assert response.status_code == 200
    return parse(response.text)


def table_in(root, caption):
    """The rows of the table of that caption."""
    return table_of(next(table for table in root.all("table") if table.one("caption").text.startswith(caption)))


@pytest.mark.parametrize("key", ALL)
def test_the_edge_is_the_engines(client, strategies, key):
    root, strategy = page_of(client, key), strategies.get(ALL[key])
    shown = {each.one("dt").text: each.one("dd").text for each in root.one("dl", "worths").all("div")}
    assert close(shown["by the chart"], 100 * strategy.by_chart.edge, 4)
    assert close(shown["by exact play"], 100 * strategy.exact.edge, 4)
    side = "loses" if strategy.by_chart.edge < 0 else "wins"
    assert f"plays by the chart {side} {abs(100 * strategy.by_chart.edge):.2f} on average" in root.one("main").text


@pytest.mark.parametrize("key", ALL)
def test_each_upcard_has_the_engines_figures(client, strategies, key):
    rules, strategy = ALL[key], strategies.get(ALL[key])
    lines, shoe, outcomes = table_in(page_of(client, key), "How often each upcard"), full_shoe(rules.decks), (
        full_shoe_outcomes(rules))
    assert [line[0] for line in lines] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]
    for line, upcard in zip(lines, UPCARD_ORDER, strict=True):
        assert abs(number(line[1]) - 100 * shoe[upcard - 1] / sum(shoe)) <= 0.0500001
        assert close(line[2], strategy.by_chart.by_upcard[upcard], 4)
        assert close(line[3], strategy.exact.by_upcard[upcard], 4)
        ends = [outcomes[upcard][name] for name in ("bust", "17", "18", "19", "20", "21")]
        ends += [] if rules.is_peek else [outcomes[upcard]["natural"]]
        assert len(line) == 4 + len(ends)
        assert all(abs(number(text) - 100 * end) <= 0.0500001 for text, end in zip(line[4:], ends, strict=True))


@pytest.mark.parametrize("key", ALL)
def test_frequencies_are_the_engines(client, strategies, key):
    value = strategies.get(ALL[key]).by_chart
    shown = {line[0]: line[1:] for line in table_in(page_of(client, key), "How often things")}
    for label, chance in {
        "Your naturals": value.naturals, "The dealer’s naturals": value.dealer_naturals,
        "Hands of yours that bust": value.busts, "Hands that push": value.pushes, "Hands doubled": value.doubles,
        "First hands split": value.splits, "Surrenders": value.surrenders,
    }.items():
        assert abs(number(shown[label][0]) - 100 * chance) <= 0.00500001
        assert shown[label][1] == (f"{1 / chance:.0f}" if chance else "never")


@pytest.mark.parametrize("key", ALL)
def test_ways_of_playing_cost_what_the_engine_says_in_per_cent_and_in_money(client, strategies, key):
    rules, strategy = ALL[key], strategies.get(ALL[key])
    edges = {"exact": strategy.exact.edge, "chart": strategy.by_chart.edge}
    edges |= {name: chart_edge(full_table(rules), build(rules)).edge for name, build in ADVICE.items()}
    lines = table_in(page_of(client, key, bet="25", hands_per_hour="80"), "Ways of playing")
    assert {WAYS[line[0]] for line in lines} == set(edges)
    assert [edges[WAYS[line[0]]] for line in lines] == sorted(edges.values(), reverse=True)
    for line in lines:
        edge = edges[WAYS[line[0]]]
        assert close(line[1], 100 * edge, 4)
        assert close(line[2], 100 * (edge - strategy.by_chart.edge), 4)
        assert close(line[3], 25 * 80 * edge, 2)
        assert close(line[4], -100 * edge, 4)
        assert close(line[5], -25 * 80 * edge, 2)


@pytest.mark.parametrize(("query", "at_fault"), [
    ({"bet": "0"}, ["bet"]), ({"bet": "100001"}, ["bet"]), ({"bet": "1.5"}, ["bet"]), ({"bet": "x" * 5_000}, ["bet"]),
    ({"hands_per_hour": "1001"}, ["hands_per_hour"]), ({"hands_per_hour": "-1"}, ["hands_per_hour"]),
    ({"bet": "", "hands_per_hour": "²"}, ["bet", "hands_per_hour"]),
])
@pytest.mark.parametrize(("path", "headers"), [("/edge", {}), ("/edge/plays", HTMX)])
def test_a_stake_that_cannot_be_is_told_at_its_field(client, query, at_fault, path, headers):
    response = client.get(path, query_string=query, headers=headers)
    assert response.status_code == 422
    assert is_page(response) == (not headers)
    root = parse(response.text)
    assert [each.attributes["id"] for each in root.all("p", "field-error")] == [f"{name}-error" for name in at_fault]
    for name in at_fault:
        field = root.one("input", id=name)
        assert (field.attributes["aria-invalid"], field.attributes["aria-describedby"]) == ("true", f"{name}-error")
    assert not any(table.one("caption").text.startswith("Ways of playing") for table in root.all("table"))


def test_the_stake_starts_with_the_visitors_bet(client):
    client.post("/settings", data={"rules": "classic", "grading": "chart", "bet_unit": "25", "theme": "system"})
    root = parse(client.get("/edge").text)
    assert root.one("h1").text == f"The edge: {TITLES['classic']}"
    assert root.one("input", id="bet").attributes["value"] == "25"


# What each rule is worth


def assert_lines_are_the_engines(lines, rules, strategies, wanted):
    strategy = strategies.get(rules)
    changes = {change_words(change.field, change.value): strategies.get(change.rules) for change in wanted}
    assert {line[0] for line in lines} == set(changes)
    for line in lines:
        found = changes[line[0]]
        assert close(line[1], 100 * (found.by_chart.edge - strategy.by_chart.edge), 4)
        assert close(line[2], 100 * (found.exact.edge - strategy.exact.edge), 4)
        assert close(line[3], 100 * found.by_chart.edge, 4)
    worths = [changes[line[0]].by_chart.edge for line in lines]
    assert worths == pytest.approx(sorted(worths, reverse=True), abs=1e-15)


@pytest.mark.parametrize("key", ["classic", *list(BUILT)[:2]])
def test_all_changes_at_once_are_the_engines_and_sorted_by_worth(client, strategies, key):
    root = page_of(client, key, all="yes")
    assert_lines_are_the_engines(table_in(root, "Single changes"), ALL[key], strategies, single_changes(ALL[key]))
    assert "hx-get" not in root.one(id="changes").attributes


def test_lines_come_in_one_request_after_another(client, strategies):
    root = page_of(client, "shoe-h17")
    changes, counts = single_changes(ALL["shoe-h17"]), []
    while "hx-get" in root.one(id="changes").attributes:
        holder = root.one(id="changes")
        assert (holder.attributes["hx-trigger"], holder.attributes["hx-swap"]) == ("load", "outerHTML")
        assert f"{counts[-1] if counts else 0} of {len(changes)} worked out" in holder.text
        response = client.get(holder.attributes["hx-get"], headers=HTMX)
        assert not is_page(response)
        root = parse(response.text)
        counts.append(len(table_in(root, "Single changes")))
        assert len(counts) < 20
    assert counts == sorted(set(counts))
    assert (counts[0], counts[-1]) == (3, len(changes))
    assert_lines_are_the_engines(table_in(root, "Single changes"), ALL["shoe-h17"], strategies, changes)
    assert f"All {len(changes)} changes are worked out." in root.one(id="live").text


def test_a_line_leads_to_the_builder_with_its_change(client):
    root = page_of(client, "classic", all="yes")
    links = root.one(id="changes").one("table").all("a")
    for link in links:
        preview = parse(client.get(link.attributes["href"]).text)
        assert "0.0000" not in preview.one(id="preview").all("table", "plain")[0].all("td")[-1].text
    assert len({link.attributes["id"] for link in links}) == len(links)


def test_a_busy_server_asks_again_and_loses_no_line(client, appraiser, monkeypatch):
    monkeypatch.setattr(appraiser, "appraise", _busy_after(3, appraiser.appraise))
    root = parse(client.get("/edge/changes?rules=openseat&done=6", headers=HTMX).text)
    holder = root.one(id="changes")
    assert holder.attributes["hx-trigger"] == "load delay:1s"
    assert holder.attributes["hx-get"].endswith("done=2")
    assert len(table_in(root, "Single changes")) == 2


def test_a_busy_server_tells_a_plain_page_to_come_back(client, appraiser, monkeypatch):
    monkeypatch.setattr(appraiser, "appraise", _busy_after(3, appraiser.appraise))
    response = client.get("/edge?rules=openseat&all=yes")
    assert response.status_code == 503
    assert response.headers["Retry-After"]


def test_a_preview_on_a_busy_server_comes_by_itself(client, appraiser, monkeypatch):
    monkeypatch.setattr(appraiser, "appraise", _busy_after(0, appraiser.appraise))
    preview = parse(client.get("/rules/classic?decks=3", headers=HTMX).text).one(id="preview")
    assert preview.attributes["hx-trigger"] == "load delay:1s"
    assert preview.attributes["hx-get"] == "/rules/classic?decks=3"
    assert client.get("/rules/classic?decks=3").status_code == 503


def _busy_after(calls, appraise):
    count = iter(range(1_000))

    def busy(rules):
        if next(count) >= calls:
            raise SolverBusyError(1)
        return appraise(rules)

    return busy


# Swings


@pytest.mark.parametrize("key", SOME)
def test_swings_are_the_engines_and_say_how_they_are_known(client, app, strategies, key):
    response = client.get("/edge/swings", query_string={"rules": key}, headers=HTMX)
    root, rules = parse(response.text), ALL[key]
    spread = app.extensions["appraiser"].swings(rules).spread
    text = root.one("section").text
    assert f"give or take {spread.standard_deviation:.3f} bets" in text
    table = full_table(rules)
    results = round_results(table, chart_play(table, strategies.get(rules).chart))
    if results.split_chance:
        assert f"± {spread.standard_error:.4f}" in text
        assert "20,000 were dealt card by card" in text
    else:
        edge = strategies.get(rules).by_chart.edge
        exact = sqrt(sum(value * value * chance for value, chance in results.exact.items()) - edge**2)
        assert spread.standard_deviation == pytest.approx(exact, abs=1e-12)
        assert "Exact." in text
        assert "±" not in text
    for line, path in zip(table_in(root, "What each way of betting"),
                          app.extensions["appraiser"].swings(rules).systems.values(), strict=True):
        assert close(line[2], 100 * path.mean, 4)
        assert line[3] == f"{100 * path.standard_error:.2f}"
        assert abs(path.mean - strategies.get(rules).by_chart.edge) < 4 * path.standard_error


def test_the_picture_is_inside_its_frame(client):
    root = parse(client.get("/edge/swings?rules=classic", headers=HTMX).text)
    lines = root.one("svg", "paths").all("polyline")
    assert len(lines) == 3
    for line in lines:
        points = [tuple(map(float, point.split(","))) for point in line.attributes["points"].split()]
        assert len(points) > 100
        assert all(0 <= x <= 360 and 0 <= y <= 200 for x, y in points)
    assert len({line.attributes["stroke-dasharray"] for line in lines}) == 3


def test_the_page_shows_at_once_and_loads_the_rest(client):
    root = page_of(client, "classic")
    swings = root.one(id="swings")
    assert swings.attributes["hx-get"] == "/edge/swings?rules=classic"
    assert swings.one("a").attributes["href"] == "/edge?rules=classic&all=yes#swings"
    whole = page_of(client, "classic", all="yes")
    assert whole.one(id="swings").one("svg", "paths")
