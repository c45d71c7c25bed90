"""A reader of verdicts that cannot fail would prove nothing: false sentences, and unreadable ones.

True ones are those of `tests.test_words_of_verdict`, read in `tests.test_verdict_truth`.
"""

import pytest

from tapviz.scores.verdict import Place
from tests.verdict_judge import is_number, unsaid, untrue
from tests.verdict_reader import Reader, UnreadableError
from tests.verdict_tables import made, paragraphs

TWO = made(
    {"PSI-BLAST": 0.468, "MMseqs2 s=7.5": 0.428},
    (pair := {("PSI-BLAST", "MMseqs2 s=7.5"): (0.04, 0.028, 0.053)}),
    ks=[
        dict.fromkeys(pair, (-0.01, -0.022, 0.002)),
        dict.fromkeys(pair, (-0.03, -0.05, -0.01)),
        dict.fromkeys(pair, (0.02, -0.01, 0.05)),
        pair,
    ],
    there=dict.fromkeys(pair, (-0.045, -0.06, -0.03)),
    thresholds={"PSI-BLAST": 446.2, "MMseqs2 s=7.5": 2.1},
)
ALWAYS = made(
    {"A": 0.468, "B": 0.428},
    (pair := {("A", "B"): (0.04, 0.028, 0.053)}),
    ks=[pair, pair, pair],
    there=pair,
)
CLOSE = made(
    {"A": 0.437, "B": 0.428},
    (pair := {("A", "B"): (0.009, -0.001, 0.019)}),
    ks=[pair, dict.fromkeys(pair, (0.0, -0.01, 0.01))],
    there=dict.fromkeys(pair, (0.0, -0.01, 0.01)),
    listed=dict.fromkeys(pair, (0.009, 0.0004, 0.018)),
)
SAME = made(
    {"A": 0.4, "B": 0.4},
    (pair := {("A", "B"): (0.0, -0.01, 0.012)}),
    ks=[pair, pair],
    identical=frozenset(pair),
)
ERRORS = made(
    {"A": 1.2, "B": 1.5},
    {("A", "B"): (0.3, 0.1, 0.5)},
    place=Place("errors per query", higher_is_better=False),
)
A_BEST = {
    ("A", "B"): (0.05, 0.02, 0.08),
    ("A", "C"): (0.06, 0.03, 0.09),
    ("A", "D"): (0.2, 0.15, 0.25),
    ("B", "C"): (0.01, -0.02, 0.04),
    ("B", "D"): (0.15, 0.1, 0.2),
    ("C", "D"): (0.14, 0.09, 0.19),
}
FOUR = made(
    {"A": 0.5, "B": 0.45, "C": 0.44, "D": 0.3},
    A_BEST,
    ks=[
        A_BEST | {("B", "C"): (-0.02, -0.04, -0.001), ("C", "D"): (-0.01, -0.05, 0.03)},
        A_BEST | {("B", "C"): (-0.03, -0.07, 0.01)},
        A_BEST,
    ],
    there={
        ("B", "C"): (0.01, 0.004, 0.016),
        ("B", "D"): (-0.02, -0.03, -0.01),
        ("C", "D"): (0.1, 0.05, 0.15),
    },
    thresholds={"A": 3.0, "B": 0.5, "C": 1e-5, "D": 17.0},
)
FLAT = made(
    {"A": 0.3, "B": 0.3, "C": 0.29},
    {("A", "B"): (0.0, 0.0, 0.0), ("A", "C"): (0.01, -0.01, 0.03), ("B", "C"): (0.01, -0.01, 0.03)},
    listed={("A", "C"): (0.01, 0.002, 0.018), ("B", "C"): (0.01, 0.002, 0.018)},
    identical=frozenset({("A", "B")}),
)
SOME = made(
    {"A": 0.3, "B": 0.28, "C": 0.25},
    {
        ("A", "B"): (0.02, -0.01, 0.05),
        ("A", "C"): (0.05, 0.01, 0.09),
        ("B", "C"): (0.03, -0.01, 0.07),
    },
    there={
        ("A", "B"): (-0.02, -0.05, -0.0004),
        ("A", "C"): (-0.05, -0.09, -0.01),
        ("B", "C"): (-0.03, -0.07, 0.01),
    },
)
PAIRED = made(
    {"A": 0.3, "B": 0.28, "C": 0.2, "D": 0.1},
    {
        ("A", "B"): (0.02, -0.01, 0.05),
        ("A", "C"): (0.1, 0.05, 0.15),
        ("A", "D"): (0.2, 0.15, 0.25),
        ("B", "C"): (0.08, 0.04, 0.12),
        ("B", "D"): (0.18, 0.14, 0.22),
        ("C", "D"): (0.1, 0.06, 0.14),
    },
)
ALONE = made({"A": 0.396}, {})
NOTHING = made({"A": 0.4, "B": 0.3}, {("A", "B"): (0.1, 0.05, 0.15)}, reason="nothing is relevant")


def by_verdict(text):
    """Pairs of a verdict, whose name comes first, and each sentence about it."""
    return [
        (globals()[name], sentence) for name, told in paragraphs(text).items() for sentence in told
    ]


FOUR_TOLD = by_verdict("""
FOUR
- A does best: its TAP-20 is 0.500, ahead of B by 0.050 (95 % interval 0.020 to 0.080).
- Then come B and C, with no clear difference between them; then D.
- 2 of the 6 pairs change places at some k from 1 to 3: C is ahead of B at k = 1 to 2, clearly
  at k = 1 (by 0.020, 0.001 to 0.040); D is ahead of C at k = 1, but not clearly.
- Of the 5 clear differences, 4 remain clear at every k from 1 to 3.
- At a common threshold, E = 0.01, 1 of the 3 pairs measured there changes places: D is clearly
  ahead of B, by 0.020 (0.010 to 0.030).
- Of the 2 clear differences measured there, 1 remains clear there.
- 1 other pair differs clearly there.
- TAP-20 judges C at E = 1e-05 and D at E = 17.
""")
FALSE = by_verdict("""
TWO
- MMseqs2 s=7.5 does better than PSI-BLAST: its TAP-20 is larger by 0.040 (95 % interval 0.028
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is larger by 0.041 (95 % interval 0.028
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is larger by 0.040 (95 % interval 0.027
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is larger by 0.040 (95 % interval 0.028
  to 0.054).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is larger by 0.040 (90 % interval 0.028
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is smaller by 0.040 (95 % interval 0.028
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-5 is larger by 0.040 (95 % interval 0.028 to
  0.053).
- There is no clear difference between PSI-BLAST and MMseqs2 s=7.5: the TAP-20 of PSI-BLAST is
  larger by 0.040 (95 % interval 0.028 to 0.053), which excludes differences beyond 0.053.
- PSI-BLAST and MMseqs2 s=7.5 are identical: every query has the same TAP-20 with both.
- PSI-BLAST is ahead at every k from 1 to 4.
- MMseqs2 s=7.5 is ahead at no k from 1 to 4.
- MMseqs2 s=7.5 is ahead at k = 1, but not clearly.
- MMseqs2 s=7.5 is ahead at k = 1 to 2, but not clearly.
- MMseqs2 s=7.5 is ahead at k = 1 to 3, clearly at k = 2 (by 0.030, 0.010 to 0.050).
- MMseqs2 s=7.5 is ahead at k = 1 to 2, clearly at k = 1 (by 0.010, −0.002 to 0.022).
- MMseqs2 s=7.5 is ahead at k = 1 to 2, clearly (by 0.030, 0.010 to 0.050, at k = 2).
- MMseqs2 s=7.5 is ahead at k = 1 to 2, clearly at k = 2 (by 0.030, 0.010 to 0.060).
- MMseqs2 s=7.5 is ahead at 3 k between 1 and 4, clearly at k = 2 (by 0.030, 0.010 to 0.050).
- PSI-BLAST is ahead at k = 1 to 2, clearly at k = 2 (by 0.030, 0.010 to 0.050).
- The clear difference remains clear at every k from 1 to 4.
- The clear difference remains clear at 2 of the 4 k.
- At a common threshold, E = 0.01, MMseqs2 s=7.5 is ahead, but not clearly.
- At a common threshold, E = 0.01, PSI-BLAST is clearly ahead, too, by 0.045 (0.030 to 0.060).
- At a common threshold, E = 0.01, MMseqs2 s=7.5 is clearly ahead, too, by 0.045 (0.030 to
  0.060).
- At a common threshold, E = 0.01, neither is ahead.
- At a common threshold, E = 0.1, MMseqs2 s=7.5 is clearly ahead, by 0.045 (0.030 to 0.060).
- TAP-20 judges MMseqs2 s=7.5 at E = 446 and PSI-BLAST at E = 2.1.
ALWAYS
- A is ahead at every k from 1 to 4.
CLOSE
- A does better than B: its TAP-20 is larger by 0.009 (95 % interval −0.001 to 0.019).
- A is ahead at every k from 1 to 2.
- There is no clear difference between A and B: the TAP-20 of A is larger by 0.009 (95 %
  interval −0.001 to 0.019), which excludes differences beyond 0.009.
- There is no clear difference between A and B: the TAP-20 of B is larger by 0.009 (95 %
  interval −0.001 to 0.019), which excludes differences beyond 0.019.
- The order of ties decides between A and B: with records of equal score as listed, the TAP-20
  of A is clearly larger, by 0.009 (95 % interval −0.001 to 0.019); in the least favourable
  order it is not.
SAME
- The order of ties decides between A and B: with records of equal score as listed, the TAP-20
  of A is clearly larger, by 0.000 (95 % interval −0.010 to 0.012); in the least favourable
  order it is not.
ERRORS
- A does better than B: its errors per query is larger by 0.300 (95 % interval 0.100 to 0.500).
FOUR
- B does best: its TAP-20 is 0.450, ahead of C by 0.010 (95 % interval −0.020 to 0.040).
- A does best: its TAP-20 is 0.501, ahead of B by 0.050 (95 % interval 0.020 to 0.080).
- A does best: its TAP-20 is 0.500, ahead of C by 0.060 (95 % interval 0.030 to 0.090).
- Then comes B; then C; then D.
- Then come B, C and D, between which only some differences are clear.
- Then come C and D, with no clear difference between them; then B.
- No two of these programs change places at any k from 1 to 3.
- 1 of the 6 pairs changes places at some k from 1 to 3: C is ahead of B at k = 1 to 2, clearly
  at k = 1 (by 0.020, 0.001 to 0.040).
- 2 of the 6 pairs change places at some k from 1 to 3: C is ahead of B at k = 1 to 2, clearly
  at k = 1 (by 0.020, 0.001 to 0.040); and 1 other pair, clearly.
- 2 of the 6 pairs change places at some k from 1 to 3: D is ahead of C at k = 1, but not
  clearly; and 1 other pair, clearly.
- 2 of the 6 pairs change places at some k from 1 to 3: C is ahead of B at k = 1 to 2, clearly
  at k = 1 (by 0.020, 0.001 to 0.040); D is ahead of B at k = 1, but not clearly.
- The 5 clear differences remain clear at every k from 1 to 3.
- Of the 5 clear differences, 3 remain clear at every k from 1 to 3.
- Of the 4 clear differences, 3 remain clear at every k from 1 to 3.
- At a common threshold, E = 0.01, no two of these programs change places.
- At a common threshold, E = 0.01, no two of the programs measured there change places.
- At a common threshold, E = 0.01, 1 of the 6 pairs changes places: D is clearly ahead of B, by
  0.020 (0.010 to 0.030).
- At a common threshold, E = 0.01, 1 of the 3 pairs measured there changes places: D is ahead of
  B, but not clearly.
- The 2 clear differences measured there remain clear there.
- Of the 5 clear differences, 1 remains clear there.
- 2 other pairs differ clearly there.
- 1 pair differs clearly there.
FLAT
- There is no clear difference between A, B and C: the largest, between A and B, is 0.000 (95 %
  interval 0.000 to 0.000); differences beyond 0.030 are excluded.
- There is no clear difference between A, B and C: the largest, between A and C, is 0.010 (95 %
  interval −0.010 to 0.030); differences beyond 0.010 are excluded.
- A, B and C are identical: every query has the same TAP-20 with all of them.
- B and C are identical.
- The order of ties decides between A and C.
- The order of ties decides between A and B; and 1 other pair.
SOME
- There is no clear difference between A, B and C: the largest, between A and C, is 0.050 (95 %
  interval 0.010 to 0.090); differences beyond 0.090 are excluded.
- A does better than B and C.
- B does better than C.
- A does better than C; and 1 other program does better than some.
- No program does clearly better than all others: 2 of the 3 pairs differ clearly, most clearly
  A from C, by 0.050 (95 % interval 0.010 to 0.090).
- The clear difference is no longer clear there.
- The clear difference remains clear there.
- At a common threshold, E = 0.01, 3 of the 3 pairs change places: C is ahead of B, but not
  clearly; and 2 other pairs, 2 of them clearly.
PAIRED
- A and B do best, and only some of the differences between them are clear: even B is ahead of C
  by 0.080 (95 % interval 0.040 to 0.120).
- A and B do best, with no clear difference between them: even A is ahead of C by 0.100 (95 %
  interval 0.050 to 0.150).
- Then come C and D, with no clear difference between them.
ALONE
- The TAP-20 of A is 0.397 (95 % interval 0.376 to 0.416). There is no other program to compare
  it with.
NOTHING
- No verdict: there are too few queries.
- A does better than B: its TAP-20 is larger by 0.100 (95 % interval 0.050 to 0.150).
""")
UNREADABLE = [
    "This order is the same at every k from 1 to 73.",
    "A does better than B: its TAP-20 is larger by 0.04 (95 % interval 0.028 to 0.053).",
    "A does better than B: its TAP-20 is larger by -0.040 (95 % interval 0.028 to 0.053).",
    "A does better than Z: its TAP-20 is larger by 0.040 (95 % interval 0.028 to 0.053).",
    "A is ahead at every k from 1 to 3, probably.",
    "A is ahead at every k from 1 to 3. B is not.",
    "B is ahead at k = 3 to 1, but not clearly.",
    "B is ahead at k = 1 to 3, clearly (by 0.030, 0.010 to 0.050).",
    (
        "1 of the 6 pairs change places at some k from 1 to 3: C is ahead of B at k = 1, "
        "but not clearly."
    ),
    "Of the 5 clear differences, 1 remain clear there.",
    "The order of ties decides between A and C; and 1 other pair; B and C.",
    "A, B and A are identical.",
]


@pytest.mark.parametrize(("verdict", "text"), FALSE, ids=[text for _, text in FALSE])
def test_a_false_sentence_is_caught(verdict, text):
    assert untrue(Reader(NAMES)(text), verdict)


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_is_not_understood_is_refused(text):
    with pytest.raises(UnreadableError):
        Reader(NAMES)(text)


NAMES = (*"ABCD", "PSI-BLAST", "MMseqs2 s=7.5")


@pytest.mark.parametrize(
    ("text", "value", "right"),
    [
        ("0.040", 0.0404, True),
        ("0.040", 0.0406, False),
        ("−0.001", -0.0014, True),
        ("−0.001", 0.001, False),
        ("0.000", 0.0, True),
        ("0.000", 0.0004, False),
        ("0.0004", 0.0004, True),
        ("−0.00003", -0.00003, True),
        ("−0.000", -0.0, False),
        ("1,234.568", 1234.5678, True),
    ],
)
def test_a_number_is_what_rounding_makes_of_it(text, value, right):
    assert is_number(text, value) == right


def test_what_nobody_is_told_is_missed():
    told = [text for _, text in FOUR_TOLD]
    read = Reader(NAMES)
    claims = read(" ".join(told))
    assert not untrue(claims, FOUR)
    assert not unsaid(claims, FOUR)
    for text in told[:-1]:
        rest = [one for one in told if one != text]
        assert unsaid(read(" ".join(rest)), FOUR), text
    assert unsaid(read(" ".join(told[:2])), NOTHING) == ["no verdict"]
    assert unsaid(read("A and B are identical."), FLAT)[0] == "every program"
