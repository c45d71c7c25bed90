"""A session that is saved and opened again, and what is said of one that does not fit."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import Explorer, load_results, open_session, save_session
from tapviz.explorer.session import FORMAT, is_session, read_session, to_json, use_session
from tapviz.explorer.share import fingerprint
from tapviz.page.app import OWN, App
from tapviz.readers.inputs import Opened
from tapviz.state import Range
from tapviz.state.settings import settings
from tests.refused import refuses

PROFILES = dict(load_results("profiles"))
A, B = list(PROFILES)[:2]


def again(explorer, results=None):
    """A new explorer with the choices of another, by way of a file."""
    other = Explorer(PROFILES if results is None else results)
    data = to_json(explorer).encode()
    assert is_session(data)
    return other, use_session(other, read_session(data, "mine.json"))


@given(
    k=st.integers(1, 100),
    e0=st.floats(1e-300, 1e6),
    quantile=st.floats(0.001, 1),
    text=st.text(max_size=40).filter(lambda text: text.isprintable()),
    shown=st.sets(st.sampled_from(list(PROFILES)), min_size=1),
)
def test_any_choices_come_back(k, e0, quantile, text, shown):
    explorer = Explorer(PROFILES, k=k, e0=e0, quantile=quantile, query_text=text)
    explorer.algorithms = [name for name in PROFILES if name in shown]
    other, problems = again(explorer)
    assert problems == []
    assert settings(other) == settings(explorer)


def test_the_file_is_json_that_every_program_reads():
    explorer = Explorer(PROFILES, k=3, ranges=(Range("error", A, 20, -math.inf, math.inf),))
    explorer.pin()

    def refuse(constant):
        raise AssertionError(constant)

    plain = json.loads(to_json(explorer), parse_constant=refuse)
    assert plain["format"] == FORMAT
    assert set(plain["algorithms"]) == set(PROFILES)
    assert (plain["settings"]["k"], plain["settings"]["quantile"]) == (3, 0.5)
    assert plain["data"] == fingerprint(PROFILES)
    assert set(plain["versions"]) == {"python", "tapviz", "numpy", "scipy", "pyarrow"}


def test_what_was_pinned_comes_back():
    explorer = Explorer(PROFILES, k=5)
    explorer.pin()
    explorer.k = 20
    other, problems = again(explorer)
    assert problems == []
    assert (other.k, other.pinned.rule.k) == (20, 5)
    for name, scores in explorer.pinned.scores.items():
        assert other.pinned.scores[name] == pytest.approx(scores, nan_ok=True)


def test_data_that_are_not_the_same_are_named():
    explorer = Explorer(PROFILES, k=9)
    explorer.pin()
    changed = {"mine": PROFILES[A], A: PROFILES[A], B: PROFILES[A]}
    other, problems = again(explorer, changed)
    assert other.k == 9
    assert other.pinned is None
    gone = ", ".join(name for name in PROFILES if name not in changed)
    expected = [
        *([f"mine.json: {gone}: not open, but part of the session"] if gone else []),
        "mine.json: mine: not part of the session",
        f"mine.json: {B}: other hits, or labels, than when it was saved",
        "mine.json: what was pinned is of other algorithms; it is left out",
    ]
    assert [one for one in problems if "cannot be used" not in one] == expected


def pinned_by(**rule):
    """What was pinned, by a rule."""
    return {"pinned": {"rule": rule, "n": 50, "n_queries": 1, "scores": {}}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "another"}, "expected a session that tapviz has saved"),
        ({"settings": [1]}, '"settings" should hold names and values'),
        ({"settings": {"k": {"a": None, "b": []}}}, None),
        ({"pinned": {"rule": 3}}, '"pinned" is not what tapviz saves'),
        ({"pinned": [1]}, '"pinned" is not what tapviz saves'),
        (pinned_by(k=None, e0=None), '"pinned" is not what tapviz saves'),
        (pinned_by(quantile="half"), '"pinned" is not what tapviz saves'),
        ({"settings": {"query_text": "\ud800"}}, "this is not JSON that tapviz can read"),
    ],
)
def test_what_is_no_session_is_refused(change, message):
    data = json.dumps(json.loads(to_json(Explorer(PROFILES))) | change).encode()
    if message is None:
        explorer = Explorer(PROFILES, k=4)
        problems = use_session(explorer, read_session(data, "bad.json"))
        assert problems == ["k = 'b=[]' in bad.json cannot be used here"]
        assert explorer.k == 4
        return
    refuses(f"^bad.json: {message}", read_session, data, "bad.json")


def test_a_setting_of_another_version_is_named():
    plain = json.loads(to_json(Explorer(PROFILES, k=8)))
    plain["settings"]["colour"] = "red"
    explorer = Explorer(PROFILES)
    session = read_session(json.dumps(plain).encode(), "new.json")
    assert use_session(explorer, session) == ["'colour' in new.json is no setting here"]
    assert explorer.k == 8


def test_where_it_is_no_json_is_said():
    data = f'{{\n "format": "{FORMAT}",\n "settings": }}'.encode()
    assert is_session(data)
    refuses(r"^bad.json, line 3: this is not JSON .*, column 14", read_session, data, "bad.json")
    refuses("this is not JSON", read_session, b"\xff\xfe", "bad.json")


def test_results_are_no_session():
    assert not is_session(b"q1\tr1\t1e-5\n")
    assert not is_session(b'{"query": 1}')


def test_files_of_python(tmp_path):
    save_session(Explorer(PROFILES, k=11), tmp_path / "mine.json")
    other = Explorer(PROFILES)
    assert open_session(other, tmp_path / "mine.json") == []
    assert other.k == 11


def session_of(explorer, **address):
    return read_session(to_json(explorer, address).encode(), "mine.json")


def test_a_session_of_a_bundled_data_set_opens_it():
    app = App()
    app._use(None, session_of(Explorer(PROFILES, k=6), dataset="profiles"))
    explorer = app.dashboard.explorer
    assert list(explorer.results) == list(PROFILES)
    assert explorer.k == 6
    app._back()
    assert app.dashboard.explorer.k == 20


def test_a_session_of_files_goes_with_what_is_open_or_is_opened():
    session = session_of(Explorer(PROFILES, k=6))
    app = App(Opened(PROFILES, "own.tsv"), session)
    assert app.dashboard.explorer.k == 6
    app._use(None, session_of(Explorer(PROFILES, k=8)))
    assert (app._name, app.dashboard.explorer.k) == (OWN, 8)
    app._use(Opened(PROFILES, "other.tsv"), session)
    assert (app._own.title, app.dashboard.explorer.k) == ("other.tsv", 6)
