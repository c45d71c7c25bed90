"""The one door for small files: hostile ones end in a `ReadError` that says file and line."""

import json
import random
import re
import sys

import numpy as np
import pytest

from tapviz import ClassTable, Explorer, load_results, open_session, save_session
from tapviz.explorer.session import read_session, to_json
from tapviz.files.small import SMALL, cells_of, json_of, number, text_of, toml_of, whole
from tapviz.labels import Held
from tapviz.readers import ReadError
from tapviz.readers import read as read_hits
from tapviz.readers.runs import read_runs
from tapviz.readers.store import Stored
from tapviz.scores import Baseline, Policies, score
from tests.damaged import check_growth, in_time
from tests.refused import error_of, refuses

TIME = """\tCommand being timed: "blastp -query q.fa"
\tUser time (seconds): 100.50
\tSystem time (seconds): 1.50
\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02.25
\tMaximum resident set size (kbytes): 2000000
"""
TOML = '# costs\n[blastp]\nversion = "2.12"\ndate = 2026-03-01\nseconds = 12.5\n[b]\nmemory = 3\n'
TABLE = 'algorithm,seconds,command\nblastp,12.5,"blastp, -query q.fa"\nb,,\n'
PROFILES = dict(list(load_results("profiles").items())[:1])


def session():
    explorer = Explorer(PROFILES, k=5, query_text="d1")
    explorer.pin()
    return to_json(explorer)


def baseline():
    table = score(PROFILES, Policies(k=(5,), n_resamples=3), kept=["tap"])
    content = json.loads(Baseline.of(table, PROFILES).as_json())
    content["queries"] = {
        name: values[:3] if isinstance(values, list) else values
        for name, values in content["queries"].items()
    }
    return json.dumps(content)


STORED = json.dumps(
    {"name": "a", "added": "2026-01-01T00:00:00", "judged": "1f", "judged_by": "classes",
     "run": {"version": "2.12", "seconds": 12.5}, "class_level": 3}
)  # fmt: skip
KINDS = {
    "runs.toml": (TOML, read_runs),
    "runs.csv": (TABLE, read_runs),
    "runs.tsv": (TABLE.replace('"blastp, -query q.fa"', "x").replace(",", "\t"), read_runs),
    "blastp.time": (TIME, read_runs),
    "session.json": (session(), lambda text, name: read_session(text.encode(), name)),
    "baseline.json": (baseline(), lambda text, name: Baseline.read(text, name).algorithms),
    "stored.json": (STORED, lambda text, name: Stored.checked(json_of(text, name))),
}
PIECES = (
    "9" * 5000, "[" * 3000, "{" * 3000, '{"a":' * 3000, "a=" + "{a=" * 2000, "a." * 3000,
    "Infinity", "NaN", "-Infinity", "1e999", "null", "true", '"', "'", '"""', "\\u", "\\ud800",
    "A" * 20_000, "\x00", "\x1b[2J", "\u202e", "\n", "\r", ",", "\t", "[", "]", "{", "}", "=", ":",
    "#", "-1", "1_000", "１２", "0x10", "inf", "nan", "{}", "[]", "[[a]]", "[blastp]", "1" * 19,
    "-", "é", "T", "1:1:1:1:1", " " * 3000,
)  # fmt: skip


def read(kind, text):
    """What a small file says, or why it is not read; anything else that is raised is a fault."""
    _, reads = KINDS[kind]
    with in_time():
        try:
            return reads(text_of(Held(kind, text.encode("utf-8", "surrogatepass"))), kind)
        except ReadError as error:
            for one in error.problems:
                assert one.file == kind
                assert len(str(one)) < 1000
                assert str(one).replace("\n", "").isprintable(), repr(str(one))
            return error
        except (ValueError, LookupError, TypeError) as error:
            assert kind == "stored.json", repr(error)  # noqa: PT017  # `Stored.read` names the file
            return error


def mutated(text, chance):
    """A text with something put in place of something, once or more often."""
    for _ in range(chance.randint(1, 3)):
        ends = [0, len(text), *(at.start() for at in re.finditer(r"[\W_]", text))]
        start = chance.choice(ends)
        stop = min(len(text), start + chance.choice((0, 0, 1, 2, 5, 20)))
        text = text[:start] + chance.choice(PIECES) + text[stop:]
    return text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "seeds",
    [range(300), pytest.param(range(300, 5000), marks=pytest.mark.nightly)],
    ids=["some", "many"],
)
def test_small_files_that_somebody_damaged_or_made_to_do_damage(kind, seeds):
    for seed in seeds:
        read(kind, mutated(KINDS[kind][0], random.Random(seed)))  # noqa: S311


@pytest.mark.parametrize("kind", KINDS)
def test_what_means_nothing_changes_nothing(kind):
    text = KINDS[kind][0]
    good = read(kind, text)
    assert not isinstance(good, Exception)
    for same in (text.replace("\n", "\r\n"), text.rstrip("\n"), "\ufeff" + text, "\n" + text):
        assert repr(read(kind, same)) == repr(good)


WRONG = [
    (json_of, '{"a": 1,\n "b": }', "x, line 2: this is not JSON"),
    (json_of, "[" * 100 + "]" * 100, "x: more than 30 brackets or keys are in one another"),
    (json_of, "[" * 100_000 + "]" * 100_000, "x: more than 30 brackets"),
    (json_of, "[" + "9" * 19 + "]", "expected a whole number of at most 18 digits"),
    (json_of, "[Infinity]", "x: Infinity is not a number in JSON"),
    (json_of, "[1e999]", "x: a number is larger than any"),
    (json_of, '["\\ud800"]', "this is not JSON that tapviz can read"),
    (json_of, '"' + "a" * SMALL + '"', "x: expected at most 4 MB"),
    (read_runs, '["\\u001b[2J\\u202e"]\nx = 1', r"x: \x1b[2J\u202e: 'x' is none of"),
    (toml_of, "[a]\nb = ", "x, line 2: this is not TOML"),
    (toml_of, "a = " + "[" * 5000, "x: more than 30 brackets or keys"),
    (toml_of, "a=" + "{a=" * 1500, "x: more than 30 brackets or keys"),
    (toml_of, "a=" + "{a=" * 40 + "1" + "}" * 40, "x: more than 30 brackets or keys"),
    (toml_of, "a=" + f"{{{'a.' * 20}a=" * 5 + "1" + "}" * 5, "x: more than 30 brackets"),
    (toml_of, "a = 1\n" + "a." * 40 + "b = 1", "x: more than 30 brackets or keys"),
    (toml_of, "a = " + "9" * 5000, "value has 5000 digits (WrongFormat)"),
    (toml_of, 'a = 1\nb = "' + "x" * 10_001 + '"', "x, line 2: expected at most 10,000"),
    (lambda *given: [*cells_of(*given, ",")], 'a,b\n"c,d', "x, line 2: the quotes of this row"),
    (lambda *given: [*cells_of(*given, ",")], "a\n" + "b" * 200_000, "line 2: "),
    (lambda *given: [*cells_of(*given, ",")], "a\n" + "b" * 10_001, "line 2: expected at most"),
]


@pytest.mark.parametrize(("reads", "text", "said"), WRONG)
def test_what_is_wrong_is_said_with_file_and_line(reads, text, said):
    refuses(re.escape(said), reads, text, "x", error=ReadError)


@pytest.mark.parametrize("text", ["x", "", "1_0", "１２", "0x1", "1e", "--1", " 1 2", "9" * 20_000])
def test_numbers_are_digits(text):
    refuses("expected a number, found", number, text)
    refuses("expected a whole number of at most 18 digits", whole, text)


def test_numbers():
    for text in ("1", "-1.5", " 2.", ".5\t", "1e-400", "1E+5", "007"):
        assert number(text) == float(text)
    assert [number(text) for text in ("inf", "-Infinity")] == [np.inf, -np.inf]
    assert np.isnan(number("NaN"))
    assert [whole(text) for text in ("-12", "+007", " 9" + "9" * 17)] == [-12, 7, 10**18 - 1]


@pytest.mark.parametrize(
    "text",
    ["\n", "a.b=1\n", "[a]\n", "a,b\n", '"', "[", "a = {b = 1}\n", "# x\n", "a=''\n", '\\"""\n[a]'],
)
def test_time_grows_with_the_size_alone(text):
    def work(size):
        for reads in (read_runs, json_of):
            error_of(reads, f"x{text * size}", "x", error=ReadError)

    check_growth(work, 4000)


def test_a_session_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "mine.json"
    save_session(Explorer(PROFILES, k=5), file)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tapviz.lists.writing.os.fsync", full)
    with pytest.raises(ValueError, match=r"mine.json: cannot be written: No space left on device"):
        save_session(Explorer(PROFILES, k=7), file)
    explorer = Explorer(PROFILES)
    assert open_session(explorer, file) == []
    assert explorer.k == 5
    assert [path.name for path in tmp_path.iterdir()] == ["mine.json"]


NO_COUNTS = ["Infinity", "NaN", "1e999", "9" * 400, '"5"', "true", "0", "-1", "[]"]


@pytest.mark.parametrize("n", NO_COUNTS)
def test_what_was_pinned_is_checked(n):
    pinned = r'("pinned": \{.*?"n": )[0-9]+'
    text = re.sub(pinned, rf"\g<1>{n}", session(), count=1, flags=re.DOTALL)
    assert text != session()
    refuses(r"^mine.json: ", read_session, text.encode(), "mine.json", error=ReadError)


def test_a_session_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ReadError, match="there is no such file"):
        open_session(Explorer(PROFILES), tmp_path / "mine.json")


def test_a_file_of_runs_beside_the_results_has_a_limit_too(tmp_path):
    (tmp_path / "hits.tsv").write_text("q1\tr1\t1e-5\n")
    labels = ClassTable({"q1": "a.1.1.1", "r1": "a.1.1.1"})
    (tmp_path / "runs.toml").write_text("# words\n" * 600_000)
    with pytest.raises(ReadError, match=r"runs.toml: expected at most 4 MB"):
        read_hits(tmp_path / "hits.tsv", columns="query record evalue", labels=labels)


def test_a_name_that_is_too_long_is_no_file():
    refuses("File name too long", read_hits, "x" * 100_000, error=ReadError)


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a=" + "{a=" * 1500])
def test_what_is_too_deep_is_so_however_deep_python_goes(text):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(2**14)
    try:
        refuses("more than 30 brackets or keys", toml_of, text, "x", error=ReadError)
    finally:
        sys.setrecursionlimit(before)
