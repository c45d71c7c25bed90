"""The choices of a person, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

import numpy as np
import param

from tapviz import scores as scoring
from tapviz.lists.runs import systems
from tapviz.measures import RankedList, class_depth, level_name, ranked_list, tap, weight_titles
from tapviz.state.numbers import Numbers
from tapviz.state.queries import Part, filters, most_errors, said, usual_errors, usual_threshold
from tapviz.state.query_filter import Judging, Results, clipped, next_row
from tapviz.state.settings import BY_E_VALUE, COVERAGES, MAX_K, SETTINGS, Value, settings

__all__ = ["MAX_TEXT", "Choices", "Pinned"]

MAX_ADDRESS = 64_000
"""Characters of an address that are read; browsers and servers rarely take as many."""
MAX_TEXT = 2000
"""Characters of one setting, such as a box: two names and six numbers."""


ONE_STEP = 1.0
"""Seconds between two changes of one choice that still belong to one drag or one word."""


def texts(value: Value) -> list[str]:
    """The value of a setting as an address names it: once for each item; limits as BLASTP=10.

    Examples
    --------
    >>> from tapviz.state.choices import texts
    >>> texts({"BLASTP": 10.0}), texts(["A", "B"]), texts([]), texts(None), texts(5)
    (['BLASTP=10.0'], ['A', 'B'], [''], [''], ['5'])
    """
    if isinstance(value, Mapping):
        value = [f"{name}={limit!r}" for name, limit in value.items()]
    if isinstance(value, (list, tuple)):
        return [str(item) for item in value] or [""]
    return ["" if value is None else str(value)]


class Pinned(NamedTuple):
    """Scores of one view, kept to be compared with those of others.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.state import Choices
    >>> choices = Choices(load_results("profiles"), k=5)
    >>> choices.pin()
    >>> choices.k = 20
    >>> choices.pinned.rule.k
    5
    """

    rule: scoring.ThresholdRule
    n: int
    n_queries: int
    scores: dict[str, dict[str, float]]
    """Of every algorithm, by name of the score."""


class Choices(Numbers):
    """What a person chose, and the numbers that follow from it.

    Plots are made of these; a `tapviz.explorer.Explorer` draws them as well.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.state import Choices
    >>> choices = Choices(load_results("profiles"), k=5)
    >>> choices.query_class = "a"
    >>> choices.k, choices.selection.everything
    (5, False)
    >>> choices.undo()
    >>> choices.selection.everything
    True
    """

    style_order: tuple[str, ...] = ()
    """The algorithms, those shown at first before the others."""

    def __init__(
        self,
        results: Results,
        shown: list[str] | None = None,
        judging: Judging | None = None,
        class_of_record: Callable[[str], str] | None = None,
        **params: Value,
    ) -> None:
        super().__init__(results, judging)
        self._class_of_record = class_of_record
        names = list(results)
        wanted = names[:5] if shown is None else shown
        shown = [name for name in wanted if name in results]
        if not shown:
            msg = f"shown: none of {', '.join(wanted)} is among the results, {', '.join(names)}"
            raise ValueError(msg)
        # Styles belong to algorithms: settled once, those shown at first get the clearest.
        self.style_order = tuple(dict.fromkeys([*shown, *names]))
        for choice in (self.param.algorithms, self.param.focus_algorithm):
            choice.objects, choice.check_on_set = names, True
        self.param.focus.objects = ["", *self.first.query.tolist()]
        # Of more errors than any list has, no threshold can have k.
        self.param.k.bounds = (1, max(MAX_K, *map(most_errors, results.values())))
        for choice, offered in (("baseline", [*systems(names), *names]), ("opponent", names)):
            self.param[choice].objects = {"none": "", **{name: name for name in offered}}
        titles = weight_titles(self.first)
        self.param.weights.objects = {title: name for name, title in titles.items()}
        if "family" not in titles:
            self.param.coverage_of.objects = dict([*COVERAGES.items()][:2])
        depth = class_depth(self.first)
        self.param.groups.bounds = (0, depth)
        levels = {level_name(self.first, level): f"{level}" for level in range(1, depth + 1)}
        self.param.queries_by.objects = {"queries, briefly": "", "queries": "query", **levels}
        start: dict[str, Value] = {
            "algorithms": shown,
            "focus_algorithm": shown[0],
            "e0": usual_threshold(self._opened),
            "groups": self.first.class_level or depth,
            "reported_to": said(self._opened),
            **usual_errors(self._opened),
        }
        if names_given := list(self.first.given or ()):
            self.param.compared_score.objects = self.param.table_scores.objects = names_given
            start["compared_score"] = names_given[0]
        self.param.update(**start | params)
        # Former choices, and those that were taken back, the latest last.
        self._past: list[dict[str, Value]] = []
        self._future: list[dict[str, Value]] = []
        self._last_change: tuple[set[str], float] | None = None
        self._undoing = self._held = False
        self.param.watch(self._remember, [*SETTINGS])

    def __reduce__(self) -> tuple[Callable[[], object], tuple[()]]:
        """How it is copied and pickled: by results and settings; a copy goes on alone."""
        made = self.results, list(self.style_order), self.judging, self._class_of_record
        return partial(type(self), *made, **settings(self)), ()

    def use_threshold(self, e0: float) -> None:
        """Take a threshold E_0 for all algorithms, instead of one by errors."""
        self.param.update(mode=BY_E_VALUE, e0=e0)

    def show_scores(self, names: Sequence[str], **others: object) -> None:
        """Have these scores in the table, and compare by one of them."""
        shown, by = scoring.asked_for(self.first, names), self.compared_score
        if by not in [one.name for one in shown]:
            by = scoring.leading(self.first, names)
        self.param.update(table_scores=[*names], compared_score=by, **others)

    def pin(self) -> None:
        """Keep the scores of the present threshold, n and queries, to see how others differ."""
        scores = {
            name: self.score(name)
            | {one.name: self.case(name).value(one) for one in self.scores_shown}
            for name in self._results
        }
        self.pinned = Pinned(self.rule, self.n, self.selection.n_queries, scores)

    def unpin(self) -> None:
        """Forget the scores that were kept."""
        self.pinned = None

    # --- the query in focus ----------------------------------------------------------------

    def ranked(self, algorithm: str) -> RankedList:
        """The list of the query in focus, at the algorithm's present threshold.

        Where that is undefined it is infinite: every record is before it.

        Raises
        ------
        KeyError
            If no query is in focus.
        """
        lists, row, e0 = self._results[algorithm], self._focus_row, self.tap(algorithm).e0
        return self.once(
            ("ranked", algorithm), (lists, row, e0), lambda: ranked_list(lists, row, e0)
        )

    def tap_of_focus(self, algorithm: str) -> float:
        """TAP of the query in focus at the algorithm's present threshold."""
        at, row = self.tap(algorithm), self._focus_row
        selected = self.selection.mask
        if selected[row]:
            return float(at.per_query[np.count_nonzero(selected[:row])])
        known = self._memos[algorithm, True]
        return float(known.measure(tap, self._results[algorithm], at.e0).per_query[row])

    def class_of_record(self, record: str) -> str:
        """Class of a record of the database; empty where it is not known."""
        if self._class_of_record is not None and (known := self._class_of_record(record)):
            return known
        return self.once("classes", self.first, self._classes_of_queries).get(record, "")

    def _classes_of_queries(self) -> dict[str, str]:
        lists = self.first
        known = lists.query_class
        return {} if known is None else dict(zip(lists.query.tolist(), known.tolist(), strict=True))

    def step_focus(self, by: int) -> None:
        """Focus on the query that comes so many places after the present one, of those selected.

        At the end it goes on from the beginning; without a focus it begins there.
        """
        row = next_row(self.selection.mask, self._focus_row if self.focus else None, by)
        if row is not None:
            self.focus = str(self.first.query[row])

    @property
    def _focus_row(self) -> int:
        """Place of the query in focus, in the lists of all algorithms."""
        return self.once("focus", self.focus, lambda: self.first.row_of(self.focus))

    # --- undo and the address --------------------------------------------------------------

    def clear_filter(self) -> None:
        """Select all queries again."""
        self._last_change = None  # what was typed just before is a choice of its own
        self.param.update(**{name: SETTINGS[name].default for name in filters(self)})

    def drop(self, part: Part) -> None:
        """Take a part of the filter away."""
        self._last_change = None  # not of one piece with what was typed just before
        self.param.update(**part.without)

    @property
    def can_undo(self) -> bool:
        """Whether a choice has been made that can be taken back."""
        return bool(self._past)

    def undo(self) -> None:
        """Take the last choice back; the steps of one drag or one word are one choice."""
        self._move(self._past, self._future)

    @property
    def can_redo(self) -> bool:
        """Whether a choice has been taken back that can be made again."""
        return bool(self._future)

    def redo(self) -> None:
        """Make the choice again that was taken back last."""
        self._move(self._future, self._past)

    def _move(self, source: list[dict[str, Value]], target: list[dict[str, Value]]) -> None:
        """Choose as the last of the one says, if there is any; the other keeps what was chosen."""
        if not source:
            return
        values, self._undoing = source.pop(), True
        target.append({name: getattr(self, name) for name in values})
        try:
            self.param.update(**values)
        finally:
            self._undoing, self._last_change = False, None

    def _remember(self, *events: param.parameterized.Event) -> None:
        if self._undoing:
            return
        self._future.clear()
        names, now = {event.name for event in events}, monotonic()
        last, self._last_change = self._last_change, (names, now)
        gradual = all(SETTINGS[name].drag for name in names)
        soon = self._held or (last is not None and now - last[1] <= ONE_STEP)
        same = last is not None and last[0] == names and gradual and soon
        if not same:
            self._past.append({event.name: event.old for event in events})
        elif all(getattr(self, name) == old for name, old in self._past[-1].items()):
            self._past.pop()  # and back again
            self._last_change = None

    def hold(self, *, held: bool) -> None:
        """Take what is changed gradually as one step of undo, however slowly, while it is held.

        Parameters
        ----------
        held : bool
            Whether a hand moves a choice from now on.
        """
        if held and self._last_change and monotonic() - self._last_change[1] > ONE_STEP:
            self._last_change = None  # that was another hand
        self._held = held

    def to_query(self, more: Mapping[str, str] | None = None) -> str:
        """Every setting, defaults included, as the query part of an address.

        Parameters
        ----------
        more : mapping of str to str, optional
            What else the address says; it comes first.
        """
        chosen = [(name, text) for name, of in settings(self).items() for text in texts(of)]
        return "?" + urlencode([*(more or {}).items(), *chosen])

    def from_query(self, query: str, where: str = "the address") -> list[str]:
        """Take settings from the query part of an address.

        Parameters
        ----------
        query : str
        where : str
            Where it stands, for messages.

        Returns
        -------
        list of str
            What could not be used, and why; such settings keep their value.
        """
        problems = []
        if len(query) > MAX_ADDRESS:
            problems.append(f"{where} is read up to its {MAX_ADDRESS:,}th character")
        texts_of = parse_qs(query.lstrip("?")[:MAX_ADDRESS], keep_blank_values=True)
        for name, setting in SETTINGS.items():
            if (given := texts_of.get(name)) is None:
                continue
            try:
                if any(len(item) > MAX_TEXT for item in given):
                    raise ValueError  # noqa: TRY301
                value = setting.read(given)
                if setting.fits is not None and not setting.fits(self, value):
                    raise ValueError  # noqa: TRY301
                self.param.update(**{name: value})
            except ValueError:
                problems.append(f"{name} = {clipped(given[-1])!r} in {where} cannot be used here")
        self._past, self._future, self._last_change = [], [], None  # undo ends at the address
        return problems
