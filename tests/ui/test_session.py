"""A session, saved on the page and opened by dropping it there; a link of other files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tapviz import Explorer, load_results
from tapviz.explorer.session import FORMAT, to_json
from tests.ui.page import SHARE


def drop(page: Any, *files: Path) -> None:
    page.browsed.locator("input[type=file]").last.set_input_files(files)


def test_a_session_is_saved_and_opens_elsewhere(open_page: Any, tmp_path: Path) -> None:
    page = open_page("?k=7&n=12").settled()
    page.more()
    page.press("Pin these scores")
    page.press(SHARE)
    with page.browsed.expect_download() as download:
        page.press("Save session")
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert json.loads(saved.read_text("utf-8"))["format"] == FORMAT

    other = open_page(another=True).settled()
    other.press("Change data")
    other.sees("Up to 200 MB each")
    drop(other, saved)
    other.sees("is a saved session")
    other.press("Open this session")
    other.shows(lambda: other.heads()[1], "TAP-7")
    other.shows(other.button("Unpin").count, 1)
    other.shows(lambda: "ROC12" in "".join(other.heads()))


def test_a_session_that_cannot_be_read_says_why(open_page: Any, tmp_path: Path) -> None:
    page = open_page().settled()
    before = page.heads()
    bad = tmp_path / "bad.json"
    bad.write_text(f'{{"format": "{FORMAT}",\n"settings": 3}}', "utf-8")
    page.press("Change data")
    page.sees("Up to 200 MB each")
    drop(page, bad)
    page.sees('bad.json: "settings" should hold names and values')
    assert page.browsed.get_by_role("button", name="Open this session").count() == 0
    page.press("Close")
    assert page.heads() == before


def test_a_link_of_files_asks_for_them(open_page: Any) -> None:
    link = Explorer(load_results("profiles"), k=6).to_query({"data": "0123456789ab-58q"})
    page = open_page(link)
    page.sees("This link was made from files that are not open here (0123456789ab, 58 queries")
    page.sees("Open them below, and its settings are used.")
    page.shows(lambda: page.heads()[1], "TAP-20")  # of the demo, as it is
    page.press("Close")
    page.press("Change data")
    page.sees("Open them below, and its settings are used.")


def test_what_files_look_like_can_be_downloaded(open_page: Any) -> None:
    page = open_page().settled()
    page.press("Change data")
    page.sees("A label file")
    for name, words in (("blastp.tsv", "3.11e-40"), ("classes.tsv", "d.104.1.1")):
        with page.browsed.expect_download() as download:
            page.browsed.get_by_role("link", name=name).click()
        assert download.value.suggested_filename == name
        assert words in Path(download.value.path()).read_text("utf-8")


def test_python_and_the_page_write_the_same(open_page: Any) -> None:
    page = open_page("?dataset=profiles&k=9").settled()
    page.press(SHARE)
    with page.browsed.expect_download() as download:
        page.press("Save session")
    plain = json.loads(Path(download.value.path()).read_text("utf-8"))
    here = json.loads(to_json(Explorer(load_results("profiles"), k=9)))
    assert (plain["data"], plain["algorithms"]) == (here["data"], here["algorithms"])
    assert (plain["address"]["dataset"], plain["settings"]["k"]) == ("profiles", 9)
