"""What a run will do, where all its workers find it."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from tapviz.condensing.ids import Ids, read_ids
from tapviz.condensing.inputs import Input, Part
from tapviz.files.source import Held, Source
from tapviz.labels import Labels
from tapviz.labels.rules import RELEVANCE
from tapviz.lists import Direction
from tapviz.readers import ReadOptions

PLAN, PLANNED, LABELS = "plan.json", "plan.pickle", "labels.pickle"
VERSION = 3


class Plan(NamedTuple):
    """What all workers must know, written where they find it."""

    inputs: tuple[Input, ...]
    parts: tuple[Part, ...]
    options: ReadOptions
    direction: Direction
    n_buckets: int
    piece: int
    max_k: int
    most: int
    """Errors of each query that are kept at least."""
    quantile: float

    @property
    def name(self) -> str:
        """What messages call all files together."""
        return ", ".join(Path(one.file).name for one in self.inputs)


def fingerprint_of(plan: Plan, options: ReadOptions, labels: Labels) -> str:
    """What must be the same for a run to go on with what another one has made."""
    files = [getattr(options, name) for name in (*RELEVANCE, "query_labels", "queries")]
    told = [Source(one).data() for one in files if isinstance(one, (str, os.PathLike, Held))]
    own = pickle.dumps(labels) if not told else b""
    asked = (VERSION, plan.inputs, plan.direction, plan.max_k, plan.most, plan.quantile)
    found = blake2b(repr((asked, plan.options)).encode(), digest_size=16)
    for each in (*told, own):
        found.update(each)
    return found.hexdigest()


def begun(work: Path, plan: Plan, labels: Labels, fingerprint: str, *, resume: bool) -> Plan:
    """Make the folder of the work; or find that of an earlier run, whose parts are its own."""
    noted = work / PLAN
    if noted.exists():
        if not resume:
            msg = (
                f"{work}: this is left of an earlier run; go on with it by resume (--resume), or "
                "remove it"
            )
            raise ValueError(msg)
        if json.loads(noted.read_text(encoding="utf-8"))["fingerprint"] != fingerprint:
            msg = (
                f"{work}: an earlier run had other files, labels or options; remove this folder, "
                "and begin again"
            )
            raise ValueError(msg)
        return plan_in(str(work))[0]
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / LABELS).write_bytes(pickle.dumps(labels))
    (work / PLANNED).write_bytes(pickle.dumps(plan))
    beside = work / f".{PLAN}"
    beside.write_text(json.dumps({"fingerprint": fingerprint}), encoding="utf-8")
    beside.replace(noted)
    return plan


@lru_cache(maxsize=2)
def _shared(work: str, _fingerprint: str) -> tuple[Plan, Labels]:
    """Plan and labels, read once by each worker."""
    # Written by `begun` beside what is worked on, by whoever owns that folder.
    plan = pickle.loads((Path(work) / PLANNED).read_bytes())  # noqa: S301
    labels = pickle.loads((Path(work) / LABELS).read_bytes())  # noqa: S301
    return plan, labels


def plan_in(work: str) -> tuple[Plan, Labels]:
    """Plan and labels of the work in a folder."""
    return _shared(work, (Path(work) / PLAN).read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _ids_of(work: str, _changed: int) -> Ids:
    return read_ids(Path(work) / "ids")


def ids_in(work: str) -> Ids:
    """Ids of all parts of the work in a folder."""
    return _ids_of(work, (Path(work) / "ids").stat().st_mtime_ns)
