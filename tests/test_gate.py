"""The gate: what fails, with which interval, what it prints, and the pages' ways to call it."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import yaml

from tapviz import RetrievalLists, load_results
from tapviz.cli import main
from tapviz.scores import Baseline, Policies, check, read_limit, score
from tapviz.scores.words import describe
from tapviz.scores.written import written
from tests.printed import stderr_of, stdout_of
from tests.refused import refuses

ROOT = Path(__file__).parents[1]
HOWTO = ROOT / "docs" / "howto"
POLICIES = Policies(k=(5,), n=10, n_resamples=200)
GATED = ("tap", "roc_n", "pooled_roc_n", "sepq@1")
JUDGED = ["--labels", "classes.tsv.gz", "--queries", "queries.txt", "-k", "5", "--resamples", "200"]


@pytest.fixture(scope="module")
def profiles():
    return load_results("profiles")


@pytest.fixture
def folder(searches):
    """Searches, and a run that lost half of its hits."""
    hits = gzip.decompress(Path("blastp.tsv.gz").read_bytes()).splitlines(keepends=True)
    Path("worse.m8").write_bytes(b"".join(hits[::2]))
    return searches


def compared(new, old, limits, **options):
    names = tuple(dict.fromkeys(read_limit(one).score.name for one in limits))
    table = score({"new": new, "old": old}, POLICIES, baseline="old", compared=names)
    return check(table, [read_limit(one) for one in limits], "old", **options)


def test_what_can_be_asked():
    asked = ("tap < -0.01", "tap<−0.01", "sepq1 < 0", "sepq@0.1 < 0", "mean_epq > 1e-3")
    assert [str(read_limit(one)) for one in asked] == [
        "tap < -0.01", "tap < -0.01", "sepq@1 < 0", "sepq@0.1 < 0", "mean_epq > 0.001"
    ]  # fmt: skip
    for wrong in ("tap", "tap = 1", "tap < x", "nothing < 1", "n_queries < 1", ""):
        refuses(r"expected|did you mean", read_limit, wrong)


def test_a_change_for_the_better_is_no_loss():
    for better, loss in (
        ("tap > 0.01", "tap < -0.01"),
        ("tap < 0.01", "tap < -0.01"),
        ("mean_epq < -0.1", "mean_epq > 0.1"),
        ("threshold < 2", "threshold < -2"),
    ):
        refuses(f"'{better}' is not a loss: did you mean '{loss}'", read_limit, better)


def test_the_interval_decides_and_strictly_the_change(profiles):
    """The limit is put on either side of the interval's upper end, and of the change."""
    new, old = profiles["RPS-BLAST"], profiles["HMMER3 hmmscan"]
    table = score({"new": new, "old": old}, POLICIES, baseline="old")
    estimate, low, high = table.comparisons[0][1].difference
    assert low < estimate < high < 0
    for strict, end in ((False, high), (True, estimate)):
        for limit, failed in ((end + 1e-6, True), (end - 1e-6, False)):
            (one,) = check(table, [read_limit(f"tap < {limit:.9f}")], "old", strict=strict)
            assert one.failed is failed
            assert f"fell by {-estimate:.3f}" in one.words
            assert f"{low:.3f} to {high:.3f}, 245 superfamilies" in one.words
    (one,) = compared(old, new, ["tap < 0"])
    assert not one.failed
    assert "rose by" in one.words


def test_a_saved_baseline_gives_the_numbers_of_its_lists(profiles):
    new, old = profiles["RPS-BLAST"], profiles["HMMER3 hmmscan"]
    known = score({"old": old}, POLICIES, kept=GATED)
    kept = Baseline.read(Baseline.of(known, {"old": old}).as_json())
    found = kept.compared(kept.aligned({"new": new}), POLICIES, GATED, "old")
    wanted = score({"new": new, "old": old}, POLICIES, baseline="old", compared=GATED)
    for (_, one), (_, same) in zip(found.comparisons, wanted.comparisons, strict=True):
        assert one._replace(difference=None, listed=None) == same._replace(
            difference=None, listed=None
        )
        assert (*one.difference, *one.listed) == pytest.approx((*same.difference, *same.listed))
    assert len(found.comparisons) == len(GATED)
    said, same = (describe(one.verdicts[0]).conclusion for one in (found, wanted))
    assert said == same
    assert said[0].text.startswith("old does better than new: its TAP-5 is larger by 0.103 (95 %")


def test_a_baseline_whose_score_is_undefined_is_compared_with_nothing(profiles):
    old = {"old": profiles["RPS-BLAST"]}
    policies = POLICIES._replace(k=(5, 10**6))
    kept = Baseline.of(score(old, policies, kept=["tap"]), old)
    table = kept.compared(kept.aligned({"new": old["old"]}), policies, ["tap"], "old")
    first, second = table.verdicts
    assert describe(first).conclusion[0].text.startswith("new and old are identical: every query")
    assert second.reason == "TAP-1000000 is undefined"


def test_a_baseline_of_many_programs_compares_each_as_if_it_were_alone(profiles):
    """Names decide which with which; what is left over is said."""
    names = "RPS-BLAST", "HMMER3 hmmscan", "HMMER2 semi-global"
    old = {short: profiles[one] for short, one in zip(("A", "B", "gone"), names, strict=True)}
    new = {"B": profiles["RPS-BLAST"], "added": old["gone"], "A": profiles["HMMER2 local"]}
    kept = Baseline.of(score(old, POLICIES, kept=GATED), old)
    kept = Baseline.read(kept.as_json())
    assert kept.algorithms == ["A", "B", "gone"]
    table = kept.compared(kept.aligned(new), POLICIES, GATED, "old.json")
    found = {(column.score.name, one.first): one for column, one in table.comparisons}
    assert {one.second for one in found.values()} == {"old.json"}
    assert {name for _, name in found} == {"A", "B"}
    for name in "AB":
        alone = {name: new[name], "old.json": old[name]}
        for column, one in score(alone, POLICIES, baseline="old.json", compared=GATED).comparisons:
            same = found[column.score.name, name]
            assert (*same.difference, same.p) == pytest.approx((*one.difference, one.p))
            assert same.counts == one.counts
    assert table.doubts == (
        "old.json has no added: it is compared with nothing",
        "old.json has gone, the results do not",
    )
    checks = check(table, [read_limit("tap < -0.9")], "old.json")
    assert {one.algorithm: one.failed for one in checks} == {"A": False, "B": False, "gone": True}
    assert checks[-1].words == "TAP-5 of gone is missing: old.json has it, the results do not"
    with pytest.raises(ValueError, match=r"old.json has A, B, gone, none of x, y: each is comp"):
        kept.compared({"x": new["A"], "y": new["B"]}, POLICIES, ["tap"], "old.json")


def test_a_baseline_of_the_first_version_is_read(profiles):
    """It was of one algorithm, whose name stood beside its scores."""
    lists = profiles["RPS-BLAST"]
    kept = Baseline.of(score({"old": lists}, POLICIES, kept=GATED), {"old": lists})
    content = json.loads(kept.as_json()) | {"format": "tapviz baseline 2", "algorithm": "old"}
    for at in content["thresholds"]:
        at["scores"] = {name: of["old"] for name, of in at["scores"].items()}
    assert Baseline.read(json.dumps(content)).as_json() == kept.as_json()


def test_queries_without_hits_are_there_all_the_same(profiles):
    """A query for which the new run found nothing counts; one that the old had not is refused."""
    lists = profiles["RPS-BLAST"]
    some = lists.subset(np.arange(lists.n_queries) % 2 == 0)
    kept = Baseline.of(score({"all": lists}, POLICIES, kept=["tap"]), {"all": lists})
    found = kept.aligned({"some": some})["some"]
    assert found.query.tolist() == lists.query.tolist()
    assert np.diff(found.offset)[1::2].sum() == 0
    left = re.escape(repr(min(lists.query[1::2].tolist())))
    said = f"has 1,351 queries, of which {left} is left out here: choose the same queries"
    refuses(said, kept.check_queries, some.query.tolist())
    fewer = Baseline.of(score({"some": some}, POLICIES, kept=["tap"]), {"some": some})
    refuses(r"has no query .* same list of all queries", fewer.aligned, {"all": lists})


def test_runs_that_were_judged_differently_are_refused(profiles):
    lists = profiles["RPS-BLAST"]
    kept = Baseline.of(score({"old": lists}, POLICIES, kept=["tap"]), {"old": lists})
    other = RetrievalLists([], [], [0, 0], [99], query=[lists.query[0]])
    refuses("use the same labels for all", kept.aligned, {"new": other})
    for policies, said in (
        (POLICIES._replace(n=11), "was scored with n 10, this run with 11"),
        (POLICIES._replace(seed=1), "with seed 0, this run with 1"),
        (POLICIES._replace(k=(7,)), "has TAP-5, not TAP-7"),
        (POLICIES._replace(quantile=0.25), "has TAP-5, not TAP-5 by these rules"),
    ):
        refuses(re.escape(said), kept.compared, {"new": lists}, policies, ["tap"], "old")
    with pytest.raises(ValueError, match="has no sepq@1: save it again with --scores sepq@1"):
        kept.compared({"new": lists}, POLICIES, ["sepq@1"], "old")


def test_a_score_that_is_undefined_now_fails(profiles):
    lists = profiles["RPS-BLAST"]
    known = {name: getattr(lists, name) for name in ("query", "query_class", "class_level")}
    nothing = RetrievalLists([], [], np.zeros(lists.n_queries + 1, int), lists.n_relevant, **known)
    (one,) = compared(nothing, lists, ["tap < -0.01"])
    assert one.failed
    assert one.words.startswith("TAP-5 of new is undefined: ")
    refuses("TAP-5 cannot be compared: old: ", compared, lists, nothing, ["tap < -0.01"])


def test_without_an_interval_only_strict_can_decide():
    few = RetrievalLists([1, 2], [1, 0], [0, 1, 2], [1, 1])
    (one,) = compared(few, few, ["roc_n < 0"], strict=True)
    assert not one.failed
    refuses("fewer than 10 queries; with --strict", compared, few, few, ["roc_n < 0"])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("baseline", ["old.json", "blastp.tsv.gz"])
def test_exit_codes_and_the_line_that_says_why(capsys, baseline):
    assert main(["score", "blastp.tsv.gz", *JUDGED, "--save-baseline", "old.json"]) == 0
    gate = [*JUDGED, "--baseline", baseline, "--fail-if", "tap < -0.01"]
    capsys.readouterr()
    assert main(["score", "worse.m8", *gate]) == 1
    said = capsys.readouterr()
    assert "TAP-5" in said.out
    assert re.fullmatch(
        r"failed: TAP-5 of worse fell by 0\.\d+ against blastp \(95 % interval of the change "
        r"-0\.\d+ to -0\.\d+, 21 superfamilies\): the interval is below -0\.01",
        said.err.splitlines()[-1],
    )
    assert main(["score", "ssearch.tsv.gz", *gate]) == 0
    assert capsys.readouterr().err.splitlines()[-1].startswith("passed: TAP-5 of ssearch rose by")
    assert main(["score", "worse.m8", *gate, "--fail-if", "roc_n < -0.5"]) == 1
    assert main(["score", "worse.m8", *gate, "--labels", "missing.tsv"]) == 2


@pytest.mark.usefixtures("folder")
def test_a_program_of_the_baseline_that_is_missing_fails(capsys):
    files = ["blastp.tsv.gz", "ssearch.tsv.gz"]
    assert main(["score", *files, *JUDGED, "--save-baseline", "two.json"]) == 0
    gate = [*JUDGED, "--baseline", "two.json", "--fail-if", "tap < -0.01", "-o", "gate.xml"]
    said = "failed: TAP-5 of blastp is missing: two.json has it, the results do not\n"
    for renamed in ([], ["blastp2=blastp.tsv.gz"]):
        capsys.readouterr()
        assert stderr_of(capsys, ["score", "ssearch.tsv.gz", *renamed, *gate, "--quiet"], 1) == said
        assert 'failures="1"' in Path("gate.xml").read_text()
    assert main(["score", *files, *gate]) == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("fewer", [["--queries", "few.txt"], ["--min-relevant", "5"]])
def test_queries_that_are_chosen_are_those_of_the_baseline(capsys, fewer):
    Path("few.txt").write_text("".join(Path("queries.txt").read_text().splitlines(True)[::2]))
    assert main(["score", "blastp.tsv.gz", *JUDGED, "--save-baseline", "old.json"]) == 0
    gate = ["--baseline", "old.json", *fewer]
    said = stderr_of(capsys, ["score", "blastp.tsv.gz", *JUDGED, *gate])
    assert "is left out here: choose the same queries" in said


@pytest.mark.usefixtures("folder")
def test_options_that_do_not_go_together(capsys):
    for more, said in (
        (["--fail-if", "tap < 0"], "--fail-if: give --baseline"),
        (["--output", "junit"], "--output junit: give --fail-if"),
        (["--baseline", "a.json", "--compare", "all"], "--baseline and --compare"),
        (["--baseline", "a.json", "--save-baseline", "b.json"], "--baseline and --save-baseline"),
        (["--save-baseline", "b", "--standard", "family,fold"], "--save-baseline: give one"),
        (["--baseline", "a.json"], "a.json: there is no such file"),
        (["--baseline", "bad.json"], "bad.json: expected a file that tapviz score"),
    ):
        Path("bad.json").write_text("[1]")
        assert said in stderr_of(capsys, ["score", "blastp.tsv.gz", *JUDGED, *more])


@pytest.mark.usefixtures("folder")
def test_outputs_of_a_gate(capsys):
    gate = [*JUDGED, "--baseline", "blastp.tsv.gz"]
    gate += ["--fail-if", "tap < -0.01", "--fail-if", "roc_n < -0.9", "--output"]

    def printed(output):
        return stdout_of(capsys, ["score", "worse.m8", *gate, output], 1)

    suites = ET.fromstring(printed("junit"))  # noqa: S314  # our own
    assert suites.attrib == {"tests": "2", "failures": "1"}
    cases = suites.findall("testsuite/testcase")
    assert [one.get("name") for one in cases] == ["TAP-5: tap < -0.01", "ROC_50: roc_n < -0.9"]
    assert "fell by" in cases[0].find("failure").get("message")
    assert "is not below -0.9" in cases[1].find("system-out").text

    lines = printed("markdown").splitlines()
    assert lines[0].startswith("- **failed**: TAP-5 of worse fell by")
    assert lines[1].startswith("- passed: ROC\\_50 of worse fell by")
    table = [line for line in lines if line.startswith("|")]
    assert table[0].startswith("| algorithm | TAP-5 | 95 % interval | E\\_5 |")
    columns = [line.count(" | ") for line in table if not line.startswith("|---")]
    assert columns[:3] == [columns[0]] * 3  # head and rows of the scores; then the differences
    assert columns[0] >= 11

    content = json.loads(printed("multiqc"))
    assert content["plot_type"] == "table"
    said = content["description"].split("<br>")
    assert said[0] == "Scores of retrieval by tapviz: 21 superfamilies, 21 queries."
    assert said[1].startswith("Failed: TAP-5 of worse fell by")
    assert said[2].startswith("Passed: ROC_50 of worse fell by")
    assert said[3].startswith("blastp does better than worse: its TAP-5 is larger by")
    assert set(content["data"]) == {"worse", "blastp"}
    for row in content["data"].values():
        assert set(row) == set(content["headers"])
    cells = [one.strip() for one in table[2].strip("|").split(" | ")]
    assert cells[2] == content["data"][cells[0]]["tap@TAP-5 interval"]
    assert content["headers"]["tap@TAP-5 interval"]["title"] == "TAP-5, 95 % interval"
    assert [one["failed"] for one in json.loads(printed("json"))["checks"]] == [True, False]


def test_what_multiqc_shows_of_a_score_that_is_undefined():
    """The cell is empty; the reason stands above the table; names are not markup."""
    lists = RetrievalLists([1e-9, 0.5], [1, 0], [0, 2], [1])
    content = json.loads(written([score({"<b>x</b>": lists}, POLICIES)], "multiqc"))
    ((name, row),) = content["data"].items()
    assert (name, row["tap@TAP-5"]) == ("&lt;b&gt;x&lt;/b&gt;", None)
    assert "<br>The lists of &lt;b&gt;x&lt;/b&gt; end too early for E_5" in content["description"]
    scales = {one["title"]: one["scale"] for one in content["headers"].values()}
    assert (scales["TAP-5"], scales["mean EPQ at E_5"]) == ("Greens", False)


def run(command, folder):
    """A command of a page, as a shell of CI runs it."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = os.environ | {"PATH": path, "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    shell = ["bash", "-e", "-o", "pipefail", "-c", command]
    return subprocess.run(shell, cwd=folder, env=env, check=False, capture_output=True, text=True)


@pytest.mark.subprocess
def test_the_workflow_and_the_rule_on_the_page(folder):
    """What the page shows is run here, but for what needs the network."""
    assert main(["score", "blastp.tsv.gz", *JUDGED[:6], "--save-baseline", "old.json"]) == 0
    steps = yaml.safe_load((HOWTO / "gate.yml").read_text())["jobs"]["gate"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands.pop(0) == "pip install tapviz"
    rule = (HOWTO / "gate.smk").read_text()
    shell = "".join(re.findall(r'"(.*)"', rule[rule.index("shell:") :]))
    files = dict(re.findall(r'(\w+)="(.*)"', rule))
    named = type("Named", (), files)
    for search, code in (("zcat blastp.tsv.gz", 0), ("cat worse.m8", 1)):
        (folder / "search.sh").write_text(search)
        searched, gated = (run(command, folder) for command in commands)
        assert searched.returncode == 0
        assert gated.returncode == code, gated.stderr
        assert ("**failed**: TAP-5" in (folder / "summary.md").read_text()) is bool(code)
        done = run(shell.format(input=named, log=named), folder)
        assert done.returncode == code, done.stderr
        assert set(json.loads((folder / files["report"]).read_text())["data"]) == {"new"}


@pytest.mark.subprocess
@pytest.mark.nightly
def test_snakemake_keeps_the_report_of_a_run_that_failed(folder):
    assert main(["score", "blastp.tsv.gz", *JUDGED[:6], "--save-baseline", "old.json"]) == 0
    shutil.copy(HOWTO / "gate.smk", folder)
    for search, code in (("zcat blastp.tsv.gz > new.m8", 0), ("cp worse.m8 new.m8", 1)):
        for left in ("retrieval.passed", "retrieval_mqc.json"):
            (folder / left).unlink(missing_ok=True)
        assert run(search, folder).returncode == 0
        done = run("snakemake -s gate.smk --cores 1", folder)
        assert done.returncode == code, done.stderr
        assert (folder / "retrieval.passed").exists() is not bool(code)
        assert "new" in json.loads((folder / "retrieval_mqc.json").read_text())["data"]
        assert ("failed: TAP-5" in (folder / "retrieval.log").read_text()) is bool(code)
