"""Where programs stopped reporting: as it is said, as headers say it, and as it is inferred."""

import copy
from pathlib import Path

import numpy as np
import pytest

from tapviz import Explorer, RetrievalLists, align, load_results, read, read_all, tap, tap_k
from tapviz.draw.style import styles
from tapviz.draw.table import to_csv
from tapviz.explorer.score_table import score_table
from tapviz.files import Problems, Source
from tapviz.files.options import OptionError
from tapviz.labels import Held, Qrels, ReadError
from tapviz.lists import reported
from tapviz.measures import nth_irrelevant
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.columns import strokes
from tapviz.readers import FORMATS, ReadOptions, detect, write_parquet
from tapviz.readers.inputs import ResultFile, open_files
from tapviz.scores import Policies, as_table, ncbi_lines, score
from tapviz.scores.findings import describe
from tapviz.scores.findings import not_measured as not_measured_findings
from tapviz.state import BY_E_VALUE
from tests.hits import domtblout
from tests.printed import stdout_of
from tests.refused import refuses

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
SAMPLES = ROOT / "notebooks" / "data"


def hits(rows):
    """BLAST's table of (query, record, E-value)."""
    return Held("b.m8", "".join(f"{q}\t{r}\t{e}\n" for q, r, e in rows).encode())


QUERIES = [f"q{q}" for q in range(40)]
COLUMNS = "qseqid sseqid evalue"
PAIRS = Held("p.qrels", b"".join(b"q%d 0 r0 1\n" % q for q in range(40)))


def lists_of(rows, **options):
    """Lists of such a table, in which r0 alone is relevant."""
    return read(hits(rows), columns=COLUMNS, qrels=PAIRS, **options)


def chance(limit, n_queries=40, seed=0):
    """Hits by chance: as many per query up to an E-value as that says, some of them to r0."""
    generator = np.random.default_rng(seed)
    rows = []
    for q in range(n_queries):
        rows.append((f"q{q}", "r0", 1e-20))
        for at, e in enumerate(np.sort(generator.uniform(0, limit, generator.poisson(limit)))):
            rows.append((f"q{q}", f"r{q}x{at}", float(f"{e:.3g}")))
    return rows


BUNDLED = {
    "BLASTP": (100.0, "said"),
    "SSEARCH": (100.0, "said"),
    "PSI-BLAST": (300.0, "said"),
    "phmmer": (100.0, "header"),
    "jackhmmer": (100.0, "header"),
    "MMseqs2": (10_000.0, "said"),
    "MMseqs2_iter3": (10_000.0, "said"),
    "DIAMOND": (10_000.0, "said"),
    "DIAMOND_default": (10.0, "said"),
    "RPS-BLAST": (1000.0, "said"),
    "HMMER3 hmmscan": (1000.0, "header"),
    # Lists of all profiles: nothing was cut.
    "HMMER2 semi-global": (np.inf, None),
    "HMMER2 local": (np.inf, None),
}


@pytest.mark.parametrize("name", list(BUNDLED))
def test_bundled_results_know_their_limit_and_would_infer_it(name):
    data = "scope40" if name in load_results("scope40") else "profiles"
    lists = load_results(data)[name]
    limit, how = BUNDLED[name]
    assert (reported.measured_to(lists), lists.reported_how) == (limit, how)
    assert (lists.reported_to == limit).all()
    inferred = reported.with_ends(lists.with_reported_to(np.inf))
    # hmmscan's E-values cannot be larger than the 358 profiles.
    assert (inferred.reported_to == (360.0 if name == "HMMER3 hmmscan" else limit)).all()
    assert inferred.reported_how == (None if how is None else "inferred")


INFERRED = {
    "formats/good/v_phmmer.domtblout": 12.0,
    "formats/good/v_phmmer.tblout": 20.0,
    "peers/foldseek.m8": 698.3,
    "pooled/v01.tsv": 5.0,
    "pooled/v05.tsv": 5.0,
    "tapk/v002.tsv": 10.0,
    "tapk/v006.tsv": 12.11633164111065,
    "tapk/v010.tsv": 30.0,
    "tapk/v013.tsv": 3.0,
}
OF_BLAST = ("blast.outfmt6", "blast.outfmt7", "fasta36.m8", "foldseek_custom.m8", "mmseqs.m8")
UNKNOWN = [
    *(f"formats/good/v_{name}" for name in (*OF_BLAST, "mmseqs_mode4.m8")),
    *("peers/profmark.out", "pooled/v02.tsv", "pooled/v06.tsv"),
    *(f"tapk/v{number}.tsv" for number in ("004", "008", "015", "016")),
    # Of scores of which large ones are good nothing is inferred.
    *(f"sources/tapnote_ex{number}.tsv" for number in (1, 2, 3)),
    *("pooled/v03.tsv", "tapk/v005.tsv", "bc/v04.int.results", "trec/v03.run", "trec/v04.run"),
]


@pytest.mark.parametrize("file", [*INFERRED, *UNKNOWN])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_is_inferred_from_golden_files(file):
    path = GOLDEN / file
    labels = None
    if not file.startswith(("pooled", "tapk", "sources")):
        found = FORMATS[detect(path).format].read(Source(path), ReadOptions(), Problems(file))
        found = next(iter(found.values())) if isinstance(found, dict) else found
        labels = Qrels({query: {found.record_id[0]: 1} for query in found.query_id})
    lists = read(path, labels=labels)
    assert lists.reported_how == ("inferred" if file in INFERRED else None)
    assert (lists.reported_to == INFERRED.get(file, lists.sign * np.inf)).all()


def test_sample_files_were_searched_to_100():
    for file in ("blastp.tsv.gz", "ssearch.tsv.gz"):
        judged = {"labels": SAMPLES / "classes.tsv.gz", "queries": SAMPLES / "queries.txt"}
        lists = read(SAMPLES / file, **judged)
        assert (reported.measured_to(lists), lists.reported_how) == (100.0, "inferred")


@pytest.mark.parametrize("limit", [0.5, 1.0, 10.0, 30.0])
def test_a_limit_is_inferred_from_many_hits_just_below_it(limit):
    lists = lists_of(chance(limit))
    assert (lists.reported_to == limit).all()
    assert lists.reported_how == "inferred"
    assert lists_of(chance(10.0, n_queries=1, seed=1)[:9]).reported_how is None


def test_no_hit_lies_beyond_a_limit_that_is_inferred():
    """3 * 0.1 is not quite 0.3, which is below it."""
    rows = [("q0", "r0", 0.0)]
    rows += [(f"q{q}", f"r{q}x{at}", 0.1 * at) for q in range(12) for at in range(1, 4)]
    assert (lists_of(rows).reported_to == 3 * 0.1).all()
    assert 3 * 0.1 > 0.3


def test_where_an_end_is_inferred_the_reason_names_the_option_that_says_better(tmp_path, capsys):
    file, labels = tmp_path / "hits.m8", tmp_path / "qrels.txt"
    file.write_text("".join(f"{q}\t{r}\t{e!r}\n" for q, r, e in chance(10.0)))
    labels.write_text("".join(f"q{at} 0 r0 1\n" for at in range(20)))
    given = ["score", f"{file}", f"--qrels={labels}", "--columns=query target evalue"]
    given += ["--e0=20", "--resamples=0"]
    seems = (
        "not measured beyond 10, as the lists seem to end there; if the search went further, set"
    )
    said = stdout_of(capsys, given)
    assert f"{seems} --reported-to" in said
    row = next(line for line in said.splitlines() if line.startswith("hits "))
    assert "  not measured beyond 10  " in row  # which is no longer
    assert "not measured" not in stdout_of(capsys, [*given, "--reported-to=30"])
    for form, option in (("markdown", "--reported-to"), ("latex", "-{}-reported-to")):
        assert f"{seems} {option}" in stdout_of(capsys, [*given, f"--output={form}"])

    explorer = Explorer({"A": lists_of(chance(10.0))}, mode=BY_E_VALUE, e0=20)
    assert f"{seems} the field “reported up to”" in score_table(explorer, styles(["A"]))


def test_hits_that_labels_leave_out_count():
    rows = chance(10.0)
    decoys = [("q0", "r0", 1e-20), *(("q0", f"x{at}", 19.0 + at / 100) for at in range(12))]
    lists = lists_of(decoys + rows[1:], unlabelled="ignore", queries=tuple(QUERIES))
    assert lists.score.max() < 1e-10
    assert (lists.reported_to == 20.0).all()


def test_lists_cut_by_a_number_of_hits_end_each_at_its_last():
    rows = [row for q in QUERIES for row in [one for one in chance(30.0) if one[0] == q][:20]]
    lists = lists_of(rows)
    cut = np.diff(lists.offset) == 20
    last = lists.score[lists.offset[1:] - 1]
    assert 30 < cut.sum() < 40
    assert (lists.reported_to[cut] == last[cut]).all()
    assert (lists.reported_to[~cut] == 30.0).all()
    assert reported.measured_to(lists) == np.sort(last[cut])[4]  # nine tenths go so far


def test_the_longest_lists_alone_are_cut_by_their_number_of_hits():
    rows = chance(30.0)
    few = [row for q in QUERIES[:20] for row in [one for one in rows if one[0] == q][:12]]
    lists = lists_of(few + [row for row in rows if row[0] in QUERIES[20:]])
    assert (np.diff(lists.offset)[:20] == 12).all()
    assert (lists.reported_to == 30.0).all()


@pytest.mark.parametrize("length", [2, 5, 9])
def test_lists_of_few_hits_are_cut_if_most_have_as_many(length):
    rows = chance(30.0)
    few = [row for q in QUERIES for row in [one for one in rows if one[0] == q][:length]]
    lists = lists_of(few)
    assert (lists.reported_to == lists.score[lists.offset[1:] - 1]).all()
    assert lists.reported_how == "inferred"
    assert (lists_of(few, reported_to=30.0).reported_to == 30.0).all()


def test_lists_of_few_hits_by_chance_are_not_cut():
    lists = lists_of(chance(3.0))
    assert 5 <= np.diff(lists.offset).max() < 10
    assert (lists.reported_to == 3.0).all()


def test_lists_of_all_records_were_not_cut():
    rows = [(f"q{q}", f"r{at}", 0.1 * (at + q + 1)) for q in range(12) for at in range(30)]
    lists = lists_of(rows)
    assert lists.reported_how is None
    assert (lists.reported_to == np.inf).all()
    scores, relevant = np.tile(np.arange(1, 31), 12), np.tile(np.arange(30) < 3, 12)
    offset = np.arange(13) * 30
    complete = RetrievalLists(scores, relevant, offset, [3] * 12, n_irrelevant=[27] * 12)
    assert reported.with_ends(complete).reported_how is None


def test_a_number_of_hits_cuts_lists_by_descending_scores():
    rows = [(f"q{q}", f"r{q * at}", 500.0 - q - at) for q in range(1, 13) for at in range(25)]
    lists = read(hits(rows), columns="qseqid sseqid bitscore", score="bits", qrels=PAIRS)
    assert lists.direction == "descending"
    assert lists.reported_to[:12].tolist() == [476.0 - q for q in range(1, 13)]


HMMER_SETTINGS = [
    ("phmmer -E 100 --tblout x q.fa db.fa", 100.0, "header"),
    ("phmmer --tblout x q.fa db.fa", 10.0, "header"),
    ("phmmer --tblout x --domE 1 --incE 0.1 -E 20.0 q.fa db.fa", 20.0, "header"),
    ("phmmer -T 5 --tblout x q.fa db.fa", np.inf, None),
    ("hmmscan --cut_ga --tblout x q.hmm db.fa", np.inf, None),
    ("phmmer -E 0.5 --tblout x q.fa db.fa", np.inf, None),  # it has a hit at 2
]


@pytest.mark.parametrize(("settings", "limit", "how"), HMMER_SETTINGS)
def test_hmmer_says_it_below_its_table(settings, limit, how):
    row = "r{} - q1 - {} 36.6 0.1 2e-5 35 0.1 1.0 1 0 0 1 1 1 1 -\n"
    text = (
        row.format(1, 1e-5) + row.format(2, 2) + f"#\n# Program:         phmmer\n"
        f"# Option settings: {settings} \n# [ok]\n"
    )
    lists = read(Held("x.tbl", text.encode()), qrels=Held("p.qrels", b"q1 0 r1 1\nq1 0 r5 1\n"))
    assert (lists.reported_to.tolist(), lists.reported_how) == ([limit], how)


@pytest.mark.parametrize(
    ("more", "limit"), [("", 100.0), (" --domE 1", np.inf), (" --domT 9", np.inf)]
)
def test_a_limit_of_domains_leaves_records_out_of_a_table_of_domains(more, limit):
    text = (
        f"{domtblout('r1', 'q1', '1e-5', 1)}#\n# Program:         phmmer\n"
        f"# Option settings: phmmer -E 100 --domtblout x{more} q.fa db.fa \n# [ok]\n"
    )
    pairs = Held("p.qrels", b"q1 0 r1 1\nq1 0 r5 1\n")
    lists = read(Held("x.tbl", text.encode()), qrels=pairs, format="domtblout")
    assert lists.reported_to.tolist() == [limit]


def test_what_somebody_says_wins_unless_a_hit_lies_beyond():
    lists = lists_of(chance(10.0), reported_to=50)
    assert (lists.reported_to == 50.0).all()
    assert lists.reported_how == "said"
    with pytest.raises(ReadError, match=r"query q\d+ has a hit at 9\.\d+, which lies beyond 5:"):
        lists_of(chance(10.0), reported_to=5)
    lists = RetrievalLists([1.0, 8.0], [1, 0], [0, 2], [1], query=["a"])
    refuses(r"record 2: score 8\.0 lies beyond reported_to, 5", lists.with_reported_to, 5)


def test_each_algorithm_of_several_files():
    data = hits(chance(10.0)).data
    names = {"one": None, "two": "second", "three": None}
    files = [ResultFile(Held(f"{of}.m8", data), None, name) for of, name in names.items()]
    options = {"columns": COLUMNS, "qrels": PAIRS}
    opened = open_files(files, **options, reported_to="one=20, second=50")
    ends = {name: reported.measured_to(lists) for name, lists in opened.results.items()}
    assert ends == {"one": 20.0, "second": 50.0, "three": 10.0}
    assert "reported_to={'one': 20.0, 'second': 50.0}" in opened.opening
    with pytest.raises(OptionError, match="names 'four': expected one of 'one', 'second', 'three'"):
        open_files(files, **options, reported_to={"four": 1})


@pytest.mark.parametrize("given", ["ten", "BLASTP=ten", float("nan"), True, "inf"])
def test_a_limit_is_a_number(given):
    refuses("expected a number", ReadOptions, reported_to=given, error=OptionError)


@pytest.fixture
def known():
    """Lists with an end each, one of them empty."""
    ends = {"reported_to": [2.0, 10.0, np.inf], "reported_how": "inferred"}
    records, ids = ([0.1, 2.0, 0.3], [1, 0, 0]), {"query": list("abc"), "record": list("xyz")}
    return RetrievalLists(*records, [0, 2, 2, 3], [1, 2, 1], **ids, **ends)


def test_copies_and_tables_keep_it(known, tmp_path):
    write_parquet({"A": known, "B": known.with_reported_to(30)}, tmp_path / "x.parquet")
    again = read_all(tmp_path / "x.parquet")
    tables = [RetrievalLists.from_frame(known.to_frame(of)) for of in ("pandas", "arrow")]
    for other in (copy.deepcopy(known), *tables, again["A"], known.with_weights([1, 2, 3])):
        assert other.reported_to.tolist() == known.reported_to.tolist()
        assert other.reported_how == known.reported_how
    assert (again["B"].reported_to.tolist(), again["B"].reported_how) == ([30.0] * 3, "said")


def test_subsets_and_aligned_lists_keep_it(known):
    assert known.subset([False, True, True]).reported_to.tolist() == [10.0, np.inf]
    other = RetrievalLists([5.0], [0], [0, 1], [1], query=["d"], reported_to=7)
    aligned = align({"one": known, "other": other})
    # A query without a row was searched as far as any.
    assert aligned["one"].reported_to.tolist() == [2.0, 10.0, np.inf, 10.0]
    assert aligned["other"].reported_to.tolist() == [7.0] * 4
    assert aligned["other"].reported_how == "said"


def test_a_table_in_memory_can_be_told(known):
    frame = known.with_reported_to(np.inf).to_frame()
    assert RetrievalLists.from_frame(frame).reported_how is None
    told = RetrievalLists.from_frame(frame, reported_to=4.0)
    assert (told.reported_to.tolist(), told.reported_how) == ([4.0] * 3, "said")


def test_means_are_measured_as_far_as_nine_tenths_of_the_queries():
    ends = [1.0, 5.0, *[10.0] * 18]
    lists = RetrievalLists([], [], np.zeros(21), np.ones(20), reported_to=ends)
    assert reported.measured_to(lists) == 10.0
    assert reported.measured_to(lists.with_weights([2, 2, *[1] * 18])) == 5.0
    assert reported.not_measured(lists, 10.0) == ""
    assert reported.not_measured(lists, 10.1) == "not measured beyond 10"
    assert reported.is_measured(lists, float("nan"))
    assert reported.limit_of(ends, "ascending") == 10.0
    descending = RetrievalLists(
        [], [], [0, 0], [1], direction="descending", reported_to=50, reported_how="inferred"
    )
    assert reported.is_measured(descending, 60.0)
    words = (
        "not measured beyond 50, as the lists seem to end there; if the search went further, set "
    )
    assert reported.not_measured(descending, 40.0) == f"{words}reported_to"
    called = reported.as_called(reported.not_measured(descending, 40.0), "--limit")
    assert called == f"{words}--limit"


SOME = ["BLASTP", "MMseqs2", "DIAMOND_default"]


def explorer(**choices):
    """Choices of a few searches, at E = 100 unless something else is chosen."""
    known = {"mode": BY_E_VALUE, "e0": 100.0, "focus_algorithm": "DIAMOND_default"} | choices
    return Explorer(load_results(), SOME, **known)


def test_a_score_beyond_the_end_is_undefined_and_says_why():
    lists = load_results()["DIAMOND_default"]
    assert round(tap(lists, 10.0).value, 3) == 0.101
    beyond = tap(lists, 100.0)
    assert np.isnan(beyond.value)
    assert np.isnan(beyond.per_query).all()
    assert beyond.reason == "not measured beyond 10"
    # All that was reported is not a claim about a threshold.
    assert tap(lists, np.inf).value == tap(lists, 10.0).value
    some = {name: load_results()[name] for name in SOME}
    table = score(some, Policies(k=(), e0=(100.0,), n_resamples=20), baseline="BLASTP")
    values = dict(zip((one.title for one in table.columns), table.rows[SOME[-1]], strict=True))
    for title in ("TAP at 100", "median EPQ at 100", "mean EPQ at 100"):
        assert np.isnan([values[title].value, values[title].low, values[title].high]).all()
    assert np.isfinite(values["MAP"].value)
    compared = {one.first: one for _, one in table.comparisons}
    assert np.isnan(compared["DIAMOND_default"].difference).all()
    assert compared["DIAMOND_default"].reason == "DIAMOND_default: not measured beyond 10"
    assert np.isfinite(compared["MMseqs2"].difference).all()
    text = as_table(table)
    row = next(line for line in text.splitlines() if line.startswith("DIAMOND_default"))
    assert "not measured beyond 10" in row
    assert "DIAMOND_default was not measured at 100: it stopped at 10." in text


def test_a_caution_names_the_programs_that_were_not_measured_unless_none_was():
    lists = load_results()["DIAMOND_default"]

    def said(*reported_to, how="said"):
        each = {
            name: lists.with_reported_to(limit, how=how)
            for name, limit in zip("ABC", reported_to, strict=False)
        }
        taps = {name: tap(one, 200.0) for name, one in each.items()}
        (finding,) = not_measured_findings(taps, each)
        return describe(finding).split(". ")[0]

    assert said(100.0, 300.0) == "A was not measured at 200: it stopped at 100"
    assert said(10.0, 10.0, 300.0) == "A and B were not measured at 200: they stopped at 10"
    assert said(10.0, 100.0, 300.0) == (
        "A and B were not measured at 200: A stopped at 10, B stopped at 100"
    )
    assert said(100.0, 300.0, how="inferred") == (
        "A was not measured at 200: it seems to have stopped at 100"
    )
    assert said(100.0, 100.0, 300.0, how="inferred").endswith("they seem to have stopped at 100")
    assert said(10.0, 100.0) == "Nothing was measured at 200: A stopped at 10, B stopped at 100"
    assert said(100.0) == "Nothing was measured at 200: A stopped at 100"


def test_tap_k_and_ncbis_numbers_take_the_lists_as_they_are():
    lists = load_results()["BLASTP"]
    stricter = lists.with_reported_to(np.where(np.diff(lists.offset) > 90, 100.0, 200.0))
    assert tap_k(stricter, k=20).value == tap_k(lists, k=20).value
    lists = load_results()["DIAMOND_default"]
    lines = list(ncbi_lines(lists, Policies(k=(), e0=(100.0,))))
    assert lines[-1].endswith(f"\t{tap(lists, 10.0).value:.4f}")


def test_lists_that_a_number_of_hits_cut_before_the_threshold_are_counted():
    lists = RetrievalLists([], [], np.zeros(21), np.ones(20), reported_to=[1.0, 1.0, *[10.0] * 18])
    (finding,) = not_measured_findings({"A": tap(lists, 5.0)}, {"A": lists})
    assert finding.kind == "cut_lists"
    assert "so that errors are missing: A 2 of 20 lists" in describe(finding)
    (finding,) = not_measured_findings({"A": tap(lists, 20.0)}, {"A": lists})
    assert finding.kind == "not_measured"
    assert not_measured_findings({"A": tap(lists, 1.0)}, {"A": lists}) == []


@pytest.mark.parametrize("name", ["tap", "calibration"])
def test_lines_end_where_programs_stopped_reporting(name):
    picture = PLOTS[name].picture(PlotData(explorer()))
    layers = picture.by_name
    for algorithm, limit in (("BLASTP", 100.0), ("DIAMOND_default", 10.0)):
        inside = picture.x.values(layers[f"curve {algorithm}"].columns["x"])
        outside = picture.x.values(layers[f"beyond {algorithm}"].columns["x"])
        assert inside.max() <= limit * (1 + 1e-9)
        if outside.size:
            assert outside.min() == pytest.approx(limit)
    assert layers["beyond DIAMOND_default"].size
    assert layers["beyond DIAMOND_default"].style["alpha"] < 0.5
    assert layers["hatch DIAMOND_default"].size
    assert not layers["beyond MMseqs2"].size
    assert "▨ not measured" in layers["name"].columns["text"].tolist()
    texts = layers["readout"].columns["text"].tolist()
    assert "<b>DIAMOND_default</b> not measured beyond 10" in texts[-1]
    # Strokes are not numbers.
    assert "hatch" not in to_csv(picture)


def test_errors_per_query_are_not_drawn_beyond_the_end():
    chosen = explorer()
    data = PlotData(chosen)
    picture = PLOTS["epq"].picture(data)
    layers = picture.by_name
    assert picture.x.values(layers["whisker"].columns["x0"]).max() <= 10
    for what in ("median", "mean"):
        assert picture.x.values(layers[what].columns["x"]).max() == pytest.approx(10.0)
        assert layers[f"hatch {what}"].size
    assert not layers["mark"].size
    assert "not measured beyond 10" in layers["readout"].columns["text"][-1]
    words = PLOTS["epq"].text(data)
    assert words.startswith("At 100 the errors of DIAMOND_default were not measured; over all")
    chosen.e0 = 10.0
    words = PLOTS["epq"].text(PlotData(chosen))
    assert "the median query of DIAMOND_default has 0 errors" in words


def test_queries_without_k_errors_have_none_as_far_as_was_measured():
    layers = PLOTS["nth_error"].picture(PlotData(explorer())).by_name
    assert layers["name"].columns["text"].tolist() == ["not by 10: 862 queries"]
    assert layers["hatch"].size
    profiles = Explorer(load_results("profiles"), ["HMMER2 local"], k=200)
    layers = PLOTS["nth_error"].picture(PlotData(profiles)).by_name
    assert layers["name"].columns["text"][0].startswith("never: ")
    assert not layers["hatch"].size


MARKS = [("tap", "threshold"), ("coverage", "threshold"), ("precision_recall", "end")]


@pytest.mark.parametrize(("name", "layer"), MARKS)
def test_no_mark_stands_where_nothing_was_measured(name, layer):
    def marked(data, name, layer):
        return PLOTS[name].picture(data).by_name[layer].columns["color"].tolist()

    data = PlotData(explorer())
    colors = [data.styles[one].color for one in SOME]
    assert marked(data, name, layer) == colors[:2]
    assert "DIAMOND_default not measured beyond 10" in PLOTS["tap"].text(data)
    assert colors[2] in marked(PlotData(explorer(e0=10.0)), "coverage", "threshold")


def test_thresholds_beyond_the_end_are_not_marked_along_a_line():
    def ticks(results):
        picture = PLOTS["precision_recall"].picture(PlotData(Explorer(results, list(results))))
        return picture.by_name["tick"].size

    lists = load_results()["DIAMOND_default"]
    others = {"BLASTP": load_results()["BLASTP"]}
    unlimited = lists.with_reported_to(np.inf)
    assert ticks(others | {"D": lists}) == ticks(others | {"D": unlimited}) - 1  # that of 100


def test_hatching_lies_within_its_area():
    for size in ((10.0, 1.0), (-10.0, 1.0)):
        left, right = (2.0, 5.0) if size[0] > 0 else (5.0, 2.0)
        drawn = strokes(left, right, 0.2, 0.4, size)
        for axis, low, high in (("x", 2, 5), ("y", 0.2, 0.4)):
            at = drawn[axis][np.isfinite(drawn[axis])]
            assert at.size > 20
            assert low - 1e-9 <= at.min() <= at.max() <= high + 1e-9
    assert strokes(5.0, 5.0, 0.0, 1.0, (10.0, 1.0))["x"].size == 0


def test_the_bar_of_queries_that_never_have_k_errors_is_not_said_to_end_before_others():
    cut = Explorer(load_results("cranfield"), k=20, focus_algorithm="BM25")
    layers, lists = PLOTS["nth_error"].picture(PlotData(cut)).by_name, cut.lists["BM25"]
    scores = nth_irrelevant(lists, n=20).score
    assert (scores < reported.measured_to(lists)).any()  # a number of hits cut each at its own
    assert layers["name"].columns["text"].tolist() == ["never: 0 queries"]
    assert not layers["hatch"].size
