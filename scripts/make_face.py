"""Make the text face of pages and figures from Inter, as the npm package `inter-ui` has it.

    npm pack inter-ui@4.1.1 && tar xzf inter-ui-4.1.1.tgz
    python scripts/make_face.py package

needs fonttools and brotli. Only the letters that the pages use remain, figures have one width, as
tables and moving numbers want them, and the design for small sizes is kept: a variable file for
browsers, and for matplotlib, which reads no variable one, one of regular weight and one with the
letters of panels in bold.
"""

from __future__ import annotations

import argparse
import shutil
from io import BytesIO
from pathlib import Path
from string import ascii_uppercase

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).parents[1] / "tapviz" / "draw" / "fonts"
NAME = "Inter Tabular"
LETTERS = {
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *range(0x391, 0x3CA),
    *range(0x2070, 0x209D),
    *map(ord, "‐–—‘’“”…•‹›′″−×≈≠≤≥±∞√→←↑↓↗●○■□▲△▼▽▾▴◆◇━─✓✗ₖₙ"),
}
PANELS = set(map(ord, ascii_uppercase))
"""Letters that panels of figures have."""


def instance(source: Path, **axes: float | tuple[float, float]) -> TTFont:
    """The face with fewer axes, read again: until then it holds on to glyphs without variations."""
    file = BytesIO()
    font = instantiateVariableFont(TTFont(source), axes)
    font.flavor = None
    font.save(file)
    return TTFont(file)


def subset(font: TTFont, *, features: list[str], letters: set[int] = LETTERS) -> None:
    """Keep some letters, those of the pages, with figures of one width."""
    substitutes = {}
    table = font["GSUB"].table
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "tnum":
            for index in record.Feature.LookupListIndex:
                for part in table.LookupList.Lookup[index].SubTable:
                    substitutes.update(getattr(part, "ExtSubTable", part).mapping)
    for cmap in font["cmap"].tables:
        if cmap.isUnicode() and hasattr(cmap, "cmap"):
            for code in map(ord, "0123456789"):
                cmap.cmap[code] = substitutes.get(cmap.cmap[code], cmap.cmap[code])
    options = Options(layout_features=features, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14])
    options.drop_tables += ["STAT"]
    options.hinting = False
    worker = Subsetter(options)
    worker.populate(unicodes=letters)
    worker.subset(font)


def name(font: TTFont, style: str) -> None:
    """Call the face by its own name, lest an Inter that is installed is taken for it."""
    joined = NAME.replace(" ", "")
    texts = {
        1: NAME,
        2: style,
        3: f"{joined}-{style}",
        4: f"{NAME} {style}",
        6: f"{joined}-{style}",
    }
    for number, text in texts.items():
        font["name"].setName(text, number, 3, 1, 0x409)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=Path)
    package = parser.parse_args().package
    source = package / "variable" / "InterVariable.woff2"
    shutil.copy(package / "LICENSE.txt", FONTS / "LICENSE.txt")

    variable = instance(source, opsz=14, wght=(400, 700))
    subset(variable, features=["kern", "ccmp", "mark"])
    name(variable, "Regular")
    variable.flavor = "woff2"
    variable.save(FONTS / "inter.woff2")
    regular = instance(source, opsz=14, wght=400)
    subset(regular, features=["kern"])
    name(regular, "Regular")
    regular.save(FONTS / "inter.ttf")
    bold = instance(source, opsz=14, wght=700)
    subset(bold, features=[], letters=PANELS)
    name(bold, "Bold")
    bold.save(FONTS / "inter-bold.ttf")


if __name__ == "__main__":
    main()
