import pytest

from trainer.engine.advice import ADVICE, mimic_the_dealer
from trainer.engine.chart import UPCARD_ORDER, Cell, Chart
from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules

# One code a column, upcards 2 to 9, ten, ace; P is a split.
ALWAYS_HIT, ALWAYS_STAND, ALWAYS_SPLIT = "H" * 10, "S" * 10, "P" * 10
STAND_V_LOW = "SSSSSHHHHH"
DOUBLE_11 = "D" * 10
DOUBLE_10 = "DDDDDDDDHH"
SPLIT_TO_7 = "PPPPPPHHHH"

SHORT = {
    "hard": [ALWAYS_HIT] * 6 + [DOUBLE_10, DOUBLE_11] + [STAND_V_LOW] * 5 + [ALWAYS_STAND] * 4,
    "soft": [ALWAYS_HIT] * 6 + [ALWAYS_STAND] * 3,
    "pair": [
        ALWAYS_SPLIT, ALWAYS_HIT, ALWAYS_HIT, ALWAYS_HIT, DOUBLE_10, STAND_V_LOW, STAND_V_LOW, ALWAYS_SPLIT,
        ALWAYS_STAND, ALWAYS_STAND,
    ],
}
CLASSIC = {
    "hard": [
        *[ALWAYS_HIT] * 5, "DDDDDHHHHH", DOUBLE_10, DOUBLE_11, "HHSSSHHHHH", *[STAND_V_LOW] * 4, *[ALWAYS_STAND] * 4,
    ],
    "soft": [ALWAYS_HIT] * 6 + [ALWAYS_STAND] * 3,
    "pair": [
        ALWAYS_SPLIT, SPLIT_TO_7, SPLIT_TO_7, ALWAYS_HIT, DOUBLE_10, "PPPPPHHHHH", SPLIT_TO_7, ALWAYS_SPLIT,
        ALWAYS_STAND, ALWAYS_STAND,
    ],
}
MIMIC_S17 = {
    "hard": [ALWAYS_HIT] * 13 + [ALWAYS_STAND] * 4,
    "soft": [ALWAYS_HIT] * 5 + [ALWAYS_STAND] * 4,
    "pair": [ALWAYS_HIT] * 8 + [ALWAYS_STAND] * 2,
}
MIMIC_H17 = MIMIC_S17 | {"soft": [ALWAYS_HIT] * 6 + [ALWAYS_STAND] * 3}
NEVER_BUST = {
    "hard": [ALWAYS_HIT] * 8 + [ALWAYS_STAND] * 9,
    "soft": [ALWAYS_HIT] * 6 + [ALWAYS_STAND] * 3,
    "pair": [ALWAYS_HIT] * 5 + [ALWAYS_STAND] * 5,
}
FIRST_ROWS = {"hard": 4, "soft": 12, "pair": 1}


def written_out(chart: Chart) -> dict[str, list[str]]:
    lengths = {"hard": 17, "soft": 9, "pair": 10}
    return {
        section: [
            "".join(chart.code(Cell(section, first + row, upcard)) for upcard in UPCARD_ORDER)
            for row in range(lengths[section])
        ]
        for section, first in FIRST_ROWS.items()
    }


def test_the_advice_that_is_priced():
    assert list(ADVICE) == ["short-version", "classic-version", "mimic-the-dealer", "never-bust"]


@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize(
    ("name", "table"), [("short-version", SHORT), ("classic-version", CLASSIC), ("never-bust", NEVER_BUST)]
)
def test_advice_is_complete_and_as_worded(key, name, table):
    assert written_out(ADVICE[name](RULE_SETS[key])) == table


@pytest.mark.parametrize(("hits_soft_17", "table"), [(False, MIMIC_S17), (True, MIMIC_H17)])
def test_mimicking_the_dealer_follows_its_soft_17(hits_soft_17, table):
    assert written_out(mimic_the_dealer(Rules(dealer_hits_soft_17=hits_soft_17))) == table


@pytest.mark.parametrize(
    ("name", "cell", "code"),
    [
        ("short-version", Cell("hard", 12, 2), "S"),
        ("short-version", Cell("hard", 16, 7), "H"),
        ("short-version", Cell("hard", 11, 1), "D"),
        ("short-version", Cell("hard", 10, 10), "H"),
        ("short-version", Cell("hard", 9, 6), "H"),
        ("short-version", Cell("soft", 18, 9), "S"),
        ("short-version", Cell("pair", 8, 10), "P"),
        ("short-version", Cell("pair", 9, 9), "S"),
        ("classic-version", Cell("hard", 12, 3), "H"),
        ("classic-version", Cell("hard", 13, 2), "S"),
        ("classic-version", Cell("hard", 9, 7), "H"),
        ("classic-version", Cell("hard", 9, 2), "D"),
        ("classic-version", Cell("pair", 7, 7), "P"),
        ("classic-version", Cell("pair", 7, 8), "H"),
        ("classic-version", Cell("pair", 6, 7), "H"),
        ("classic-version", Cell("pair", 4, 5), "H"),
        ("mimic-the-dealer", Cell("hard", 16, 6), "H"),
        ("mimic-the-dealer", Cell("pair", 1, 6), "H"),
        ("mimic-the-dealer", Cell("pair", 8, 6), "H"),
        ("never-bust", Cell("hard", 12, 10), "S"),
        ("never-bust", Cell("hard", 11, 6), "H"),
        ("never-bust", Cell("soft", 17, 6), "H"),
        ("never-bust", Cell("pair", 8, 10), "S"),
    ],
)
def test_single_cells_of_the_common_game(name, cell, code):
    assert ADVICE[name](Rules()).code(cell) == code
