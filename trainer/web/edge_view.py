"""What the page of the edge shows: the game's worth by upcard, by rule, by way of playing, and how it swings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainer.drill.words import percent, shown_rank, signed
from trainer.engine.cards import full_shoe
from trainer.engine.chart import UPCARD_ORDER
from trainer.engine.edge import GameValue
from trainer.engine.rules import Rules
from trainer.engine.solution import full_shoe_outcomes
from trainer.engine.variation import Change
from trainer.service.appraisal import Appraisal
from trainer.web.rule_words import change_words
from trainer.web.rules_view import percent_edge

_WAYS: Mapping[str, str] = {
    "exact": "Exact play", "chart": "The chart", "classic-version": "The classic version",
    "short-version": "The short version", "mimic-the-dealer": "Mimic the dealer", "never-bust": "Never bust",
}


@dataclass(frozen=True)
class UpcardLine:
    """One upcard: how often it comes, what the round is worth then, and where the dealer ends."""

    upcard: str
    share: str
    chart: str
    exact: str
    ends: tuple[str, ...]


@dataclass(frozen=True)
class FrequencyLine:
    """How often something happens by the chart."""

    label: str
    per_hundred: str
    one_in: str


@dataclass(frozen=True)
class PlayLine:
    """A way of playing: its edge, what it gives up against the chart, both in money an hour, and the bank's side."""

    label: str
    edge: str
    cost: str
    per_hour: str
    bank: str
    bank_per_hour: str


@dataclass(frozen=True)
class ChangeLine:
    """One rule changed: what it is worth in percentage points by the chart and by exact play, and the edge then."""

    name: str
    label: str
    worth: str
    exact_worth: str
    edge: str
    query: str


@dataclass(frozen=True)
class ChangesView:
    """The changes worked out so far, the most welcome first; ``next_url`` is empty once all are there."""

    lines: tuple[ChangeLine, ...]
    total: int
    next_url: str
    all_url: str
    delay: str


def upcard_lines(rules: Rules, appraisal: Appraisal) -> tuple[UpcardLine, ...]:
    """All upcards in the order in which charts have them."""
    shoe, outcomes = full_shoe(rules.decks), full_shoe_outcomes(rules)
    return tuple(
        UpcardLine(
            shown_rank(upcard), percent(shoe[upcard - 1] / sum(shoe), 1), signed(appraisal.by_chart.by_upcard[upcard]),
            signed(appraisal.exact.by_upcard[upcard]),
            tuple(percent(outcomes[upcard][name], 1) for name in end_names(rules)),
        ) for upcard in UPCARD_ORDER
    )


def end_names(rules: Rules) -> tuple[str, ...]:
    """The dealer's outcomes in the order of the lines; no natural where one ends the round before."""
    outcomes = full_shoe_outcomes(rules)
    return tuple(name for name in outcomes[1] if any(ends[name] for ends in outcomes.values()))


def frequency_lines(value: GameValue) -> tuple[FrequencyLine, ...]:
    """How often things happen by the chart."""
    counted = (
        ("Your naturals", value.naturals), ("The dealer’s naturals", value.dealer_naturals),
        ("Hands of yours that bust", value.busts), ("Hands that push", value.pushes),
        ("Hands doubled", value.doubles), ("First hands split", value.splits), ("Surrenders", value.surrenders),
    )
    return tuple(FrequencyLine(label, f"{100 * chance:.2f}", f"{1 / chance:.0f}" if chance else "never")
                 for label, chance in counted)


def play_lines(
    appraisal: Appraisal, advice: Mapping[str, GameValue], bet: int, hands_per_hour: int
) -> tuple[PlayLine, ...]:
    """Every way of playing, the best first."""
    edges = {"exact": appraisal.exact.edge, "chart": appraisal.by_chart.edge}
    edges |= {name: value.edge for name, value in advice.items()}
    staked = bet * hands_per_hour
    return tuple(
        PlayLine(
            _WAYS[name], percent_edge(edge), percent_edge(edge - edges["chart"]), signed(edge * staked, 2),
            percent_edge(-edge), signed(-edge * staked, 2),
        ) for name, edge in sorted(edges.items(), key=lambda pair: -pair[1])
    )


def change_lines(base: Appraisal, changed: Sequence[tuple[Change, Appraisal]]) -> tuple[ChangeLine, ...]:
    """What each change is worth to a player by the chart, best first."""
    ordered = sorted(changed, key=lambda pair: -pair[1].by_chart.edge)
    return tuple(
        ChangeLine(
            f"{change.field}-{change.rules.to_text()[change.field].replace(':', '-')}",
            change_words(change.field, change.value),
            signed(100 * (found.by_chart.edge - base.by_chart.edge)),
            signed(100 * (found.exact.edge - base.exact.edge)), percent_edge(found.by_chart.edge),
            f"{change.field}={change.rules.to_text()[change.field]}",
        ) for change, found in ordered
    )
