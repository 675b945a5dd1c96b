from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from trainer.drill.mistake_filter import MistakeFilter
from trainer.drill.parameters import PlanError, row_name
from trainer.drill.plan import FOCUSES, UNSEEDED, Mode, Plan
from trainer.engine.chart import Cell, cells
from trainer.engine.presets import DEFAULT_KEY, RULE_SETS

PARAMETERS = ("rules", "mode", "focus", "rows", "upcards", "seed", "category", "row", "upcard", "move",
              "since", "until", "session", "scope")
ROW_NAMES = [f"h{total}" for total in range(4, 21)] + [f"s{total}" for total in range(12, 21)] + [
    f"p{rank}" for rank in "A23456789T"]
UPCARDS = list("23456789TA")
SEED_LETTERS = "abcXYZ019 _.:-"


def some_of(names):
    """A selection, in the order in which the chart shows it."""
    return st.sets(st.sampled_from(names)).map(lambda chosen: tuple(name for name in names if name in chosen))


@st.composite
def plans(draw):
    """Every plan that can be asked for."""
    mode = draw(st.sampled_from(list(Mode)))
    seed = "" if mode in UNSEEDED else draw(st.text(SEED_LETTERS, max_size=40))
    plan = {"rules_key": draw(st.sampled_from(list(RULE_SETS))), "mode": mode, "seed": seed}
    if mode is Mode.MISTAKES:
        days = st.just("") | st.dates().map(str)
        filters = st.builds(
            MistakeFilter, st.sampled_from(["", "hard", "soft", "pair", "insurance"]),
            st.sampled_from(["", *ROW_NAMES]), st.sampled_from(["", *UPCARDS]),
            st.sampled_from(["", "hit", "split", "decline"]), days, days, st.integers(0, 10**18 - 1), st.booleans())
        return Plan(**plan, mistakes=draw(filters))
    if mode is Mode.FILL:
        return Plan(**plan, focus=draw(st.sampled_from(["", "hard", "soft", "pair"])))
    if mode is not Mode.FOCUS:
        return Plan(**plan)
    rows, upcards = draw(st.tuples(some_of(ROW_NAMES), some_of(UPCARDS)))
    if rows or upcards:
        return Plan(**plan, rows=rows, upcards=upcards)
    return Plan(**plan, focus=draw(st.sampled_from(FOCUSES)))


def plan_or_fault(query):
    """The plan, or the name of the parameter at fault."""
    try:
        return Plan.from_query(query)
    except PlanError as error:
        return error.parameter


@examples(300)
@given(plans())
def test_a_plan_is_read_back_from_its_url(plan):
    assert Plan.from_text(plan.to_query()) == plan


@examples(300)
@given(plans())
def test_a_url_names_rules_and_mode_and_nothing_empty(plan):
    query = dict(parse_qsl(plan.to_query(), keep_blank_values=True))
    assert query["rules"] == plan.rules_key
    assert query["mode"] == str(plan.mode)
    assert all(query.values())
    assert set(query) <= set(PARAMETERS)


def test_a_url_can_be_read_by_people():
    plan = Plan("classic", Mode.FOCUS, rows=("h16", "pA"), upcards=("T", "A"), seed="7")
    assert plan.to_query() == "rules=classic&mode=focus&rows=h16,pA&upcards=T,A&seed=7"


def test_nothing_asked_for_is_all_hands_of_the_default_rules():
    assert Plan.from_query({}) == Plan.from_text("") == Plan(DEFAULT_KEY, Mode.MIXED)


@examples(200)
@given(plans())
def test_without_a_mode_the_remembered_plan_is_kept(remembered):
    assert Plan.from_query({}, remembered) == remembered


@examples(200)
@given(plans())
def test_only_other_rules_keep_the_rest_of_the_remembered_plan(remembered):
    plan = Plan.from_query({"rules": "squarescores"}, remembered)
    assert plan == Plan(**{**remembered.__dict__, "rules_key": "squarescores"})


@pytest.mark.parametrize("remembered", [
    Plan(mode=Mode.FOCUS, rows=("h16",), upcards=("T",)), Plan(mode=Mode.FOCUS, upcards=("6",)),
    Plan(mode=Mode.FOCUS, rows=("pA",)),
])
def test_a_remembered_part_of_the_chart_is_kept(remembered):
    assert Plan.from_query({}, remembered) == remembered


@pytest.mark.parametrize("remembered", [None, Plan(mode=Mode.INSURANCE), Plan(mode=Mode.FOCUS, rows=("h16",))])
@pytest.mark.parametrize(("query", "expected"), [
    ({"focus": "soft"}, {"focus": "soft"}),
    ({"rows": "h16,p8"}, {"rows": ("h16", "p8")}),
    ({"upcards": "T"}, {"upcards": ("T",)}),
    ({"rows": "s18", "upcards": "2 3"}, {"rows": ("s18",), "upcards": ("2", "3")}),
])
def test_a_focus_without_a_mode_means_focus(query, expected, remembered):
    assert Plan.from_query(query, remembered) == Plan(mode=Mode.FOCUS, **expected)


def test_a_mode_asked_for_forgets_the_remembered_seed_and_part():
    remembered = Plan("classic", Mode.FOCUS, rows=("h16",), seed="7")
    assert Plan.from_query({"mode": "mixed"}, remembered) == Plan("classic", Mode.MIXED)
    assert Plan.from_query({"focus": "pair"}, remembered) == Plan("classic", Mode.FOCUS, "pair", seed="7")


def test_focus_with_nothing_named_is_on_hard_hands():
    assert Plan.from_query({"mode": "focus"}) == Plan(mode=Mode.FOCUS, focus="hard")


@pytest.mark.parametrize("mode", sorted(UNSEEDED))
def test_what_hangs_on_the_past_takes_no_seed(mode):
    assert Plan.from_query({"mode": mode, "seed": "7"}).seed == ""


def test_a_chart_is_filled_in_by_section_or_whole():
    assert Plan.from_query({"mode": "fill-the-chart"}) == Plan(mode=Mode.FILL)
    assert Plan.from_query({"mode": "fill-the-chart", "focus": "soft"}) == Plan(mode=Mode.FILL, focus="soft")
    assert plan_or_fault({"mode": "fill-the-chart", "focus": "surrender"}) == "focus"
    remembered = Plan(mode=Mode.FILL, focus="pair")
    assert Plan.from_query({}, remembered) == remembered
    assert Plan.from_query({"mode": "fill-the-chart"}, remembered) == Plan(mode=Mode.FILL)


def test_rows_and_upcards_come_in_the_order_of_the_chart_and_once():
    plan = Plan.from_query({"rows": "p8,h16,,h12 h16", "upcards": "A,2,A"})
    assert (plan.rows, plan.upcards) == (("h12", "h16", "p8"), ("2", "A"))


def test_the_whole_chart_can_be_asked_for():
    plan = Plan.from_query({"rows": ",".join(ROW_NAMES), "upcards": ",".join(UPCARDS)})
    assert all(plan.includes(cell) for cell in cells())


@pytest.mark.parametrize(("parameter", "value"), [
    ("rules", "blackjack-switch"), ("rules", ""), ("rules", "Classic"),
    ("mode", "everything"), ("mode", ""), ("mode", "MIXED"),
    ("focus", "hardest"), ("focus", "h16"),
    ("rows", "h21"), ("rows", "h3"), ("rows", "s11"), ("rows", "p1"), ("rows", "H16"), ("rows", "h16;h17"),
    ("upcards", "10"), ("upcards", "K"), ("upcards", "1"), ("upcards", "a"),
    ("seed", "x" * 41), ("seed", "1\n"), ("seed", "é"), ("seed", "<b>"), ("seed", "١"),
])
def test_nonsense_is_refused_by_the_name_of_its_parameter(parameter, value):
    with pytest.raises(PlanError) as caught:
        Plan.from_query({parameter: value})
    assert caught.value.parameter == parameter


@pytest.mark.parametrize(("parameter", "value"), [
    ("category", "surrender"), ("category", "Hard"), ("upcard", "10"), ("upcard", "x"),
    ("session", "-1"), ("session", "1e3"), ("session", "1" * 19), ("session", "٣"), ("session", " 1"),
])
def test_nonsense_about_mistakes_is_refused_by_the_name_of_its_parameter(parameter, value):
    with pytest.raises(PlanError) as caught:
        Plan.from_query({"mode": "mistakes", parameter: value})
    assert caught.value.parameter == parameter


@pytest.mark.parametrize("query", [
    {"focus": "soft", "rows": "h16"},
    {"focus": "soft", "upcards": "2"},
    {"mode": "focus", "focus": "pair", "rows": "p8"},
])
def test_a_focus_and_a_part_of_the_chart_exclude_each_other(query):
    with pytest.raises(PlanError) as caught:
        Plan.from_query(query)
    assert caught.value.parameter == "focus"


@pytest.mark.parametrize("value", ["x" * 10_000, "h16," * 2_500, "\0", "h16\0", "1\0", "\ud800", "%00", "\r\nX: y"])
@pytest.mark.parametrize("parameter", PARAMETERS)
def test_a_hostile_value_gives_a_short_error_for_its_parameter(parameter, value):
    mode = {"mode": "mistakes"} if parameter in ("category", "row", "upcard", "move",
              "since", "until", "session", "scope") else {}
    with pytest.raises(PlanError) as caught:
        Plan.from_query({**mode, parameter: value})
    assert caught.value.parameter == parameter
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()


@examples(300)
@given(st.dictionaries(st.sampled_from([*PARAMETERS, "utm", ""]), st.one_of(
    st.text(max_size=20), st.sampled_from([*ROW_NAMES, *UPCARDS, *FOCUSES, *RULE_SETS, *map(str, Mode), "7"]))))
def test_whatever_is_asked_for_is_a_plan_or_is_refused_by_name(query):
    asked = plan_or_fault(query)
    assert asked in query if isinstance(asked, str) else Plan.from_text(asked.to_query()) == asked


def test_unknown_parameters_are_ignored():
    assert Plan.from_query({"utm_source": "x" * 10_000, "\0": "\0", "mode": "insurance"}) == Plan(mode=Mode.INSURANCE)


def test_what_a_mode_does_not_use_is_dropped():
    assert Plan.from_query({"mode": "mixed", "focus": "soft", "category": "soft"}) == Plan()
    assert Plan.from_query({"mode": "mistakes", "seed": "7"}) == Plan(mode=Mode.MISTAKES)


@pytest.mark.parametrize("seed", ["7", " a b ", "2024-01-01 12:00", "x" * 40, "_.-:"])
def test_a_seed_survives_the_url(seed):
    asked = Plan.from_text(urlencode({"seed": seed}))
    assert asked.seed == seed
    assert Plan.from_text(asked.to_query()) == asked
    assert asked.is_seeded


def test_without_a_seed_chance_decides():
    assert not Plan().is_seeded


def test_rows_are_named_by_section_and_total_or_rank():
    assert list(dict.fromkeys(map(row_name, cells()))) == ROW_NAMES


@pytest.mark.parametrize(("rows", "upcards", "count"), [
    ((), (), 360), (("h16",), (), 10), ((), ("T",), 36), (("h16", "pA"), ("T", "A"), 4),
])
def test_a_part_of_the_chart_is_rows_by_upcards(rows, upcards, count):
    assert sum(map(Plan(mode=Mode.FOCUS, rows=rows, upcards=upcards).includes, cells())) == count


def test_a_part_of_the_chart_holds_the_cells_it_names():
    plan = Plan(mode=Mode.FOCUS, rows=("s18",), upcards=("T",))
    assert plan.includes(Cell("soft", 18, 10))
    assert not plan.includes(Cell("hard", 18, 10))
    assert not plan.includes(Cell("soft", 18, 9))
