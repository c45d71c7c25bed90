"""Standards of relevance: bands of levels, classes that are nobody's errors, several at once."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import pytest

from tapviz.cli import main
from tapviz.labels import STANDARDS, ClassTable, Held, Hits, JoinRules, Standard
from tapviz.labels.standards import Unrelated
from tapviz.page.app import App
from tapviz.readers import ReadOptions, read
from tapviz.readers.inputs import open_files
from tapviz.scores import selected

PEERS = Path(__file__).parent / "golden" / "peers"
LOOKUP = dict(line.split() for line in (PEERS / "scop_lookup.tsv").read_text().splitlines())


def agreement(one: str, other: str) -> int:
    """Levels to which two classes agree."""
    n = 0
    for a, b in zip(one.split("."), other.split("."), strict=True):
        if a != b:
            return n
        n += 1
    return n


def by_foldseek(column: str, agree: int) -> str:
    """What bench.noselfhit.awk makes of a hit in one of its columns."""
    level = {4: "FAM", 3: "SFAM", 2: "FOLD"}.get(agree)
    if level is None:
        return "error"
    return "relevant" if level == column else "ignored"


def by_reseek(standard: str, agree: int) -> str:
    """What scop40.py makes of a pair under one of its standards."""
    relevant = {
        "fam1": agree == 4,
        "sf2": agree >= 3,
        "sf3": agree >= 3,
        "sf4": agree == 3,
        "fold5": agree == 2,
        "fold6": agree >= 2,
    }[standard]
    ignored = {
        "fam1": agree in (2, 3),
        "sf2": False,
        "sf3": agree == 2,
        "sf4": agree in (2, 4),
        "fold5": agree >= 3,
        "fold6": False,
    }[standard]
    return "relevant" if relevant else "ignored" if ignored else "error"


RULES = {
    **{n: (by_foldseek, c) for n, c in (("family", "FAM"), ("superfamily", "SFAM"))},
    "fold": (by_foldseek, "FOLD"),
    **{name: (by_reseek, name) for name in ("fam1", "sf2", "sf3", "sf4", "fold5", "fold6")},
}


def all_pairs(ids: list[str]) -> Hits:
    """Every record found by every query."""
    n = len(ids)
    return Hits(
        "pairs.tsv",
        ids,
        ids,
        np.repeat(np.arange(n), n),
        np.tile(np.arange(n), n),
        np.tile(np.arange(n, dtype=np.float64), n),
    )


def states(table: ClassTable) -> dict[tuple[str, str], str]:
    """Relevant, error or ignored: what lists make of every pair."""
    lists = table.lists(all_pairs(list(table.records)))
    row = np.repeat(lists.query, np.diff(lists.offset))
    found = zip(row.tolist(), lists.record.tolist(), lists.relevant.tolist(), strict=True)
    return {(q, r): "relevant" if relevant else "error" for q, r, relevant in found}


@pytest.mark.parametrize("name", STANDARDS)
def test_a_standard_judges_as_the_script_that_it_is_named_after(name):
    rule, own = RULES[name]
    table = ClassTable(LOOKUP, relevant=4, ignored=2).judged_by(STANDARDS[name])
    found = states(table)
    for query, of_query in LOOKUP.items():
        expected = {
            record: rule(own, agreement(of_query, of_record))
            for record, of_record in LOOKUP.items()
            if record != query
        }
        for record, state in expected.items():
            assert found.get((query, record), "ignored") == state
        total = list(expected.values()).count("relevant")
        assert table.n_relevant([query]).tolist() == [total]
    lists = table.lists(all_pairs(list(LOOKUP)))
    retrieved = np.add.reduceat(lists.relevant, lists.offset[:-1])
    assert retrieved.tolist() == lists.n_relevant.tolist()
    assert (np.diff(lists.offset) - retrieved).tolist() == lists.n_irrelevant.tolist()


def test_a_record_of_several_classes_is_too_close_if_one_of_them_is():
    records = {
        "q": ("a.1.1.1", "b.1.1.1"),
        "family": ("a.1.1.1", "c.1.1.1"),
        "superfamily": ("a.1.1.2", "c.1.1.1"),
        "both": ("a.1.1.2", "b.1.1.1"),
        "other": "c.1.1.1",
    }
    table = ClassTable(records).judged_by(STANDARDS["superfamily"])
    found = {record: state for (query, record), state in states(table).items() if query == "q"}
    assert found == {"superfamily": "relevant", "other": "error"}
    assert table.n_relevant(["q"]).tolist() == [1]


def test_levels_that_make_no_band():
    with pytest.raises(ValueError, match="relevant 3, closer 3: expected a lower level"):
        ClassTable(LOOKUP, relevant=3, ignored=2, closer=3)
    with pytest.raises(ValueError, match=r"class 'a\.1\.1': expected at least 4 levels"):
        ClassTable({"r": "a.1.1"}).judged_by(STANDARDS["superfamily"])


def test_classes_that_are_nobodys_errors():
    records = {
        "p67": "b.67.1.1",
        "p69": "b.69.1.1",
        "p70": "b.70.1.1",
        "p71": "b.71.1.1",
        "e1": "e.1.1.1",
        "e2": "e.1.1.1",
    }
    table = ClassTable(records, relevant=4, ignored=2, ignore_class=("e", "b.67-b.70"))
    found = states(table)
    assert ("p67", "p69") not in found
    assert ("p70", "p67") not in found
    assert found["p67", "p71"] == found["p71", "p67"] == "error"
    assert not any("e" in q + r for (q, r), state in found.items() if state == "error")
    assert found["e1", "e2"] == "relevant"
    lists = table.lists(all_pairs(list(records)))
    errors = dict.fromkeys(records, 0)
    for (query, _), state in found.items():
        errors[query] += state == "error"
    assert dict(zip(lists.query.tolist(), lists.n_irrelevant.tolist(), strict=True)) == errors
    assert "no errors with e, b.67-b.70" in str(lists.join_report)


def test_how_classes_that_are_nobodys_errors_are_written():
    assert Unrelated.read("b.66-b.68").classes == ("b.66", "b.67", "b.68")
    assert Unrelated.read("c.2+c.5").classes == ("c.2", "c.5")
    assert Unrelated.read("e").alone
    for text in ("b.70-b.67", "b.1-c.2", "a-", "a b", "", "b.1-b.9999"):
        with pytest.raises(ValueError, match="expected a"):
            Unrelated.read(text)


def test_higher_classes_may_be_missing(tmp_path):
    """As in Rfam, where most families have no clan."""
    rows = "q\tRF1\tCL1\nr\tRF2\tCL1\ns\tRF3\t\nt\tRF3\t\nu\tRF4\t\n"
    (tmp_path / "rfam.tsv").write_text(rows)
    table = ClassTable.read(tmp_path / "rfam.tsv", relevant=2, ignored=1)
    found = states(table)
    assert ("q", "r") not in found
    assert found["s", "t"] == "relevant"
    assert found["s", "u"] == found["q", "u"] == "error"
    clans = states(ClassTable.read(tmp_path / "rfam.tsv", relevant=1, ignored=0))
    assert clans["q", "r"] == clans["s", "t"] == "relevant"
    assert clans["s", "u"] == "error"


def test_only_queries_with_others_at_each_level():
    with (PEERS / "foldseek.rocx.expected").open() as file:
        kept = {row["NAME"] for row in csv.DictReader(file, delimiter="\t")}
    records = {**LOOKUP, "alone": "z.1.1.1", "pair1": "y.1.1.1", "pair2": "y.1.1.1"}
    table = ClassTable(records, with_others=True)
    hits = all_pairs(list(records))
    assert set(table.lists(hits).query.tolist()) == kept
    assert table.lists(hits).join_report.queries_not_listed == len(records) - len(kept)
    normalised = ClassTable(records, with_others=True, rules=JoinRules(normalise=("case",)))
    assert set(normalised.lists(hits).query.tolist()) == kept


# From files, once


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A search in Foldseek's layout, and the classes of its domains."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.m8").write_bytes((PEERS / "foldseek.m8").read_bytes())
    (tmp_path / "classes.tsv").write_bytes((PEERS / "scop_lookup.tsv").read_bytes())
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_several_standards_from_one_reading():
    names = ("family", "superfamily", "fold")
    opened = open_files(["run.m8"], labels="classes.tsv", standard=",".join(names))
    assert opened.standard == "family"
    for name, judged in zip(names, opened.by_standard(names), strict=True):
        alone = read("run.m8", labels="classes.tsv", standard=name)
        both = judged.results["run"]
        assert judged.standard == name
        assert both.relevant.tolist() == alone.relevant.tolist()
        assert both.n_relevant.tolist() == alone.n_relevant.tolist()
        assert both.join_report == alone.join_report
        scope: dict[str, object] = {}
        exec(judged.opening, scope)  # noqa: S102  # what the page hands out
        assert scope["results"]["run"].relevant.tolist() == both.relevant.tolist()  # type: ignore[index]


@pytest.mark.usefixtures("folder")
def test_standards_are_offered_for_classes_of_scop_only():
    opened = open_files(["run.m8"], labels="classes.tsv")
    assert opened.standard == "sf3"  # the usual levels
    assert set(opened.standards) == {"family", "superfamily", "fold", "sf3", "sf2", "fold6"}
    flat = Held("flat.tsv", b"".join(f"{name}\tx\n".encode() for name in LOOKUP))
    opened = open_files(["run.m8"], labels=flat, levels=(1, 0))
    assert opened.standards == ("",)
    assert opened.judged("").results is opened.results


def test_options_of_standards_that_make_no_sense():
    with pytest.raises(ValueError, match="no 'famly'; expected some of family, superfamily"):
        ReadOptions(labels="classes.tsv", standard="famly")
    with pytest.raises(ValueError, match="both say what is relevant"):
        ReadOptions(labels="classes.tsv", standard="fold", levels=(2, 0))
    with pytest.raises(ValueError, match="is about classes of records"):
        ReadOptions(standard="fold")
    with pytest.raises(ValueError, match=r"ignore_class: 'b\.2-b\.1': expected a range"):
        ReadOptions(labels="classes.tsv", ignore_class="b.2-b.1")
    with pytest.raises(ValueError, match="expected one here"):
        read("run.m8", labels="classes.tsv", standard=("fold", "family"))
    assert ReadOptions(labels="c.tsv", levels=(4, 2)).levels == (4, 2, 0)
    assert Standard(4, 2).words == "same to level 4 relevant, to level 2 ignored"


@pytest.mark.usefixtures("folder")
def test_scores_by_several_standards(capsys):
    arguments = ["score", "run.m8", "--labels", "classes.tsv", "-k", "1", "--resamples", "0"]
    assert main([*arguments, "--standard", "family,superfamily"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Standard: family\n")
    assert "\nStandard: superfamily\n" in text
    assert main([*arguments, "--standard", "family,superfamily", "--output", "json"]) == 0
    both = json.loads(capsys.readouterr().out)
    assert list(both) == ["family", "superfamily"]
    assert main([*arguments, "--standard", "superfamily", "--output", "json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert alone == both["superfamily"]
    assert alone["standard"] == "superfamily"
    assert main([*arguments, "--standard", "family,superfamily", "--output", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    by_csv = {(row["standard"], row["score"]): row["value"] for row in rows}
    assert float(by_csv["superfamily", "MAP"]) == alone["algorithms"][0]["mean_average_precision"]
    assert main([*arguments, "--standard", "family,fold", "--output", "latex"]) == 0
    assert "% Standard: fold" in capsys.readouterr().out


# On the page


@pytest.mark.usefixtures("folder")
def test_the_page_switches_between_standards_without_reading_again():
    opened = open_files(["run.m8"], labels="classes.tsv")
    app = App(opened)
    choice = app._standard
    assert choice.visible
    assert choice.value == "sf3"
    app.dashboard.explorer.k = 3
    assert app.dashboard.explorer.groups == 3
    choice.value = "fold"
    explorer = app.dashboard.explorer
    alone = read("run.m8", labels="classes.tsv", standard="fold")
    assert explorer.first.n_relevant.tolist() == alone.n_relevant.tolist()
    assert (explorer.k, explorer.groups) == (3, 2)
    assert parse_qs(explorer.to_query(app.dashboard._address_extras)[1:])["standard"] == ["fold"]
    app.dashboard._undo_last()
    assert choice.value == "sf3"
    assert app.dashboard.explorer.k == 3
    choice.value = "fold"
    assert app.dashboard.explorer.first.n_relevant.tolist() == alone.n_relevant.tolist()
    app._choice.value = "scope40"
    assert not choice.visible


# Foldseek's own script


@pytest.mark.usefixtures("folder")
def test_columns_of_foldseeks_script_and_ours_beside_them(capsys):
    arguments = ["score", "run.m8", "--labels", "classes.tsv", "--compat", "foldseek"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    rows = {row["NAME"]: row for row in csv.DictReader(printed.out.splitlines(), delimiter="\t")}
    with (PEERS / "foldseek.rocx.expected").open() as file:
        expected = {row["NAME"]: row for row in csv.DictReader(file, delimiter="\t")}
    assert rows.keys() == expected.keys()
    for query, row in expected.items():
        for column, text in row.items():
            assert rows[query][column] == (text or "0"), (query, column)
        # The denominators of the script, and those there should be.
        family, superfamily, fold = (int(row[f"{n}CNT"]) for n in ("FAM", "SFAM", "FOLD"))
        for column, theirs, right in (
            ("FAM", family - 1, family - 1),
            ("SFAM", superfamily - family + 1, superfamily - family),
            ("FOLD", fold - superfamily + 1, fold - superfamily),
        ):
            found = float(row[column] or 0) * theirs
            ours = float(rows[query][f"{column}_tapviz"]) * right
            assert ours == pytest.approx(found, abs=1e-3), (query, column)
    assert "The script divides SFAM and FOLD by one record more" in printed.err
    assert "HSPs" not in printed.err


def test_hsps_and_queries_without_hits_in_foldseeks_script(folder, capsys):
    rows = (folder / "run.m8").read_text().splitlines()
    query = rows[1].split("\t")[0]
    kept = [row for row in rows if row.startswith(query)]
    (folder / "run.m8").write_text("\n".join([*kept[:2], kept[1], *kept[2:], ""]))
    arguments = ["score", "run.m8", "--labels", "classes.tsv", "--compat", "foldseek"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    found = {row["NAME"]: row for row in csv.DictReader(printed.out.splitlines(), delimiter="\t")}
    assert len(found) == len(LOOKUP)
    assert float(found[query]["FAM"]) == 2  # one record, twice
    assert float(found[query]["FAM_tapviz"]) == 1
    assert {row["FAM"] for name, row in found.items() if name != query} == {"0"}
    assert "The script counts 1 further hit on" in printed.err
    assert main(["score", "run.m8", "--compat", "foldseek"]) == 2
    assert "is about classes of records" in capsys.readouterr().err


# The page of the documentation


def test_the_documentation_says_of_every_standard_what_it_judges():
    page = (Path(__file__).parents[1] / "docs" / "standards.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    said = {row[0].strip("`"): row[1:] for row in rows if row[0].strip("`") in STANDARDS}
    assert list(said) == list(STANDARDS)
    level = {2: "fold", 3: "superfamily", 4: "family"}
    for name, (relevant, left_out, error, *_) in said.items():
        standard = STANDARDS[name]
        if relevant.startswith("as "):
            assert STANDARDS[relevant.removeprefix("as ").strip("`")][:3] == standard[:3]
            continue
        but = f", other {level[standard.closer]}" if standard.closer else ""
        assert relevant == f"same {level[standard.relevant]}{but}"
        parts = [f"same {level[standard.closer]}"] if standard.closer else []
        if standard.ignored:
            parts.append(f"same {level[standard.ignored]}, other {level[standard.relevant]}")
        assert left_out == ("; ".join(parts) or "nothing")
        last = standard.ignored or standard.relevant
        assert error == ("other fold" if last == 2 else "everything else")


def test_scores_that_the_documentation_names_are_there():
    page = (Path(__file__).parents[1] / "docs" / "standards.md").read_text(encoding="utf-8")
    for names in re.findall(r"--scores ([a-z0-9_@.,]+[a-z0-9])", page):
        assert selected(names.split(","))
