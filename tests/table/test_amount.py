import pytest

from trainer.table.amount import read_chips, shown
from trainer.table.errors import BetError
from trainer.table.terms import Terms


@pytest.mark.parametrize(("text", "amount"), [("10", 100), (" 500 ", 5_000), ("0", 0), (25, 250), ("007", 70)])
def test_whole_chips_are_read(text, amount):
    assert read_chips(text) == amount


@pytest.mark.parametrize("text", [
    "", " ", "-1", -1, "2.5", 2.5, "1e9", 1e9, "1_000", "1,000", "ten", "٣", "9" * 10, "9" * 5_000, 10**9, None, True,
    [], "10 10", "+5", "0x10", "NaN", "\0",
])
def test_what_is_no_whole_number_of_chips_is_refused(text):
    with pytest.raises(BetError) as caught:
        read_chips(text)
    assert len(str(caught.value)) < 80


@pytest.mark.parametrize(("smallest", "largest", "bet_step"), [(0, 10, 10), (10, 5, 10), (10, 20, 5), (10, 20, 0)])
def test_terms_on_which_amounts_would_not_be_exact_are_refused(smallest, largest, bet_step):
    with pytest.raises(BetError):
        Terms(rules=None, smallest=smallest, largest=largest, bet_step=bet_step)


def test_amounts_are_shown_to_the_tenth():
    assert [shown(amount) for amount in (0, 5, -5, 75, 12_345_670)] == ["0", "0.5", "-0.5", "7.5", "1,234,567"]
