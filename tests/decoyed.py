"""Searches among which decoys were, as nobody has made them of those at hand."""

import numpy as np

from tapviz import JoinRules
from tapviz.labels import Qrels
from tapviz.readers import read

RULES = JoinRules(decoys="^decoy ", beside_decoys="keep")


def decoyed(results, rules=RULES):
    """The same searches with half of the irrelevant records, drawn by lot, as decoys.

    Decoys have the scores of false targets, as they should; T(q) is of records found.
    """
    lot = np.random.default_rng(1)
    frames = {name: lists.to_frame() for name, lists in results.items()}
    # An empty list is a row without a record.
    frames = {name: frame[frame["record"].notna()].copy() for name, frame in frames.items()}
    grades = {query: {"none": 0} for query in next(iter(results.values())).query.tolist()}
    for frame in frames.values():
        frame["record"] = frame["record"].astype(str)
        frame["relevant"] = frame["relevant"].astype(bool)
        found = frame.loc[frame["relevant"], ["query", "record"]]
        for query, record in found.itertuples(index=False):
            grades[query][record] = 1
    decoys = {}
    for name, frame in frames.items():
        drawn = (lot.random(len(frame)) < 0.5) & ~frame["relevant"]
        frame["record"] = frame["record"].where(~drawn, "decoy " + frame["record"])
        decoys[name] = read(
            frame[["query", "record", "evalue"]], labels=Qrels(grades, rules=rules), queries=grades
        )
    return decoys
