"""Charts and EVs as files: whole, exact, and harmless in a spreadsheet."""

import csv
import io

import pytest

from tests.rule_keys import KEYS
from trainer.drill.parameters import row_name
from trainer.engine.actions import Action
from trainer.engine.chart import SECTIONS, UPCARD_ORDER, Cell, asked_rows
from trainer.engine.listing import list_rows
from trainer.engine.rule_key import canonical_key, rules_for
from trainer.engine.strategy import ENGINE_VERSION
from trainer.engine.survey import survey_of
from trainer.web.chart_file import csv_response, escaped


def rows_of(response):
    return list(csv.reader(io.StringIO(response.text)))


@pytest.mark.parametrize("table", ["chart", "exact"])
@pytest.mark.parametrize("key", KEYS)
def test_the_chart_is_whole(client, strategies, key, table):
    strategy, canonical = strategies.get(rules_for(key)), canonical_key(key)
    chart = survey_of(strategy).exact if table == "exact" else strategy.chart
    response = client.get(f"/charts/{canonical}/chart.csv?table={table}")
    assert response.mimetype == "text/csv"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{table}-{canonical}.csv"'
    told, (head, *body) = rows_of(response)[:3], rows_of(response)[3:]
    assert head == ["row", "hand", *"23456789", "T", "A"]
    assert [[row[0], *row[2:]] for row in body] == [
        [row_name(Cell(section, row, 2)), *(chart.code(Cell(section, row, upcard)) for upcard in UPCARD_ORDER)]
        for section in SECTIONS for row in asked_rows(strategy.rules, section)]
    assert all(len(row) == 1 and row[0].startswith("# ") for row in told)
    assert canonical in told[1][0]
    assert f"engine version {ENGINE_VERSION}" in told[2][0]


@pytest.mark.parametrize("key", ["squarescores", KEYS[6]])
def test_the_evs_are_every_digit_of_every_hand(client, strategies, key):
    strategy = strategies.get(rules_for(key))
    (unit,), *_, head = rows_of(client.get(f"/charts/{canonical_key(key)}/evs.csv"))[:4]
    body = rows_of(client.get(f"/charts/{canonical_key(key)}/evs.csv"))[4:]
    assert "units of the original bet, given no dealer's natural" in unit
    assert ("before the dealer looks" in unit) == (strategy.rules.surrender == "early")
    assert head == ["hand", "upcard", "stand", "hit", "double", "split", "surrender", "chart", "exact"]
    expected = [[row.hand, row.upcard, *(repr(row.evs[action]) if action in row.evs else "" for action in Action),
                 row.chart, row.exact] for row in list_rows(strategy, all_hands=True)]
    assert len(body) > 19_000
    assert body == expected


def test_without_a_hole_card_the_evs_say_so(client):
    (unit,) = rows_of(client.get("/charts/classic/evs.csv"))[0]
    assert "a dealer's natural included; first hands" in unit


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\n=1"])
def test_no_text_is_run_by_a_spreadsheet(text):
    assert escaped(text) == f"'{text}"
    written = csv_response("x.csv", [(text, -1.5)]).get_data(as_text=True)
    assert next(csv.reader(io.StringIO(written, newline=""))) == [f"'{text}", "-1.5"]


@pytest.mark.parametrize("value", ["hard 16", "h16", "", "8-8", "A7", -0.5, 0, 12])
def test_what_is_harmless_stays_as_it_is(value):
    assert escaped(value) == value


def test_no_cell_of_a_chart_looks_like_a_formula_or_a_date(client):
    for key in ("hall-of-thoth", canonical_key(KEYS[-1])):
        for row in rows_of(client.get(f"/charts/{key}/chart.csv")):
            assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)
            assert not any(cell[:1].isdigit() and "-" in cell for cell in row)


def test_files_are_the_visitors_to_keep_and_no_one_elses_to_cache(client):
    response = client.get("/charts/classic/chart.csv")
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


