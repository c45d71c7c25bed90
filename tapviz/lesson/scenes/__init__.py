"""The scenes as data, a module for each act; their words stand in ``words/``.

Numbers come from `tapviz.lesson.numbers`, which asks `tapviz.measures`; the page that shows the
scenes computes none.
"""

from __future__ import annotations

from tapviz.lesson.scene import Scene
from tapviz.lesson.scenes.averages import add, build, scale
from tapviz.lesson.scenes.pooling import alone, look, merge, predict
from tapviz.lesson.scenes.real_data import end, influence, real
from tapviz.lesson.scenes.thresholds import errors, loose

SCENES = (look, alone, predict, merge, scale, add, build, errors, loose, real, influence, end)
"""What makes each scene, in their order."""


def scenes() -> list[Scene]:
    """All scenes, in their order."""
    return [make() for make in SCENES]
