"""Joins of hits and labels that are hardly meant, each with what to do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING

from tapviz.files.problems import MAX_PROBLEMS, ReadError, option, problem, warn
from tapviz.labels.hits import Hits
from tapviz.labels.ids import NORMALISATIONS, normalise

if TYPE_CHECKING:
    from tapviz.labels.join import Judge, Labels

N_SAMPLES = 2
LOOKED_AT = 1000
"""Ids that are looked at."""
LEAST_LABELLED = 0.05
"""Share of the hits that labels know at least, unless it is said that it may be less."""
FEW_LABELLED, MANY_HITS = 0.25, 100
"""Share below which it is doubtful that the others are errors, of so many hits."""
DIFFERENCES = {
    "quotes": "quotes or blanks",
    "accession": "what stands around the accession",
    "version": "the version",
    "case": "capitals",
}


def refuse(code: str, file: str, wrong: Iterable[tuple[str, str]]) -> None:
    """Raise `ReadError` of the first texts that are wrong, each with a message, if any is."""
    found = [problem(code, file, None, *each) for each in islice(wrong, MAX_PROBLEMS)]
    if found:
        raise ReadError(found)


def check_labelled(
    hits: Hits, labels: Judge, targets: Sequence[int], labelled: int, n_hits: int
) -> None:
    """Raise `ReadError` if records without a label, by their places, are an error, or seem to be.

    Parameters
    ----------
    hits : Hits
    labels : Judge
    targets : sequence of int
        Places of records without a label.
    labelled, n_hits : int
        Hits on records with a label, and all.
    """
    records = [hits.record_id[at] for at in targets]
    if labels.rules.unlabelled == "error":
        wrong = f"one of {len(records)} records without a label, which by the rules is an error"
        others = (option("unlabelled", rule) for rule in ("irrelevant", "ignore"))
        message = f"{wrong}; label them, or set {' or '.join(others)}"
        refuse("UnlabelledTarget", hits.file, ((one, message) for one in records))
    if hits.complete and records:
        check_near(hits.file, labels, records)
        check_share(hits.file, labels, labelled, n_hits)


def check_share(file: str, labels: Labels, labelled: int, n_hits: int) -> None:
    """Raise `ReadError`, or warn, if so few hits have a label that it may be one of other records.

    Not where labels are pairs, of which few are known, nor where somebody said what the others are.
    """
    rules = getattr(labels, "rules", None)
    said = rules is None or rules.unlabelled != "irrelevant" or rules.only_decoys
    said = said or getattr(labels, "names_queries", False)
    if said or labelled >= (FEW_LABELLED if n_hits >= MANY_HITS else LEAST_LABELLED) * n_hits:
        return
    few = f"only {labelled:,} of {n_hits:,} hits are on records with a label"
    ignore = f"set {option('unlabelled', 'ignore')} to leave out the others"
    anyway = f"{option('unlabelled', 'anyway')} if they are all irrelevant"
    remedy = f"Give the labels of all records, or {ignore}, or {anyway}"
    if labelled < LEAST_LABELLED * n_hits:
        why = "these labels may be those of another database"
        refuse("FewLabels", file, [("", f"{few}: {why}. {remedy}")])
    warn(file, f"{few}, and the others count as errors. {remedy}")


def check_near(file: str, labels: Labels, records: Iterable[str]) -> None:
    """Raise `ReadError` if ids without a label differ from those of labels only in writing."""
    rules = getattr(labels, "rules", None)
    known = getattr(labels, "record_ids", lambda: None)()
    if rules is None or known is None or rules.unlabelled == "anyway":
        return
    missing = [name for name in records if name not in known]
    rule, n_found, example = near(missing, known, rules.normalise)
    if not rule:
        return
    by = option("normalise", "+".join((*rules.normalise, rule)))
    of = f"the first {LOOKED_AT:,}" if len(missing) > LOOKED_AT else f"{len(missing)}"
    differ = f"{n_found} of {of} records without a label differ from one with a label only by"
    message = f"{differ} {DIFFERENCES[rule]}, as {example}: set {by}"
    if rules.unlabelled == "ignore" or rules.only_decoys:
        warn(file, message)
    else:
        message += f", or {option('unlabelled', 'anyway')} if these are other records"
        refuse("NearIds", file, [("", message)])


def near(own: Sequence[str], theirs: Collection[str], rules: Sequence[str]) -> tuple[str, int, str]:
    """By which rule at least half of our own ids, which the other side has not, would be there.

    And how many, and one of them; the rule is empty if there is none, or if by it ids of the other
    side would no longer be different.
    """
    some = own[:LOOKED_AT]
    for rule in NORMALISATIONS:
        if rule in rules or not some:
            continue
        first = [*islice(theirs, LOOKED_AT)]
        known: Collection[str] = theirs
        if normalise(first, (rule,)) != first or len(first) < LOOKED_AT:
            known = {*normalise(theirs, (rule,))}
        found = [one for one, by in zip(some, normalise(some, (rule,)), strict=True) if by in known]
        if 2 * len(found) >= len(some) and len(known) == len(theirs):
            return rule, len(found), found[0]
    return "", 0, ""


def check_overlap(hits: Hits, labels: Judge, wanted: Sequence[str]) -> None:
    """Raise `ReadError` if two sides that should name the same things have no id in common."""
    records = labels.record_ids()
    sides = (
        ("the queries of the file", hits.query_id, "the list of queries", dict.fromkeys(wanted)),
        ("the queries", wanted, "the queries of the labels", labels.query_ids()),
        ("the records of the file", hits.record_id, "the records of the labels", records),
    )
    wrong = [
        ("", _no_overlap(one, ours, other, theirs))
        for one, ours, other, theirs in sides
        if theirs is not None and ours and not _overlap(ours, theirs, labels.rules.normalise, 1)
    ]
    refuse("NoOverlap", hits.file, wrong)


def _overlap(
    ours: Iterable[str], theirs: Collection[str], rules: Sequence[str], enough: int | None = None
) -> int:
    """How many of our ids the other side has; or that there are enough of them."""
    if rules:
        ours, theirs = normalise(ours, rules), set(normalise(theirs, rules))
    return sum(1 for _ in islice((name for name in ours if name in theirs), enough))


def _no_overlap(one: str, ours: Sequence[str], other: str, theirs: Collection[str]) -> str:
    sizes = range(1, len(NORMALISATIONS) + 1)
    choices = [chosen for size in sizes for chosen in combinations(NORMALISATIONS, size)]
    best = max(choices, key=lambda rules: _overlap(ours, theirs, rules))  # the first of equal ones
    advice = "make the ids agree"
    if common := _overlap(ours, theirs, best):
        advice = f"{option('normalise', '+'.join(best))} makes {common} of {len(ours)} agree"
    have = "has" if other.startswith("the list") else "are"
    named = f"{one} are {samples(ours)}, {other} {have} {samples(list(theirs))}"
    return f"{one} and {other} have no id in common: {named}; {advice}"


def samples(ids: Sequence[str]) -> str:
    """Name the first ids."""
    if not ids:
        return "nothing"
    return ", ".join(ids[:N_SAMPLES]) + (", ..." if len(ids) > N_SAMPLES else "")
