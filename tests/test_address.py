"""Any address opens a page, with a notice at most.

The same addresses, only more of them, are opened by ``pytest -m nightly tests/test_address.py``.
"""

import random
import re
from collections.abc import Callable, Iterator
from time import monotonic
from urllib.parse import quote, quote_plus
from urllib.request import urlopen

import numpy as np
import panel as pn
import pytest

from tapviz import Explorer, RetrievalLists, load_results
from tapviz.cli import server
from tapviz.cli.server import page
from tapviz.explorer.session import fingerprint, other_data
from tapviz.lists.reported import measured_to
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.readers.inputs import Opened
from tapviz.state import SETTINGS
from tapviz.state.choices import MAX_ADDRESS

EXPONENTIAL = r"(\w*\w*\w*\w*\w*\w*\w*\w*\w*\w*)*!"
NINES = "9" * 30
BAD = {
    "data of another kind of digits": "data=a-²q",
    "data of many digits": f"data=a-{'9' * 5000}q",
    "k of many digits": f"k={NINES}",
    "more digits than Python reads": f"k={'9' * 5000}",
    "T(q) of many digits": f"min_relevant={NINES}&max_relevant={NINES}",
    "a slow expression": f"query_text={quote(EXPONENTIAL)}",
    "a huge repeat": "query_text=a{99999999999}",
    "deep groups": f"query_text={'(' * 2000}",
    "deep boxes": f"boxes={'[' * 5000}",
    "a box of many digits": f'boxes=["A","B",{"9" * 400},1,0,1,0,1]',
    "a box that is not finite": 'boxes=["A","B",1e999,NaN,0,1,0,-Infinity]',
    "many boxes": "&".join(['boxes=["A","B",1,1,0,1,0,1]'] * 1000),
    "a long class": f"query_class={'a.' * 20_000}",
    "many algorithms": "&".join(f"algorithms={number}" for number in range(900)),
    "no number": "k=٣&n=1_0&quantile=nan&e0=inf",
    "extreme thresholds": "mode=e0&e0=5e-324",
    "no threshold": "mode=e0&e0=-0.0&quantile=1e-300",
    "a limit of nobody": "reported_to=C=10",
    "a limit that is none": "reported_to=A=nan",
    "a limit that is not finite": "reported_to=A=1e999",
    "a limit before the last record": "reported_to=A=1e-9",
    "a limit without a number": "reported_to=A",
    "many limits": "&".join(f"reported_to=A=1{number}" for number in range(900)) + "&reported_to=",
}
NOTICED = set(BAD) - {"extreme thresholds", "no threshold", "a slow expression", "many limits"}

# fmt: off
NUMBERS = ["0", "1", "2", "50", "-1", "1e3", "0.5", "1.0", "nan", "inf", "-inf", "1e-320", "1e308",
           NINES, "1000000000", "1000000001", "0x10", "1_0", "²", "٣", " 3 ", "", "9" * 400, "-0"]
EXPRESSIONS = ["a", "q[12]", "^q", "(", "[", "*", "a{2}", "a{999}", "(a{30}){30}", "\\", r"\d+",
               r"\1", "(?=q)", ".*", "q|p", EXPONENTIAL, "\x00", "\u2028", "(" * 500, "é", "😀",
               "%", "'", '"', "<b>"]
BOXES = ['["A","<i>B",1,1,0,1,0,1]', '["A","A",0.1,0.1,1,0,1,0]', '["A","<i>B",0,-1,0,1,0,1]', "[]",
         "[[]]", "{}", "null", "NaN", '["A","B"]', '["A","<i>B",true,1,0,1,0,1]', "[" * 1500, '"',
         f'["A","<i>B",{NINES},1,0,1,0,1]', '["A","<i>B",1e308,1e-308,-1e308,1e308,0,1]']
LIMITS = ["A=10", "<i>B=1e3", "A=1", "A=", "=10", "A=nan", "A=-inf", "A=10=20", "C=5", f"A={NINES}",
          ""]
WORDS = ["", "A", "<i>B", "q1", "q", "a", "a.1", ".", "none", "k", "e0", *PLOTS, "\x00", "é", "1"]
NAMES = [*SETTINGS, *SETTINGS, "data", "dataset", "ground", "learn", "\x00", "k[]", "K", ""]
ENDS = ["", "", "", "&", "=", "&&k", ";k=1", "#", "?k=3", "%", "%zz", "%ff%fe", "%00", "+", "&k"]
# fmt: on


@pytest.fixture(autouse=True)
def _process_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is a thread of the tests, whose process is not tuned for serving."""
    monkeypatch.setattr(server, "tune_process", lambda: None)


OWN = {"boxes": BOXES, "query_text": EXPRESSIONS, "reported_to": LIMITS}
OWN |= dict.fromkeys(("k", "e0", "n", "quantile", "min_relevant", "max_relevant"), NUMBERS)


def value(draw: random.Random, name: str) -> str:
    """Something for a setting, mostly of its own kind."""
    kind = OWN.get(name, WORDS)
    if draw.random() < 0.15:
        kind = draw.choice([NUMBERS, EXPRESSIONS, BOXES, WORDS])
    text = draw.choice(kind)
    if draw.random() < 0.15:
        text = "".join(draw.choice(text + "a0([{,\\-²\x00") for _ in range(draw.randrange(60)))
    return text * draw.choice([1] * 20 + [2, 50])


def address(draw: random.Random) -> str:
    """Query part of an address that nobody wrote with care."""
    encode: Callable[[str], str] = draw.choice([quote, quote_plus, quote, str])
    names = [draw.choice(NAMES) for _ in range(draw.randint(1, 6))]
    pairs = [f"{name}={encode(value(draw, name))}" for name in names]
    return draw.choice(["?", "", "??"]) + "&".join(pairs) + draw.choice(ENDS)


@pytest.fixture(scope="module")
def results() -> dict[str, RetrievalLists]:
    rng, drawn = np.random.default_rng(5), {}
    known = {"query": [f"q{row}" for row in range(6)]}
    known["query_class"] = ["a.1", "a.1", "a.2", "b", "", "a"]
    for name in ("A", "<i>B"):
        score = np.sort(10.0 ** rng.uniform(-9, 1, (6, 10)), axis=1).ravel()
        arrays = score, rng.random(60) < 0.4, np.arange(0, 61, 10), [11] * 6
        drawn[name] = RetrievalLists(*arrays, **known)
    return drawn


LOOKED_AT: set[tuple[str, ...]] = set()
"""Names of algorithms, and settings as an address: many addresses lead to the same."""


def open_and_look(results: dict[str, RetrievalLists], query: str) -> list[str]:
    """Take the settings, and all that the page shows with them; what is said about the address."""
    explorer = Explorer(results)
    notices = [*explorer.from_query(query), other_data(query, fingerprint(results))]
    notices.append(explorer.selection.problem)
    assert all(len(notice) < 400 for notice in notices)
    state = (*results, explorer.to_query())
    if state in LOOKED_AT:
        return notices
    LOOKED_AT.add(state)
    assert list(explorer.scores.index) == explorer.shown
    data = PlotData(explorer)
    explorer.findings()
    for plot in plots_for(explorer):
        plot.picture(data)
        plot.text(data)
    again = Explorer(results)
    assert not again.from_query(explorer.to_query())
    assert again.to_query() == explorer.to_query()
    return notices


def open_many(results: dict[str, RetrievalLists], seed: int, count: int) -> None:
    draw = random.Random(seed)  # noqa: S311  # addresses
    for _ in range(count):
        query = address(draw)
        try:
            open_and_look(results, query)
        except Exception as error:
            error.add_note(f"seed {seed}: {query!r}")
            raise


def test_addresses_that_nobody_wrote_with_care(results: dict[str, RetrievalLists]) -> None:
    open_many(results, 0, 300)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1, 21))
def test_thousands_of_addresses(results: dict[str, RetrievalLists], seed: int) -> None:
    open_many(results, seed, 1000)


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_used_is_said_in_a_notice(results, name) -> None:
    named = {name.removeprefix("<i>"): lists for name, lists in results.items()}
    assert any(open_and_look(named, BAD[name])) == (name in NOTICED)


def test_a_long_address_is_read_as_far_as_addresses_go(results: dict[str, RetrievalLists]) -> None:
    explorer = Explorer(results)
    long = f"k=7&focus={'x' * MAX_ADDRESS}&n=3"
    notices = explorer.from_query(long)
    assert (explorer.k, explorer.n) == (7, 50)
    assert notices[0] == f"the address is read up to its {MAX_ADDRESS:,}th character"


@pytest.fixture(scope="module")
def served(results: dict[str, RetrievalLists]) -> Iterator[int]:
    """Port of a server in this process; its pages do not go on computing in other tests."""
    opened = Opened({name.removeprefix("<i>"): lists for name, lists in results.items()}, "own")
    serving = pn.serve(lambda: page(opened), port=0, show=False, threaded=True)
    ready_by = monotonic() + 180
    while serving.server_id not in pn.state._servers:
        assert monotonic() < ready_by
    yield int(pn.state._servers[serving.server_id][0].port)
    serving.stop()
    serving.join(60)
    assert not serving.is_alive()


def test_the_whole_page_opens(served: int) -> None:
    usual = roots(served, "k=3")
    assert usual > 0
    # Some of these are too much for Panel.
    for query in ("k=²", "k=1?n=2", BAD["more digits than Python reads"], BAD["deep boxes"]):
        assert roots(served, query) == usual, query


def roots(served: int, query: str) -> int:
    address = f"http://localhost:{served}/?{quote(query, safe='%=&?[]')}"
    with urlopen(address) as answer:  # our own
        (found,) = re.findall(r'"roots":\{([^}]*)\}', answer.read().decode())
    return int(found.count('":"'))


def reported(explorer: Explorer) -> dict[str, tuple[float, str | None]]:
    results = explorer.results.items()
    return {name: (measured_to(lists), lists.reported_how) for name, lists in results}


def test_a_link_carries_what_a_program_reported_to(results: dict[str, RetrievalLists]) -> None:
    """From a page whose reader said it to one whose reader did not."""
    sender = Explorer({**results, "A": results["A"].with_reported_to(50.0)})
    assert sender.reported_to == {"A": 50.0}
    assert "reported_to=A%3D50.0" in sender.to_query()
    receiver = Explorer(results, mode="e0", e0=100.0)
    assert receiver.tap("A").reason == ""
    # Who said another limit has that of the link, too.
    back = Explorer({**results, "A": results["A"].with_reported_to(20.0)})
    for explorer in (receiver, back):
        assert explorer.from_query(sender.to_query()) == []
        assert reported(explorer) == reported(sender)
    receiver.param.update(mode="e0", e0=100.0)
    assert receiver.tap("A").reason == "not measured beyond 50"
    # A link in which nobody said anything leaves what its reader said.
    assert back.from_query(Explorer(results).to_query()) == []
    assert reported(back)["A"] == (20.0, "said")


def test_a_limit_that_cannot_be_changes_nothing(results: dict[str, RetrievalLists]) -> None:
    explorer = Explorer(results, reported_to={"A": 20.0})
    before = explorer.to_query()
    for limits, message in (
        ({"C": 10.0}, "reported_to names 'C': expected one of 'A', '<i>B'"),
        ({"A": np.nan}, "reported_to of A is nan: expected a number"),
        ({"A": 1e-9}, "lies beyond reported_to"),
    ):
        with pytest.raises(ValueError, match=message):
            explorer.reported_to = limits
        assert explorer.to_query() == before
        assert reported(explorer)["A"] == (20.0, "said")
    assert not explorer.can_undo


def test_links_to_bundled_data_need_no_limits() -> None:
    explorer = Explorer(load_results(), reported_to={})
    assert reported(explorer) == reported(Explorer(load_results()))
    assert "reported_to=&" in explorer.to_query()
