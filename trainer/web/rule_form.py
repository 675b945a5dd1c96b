"""The form that builds a rule set: what was sent, what is wrong with it, and how each field is shown again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from trainer.engine.errors import Fault, RulesError
from trainer.engine.rules import FIELDS, Rules
from trainer.web.rule_words import GROUPS, HINTS, LABELS, choices_of

_MOST_SHOWN = 20


@dataclass(frozen=True)
class FieldView:
    """One field: ``kind`` is ``select``, ``boxes`` or ``text``; options are (value, words, whether chosen)."""

    name: str
    label: str
    kind: str
    value: str
    options: tuple[tuple[str, str, bool], ...]
    hint: str
    error: str


@dataclass(frozen=True)
class BuilderForm:
    """The builder's fields in their groups, and the rules that they make; none where a field is wrong."""

    groups: tuple[tuple[str, tuple[FieldView, ...]], ...]
    rules: Rules | None
    is_sent: bool

    @property
    def fields(self) -> tuple[FieldView, ...]:
        return tuple(field for _, fields in self.groups for field in fields)

    @property
    def faults(self) -> int:
        return sum(bool(field.error) for field in self.fields)


def read_builder(sent: MultiDict[str, str], base: Rules) -> BuilderForm:
    """Read an address or a form; what is not in it is as in ``base``, and what is no rule is left alone."""
    values: dict[str, str] = {name: sent.getlist(name)[-1] for name in FIELDS if name in sent}
    if "no_split" in values:
        ticked = [value for value in sent.getlist("no_split") if value.strip() not in ("", "none")]
        values["no_split"] = ",".join(ticked) or "none"
    rules, errors = _read(values, base)
    # What was typed stays to be put right; where there is a list to choose from, the value from before does.
    kept = {name: text for name, text in values.items() if name not in errors or not choices_of(name)}
    shown = base.to_text() | kept if rules is None else rules.to_text()
    return BuilderForm(
        tuple((title, tuple(_field(name, shown[name], errors.get(name, "")) for name in names))
              for title, names in GROUPS.items()),
        rules, bool(values),
    )


def _read(values: Mapping[str, str], base: Rules) -> tuple[Rules | None, Mapping[str, str]]:
    """The rules, or none and a message for each field at fault."""
    try:
        return Rules.from_mapping(values, base=base), {}
    except RulesError as error:
        return None, {fault.field: _message(fault) for fault in error.faults}


def _field(name: str, value: str, error: str) -> FieldView:
    ticked: Sequence[str] = value.split(",") if name == "no_split" else (value.strip(),)
    options = tuple((choice, words, choice in ticked) for choice, words in choices_of(name))
    kind = "boxes" if name == "no_split" else "select" if options else "text"
    return FieldView(name, LABELS[name], kind, value[:_MOST_SHOWN], options, HINTS.get(name, ""), error)


def _message(fault: Fault) -> str:
    given = str(fault.value)
    shown = given if len(given) <= _MOST_SHOWN else f"{given[:_MOST_SHOWN]}…"
    said = f"“{shown}” is not allowed here" if shown.strip() else "This was left empty"
    return f"{said}; use {fault.allowed}."
