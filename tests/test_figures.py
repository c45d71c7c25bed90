"""Figures for papers: what the page shows, in millimetres and points, with real text."""

import csv
import io
import re
import struct
import subprocess
import sys
from itertools import combinations, product
from string import ascii_uppercase
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.font_manager import findfont, get_font
from matplotlib.text import Text

from tapviz import Explorer, RetrievalLists, cli, load_results, save_figure, tap_k
from tapviz.cli.arguments import open_once
from tapviz.draw.matplotlib import SIZES, Panel, as_bytes, figure
from tapviz.draw.picture import Axis
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import styles
from tapviz.draw.table import to_csv
from tapviz.explorer.paper import figure_zip, methods
from tapviz.lists.runs import Run
from tapviz.plots import PLOTS, PlotData, plots_for, pooled
from tapviz.plots.save import complete, file_content, renamed
from tapviz.readers import write_tap
from tests.hits import m8
from tests.printed import stderr_of
from tests.refused import refuses

SVG = "{http://www.w3.org/2000/svg}"

OF_ONE = {"epq", "nth_error"}
"""Plots of the algorithm that is shown in detail."""


CHOICES = {"query_class": "c.1", "k": 5, "focus_algorithm": "jackhmmer", "baseline": "BLASTP"}


SEVERAL = [
    name
    for name, plot in PLOTS.items()
    if plot.needs not in ("one", "decoys") and plot.reads != "scores"
]
"""Plots of results of several algorithms."""


def timed(results):
    """The same results, as if it were known what their runs cost."""
    return {
        name: lists.with_run(Run("a program", f"v{place}", seconds=3.0**place))
        for place, (name, lists) in enumerate(results.items())
    }


def everything(explorer):
    """What all plots are made of, with what takes seconds."""
    return complete(explorer, *plots_for(explorer))


@pytest.fixture(scope="module")
def data():
    """The plots of the page, of a few queries."""
    return everything(Explorer(timed(load_results()), **CHOICES))


@pytest.fixture(scope="module")
def crowded():
    explorer = Explorer(timed(load_results()))
    explorer.algorithms = list(explorer.results)
    return PlotData(explorer)


def saved_as(data, plot, kind, **options):
    return file_content(data, PLOTS[plot], kind, **options)


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314  # our own


def width_of(svg):
    """The width in millimetres."""
    return float(svg.get("width").removesuffix("pt")) * 25.4 / 72


def words_of(svg):
    return ["".join(text.itertext()) for text in parsed(svg).iter(f"{SVG}text")]


def rows_of(table):
    return list(csv.DictReader(io.StringIO(table)))


def style(element):
    """Declarations of an element of SVG."""
    pairs = (part.split(":", 1) for part in element.get("style", "").split(";") if part)
    return {name.strip(): value.strip() for name, value in pairs}


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("plot", SEVERAL)
def test_svg_has_the_size_letters_and_names_a_journal_asks_for(data, plot, width):
    svg = saved_as(data, plot, "svg", width=width)
    root, words = parsed(svg), " ".join(words_of(svg))
    assert width_of(root) == pytest.approx(width, abs=0.01)
    sizes = [style(text)["font-size"].removesuffix("px") for text in root.iter(f"{SVG}text")]
    assert min(map(float, sizes)) >= 7
    assert root.get("viewBox").split()[2] == root.get("width").removesuffix("pt")  # 1 px is 1 pt
    shown = {"pair": data.pair, "queries": ()}.get(PLOTS[plot].of, data.explorer.shown)
    if plot == "pooled":
        shown = pooled.case(data).names
    for name in ["jackhmmer"] if plot in OF_ONE else shown:
        assert name in words
    assert not list(root.iter(f"{SVG}image"))


def test_one_algorithm_alone(tmp_path, monkeypatch):
    lists = load_results()["jackhmmer"]
    monkeypatch.chdir(tmp_path)
    write_tap(lists, "jackhmmer.txt")
    figure_of = ["figure", "jackhmmer.txt", "--plot", "strip", "-o"]
    assert cli.main([*figure_of, "strip.svg"]) == cli.main([*figure_of, "strip.csv"]) == 0
    rows = rows_of((tmp_path / "strip.csv").read_text())
    points = [row for row in rows if row["layer"] == "point"]
    assert [row["query"] for row in points] == lists.query.tolist()
    for column in ("x", "total"):
        assert [float(row[column]) for row in points] == lists.n_relevant.tolist()
    assert [float(row["y"]) for row in points] == pytest.approx(tap_k(lists, k=20).per_query)
    words = words_of((tmp_path / "strip.svg").read_bytes())
    assert "Queries, jackhmmer" in words
    assert {"5", "10", "50", "200"} < set(words)  # the whole axis


@pytest.mark.parametrize("plot", ["coverage", "threshold", "roc", "tap"])
def test_names_follow_the_order_that_is_asked_for(data, plot):
    order = data.explorer.shown[::-1]
    picture = PLOTS[plot].picture(PlotData(renamed(data.explorer, {}, order)))
    (names,) = (layer.columns["text"] for layer in picture.layers if layer.name == "name")
    assert [str(name).split(" E ≤")[0].split(",")[0] for name in names][: len(order)] == order


@pytest.mark.parametrize("plot", ["tap", "precision_recall", "roc", "average_roc", "coverage"])
def test_lines_keep_colour_and_dash_of_their_algorithm(data, plot):
    drawn = [style(path) for path in parsed(saved_as(data, plot, "svg")).iter(f"{SVG}path")]
    seen = {(one.get("stroke", "#000000"), one.get("stroke-dasharray")) for one in drawn}
    looks = styles(data.explorer.style_order)
    assert {looks[name].dash for name in data.explorer.shown} > {()}
    for name in data.explorer.shown:
        dash = [f"{length * 7 / 12:.6f}".rstrip("0").rstrip(".") for length in looks[name].dash]
        assert (looks[name].color.lower(), ",".join(dash) or None) in seen


def assert_within(drawn, box, text=""):
    assert drawn.bbox.x0 <= box.x0 <= box.x1 <= drawn.bbox.x1, text
    assert drawn.bbox.y0 <= box.y0 <= box.y1 <= drawn.bbox.y1, text


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("plot", SEVERAL)
def test_no_text_is_cut_off_or_covers_another(crowded, plot, width):
    picture = PLOTS[plot].picture(crowded)
    drawn = figure([Panel(picture, "A title that takes more than one line " * 3)], width)
    (axes,) = drawn.axes
    low, high = sorted(axes.get_xlim())
    numbers = [
        tick.label1
        for axis, (a, b) in ((axes.xaxis, (low, high)), (axes.yaxis, axes.get_ylim()))
        for tick in axis.get_major_ticks()
        if a <= tick.get_loc() <= b and tick.label1.get_visible()
    ]
    titles = [axes._left_title, axes.xaxis.label, axes.yaxis.label]
    boxes = {
        text: text.get_window_extent().padded(-0.1 * drawn.dpi / 72 * 7)
        for text in (*axes.texts, *numbers, *titles)
        if text.get_text()
    }
    for text, box in boxes.items():
        assert_within(drawn, box, text)
    for (a, box), (b, other) in combinations(boxes.items(), 2):
        assert not box.overlaps(other), (a, b)


@pytest.mark.parametrize("width", SIZES)
def test_pdf_and_png_have_the_width_too(data, width):
    pdf = saved_as(data, "tap", "pdf", width=width)
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert float(box[1]) * 25.4 / 72 == pytest.approx(width, abs=0.01)
    assert b"/FontFile2" in pdf  # letters are there as TrueType
    png = saved_as(data, "tap", "png", width=width)
    assert png.startswith(b"\x89PNG")
    pixels, _ = struct.unpack(">II", png[16:24])
    assert pixels == int(width / 25.4 * 600)


def test_the_same_choices_make_the_same_bytes(data):
    again = PlotData(Explorer(load_results(), **CHOICES))
    for kind in ("svg", "pdf", "png", "csv"):
        assert saved_as(data, "epq", kind) == saved_as(again, "epq", kind)
    again.explorer.k = 6
    assert saved_as(data, "epq", "svg") != saved_as(again, "epq", "svg")


def test_greyscale_has_no_colour(data):
    panels = [Panel(PLOTS["tap"].picture(data))]
    plain, grey = (
        as_bytes(figure(panels, greyscale=grey), "svg").decode() for grey in (False, True)
    )
    assert any(len({c[1:3], c[3:5], c[5:]}) > 1 for c in re.findall("#[0-9a-f]{6}", plain))
    assert all(len({c[1:3], c[3:5], c[5:]}) == 1 for c in re.findall("#[0-9a-f]{6}", grey))
    assert grey.count("stroke-dasharray") == plain.count("stroke-dasharray")


def test_the_numbers_of_a_plot_are_those_its_axes_show(data):
    rows = rows_of(saved_as(data, "tap", "csv").decode())
    at = [row for row in rows if row["layer"] == "threshold"]
    lists = data.explorer.lists
    for row, name in zip(at, data.explorer.shown, strict=True):
        expected = tap_k(lists[name], k=5)
        assert float(row["x"]) == pytest.approx(expected.e0)
        assert float(row["y"]) == pytest.approx(expected.value)
    assert next(row for row in rows if row["layer"] == "curve BLASTP")["x"] == "0"
    epq = rows_of(to_csv(PLOTS["epq"].picture(data)))
    counts = [float(row["y"]) for row in epq if row["layer"] == "median"]
    assert counts[-1] > 10
    assert counts == pytest.approx([round(count) for count in counts])


def test_csv_has_places_as_they_are_counted(crowded):
    rows = rows_of(saved_as(crowded, "order", "csv").decode())
    curves = [row for row in rows if row["layer"].startswith("curve ")]
    n_curves = len({row["layer"] for row in curves})
    assert {float(row["y"]) for row in curves} == set(range(1, n_curves + 1))


def few(names, direction):
    scores = [0.0, 1e-60, 0.5, 1e-9, 2, 20] if direction == "ascending" else [8, 5, 1, 9, 7, 6]
    relevant, more = [1, 1, 0, 1, 0, 0], {"query": ["q1", "q2"], "direction": direction}
    return {name: RetrievalLists(scores, relevant, [0, 3, 6], [2, 2], **more) for name in names}


@pytest.mark.parametrize(
    ("choices", "direction"),
    [
        ({}, "descending"),
        ({"query_text": "nothing"}, "ascending"),
        ({"k": 100, "algorithms": []}, "ascending"),
    ],
)
def test_every_plot_can_be_saved_whatever_there_is_to_show(choices, direction):
    explorer = Explorer(few(["one", "other"], direction))
    explorer.param.update(**choices)
    data = everything(explorer)
    for plot in SEVERAL:
        assert saved_as(data, plot, "svg")
        assert saved_as(data, plot, "csv").startswith(b"layer")


def test_names_of_any_kind_and_scores_that_descend():
    long = "an algorithm whose name is too long to stand there"
    data = PlotData(Explorer(few(["$x_1$ & <b>", long], "descending"), k=1))
    words = words_of(saved_as(data, "tap", "svg"))
    assert {"$x_1$ & <b>", "an algorithm whos…", "score threshold"} <= set(words)
    left, right = figure([Panel(PLOTS["tap"].picture(data))]).axes[0].get_xlim()
    assert left > right


@pytest.mark.parametrize("plot", ["differences", "regressions", "precision_recall", "coverage"])
def test_axis_grid_and_ticks_end_before_what_stands_beside(data, plot):
    axes = figure([Panel(PLOTS[plot].picture(data))]).axes[0]
    beside = min(
        text.get_position()[0] for text in axes.texts if text.get_ha() == "left" and text.get_text()
    )
    low, end = axes.spines["bottom"].get_bounds()
    assert low == axes.get_xlim()[0] < end <= beside < axes.get_xlim()[1]
    seen = [tick.get_loc() for tick in axes.xaxis.get_major_ticks() if tick.get_visible()]
    assert len(seen) > 1
    assert low <= min(seen) < max(seen) <= end
    [width] = {line.get_xdata()[1] for line in axes.yaxis.get_gridlines()}
    assert axes.transAxes.transform((width, 0))[0] == pytest.approx(
        axes.transData.transform((end, 0))[0]
    )


def test_long_names_of_rows_leave_intervals_their_room():
    long = {
        f"{name}_of_a_database_and_options_of_its_own": lists
        for name, lists in load_results().items()
    }
    explorer = Explorer(long, list(long)[:4], query_class="c")
    axes = figure([Panel(PLOTS["differences"].picture(everything(explorer)))]).axes[0]
    names = [label.get_window_extent() for label in axes.get_yticklabels() if label.get_text()]
    place = axes.transData.transform
    dot = 8 * 7 / 12 / 72 * axes.figure.dpi
    segments = [
        place(path.vertices)[:, 0]
        for bars in axes.collections
        if isinstance(bars, LineCollection)
        for path in bars.get_paths()
    ]
    assert len(names) == 6
    assert max(box.width for box in names) < 0.45 * axes.figure.bbox.width
    assert sum(np.ptp(one) > 1.5 * dot for one in segments) >= 3


def test_ticks_are_those_of_the_page():
    axis = ThresholdAxis.of([np.array([0.0, 1e-180, 1e-30, 0.5, 3000.0])], descending=False)
    low, high = axis.start, axis.end + 0.35 * (axis.end - axis.start)  # room for names
    shown = Axis(axis.title, low, high, scale=axis.scale)
    assert list(shown.ticks_between(low, high).values()) == [
        *("0", "10⁻¹⁰⁰", "10⁻⁵⁰", "10⁻²⁰", "10⁻¹⁰", "10⁻⁵", "1")
    ]
    e_values = [0.0, 1e-180, 1e-30, 1e-10, 0.5, 3000.0]
    assert shown.values(axis.position(e_values)) == pytest.approx(e_values, rel=1e-9, abs=0)


def test_save_figure_says_what_it_does_not_know(tmp_path):
    explorer, svg = Explorer(few(["one"], "ascending")), tmp_path / "tap.svg"
    for plot, file, options, message in (
        ("taps", svg, {}, r"expected one of .*\btap, .*, found 'taps'"),
        ("differences", svg, {}, r"plot 'differences' needs two programs or more"),
        ("tap", "tap.jpg", {}, r"tap\.jpg: expected a name that ends in one of \.svg"),
        ("tap", svg, {"width": 30}, "width: expected 50 to 400 mm, found 30"),
        ("tap", svg / "tap.svg", {}, r"tap\.svg: cannot be written: No such file"),
    ):
        refuses(message, save_figure, explorer, plot, file, **options)


CLASSES = "q1\ta.1.1\nq2\ta.1.1\nr1\ta.1.1\nr2\tb.1.1\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A BLAST table and classes, in the present folder."""
    hits = [("q1", "r1", "1e-9"), ("q1", "r2", "0.5"), ("q2", "r2", "2")]
    (tmp_path / "blastp.tsv").write_text("".join(m8(*hit) for hit in hits))
    (tmp_path / "phmmer.tsv").write_text(m8("q1", "r1", "1e-7"))
    (tmp_path / "classes.tsv").write_text(CLASSES)
    (tmp_path / "runs.toml").write_text(
        '[blastp]\nseconds = 9\nversion = "1"\n[phmmer]\nseconds = 40\nversion = "2"\n'
    )
    monkeypatch.chdir(tmp_path)
    open_once.cache_clear()
    return tmp_path


OWN = ["figure", "blastp.tsv", "phmmer.tsv", "--labels", "classes.tsv"]


def test_the_command_saves_one_plot(files, capsys):
    assert cli.main([*OWN, "--plot", "tap", "--width", "178", "-k", "1", "-o", "tap.svg"]) == 0
    svg = (files / "tap.svg").read_bytes()
    assert width_of(parsed(svg)) == pytest.approx(178, abs=0.01)
    assert {"blastp", "phmmer", "TAP against E₀"} <= set(words_of(svg))
    only = ["--plot", "tap", "--algorithm", "phmmer", "--title", "", "-o", "tap.svg"]
    assert cli.main([*OWN, *only]) == 0
    words = (files / "tap.svg").read_text()
    assert "blastp" not in words
    assert "TAP against" not in words
    assert capsys.readouterr().err == ""


def test_the_command_saves_all_plots_in_a_folder(files):
    assert cli.main([*OWN, "--e0", "1", "--type", "csv", "-o", "new/figures"]) == 0
    saved = {path.name for path in (files / "new" / "figures").iterdir()}
    assert saved == {f"{plot}.csv" for plot in SEVERAL}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-o", "all.svg"], "-o all.svg: choose one plot with --plot or several with --panels"),
        (["--plot", "pie", "-o", "pie.svg"], f"expected one of {next(iter(PLOTS))}, "),
        (["--plot", "tap", "-o", "tap.bmp"], "tap.bmp: expected a name that ends in"),
        (["--algorithm", "hmm", "-o", "x"], "--algorithm hmm: expected one of blastp, phmmer"),
        (["--focus-algorithm", "hmm", "-o", "x"], "hmm"),
    ],
)
@pytest.mark.usefixtures("files")
def test_the_command_answers_with_one_message(arguments, expected, capsys):
    assert expected in stderr_of(capsys, [*OWN, *arguments])


@pytest.mark.subprocess
def test_neither_browser_nor_server_nor_other_program_is_used(files):
    code = f"""
import os, socket, subprocess, sys
def never(*args, **options):
    raise AssertionError(args)
socket.socket.bind = socket.socket.connect = subprocess.Popen = os.system = never
from tapviz.cli import main
code = main({[*OWN, "--plot", "tap", "-o", "tap.pdf"]})
assert "matplotlib.pyplot" not in sys.modules
sys.exit(code)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (files / "tap.pdf").read_bytes().startswith(b"%PDF-1.4")


def test_panels_have_letters_titles_and_names_of_the_readers_choice(data):
    drawn = data.explorer.figure(
        ["tap", "precision_recall", "scatter"], width=178, names={"BLASTP": "blastp 2.14"}
    )
    words = words_of(as_bytes(drawn, "svg"))
    assert [word for word in words if word in ("A", "B", "C", "D")] == ["A", "B", "C"]
    assert {"TAP against E₀", "Precision and recall"} < set(words)
    assert "jackhmmer against blastp 2.14, query by query" in words
    assert {"TAP of jackhmmer, per query", "TAP of blastp 2.14, per query"} < set(words)
    assert not any("BLASTP" in word for word in words)
    assert data.explorer.figure("tap").axes[0].get_title(loc="left") == "TAP against E₀"
    assert not data.explorer.figure("tap", title="").axes[0].get_title(loc="left")


@pytest.mark.parametrize(("width", "across"), [(86, 1), (100, 1), (178, 2)])
def test_panels_stand_side_by_side_where_there_is_room(data, width, across):
    drawn = data.explorer.figure(["tap", "roc", "coverage"], width=width)
    boxes = [axes.get_window_extent() for axes in drawn.axes]
    assert drawn.get_figwidth() * 25.4 == pytest.approx(width)
    assert (boxes[1].x0 > boxes[0].x1) == (across == 2)
    assert boxes[2].y1 < boxes[0].y0
    letters = [text for place in drawn.subfigs for text in place.texts]
    titles = [axes._left_title for axes in drawn.axes]
    for text in (*letters, *titles):
        assert_within(drawn, text.get_window_extent())
    for letter, title in zip(letters, titles, strict=True):
        assert letter.get_window_extent().x1 <= title.get_window_extent().x0


def test_marks_are_as_large_and_letters_of_the_face_that_was_asked_for(data):
    drawn = [data.explorer.figure("tap", symbols=factor).axes[0] for factor in (1, 2)]
    small, large = (axes.collections[-1].get_sizes()[0] for axes in drawn)
    assert large == pytest.approx(4 * small)
    svg = as_bytes(data.explorer.figure("tap", face="DejaVu Sans"), "svg").decode()
    assert "Inter" not in svg


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ({"names": {"hmm": "x"}}, "expected algorithms among .*, found 'hmm'"),
        ({"names": {"one": "other"}}, "two algorithms would have one name"),
        ({"face": "No Such Face"}, "'No Such Face' is not installed; there are .*DejaVu Sans"),
        ({"symbols": 9}, "symbols: expected 0.3 to 3, found 9"),
        ({"title": "Both"}, "several panels have titles of their own"),
    ],
)
def test_a_figure_that_cannot_be_made_is_refused(look, expected):
    explorer = Explorer(few(["one", "other"], "ascending"))
    refuses(expected, explorer.figure, ["tap", "epq"], **look)


def test_an_archive_holds_the_figure_and_what_makes_it_again(tmp_path, monkeypatch):
    explorer = Explorer(load_results(), k=5)
    opening = "from tapviz import load_results\n\nresults = load_results()"
    look = {"width": 178, "names": {"BLASTP": "blastp"}}
    content = figure_zip(explorer, ["tap", "epq"], opening, **look)
    assert content == figure_zip(explorer, ["tap", "epq"], opening, **look)
    monkeypatch.chdir(tmp_path)
    with ZipFile(io.BytesIO(content)) as packed:
        packed.extractall()
    assert {path.name for path in tmp_path.iterdir()} == {
        *("figure.svg", "figure.pdf", "figure.png", "A-tap.csv", "B-epq.csv"),
        *("caption.txt", "session.json", "tapviz_figure.py"),
    }
    words = (tmp_path / "caption.txt").read_text(encoding="utf-8")
    assert words.startswith("(A) TAP against E₀. Mean TAP of the queries at every threshold E₀.")
    assert "Diamonds: at E₅; triangles: the largest mean TAP" in words
    assert "(B) Errors per query, blastp. " in words
    assert methods(explorer) in words
    explorer.weights = "relevant"
    judged = "each of which counts as T(q), by the Threshold Average Precision"
    assert judged in methods(explorer)
    assert "862 queries" in words
    assert "Bioinformatics 26(14):1708-1713" in words
    assert "E₅, the threshold at which the median query has 5 errors" in words
    made = (tmp_path / "figure.svg").read_bytes()
    (tmp_path / "figure.svg").unlink()
    code = (tmp_path / "tapviz_figure.py").read_text(encoding="utf-8")
    exec(compile(code, "tapviz_figure.py", "exec"), {})  # noqa: S102  # our own
    assert (tmp_path / "figure.svg").read_bytes() == made


def test_the_command_makes_one_figure_of_several_panels(files, capsys):
    panels = ["--panels", "tap, roc", "--width", "178", "--rename", "blastp=BLAST 2.14"]
    assert cli.main([*OWN, *panels, "-k", "1", "-o", "both.svg"]) == 0
    words = words_of((files / "both.svg").read_bytes())
    assert {"A", "B", "BLAST 2.14", "phmmer"} < set(words)
    assert "blastp" not in words
    assert cli.main([*OWN, *panels, "-k", "1", "-o", "both.zip"]) == 0
    with ZipFile(files / "both.zip") as packed:
        assert "B-roc.csv" in packed.namelist()
    assert capsys.readouterr().err == ""
    assert "--panels make one figure: name a file" in stderr_of(capsys, [*OWN, *panels, "-o", "."])


def test_a_line_that_leads_to_a_name_ends_before_it():
    drawn = Explorer(load_results(), k=20).figure("tap")
    (axes,), renderer = drawn.axes, drawn.canvas.get_renderer()
    places = axes.transData.transform
    ends = [places(line.get_xydata())[-1] for line in axes.lines if len(line.get_xydata()) == 2]
    boxes = [text.get_window_extent(renderer) for text in axes.texts]
    gaps = [
        box.x0 - x
        for box, (x, y) in product(boxes, ends)
        if box.y0 < y < box.y1 and abs(x - box.x0) < box.width / 2
    ]
    assert min(gaps) > 0


def test_letters_of_panels_are_bold_letters_of_the_face():
    drawn = Explorer(load_results(), k=20).figure(["tap", "epq"], width=178)
    (letter,) = [text for text in drawn.findobj(Text) if text.get_text() == "A"]
    font = get_font(findfont(letter.get_fontproperties()))
    assert (font.family_name, font.style_name) == ("Inter Tabular", "Bold")
    assert set(map(ord, ascii_uppercase)) <= set(font.get_charmap())


@pytest.mark.parametrize("dataset", ["scope40", "cranfield"])
def test_captions_for_print_ask_for_no_screen(dataset: str) -> None:
    data = PlotData(Explorer(load_results(dataset), k=3))
    for plot in PLOTS.values():
        words = plot.printed_caption(data)
        assert re.fullmatch(r"[A-Z].*\.", words), plot.name
        assert not re.search(r"click|hover|drag|this page|·|◆|▲|\bA\b|\bB\b", words), plot.name
