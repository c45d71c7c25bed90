"""The numbers that a picture shows, as a table: values of its axes, not places on them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from tapviz.draw.picture import CORNERS, Layer, Picture
from tapviz.lists.writing import as_csv

IDS, WORDS = ("query", "total", "pair", "better"), ("text", "color")
COLUMNS = ("x", "y", *CORNERS, *IDS, *WORDS)


def rows(picture: Picture) -> tuple[list[str], dict[str, list[list[str]]]]:
    """Cells of the layers that can be seen.

    Parameters
    ----------
    picture : Picture

    Returns
    -------
    columns : list of str
        Names of the columns that some layer has.
    rows : dict of str to list of list of str
        Of each layer that is not empty, a cell for each column in each row.
    """
    seen = [layer for layer in picture.layers if layer.visible and layer.size]
    layers = [layer for layer in seen if not (layer.note or layer.decoration)]
    used = [name for name in COLUMNS if any(name in layer.columns for layer in layers)]
    return used, {
        layer.name: [list(row) for row in zip(*_cells(picture, layer, used), strict=True)]
        for layer in layers
    }


def to_csv(picture: Picture) -> str:
    """The same as CSV, with the name of the layer in front of each row."""
    used, layers = rows(picture)
    body = [[name, *row] for name, cells in layers.items() for row in cells]
    return as_csv([["layer", *used], *body])


def _cells(picture: Picture, layer: Layer, used: list[str]) -> Iterator[list[Any]]:
    """Cells of a layer, column by column."""
    for name in used:
        held = layer.columns.get(name)
        if held is None or (name == "color" and "better" in layer.columns):
            yield [""] * layer.size
        elif name in IDS:
            yield held.tolist()
        elif name in WORDS:
            yield [_plain(text) for text in held.tolist()]
        else:
            axis = picture.x if name[0] == "x" else picture.y
            values = axis.values(held).tolist()
            yield [f"{value:.12g}" if np.isfinite(value) else "" for value in values]


def _plain(text: str) -> str:
    """A text for the mouse without its markup."""
    return html.unescape(re.sub("<[^>]*>", "", text.replace("<br>", "; ")))
