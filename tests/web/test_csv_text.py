"""Text in cells of a spreadsheet."""

import pytest

from trainer.web.csv_text import csv_cell


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "-", "=cmd|' /C calc'!A0"])
def test_what_a_spreadsheet_would_run_is_escaped(text):
    assert csv_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "A7", "hard", "1-2", "a=b", " =1", "'=1", "\N{MINUS SIGN}1"])
def test_other_text_stays(text):
    assert csv_cell(text) == text
