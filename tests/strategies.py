"""What hypothesis draws from: rule sets, and how many examples a test may take."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from trainer.engine.cards import RANKS
from trainer.engine.field import MAX_CUT
from trainer.engine.rules import FIELDS, Rules


def examples(count: int) -> settings:
    """The same ``count`` examples in every run, however long one takes."""
    return settings(max_examples=count, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def rules(most_decks: int = 2, **fixed: st.SearchStrategy) -> st.SearchStrategy[Rules]:
    """Rule sets in which every field may have every value; few decks, since those are solved sooner.

    ``fixed`` replaces what a field is drawn from.
    """
    fields = {name: st.sampled_from(field.choices) for name, field in FIELDS.items() if field.choices}
    fields |= {
        "decks": st.integers(1, most_decks),
        "no_split": st.just(()) | st.frozensets(st.sampled_from(RANKS)),
        "shuffle": st.just("hand") | _cuts(),
    }
    return st.fixed_dictionaries(fields | fixed).map(lambda values: Rules(**values))


def _cuts() -> st.SearchStrategy[str]:
    cut = st.integers(1, MAX_CUT)
    return st.tuples(cut, cut).map(lambda cuts: f"{min(cuts)}-{max(cuts)}")
