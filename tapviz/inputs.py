"""What a person says about their files, and the results that are in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from tapviz.datasets import bench_info, load_results
from tapviz.files.source import Progress
from tapviz.labels import (
    ClassTable,
    File,
    Held,
    Inline,
    JoinRules,
    Labels,
    Qrels,
    ReadError,
    Source,
    doubts,
    kind_of,
    name_of,
)
from tapviz.lists import Direction, RetrievalLists, align
from tapviz.readers import FORMATS, detect, read_all

ROLES = {
    "results": "results",
    "labels": "classes of records",
    "query_labels": "classes of queries",
    "qrels": "pairs with grades",
    "gold": "gold sets",
    "totals": "T(q) of each query",
    "queries": "list of all queries",
    "": "left out",
}
"""What a file can be; all but results and what is left out are fields of `Inputs`."""
RELEVANCE = ("labels", "qrels", "gold", "totals")
OF_KIND = {"classes": "labels", "pairs": "qrels"}
LIKE = {
    "labels": "an id and its class in each line",
    "qrels": "query, record and grade in each line",
    "gold": "query and what is relevant to it in each line",
    "totals": "query and a whole number in each line",
    "queries": "one id in each line",
}


class Given(NamedTuple):
    """A file of results, the format where it is not recognised, and what to call its algorithm."""

    file: File
    format: str | None = None
    algorithm: str | None = None


class Inputs(NamedTuple):
    """What a person says about their files; options of the command line have the same names."""

    files: tuple[Given, ...] = ()
    labels: File | None = None
    qrels: File | None = None
    gold: File | None = None
    totals: File | None = None
    query_labels: File | None = None
    levels: tuple[int, int] = (3, 2)
    unlabelled: Literal["irrelevant", "ignore", "error"] = "irrelevant"
    self_hits: Literal["drop", "keep"] = "drop"
    decoys: str | None = None
    normalise: tuple[str, ...] = ()
    queries: File | None = None
    columns: str | None = None
    score: str | None = None
    iteration: int | None = None
    swap: bool = False
    direction: Direction | None = None


class Opened(NamedTuple):
    """Results read from a person's files, what they are, and what is doubtful about them."""

    results: dict[str, RetrievalLists]
    title: str
    doubts: tuple[str, ...] = ()
    opening: str = ""
    """Lines of Python that read the same results, and bind them to ``results``."""
    about: str = ""
    """What counts as relevant, and whose data these are."""


class Guess(NamedTuple):
    """What a file seems to be.

    Attributes
    ----------
    role : str
        A key of `ROLES`.
    format : str
        Name of the format of results; empty if it is not recognised, or the file is no results.
    words : str
        What it was recognised as, how surely, and by what.
    """

    role: str
    format: str
    words: str


def guess(file: File) -> Guess:
    """Say what a file seems to be, from its content; the person may know better."""
    try:
        source = Source(file)
        kind = None if source.is_parquet else kind_of(source.head)
        if kind is not None:
            role = OF_KIND.get(kind, kind)
            return Guess(role, "", f"{ROLES[role]}, likely: {LIKE[role]}")
        found = detect(file)
    except ReadError:
        return Guess("results", "", "not recognised")  # reading it says why
    words = f"{FORMATS[found.format].title}, {found.certainty}: {found.why}"
    return Guess("results", found.format, words)


def with_roles(inputs: Inputs, files: Sequence[tuple[str, Given]]) -> Inputs:
    """Put files in the places that their roles name.

    Raises
    ------
    ValueError
        If two files have a role that only one can have.
    """
    places: dict[str, File] = {}
    for role, given in files:
        if role in ("results", ""):
            continue
        if role in places:
            both = f"{name_of(places[role])} and {name_of(given.file)}"
            msg = f"{both} are both given as {ROLES[role]}: choose one, and leave the other out"
            raise ValueError(msg)
        places[role] = given.file
    results = tuple(given for role, given in files if role == "results")
    return inputs._replace(files=results, **places)  # type: ignore[arg-type]  # all are files


def bundled(name: str = "scope40") -> Opened:
    """A bundled bench, as if it were a person's own files.

    Raises
    ------
    ValueError
        If there is no such bench; the message lists those there are.
    """
    bench = bench_info(name)
    return Opened(
        results=dict(load_results(name)),
        title=bench.title,
        opening=f"from tapviz import load_results\n\nresults = load_results({name!r})",
        about=f"{bench.description} {bench.caveat} {bench.attribution}",
    )


def open_inputs(inputs: Inputs, progress: Progress | None = None) -> Opened:
    """Read results and join them with labels.

    Parameters
    ----------
    inputs : Inputs
        At least one file of results.
    progress : callable, optional
        Called now and then with the bytes of results read, those of all files, and the lines
        read. What it raises ends the reading.

    Raises
    ------
    ReadError
        If a file cannot be read.
    ValueError
        If the results do not belong together, or what is said makes no sense.
    """
    results: dict[str, RetrievalLists] = {}
    far = _Far(inputs, progress)
    with doubts() as said:
        labels = _labels(inputs)
        for given in inputs.files:
            found = read_all(
                given.file,
                format=given.format,
                direction=inputs.direction,
                labels=labels,
                queries=inputs.queries,
                columns=inputs.columns,
                score=inputs.score,
                iteration=inputs.iteration,
                swap=inputs.swap,
                progress=None if progress is None else far,
            )
            for name, lists in _named(found, given).items():
                file = name_of(given.file)
                again = file if len(found) == 1 else f"{file}: {name}"
                results[again if name in results else name] = lists
            far.next_file()
        aligned = align(results)
    title = ", ".join(Path(name_of(given.file)).name for given in inputs.files)
    return Opened(aligned, title, tuple(said), _opening(inputs))


def _opening(inputs: Inputs) -> str:
    def plain(value: object) -> object:
        return value.name if isinstance(value, Held) else value

    files = []
    for given in inputs.files:
        said = [plain(given.file), given.format, given.algorithm]
        while said[-1] is None:
            said.pop()
        files.append(f"        Given({', '.join(map(repr, said))}),\n")
    usual = Inputs()._asdict()
    chosen = "".join(
        f"    {name}={plain(value)!r},\n"
        for name, value in inputs._asdict().items()
        if name != "files" and value != usual[name]
    )
    return (
        "from tapviz.inputs import Given, Inputs, open_inputs\n\n"
        f"inputs = Inputs(\n    files=(\n{''.join(files)}    ),\n{chosen})\n"
        "results = open_inputs(inputs).results"
    )


def _named(found: Mapping[str, RetrievalLists], given: Given) -> Mapping[str, RetrievalLists]:
    if not given.algorithm or given.algorithm in found:
        return found
    if len(found) > 1:
        msg = f"{name_of(given.file)} names its algorithms itself: {', '.join(found)}"
        raise ValueError(msg)
    return dict(zip([given.algorithm], found.values(), strict=True))


def _labels(inputs: Inputs) -> Labels | None:
    chosen = [role for role in RELEVANCE if getattr(inputs, role) is not None]
    if len(chosen) > 1:
        files = ", ".join(f"{ROLES[role]} ({name_of(getattr(inputs, role))})" for role in chosen)
        msg = f"only one file can say what is relevant, but there are {files}: leave one out"
        raise ValueError(msg)
    if inputs.query_labels is not None and inputs.labels is None:
        msg = f"{name_of(inputs.query_labels)} has classes of queries: give those of records, too"
        raise ValueError(msg)
    rules = JoinRules(
        self_hits=inputs.self_hits,
        unlabelled=inputs.unlabelled,
        decoys=inputs.decoys,
        normalise=inputs.normalise,
    )
    if inputs.labels is not None:
        relevant, ignored = inputs.levels
        return ClassTable.read(
            inputs.labels,
            queries=inputs.query_labels,
            relevant=relevant,
            ignored=ignored,
            rules=rules,
        )
    if inputs.qrels is not None:
        return Qrels.read(inputs.qrels, rules=rules)
    if inputs.gold is not None:
        return Qrels.read_gold(inputs.gold, rules=rules)
    return None if inputs.totals is None else Inline.read(inputs.totals, rules=rules)


class _Far:
    """How far the reading of several files is."""

    def __init__(self, inputs: Inputs, tell: Progress | None) -> None:
        self._tell = tell
        self._before = self._now = (0, 0)
        sizes = [_size(given.file) for given in inputs.files] if tell is not None else []
        self._total = sum(sizes)
        self._ends = sizes

    def __call__(self, done: int, _size_of_file: int, lines: int) -> None:
        self._now = (self._before[0] + done, self._before[1] + lines)
        if self._tell is not None:
            self._tell(self._now[0], self._total, self._now[1])

    def next_file(self) -> None:
        """Begin with the next file."""
        if self._tell is not None:
            size, *self._ends = self._ends
            self._before = (self._before[0] + size, self._now[1])
            self._tell(self._before[0], self._total, self._before[1])


def _size(file: File) -> int:
    return len(file.data) if isinstance(file, Held) else Path(file).stat().st_size
