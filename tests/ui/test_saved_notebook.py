"""A saved notebook, opened as a web page: its pages move, though no Python answers them."""

from __future__ import annotations

from collections.abc import Iterator

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Page as Browsed

from tapviz import Explorer, load_results
from tests.ui.conftest import ROOT, SIZE

pytestmark = [
    pytest.mark.notebook,
    # Panel's output that loads its scripts has a part of a kind of its own.
    pytest.mark.filterwarnings("ignore:Your element with mimetype"),
]
nbclient = pytest.importorskip("nbclient", reason="pip install -e '.[test]'")
nbconvert = pytest.importorskip("nbconvert", reason="pip install -e '.[test]'")

CELLS = """
import panel as pn
from tapviz import Dashboard, Explorer, load_results
pn.extension(inline=True)
results = load_results("profiles")
# %%
Dashboard(Explorer(results, k=20))
# %%
Dashboard(Explorer(results, mode="e0", e0=0.01))
"""


@pytest.fixture(scope="module")
def saved(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsed]:
    """Two pages in a notebook that has been run and exported, without a kernel or a network."""
    cells = [nbformat.v4.new_code_cell(code) for code in CELLS.split("# %%")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": ROOT}}).execute()
    file = tmp_path_factory.mktemp("saved") / "saved.html"
    file.write_text(nbconvert.HTMLExporter().from_notebook_node(notebook)[0], encoding="utf-8")
    context = chromium.new_context(viewport=SIZE, offline=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert errors == []


def output(page: Browsed, place: int) -> Locator:
    """One of the two pages."""
    return page.locator(".jp-OutputArea-output:has(.tapviz)").nth(place)


def shows(page: Locator, explorer: Explorer) -> None:
    """Wait until a page has the scores of Python, and its conclusion."""
    rows = page.locator("table.scores tr[data-algorithm]")
    expect(rows).to_have_count(len(explorer.shown))
    scores = explorer.scores
    for name in explorer.shown:
        row = rows.and_(page.locator(f"[data-algorithm='{name}']"))
        for score in ("tap", "pooled_roc_n"):
            expect(row).to_contain_text(f"{scores.loc[name, score]:.3f}")
    first = scores["tap"].idxmax()
    expect(page.locator(".verdict")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".verdict")).to_contain_text(f"{scores['tap'].max():.3f}")
    expect(page.locator(".verdict")).to_contain_text(str(first))


def marks(page: Locator) -> list[float]:
    """Where the thresholds are in the first plot."""
    found: list[float] = page.locator(".tapviz").evaluate("""(element) => {
        for (const { model, el } of Bokeh.index.query(({ model }) => model.name === "tap")) {
            let at = el
            while (at && at !== element) at = at.parentNode ?? at.host
            const layer = model.renderers.find(({ name }) => name === "threshold")
            if (at) return [...layer.data_source.data.x]
        }
    }""")
    return found


def test_each_page_of_a_saved_notebook_moves_by_itself(saved: Browsed) -> None:
    first, second = output(saved, 0), output(saved, 1)
    results = load_results("profiles")
    one, other = Explorer(results, k=20), Explorer(results, mode="e0", e0=0.01)
    shows(first, one)
    shows(second, other)
    before = marks(first), marks(second)
    first.get_by_role("slider", name="k").focus()
    for _ in range(15):
        saved.keyboard.press("ArrowLeft")
    one.k = 5
    shows(first, one)
    assert marks(first) != before[0]
    assert marks(second) == before[1]
    second.get_by_role("slider", name="n").focus()
    saved.keyboard.press("End")
    other.n = 1000
    shows(second, other)
    shows(first, one)
    text = "Python does not answer: the sliders of the threshold and of n still move"
    expect(saved.get_by_text(text)).to_have_count(2)
