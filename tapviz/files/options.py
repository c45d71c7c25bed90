"""Options, declared once: a field of a dataclass knows its flag, its field of a form and its help.

Flags of the command line, documentation of functions that take the options as keywords, fields of
a form and the Python that repeats a choice are derived from the fields.
"""

from __future__ import annotations

import inspect
from argparse import SUPPRESS, ArgumentTypeError, _ActionsContainer
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, partial
from textwrap import wrap
from types import MappingProxyType
from typing import Any, Literal, Never, NoReturn, TypeGuard, TypeVar

from tapviz.files import problems
from tapviz.files.small import whole

Kind = Literal["text", "file", "number", "numbers", "switch", "choice", "several"]
F = TypeVar("F", bound=Callable[..., object])
KINDS: dict[str, Kind] = {"File": "file", "bool": "switch", "int | None": "number"}
KINDS |= {"Sequence": "several"}
"""Kinds of options by what their types say."""
AGAIN = "; repeatable"
REQUIRED: Any = MISSING
"""Default of what must be given."""
KEY = "option"
NOTHING: Mapping[str, Never] = MappingProxyType({})


class OptionError(ValueError):
    """Options that make no sense, alone or together.

    Parameters
    ----------
    marked : str
        What is wrong; options are marked by `tapviz.files.problems.option`.

    Examples
    --------
    >>> from tapviz.readers import ReadOptions
    >>> try:
    ...     ReadOptions(swap=2)
    ... except ValueError as error:
    ...     print(type(error).__name__, "swap" in str(error))
    OptionError True
    """

    def __init__(self, marked: str) -> None:
        super().__init__(problems.rendered(marked))
        self.marked = marked

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.marked,)


def refuse(marked: str) -> NoReturn:
    """Raise `OptionError`: what somebody gave makes no sense.

    Raises
    ------
    OptionError
        Always; options are marked in the message, as in `OptionError`.

    Examples
    --------
    >>> from tapviz.files.options import refuse
    >>> try:
    ...     refuse("expected one file")
    ... except ValueError as error:
    ...     print(error)
    expected one file
    """
    raise OptionError(marked)


@dataclass(frozen=True, kw_only=True)
class Option:
    """What is known of an option.

    Attributes
    ----------
    help : str
        What it is, for the command line and the documentation: no capital, no full stop.
    name, type, default
        Those of the field.
    kind : {"text", "file", "number", "numbers", "switch", "choice", "several"}
        What its values are; "numbers" are separated by commas, "several" some of the choices.
    choices : mapping of str to object
        Values, by what a form calls them.
    label : str or tuple of str
        What a form calls it; a label for each of several numbers; empty if no form asks for it.
    placeholder : str
        What the form shows where nothing is given.
    called : str
        Its flag and what its value is called, as in a help: "-o --output PATH", if the flag is not
        called after the option, as --max-k after max_k.
    metavar : str
        What the command line calls its value, if that does not say so.
    read : callable, optional
        Value of what is typed there. By default as the kind says.
    least : int
        Smallest number that makes sense.
    width : int
        Pixels of its field.
    roles : tuple of str
        Files that it is about: a form asks for it once one of them is there.
    by_format : bool
        Whether it makes sense only for the formats that name it in their ``needs``.

    Examples
    --------
    >>> from tapviz.files.options import Option
    >>> Option(name="min_score", help="smallest score that counts", kind="number").flag
    '--min-score'
    """

    help: str
    name: str = ""
    type: str = ""
    default: Any = None
    kind: Kind = "text"
    choices: Mapping[str, object] = field(default_factory=dict)
    label: str | tuple[str, ...] = ""
    placeholder: str = ""
    called: str = ""
    metavar: str = ""
    read: Callable[[str], object] | None = None
    least: int = 0
    width: int = 200
    roles: tuple[str, ...] = ()
    by_format: bool = False

    @property
    def flags(self) -> list[str]:
        """Flags of the command line, of which the last one is the longest."""
        own = [word for word in self.called.split() if word.startswith("-")]
        return own or ["--" + self.name.replace("_", "-")]

    @property
    def flag(self) -> str:
        """Flag of the command line."""
        return self.flags[-1]

    @property
    def title(self) -> str:
        """What people who look at a form call it, or the first of several fields."""
        return self.label if isinstance(self.label, str) else self.label[0]

    @property
    def documented(self) -> list[str]:
        """Lines of a docstring."""
        text = f"{self.help[0].upper()}{self.help[1:]}."
        below = wrap(text, 88, initial_indent="    ", subsequent_indent="    ")
        return [f"{self.name} : {self.type}, optional", *below]

    def check(self, value: object) -> None:
        """Raise ValueError unless a value is the default or such as the kind says."""
        if value == self.default:
            return
        allowed = list(self.choices.values())
        shown = ", ".join(repr(one) for one in allowed if one is not None)
        if self.kind == "choice" and allowed and value not in allowed:
            expected = f"one of {shown}"
        elif self.kind == "several" and not (
            isinstance(value, Collection)
            and not isinstance(value, str)
            and all(one in allowed for one in value)
        ):
            expected = f"some of {shown}"
        elif self.kind == "switch" and not isinstance(value, bool):
            expected = "True or False"
        elif self.kind == "number" and not (_is_whole(value) and value >= self.least):
            expected = f"a whole number, {self.least} or more"
        elif self.kind == "numbers" and not (
            isinstance(value, tuple)
            and len(value) == len(self.default)
            and all(map(_is_whole, value))
        ):
            expected = f"{len(self.default)} whole numbers"
        else:
            return
        refuse(f"{problems.option(self.name)} is {value!r}: expected {expected}")

    def from_text(self, text: str) -> str | tuple[int, ...]:
        """Value of what was typed: numbers for "numbers", of which the last may be left out."""
        if self.kind != "numbers":
            return text
        try:
            numbers = [whole(word) for word in text.split(",")]
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from None
        return tuple(numbers + [0] * (len(self.default) - len(numbers)))

    def add_to(self, parser: _ActionsContainer, choices: Collection[str] = ()) -> None:
        """Add its flag, with choices that only the caller knows, if there are any."""
        default = self.default if isinstance(self.default, tuple) else (self.default,)
        has_none = self.kind == "switch" or self.default in (None, REQUIRED)
        shown = "" if has_none or "(default" in self.help else ",".join(map(str, default))
        text = self.help.replace("%", "%%") + (f" (default: {shown})" if shown else "")
        if self.kind == "several" and AGAIN not in text:
            text += AGAIN
        add = partial(parser.add_argument, *self.flags, dest=self.name, default=SUPPRESS, help=text)
        if self.kind == "switch":
            add(action="store_true")
            return
        allowed = [one for one in sorted(choices) or self.choices.values() if one is not None]
        value = next((word for word in self.called.split() if word[0] != "-"), self.metavar)
        by_kind: dict[Kind, Callable[[str], object]] = {"number": int, "numbers": self.from_text}
        add(
            action="append" if self.kind == "several" else "store",
            choices=allowed or None,
            metavar=value or None,
            type=self.read or by_kind.get(self.kind, str),
            required=self.default is REQUIRED,
        )


def option(default: Any = None, **known: Any) -> Any:
    """Make a field of a dataclass that is an option; `known` is as in `Option`.

    The kind follows from the type of a field that is a file, a switch or a number. The help of a
    file goes on where its label ends. What else has a label is about results, by default.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from tapviz.files.options import option, options_of
    >>> @dataclass(frozen=True)
    ... class Rules:
    ...     quick: bool = option(False, kind="switch", help="whether to hurry")
    >>> options_of(Rules)["quick"].flag
    '--quick'
    """
    return field(default=default, metadata={KEY: Option(default=default, **known)})


@cache
def options_of(declared: type) -> Mapping[str, Option]:
    """Options among the fields of a dataclass, by name.

    Examples
    --------
    >>> from tapviz.files.options import options_of
    >>> from tapviz.readers import ReadOptions
    >>> options_of(ReadOptions)["self_hits"].flag
    '--self-hits'
    """
    options = {}
    for one in fields(declared):
        if KEY in one.metadata:
            known = replace(one.metadata[KEY], name=one.name, type=str(one.type))
            kind = next((kind for word, kind in KINDS.items() if word in known.type), known.kind)
            if kind == "file":
                known = replace(known, help=f"{known.label}{known.help}")
            elif known.label:
                known = replace(known, roles=known.roles or ("results",))
            options[one.name] = replace(known, kind=kind)
    return MappingProxyType(options)


def check(values: object) -> None:
    """Raise ValueError unless every option of a dataclass has a value that makes sense.

    Examples
    --------
    >>> from tapviz.files.options import check
    >>> from tapviz.readers import ReadOptions
    >>> check(ReadOptions(levels=(4, 2)))
    """
    declared: type = type(values)
    for name, one in options_of(declared).items():
        one.check(getattr(values, name))


def chosen(values: object) -> dict[str, Any]:
    """Options of a dataclass that are not as by default.

    Examples
    --------
    >>> from tapviz.files.options import chosen
    >>> from tapviz.readers import ReadOptions
    >>> chosen(ReadOptions(levels=(4, 2)))
    {'levels': (4, 2, 0)}
    """
    declared: type = type(values)
    return {
        name: value
        for name, one in options_of(declared).items()
        if (value := getattr(values, name)) != one.default
    }


def flag_names(declared: type) -> dict[str, str]:
    """Options as the command line calls them, for `tapviz.files.problems.rendered`.

    Examples
    --------
    >>> from tapviz.files.options import flag_names
    >>> from tapviz.readers import ReadOptions
    >>> flag_names(ReadOptions)["direction"]
    '--direction {}'
    """
    return {name: f"{one.flag} {{}}" for name, one in options_of(declared).items()}


def field_name(title: str) -> str:
    """What a field of a form is called in a sentence, by its title.

    Examples
    --------
    >>> from tapviz.files.options import field_name
    >>> field_name("reported up to")
    'the field “reported up to”'
    """
    return f"the field “{title}”"


def field_names(declared: type) -> dict[str, str]:
    """Options as a form calls them, likewise.

    Examples
    --------
    >>> from tapviz.files.options import field_names
    >>> from tapviz.readers import ReadOptions
    >>> set(field_names(ReadOptions)) == set(flag_names(ReadOptions))
    True
    """
    return {
        name: f"a file of {one.title}" if one.kind == "file" else field_name(one.title or name)
        for name, one in options_of(declared).items()
    }


def add_flags(
    parser: _ActionsContainer,
    declared: type,
    choices: Mapping[str, Collection[str]] = NOTHING,
    only: Collection[str] | None = None,
) -> None:
    """Add a flag for each option of a dataclass; what is not given is not in the namespace.

    Parameters
    ----------
    parser : ArgumentParser, or a group of it
    declared : type
        The dataclass.
    only : collection of str, optional
        Names of the options to add.
    choices : mapping of str to collection of str
        Choices of options, by name, that only the caller knows.

    Examples
    --------
    >>> from argparse import ArgumentParser
    >>> from tapviz.files.options import add_flags
    >>> from tapviz.readers import ReadOptions
    >>> parser = ArgumentParser()
    >>> add_flags(parser, ReadOptions)
    >>> parser.parse_args(["--levels", "4,2"])
    Namespace(levels=(4, 2, 0))
    """
    for name, one in options_of(declared).items():
        if only is None or name in only:
            one.add_to(parser, choices.get(name, ()))


def takes(declared: type) -> Callable[[F], F]:
    """Decorate a function that takes the options of a dataclass as ``**options``.

    Its signature names them, and its docstring describes them in place of ``{options}``.

    Examples
    --------
    >>> from tapviz.labels import JoinRules
    >>> from tapviz.files.options import takes
    >>> @takes(JoinRules)
    ... def join(file, **options): ...
    >>> import inspect
    >>> "self_hits" in inspect.signature(join).parameters
    True
    """

    def decorate(function: F) -> F:
        known = options_of(declared)
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        parameter = partial(inspect.Parameter, kind=inspect.Parameter.KEYWORD_ONLY)
        keywords = [parameter(name, default=one.default) for name, one in known.items()]
        function.__signature__ = signature.replace(parameters=own + keywords)  # type: ignore[attr-defined]
        if function.__doc__ is not None:  # which python -OO drops
            lines = [line for one in known.values() for line in one.documented]
            function.__doc__ = function.__doc__.replace("{options}", "\n    ".join(lines))
        return function

    return decorate


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
