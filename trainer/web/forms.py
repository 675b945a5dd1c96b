"""Forms and what they accept."""

from flask_wtf import FlaskForm
from wtforms import BooleanField, IntegerField, RadioField, SelectField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, NumberRange, Optional

from trainer.service.preferences import MAX_BET_UNIT, MAX_DAILY_GOAL


class SettingsForm(FlaskForm):  # type: ignore[misc]
    """Everything a visitor can set; which rule sets there are to choose from is the visitor's own matter."""

    rules = SelectField("Rule set")
    grading = RadioField("An answer is right by", choices=[
        SelectChoice("chart", "the chart, one move for each total or pair"),
        SelectChoice("exact", "exact play, the best move for the very cards"),
    ])
    bet_unit = IntegerField("Costs are shown for a bet of, in chips", validators=[
        InputRequired(f"Enter a whole number from 1 to {MAX_BET_UNIT}."),
        NumberRange(1, MAX_BET_UNIT, f"Enter a whole number from 1 to {MAX_BET_UNIT}."),
    ])
    daily_goal = IntegerField("Daily goal in hands, 0 for none", filters=[lambda goal: goal or 0], validators=[
        Optional(), NumberRange(0, MAX_DAILY_GOAL, f"Enter a whole number from 0 to {MAX_DAILY_GOAL}."),
    ])
    theme = RadioField("Colours", choices=[
        SelectChoice("system", "as the system has it"), SelectChoice("light"), SelectChoice("dark"),
    ])
    four_colour = BooleanField("Four-colour deck: blue diamonds, green clubs")
    auto_advance = BooleanField("After a right answer, deal the next hand by itself")
    reduced_motion = BooleanField("No animation")
    shortcuts = BooleanField("Keys: H S D P R, I and N for insurance, Space for the next hand")
