"""What of a page the browser moves by itself: it has been given what is seen at every stop."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from weakref import WeakSet, ref

import panel as pn
from param.parameterized import Event as Change

from tapviz.explorer.session import again
from tapviz.explorer.views import QUERIES, TABLE, Stops, stops, views
from tapviz.live.background import BackgroundTask
from tapviz.live.turns import Hand
from tapviz.measures import OnProgress
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.plot import LARGE
from tapviz.scores import Compared, Memo
from tapviz.state import BY_ERRORS, SETTINGS
from tapviz.state.numbers import Shared
from tapviz.state.settings import affecting

Key = tuple[Hashable, ...]
Views = dict[str, tuple[Key, bytes | None]]
"""What has been made, with what it depends on, by setting and part; None where no view shows it."""

SHARED = Shared(keep=100)
"""Views of whole results, which every page of a process that shows the same data needs."""
OPEN: WeakSet[Moves] = WeakSet()
"""Of the pages that are open in this process."""
PACE = 60
"""Milliseconds between two places that any page tells, however many hands move."""
AT_ONCE = 10_000
"""Queries times programs of which a cell waits for intervals and views, some seconds at most."""
UNSEEN = {*affecting("accepted"), "view", "links", "focus"}
"""Settings that change nothing of the tables."""
OF_QUERIES = {*affecting("rows")}
"""Settings of the table of queries."""


class Moves:
    """Views of the parts of a page, made when it rests, and which of them it moves by itself.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    hand : Hand
        Part of the page that moves it.
    parts : callable
        Names of the parts that are seen: plots, `TABLE`, and what has no view.
    """

    def __init__(self, data: PlotData, hand: Hand, parts: Callable[[], Sequence[str]]) -> None:
        self._data, self._explorer, self.hand = data, data.explorer, hand
        self._seen = parts
        self._stops = stops(data.axis)
        records = (lists.score.size for lists in data.explorer.results.values())
        self._large = sum(records) > LARGE
        # At once: a page that is moved before it has views would otherwise wait for a rest.
        self._task: BackgroundTask[Views] = BackgroundTask(self._on_made, rest=0)
        self.ahead: BackgroundTask[Views] = BackgroundTask(lambda: None, rest=2.0)
        self._every: BackgroundTask[object] = BackgroundTask(self._on_every, rest=2.0)
        self._known: dict[str, tuple[Key, bool]] = {}
        """Of each setting and part what it depends on, and whether the page has a view of that."""
        self._fresh: dict[str, bytes] = {}
        """Views that the page is to be given."""
        self._keys = Memo()
        """What views depend on, by slider and part: no step of the slider changes it."""
        others = [*(SETTINGS.keys() - {"k", "e0", "n"}), "pinned"]
        data.explorer.param.watch(self._forget_keys, others)
        self._document = pn.state.curdoc
        OPEN.add(self)
        hand.param.watch(self._on_painted, "painted")
        hand.param.watch(lambda event: self._explorer.hold(held=event.new), "held")

    def _on_painted(self, event: Change) -> None:
        """Ask for views when the page answers for the first time: somebody is there."""
        if not event.old:
            self.request()

    def request(self) -> None:
        """Have the views made that parts lack, one slider after the other.

        Of some queries alone, which nobody else has selected, those of the threshold; and none of
        so many records that a view takes long.
        """
        everything = self._explorer.selection.everything
        for at in self._in_turn[: 2 if everything else 1]:
            wanted = self._wanted(at)
            made = {name: SHARED.known(key) for name, key in wanted.items()}
            self._take(
                {name: (wanted[name], *one) for name, one in made.items() if one is not None}
            )
            if lacking := {name: key for name, key in wanted.items() if made[name] is None}:
                asked = (*lacking.items(),)
                if not self.ahead.is_for(asked):  # or else its result is waited for
                    self.ahead.discard()
                self._task.request(asked, self._making(at, lacking))
                break
        else:
            if everything:
                self._make_ahead()
        if self._fresh:
            self.hand.views, self._fresh = self._fresh, {}
        self.show_state()

    def _make_ahead(self) -> None:
        """Have the views made that another way to set the threshold will look up."""
        if any(page.ahead.waiting for page in OPEN):  # other threads are for who waits for them
            return
        other = self._stops["e0" if self._explorer.mode == BY_ERRORS else "k"]
        wanted = self._wanted(other).items()
        if lacking := {name: key for name, key in wanted if SHARED.known(key) is None}:
            self.ahead.request((*lacking.items(),), self._making(other, lacking))

    @property
    def brief(self) -> bool:
        """Whether a cell that shows the page waits until it has all its views."""
        explorer = self._explorer
        few = explorer.selection.n_queries * len(explorer.shown) <= AT_ONCE
        return few and not self._large

    def make_now(self, compared: Compared | None) -> bool:
        """Give the page in a cell all its views, whether or not anybody will answer it.

        Parameters
        ----------
        compared : Compared or None
            Under the present choices: intervals of every k or E_0 are then worked out, too.

        Returns
        -------
        bool
            Whether there are any.
        """
        every, e0 = self._explorer.every_threshold, self._stops["e0"].values
        if compared is not None and (work := every(compared, e0)) is not None:
            work(None)
        for at in self._in_turn:
            self._take(self._making(at, self._wanted(at))(None))
        self.hand.views, self._fresh = self._fresh, {}
        self.show_state()
        return bool(self.hand.views)

    def leave_to_python(self) -> None:
        """Have the page in a cell move as Python says, from when Python answers it."""
        self._known = {}
        self.hand.param.update(views={}, moving=[], settled=self.hand.settled + 1)

    def request_later(self) -> None:
        """The same in the page's own turn, if there is somebody to take them."""
        if self._document is not None and self.hand.painted:
            self._document.add_next_tick_callback(self.request)

    def work_out_every_threshold(self, compared: Compared) -> None:
        """Have intervals of every k or E_0 worked out, unless they are known, for views to have."""
        explorer, e0 = self._explorer, self._stops["e0"].values
        if (work := explorer.every_threshold(compared, e0)) is not None:
            self._every.request(explorer.every_threshold_key, work)

    def _on_every(self) -> None:
        """Let all pages of the process ask: nobody else tells them."""
        if self._every.result is not None:
            for page in [*OPEN]:
                page.request_later()

    def _wanted(self, at: Stops) -> dict[str, Key]:
        """What the views depend on that parts lack, by setting and part."""
        return {
            name: key
            for part in self._seen()
            if (key := self._key(at, part))
            and self._known.get(name := f"{at.setting} {part}", ((), False))[0] != key
        }

    def follow(self, changed: set[str]) -> set[str]:
        """Tell the page where Python has put its sliders; the parts that it moves there itself.

        Parameters
        ----------
        changed : set of str
            Settings that have been changed; if there are others, nothing moves by itself.
        """
        if not changed or changed - {"k", "e0", "n"}:
            return set()
        # However many drag at once, the server is told as much.
        moving = sum(page.hand.held for page in OPEN)
        self.hand.pace = max(self.hand.param.pace.default, PACE * moving)
        threshold, n = self._in_turn
        moved = {*self._seen()}
        for at in [threshold] * bool(changed & {"k", "e0"}) + [n] * ("n" in changed):
            place = at.place_of(getattr(self._explorer, at.setting))
            mine = set() if place is None else self._current(at)
            if mine:
                self.hand.place = (at.setting, place)
            moved &= mine | {part for part in moved if not self._concerns(at, part)}
        return moved

    def close(self) -> None:
        """Make no more of them."""
        OPEN.discard(self)
        for task in (self._task, self.ahead, self._every):
            task.discard()

    def pause(self) -> None:
        """Work nothing out while nobody waits for it."""
        for task in (self.ahead, self._every):
            if task.waiting:
                task.cancel()

    @property
    def _in_turn(self) -> list[Stops]:
        """The sliders that can be moved now, the threshold's first."""
        return [self._stops["k" if self._explorer.mode == BY_ERRORS else "e0"], self._stops["n"]]

    def _current(self, at: Stops) -> set[str]:
        """Parts of which the page has the present view, the table's perhaps without intervals.

        Intervals come to be known on every page at once: if each waited for a view that has them,
        none would move by itself while many drag.
        """
        found = set()
        for part in self._seen():
            key = self._key(at, part)
            known, has_view = self._known.get(f"{at.setting} {part}", ((), False))
            end = -1 if part == TABLE else None
            if key and has_view and known[:end] == key[:end]:
                found.add(part)
        return found

    def _concerns(self, at: Stops, part: str) -> bool:
        """Whether a slider moves anything of a part."""
        threshold = at.control == "threshold"
        if part not in PLOTS:
            by_n = part == QUERIES and not self._explorer.score_of_queries.at_threshold
            return part == TABLE or threshold or by_n
        plot = PLOTS[part]
        named = "{n}" in plot.caption and not threshold
        return named or bool({at.setting, *(["mode"] if threshold else [])} & {*plot.depends})

    def _key(self, at: Stops, part: str) -> Key | None:
        """What a view depends on; None if there is none."""
        explorer, by_n = self._explorer, at.control == "n"
        other = (explorer.mode, explorer.k, explorer.e0) if by_n else explorer.n
        key = self._keys.once((at.setting, part), other, lambda: self._new_key(at, part))
        if key is None or not (part == TABLE or (part in PLOTS and PLOTS[part].compares)):
            return key
        present = not by_n and at in self._in_turn
        known = present and explorer.known_at_every_threshold
        # The last of a table's key is whether it has intervals: see `_current`.
        return (*key, known) if part == TABLE else key if known else None

    def _forget_keys(self, *_: Change) -> None:
        self._keys = Memo()

    def _new_key(self, at: Stops, part: str) -> Key | None:
        explorer = self._explorer
        if explorer.first.given or not explorer.shown or not explorer.selection.n_queries:
            return None
        if self._large or part not in (TABLE, QUERIES, *PLOTS):
            return None
        if not self._concerns(at, part):
            return None
        moved = {"n"} if at.control == "n" else {"mode", "k", "e0"}
        if part == TABLE:  # of which each slider moves its own cells
            if explorer.pinned is not None:
                return None
            depends = SETTINGS.keys() - UNSEEN - OF_QUERIES - {"mode", "k", "e0", "n"}
        elif part == QUERIES:
            depends = SETTINGS.keys() - UNSEEN
        else:
            if PLOTS[part].slow is not None:
                return None
            depends = {*PLOTS[part].depends}
        chosen = tuple((name, repr(getattr(explorer, name))) for name in sorted(depends - moved))
        refs = tuple(ref(explorer.lists[name]) for name in explorer.shown)
        hash(refs)  # once its lists are gone, which may be before it is looked up, it has none
        return (at.setting, part, explorer.style_order, *chosen, *refs)

    def _making(self, at: Stops, wanted: dict[str, Key]) -> Callable[[OnProgress | None], Views]:
        """Work that makes views, for another thread: later changes do not affect it."""
        copy = again(self._explorer)
        copy.param.view.objects = self._explorer.param.view.objects
        everything = self._explorer.selection.everything

        def work(progress: OnProgress | None) -> Views:
            known = {key: SHARED.known(key) for key in wanted.values()}
            parts = {str(key[1]): key for key, packed in known.items() if packed is None}

            make = partial(views, copy, [*parts], at, progress)
            # Others may be making the same views.
            made = SHARED.once((*parts.values(),), make) if everything else make()
            for part, key in parts.items():
                make_one = partial(tuple, [made[part]])
                known[key] = SHARED.once(key, make_one) if everything else make_one()
            return {name: (key, *known[key]) for name, key in wanted.items()}

        return work

    def _on_made(self) -> None:
        """Give the page what has been made, and have the next made."""
        if self._task.result is not None:
            self._take(self._task.result)
            self.request()

    def _take(self, made: Views) -> None:
        self._known |= {name: (key, packed is not None) for name, (key, packed) in made.items()}
        self._fresh |= {name: packed for name, (_, packed) in made.items() if packed is not None}

    def show_state(self) -> None:
        """Tell the page which of its views are those of the present."""
        current = {at: self._current(at) for at in self._in_turn}
        self.hand.moving = [
            f"{at.setting} {part}" for at, parts in current.items() for part in sorted(parts)
        ]
        self.hand.alone = [
            at.setting
            for at, parts in current.items()
            if all(part in parts or not self._concerns(at, part) for part in self._seen())
        ]
