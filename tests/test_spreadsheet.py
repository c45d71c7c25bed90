"""CSV and LaTeX of names and ids that would be a formula, a row or a command."""

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz.draw.table import to_csv
from tapviz.lists import RetrievalLists
from tapviz.lists.spreadsheet import as_csv
from tapviz.plots import PLOTS, PlotData
from tapviz.scores import Policies, score
from tapviz.scores import as_csv as scores_as_csv
from tapviz.scores.written import as_latex
from tapviz.state import Choices

FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1"]
PLAIN = ["a", "d1abc", "1e-5", "-3", "+0.5", "-.5e-300", "a=b", "'=1", "", "sp|P1|X"]


def cells(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_like_a_formula_gets_an_apostrophe(text):
    assert cells(as_csv([["x", text]])) == [["x", "'" + text.replace("\r", " ")]]


@pytest.mark.parametrize("text", PLAIN)
def test_other_texts_and_numbers_are_as_they_are(text):
    assert cells(as_csv([[text, -2.5, -1, np.float64(-1e-9)]])) == [[text, "-2.5", "-1", "-1e-09"]]


@given(st.lists(st.text("=+-@\t\r\n,;\"'a1", max_size=8), min_size=1, max_size=5))
def test_no_cell_of_any_text_begins_like_a_formula(texts):
    written = as_csv([[*texts, "end"]])
    ((*row, end),) = cells(written)
    assert end == "end"
    for text, cell in zip(texts, row, strict=True):
        assert not re.match(r"[=+@\t\r\n-]", cell) or re.fullmatch("[+-]1+", cell)
        assert cell in (text.replace("\r", " "), "'" + text.replace("\r", " "))


@pytest.fixture(scope="module")
def hostile():
    ids = {"query": ["=HYPERLINK(1)", "@q"], "record": ["=1+1", "+a", "-b", "@c", "d", "e"]}
    scores = [1e-9, 0.1, 0.2, 1e-5, 3.0, 4.0]
    lists = RetrievalLists(scores, [1, 0, 1, 0, 1, 0], [0, 3, 6], [3, 2], **ids)
    return {"=A": lists, "[1cm]\n\\input{/etc/passwd}\n%": lists, "*^^M\u2028\\write18{x}": lists}


def test_scores_and_drawn_numbers_begin_no_formula(hostile):
    names = [name for name in hostile if not name.startswith("*")]
    data = PlotData(Choices(hostile, names, k=1, baseline="=A"))
    texts = [scores_as_csv(score(hostile, Policies(k=(1,), n_resamples=20), baseline="=A"))]
    texts += [to_csv(plot.picture(data)) for plot in PLOTS.values()]
    assert any("'=" in text for text in texts)
    for text in texts:
        for row in cells(text):
            assert not [cell for cell in row if re.match(r"[=@\t\r\n]|[+-](?![0-9.])", cell)]


def test_a_name_in_latex_is_neither_a_command_nor_the_end_of_a_comment(hostile):
    names = list(hostile)
    table = score(hostile, Policies(k=(2,), n_resamples=20))._replace(doubts=tuple(names))
    lines = as_latex(table).splitlines()
    assert len([line for line in lines if line.startswith("% ")]) >= len(names)
    for line in lines:
        if line.startswith("%"):
            continue
        assert not line.startswith(("[", "*"))
        commands = set(re.findall(r"\\[a-zA-Z]+", line))
        assert commands <= {
            *("\\begin", "\\end", "\\centering", "\\caption", "\\bigskip"),
            *("\\toprule", "\\midrule", "\\bottomrule"),
            *("\\textbackslash", "\\textasciicircum"),
        }
    text = "\n".join(lines)
    assert "{}[1cm] \\textbackslash{}input\\{/etc/passwd\\} \\% & " in text
    assert "{}*\\textasciicircum{}\\textasciicircum{}M \\textbackslash{}write18\\{x\\} & " in text
