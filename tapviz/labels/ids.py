"""Ids that mean the same but are written differently; and joins that are hardly meant.

What ids say of such a join, or how few hits have a label, is told with what to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING

from tapviz.files.problems import MAX_PROBLEMS, ReadError, option, problem, warn
from tapviz.labels.hits import Hits
from tapviz.lists.checks import places

if TYPE_CHECKING:
    from tapviz.labels.join import Judge, Labels

UNIPROT = re.compile(r"(?:sp|tr)\|([^|]+)(?:\|.*)?")
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


def _accession(name: str) -> str:
    match = UNIPROT.fullmatch(name)
    return match[1] if match else name


def _without_version(name: str) -> str:
    stem, _, version = name.rpartition(".")
    return stem if stem and version.isascii() and version.isdigit() else name


QUOTES = "\"'` \t\n\r\v\f\u00a0\u2018\u2019\u201c\u201d"
# In the order in which they are applied, whatever the order they are given in.
NORMALISATIONS: dict[str, Callable[[str], str]] = {
    "quotes": lambda name: name.strip(QUOTES) or name,  # "d1" and ' d1': d1
    "accession": _accession,  # sp|P12345|X and tr|P12345|X: P12345
    "version": _without_version,  # P12345.1: P12345
    "case": str.casefold,  # d1abcA_: d1abca_
}


def normalise(ids: Iterable[str], rules: Sequence[str]) -> list[str]:
    """Write ids in one way.

    Parameters
    ----------
    ids : iterable of str
    rules : sequence of {"quotes", "accession", "version", "case"}
        "quotes" takes quotes and blanks off both ends; "accession" takes the accession out of
        UniProt's ``sp|P12345|NAME``; "version" drops a full stop and digits from the end, as in
        ``P12345.1``; "case" makes no difference between capitals and small letters. They are
        applied in this order.

    Returns
    -------
    list of str
        An id for each id.

    Raises
    ------
    ValueError
        If there is no such rule.

    Examples
    --------
    >>> from tapviz.labels import normalise
    >>> normalise(["sp|P12345|NAME", "q99999.2"], ("accession", "version", "case"))
    ['p12345', 'q99999']
    """
    if isinstance(rules, str) or not set(rules) <= set(NORMALISATIONS):
        known = ", ".join(map(repr, NORMALISATIONS))
        raise ValueError(f"normalise={rules!r}: expected a tuple of names, out of {known}")
    names = list(ids)
    for rule, function in NORMALISATIONS.items():
        if rule in rules:
            names = list(map(function, names))
    return names


def grouped(ids: Iterable[str], rules: Sequence[str]) -> dict[str, list[str]]:
    """Different ids as they were, by what they become; more than one in a group is a collision."""
    unique = list(dict.fromkeys(ids))
    groups: dict[str, list[str]] = {}
    for name, before in zip(normalise(unique, rules), unique, strict=True):
        groups.setdefault(name, []).append(before)
    return groups


def collisions(*sides: Mapping[str, list[str]]) -> list[list[str]]:
    """Groups of different ids that have become equal."""
    return [group for side in sides for group in side.values() if len(group) > 1]


def normalised(
    hits: Hits, labels: Judge, wanted: Sequence[str]
) -> tuple[Hits, Judge, list[str], list[list[str]]]:
    """Write the ids of all sides alike; warn of those that are no longer different."""
    rules = labels.rules.normalise
    query, record = grouped(hits.query_id, rules), grouped(hits.record_id, rules)
    labels, in_labels = labels.normalised(hits)
    several = [*collisions(query, record), *in_labels]
    # The same ids often stand on several sides.
    merged = list({frozenset(group): group for group in several}.values())
    if merged:
        made = f"{labels.rules.normalisation} makes different ids equal, which are merged"
        some = samples([" = ".join(group[:2]) for group in merged])
        warn(hits.file, f"{made}: {some} ({sum(len(group) - 1 for group in merged)} in all)")
    hits = hits._replace(
        query_id=list(query),
        record_id=list(record),
        query=places(query, normalise(hits.query_id, rules))[hits.query],
        record=places(record, normalise(hits.record_id, rules))[hits.record],
    )
    return hits, labels, list(dict.fromkeys(normalise(wanted, rules))), merged


# Whether hits and labels belong together


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
