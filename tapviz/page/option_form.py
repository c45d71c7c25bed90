"""Fields of a form for the options of reading, made from their declarations."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import panel as pn

from tapviz.files.options import Option, options_of
from tapviz.page.controls import WIDGET
from tapviz.readers import FORMATS, ReadOptions


class OptionForm(pn.viewable.Viewer):
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
        self._options = {name: one for name, one in options_of(ReadOptions).items() if one.roles}
        self.fields = {name: _fields(one) for name, one in self._options.items()}
        widgets = [widget for group in self.fields.values() for widget in group]
        for widget in widgets:
            widget.param.watch(lambda _event: changed(), "value")
        self._view = pn.FlexBox(*widgets, margin=0)
        self.show((), ())

    def __panel__(self) -> pn.viewable.Viewable:
        return self._view

    def show(
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
        for name, one in self._options.items():
            visible = bool({*one.roles} & {*roles})
            if visible and "results" in one.roles:
                visible = name in needed or "" in formats or self._value(name) != one.default
            for widget in self.fields[name]:
                widget.visible = visible

    def set(self, name: str, value: str) -> None:
        """Fill in the field of an option with what was typed, or one of its choices."""
        (widget,) = self.fields[name]
        widget.visible = True
        widget.value = value

    def words(self, name: str, value: str) -> str:
        """What a button says that fills in the field of an option; empty if none can."""
        one = self._options.get(name)
        if one is None or one.kind not in ("text", "choice"):
            return ""
        named = {chosen: words for words, chosen in one.choices.items()}
        return f"{one.title}: {named.get(value, value)}"

    @property
    def given(self) -> dict[str, Any]:
        """Values of the fields that are shown."""
        return {name: self._value(name) for name in self.fields if self.fields[name][0].visible}

    def _value(self, name: str) -> Any:
        values = [widget.value for widget in self.fields[name]]
        if self._options[name].kind == "numbers":
            return tuple(values)
        (value,) = values
        if isinstance(value, str):
            return value.strip() or None
        return tuple(value) if isinstance(value, list) else value


def _fields(one: Option) -> list[Any]:
    common: dict[str, Any] = {
        "label": one.title,
        "width": one.width,
        "margin": (2, 12, 4, 0),
        "stylesheets": [WIDGET],
    }
    beside = common | {"margin": (24, 12, 4, 0)}
    if one.kind == "numbers":
        return [
            pn.widgets.IntInput(**common | {"label": label}, value=value, start=one.least)
            for label, value in zip(one.label, one.default, strict=True)
        ]
    if one.kind == "number":
        return [
            pn.widgets.IntInput(
                **common, value=one.default, start=one.least, placeholder=one.placeholder
            )
        ]
    if one.kind == "choice":
        return [pn.widgets.Select(**common, value=one.default, options=dict(one.choices))]
    if one.kind == "several":
        return [
            pn.widgets.CheckBoxGroup(
                **beside, value=list(one.default), options=dict(one.choices), inline=True
            )
        ]
    if one.kind == "switch":
        return [pn.widgets.Checkbox(**beside, value=one.default)]
    return [pn.widgets.TextInput(**common, placeholder=one.placeholder)]
