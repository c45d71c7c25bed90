"""Fields of a form for the options of reading, made from their declarations."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import chain
from typing import Any

import panel as pn

from tapviz.files.options import Option, options_of
from tapviz.live.parts import Part
from tapviz.page.widgets import widget
from tapviz.readers import FORMATS, ReadOptions


class OptionForm(Part):
    """The options of `ReadOptions` that some files need.

    Parameters
    ----------
    changed : callable
        Called when a value has been changed.

    Attributes
    ----------
    fields : dict of str to list of widget
        Widgets of each option by its name: one, or one for each of several numbers.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        super().__init__()
        self._options = {
            name: option for name, option in options_of(ReadOptions).items() if option.roles
        }
        self.fields = {name: _fields(option) for name, option in self._options.items()}
        self.view = pn.FlexBox(*chain(*self.fields.values()), margin=0)
        for field in self.view:
            field.param.watch(lambda _event: changed(), "value")
        self.offer((), ())

    def offer(
        self, roles: Collection[str], formats: Collection[str], helpful: Collection[str] = ()
    ) -> None:
        """Show the fields that files need, and those that are filled in.

        Parameters
        ----------
        roles : collection of str
            What the files are: "results", or names of options.
        formats : collection of str
            Formats of the results; empty for one that is not known.
        helpful : collection of str
            Options that would help with what could not be read.
        """
        needed = {*helpful}.union(*(FORMATS[name].needs for name in formats if name))
        for name, option in self._options.items():
            visible = bool({*option.roles} & {*roles})
            if visible and "results" in option.roles:
                visible = name in needed or "" in formats or self._value(name) != option.default
            for field in self.fields[name]:
                field.visible = visible

    def set(self, name: str, value: str) -> None:
        """Fill in the field of an option with what was typed, or one of its choices; or tick it."""
        (field,) = self.fields[name]
        field.visible = True
        field.value = True if self._options[name].kind == "switch" else value

    def words(self, name: str, value: str) -> str:
        """What a button says that fills in the field of an option; empty if none can."""
        option = self._options.get(name)
        if option is not None and option.kind == "switch":
            return option.title
        if option is None or option.kind not in ("text", "choice"):
            return ""
        named = {chosen: words for words, chosen in option.choices.items()}
        return f"{option.title}: {named.get(value, value)}"

    @property
    def given(self) -> dict[str, Any]:
        """Values of the fields that are shown."""
        return {name: self._value(name) for name in self.fields if self.fields[name][0].visible}

    def _value(self, name: str) -> Any:
        values = [field.value for field in self.fields[name]]
        if self._options[name].kind == "numbers":
            return tuple(values)
        (value,) = values
        if isinstance(value, str):
            return value.strip() or None
        return tuple(value) if isinstance(value, list) else value


def _fields(option: Option) -> list[pn.widgets.Widget]:
    """Widgets of an option: one, or one for each of several numbers."""
    labels = option.label if isinstance(option.label, tuple) else (option.label,)
    values = option.default if option.kind == "numbers" else [option.default]
    kinds: dict[str, tuple[type[pn.widgets.Widget], list[str]]] = {
        "numbers": (pn.widgets.IntInput, ["value", "start"]),
        "number": (pn.widgets.IntInput, ["value", "start", "placeholder"]),
        "choice": (pn.widgets.Select, ["value", "options"]),
        "several": (pn.widgets.CheckBoxGroup, ["value", "options"]),
        "switch": (pn.widgets.Checkbox, ["value"]),
    }
    kind, used = kinds.get(option.kind, (pn.widgets.TextInput, ["placeholder"]))
    top = 24 if option.kind == "switch" else 2  # without a label above it
    widgets = []
    for label, value in zip(labels, values, strict=True):
        options = {
            "value": list(value) if option.kind == "several" else value,
            "start": option.least,
            "placeholder": option.placeholder,
            "options": dict(option.choices),
        }
        options = {name: options[name] for name in used}
        widgets.append(widget(kind, label, width=option.width, margin=(top, 12, 4, 0), **options))
    return widgets
