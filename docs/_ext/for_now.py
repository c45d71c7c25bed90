"""What plots and scores will say of themselves in their registries."""

from __future__ import annotations

from typing import NamedTuple


class Score(NamedTuple):
    """As `registries.ScoreEntry`."""

    name: str
    title: str
    description: str
    source: str
    also_called: str
    range: str
    function: str


HOW_TO_READ = {
    "tap": (
        "Each line is the mean TAP of one program at every threshold E₀, from the strictest on the "
        "left to the most permissive on the right; higher is better. The diamond marks the "
        "threshold in use (Eₖ of that program, or the common E₀), and its height is the score in "
        "the table. The triangle marks the peak. The peak was found with the labels at hand, so "
        "it is an upper bound and no threshold to recommend. A line that falls to the right of "
        "its peak has begun to collect errors faster than relevant records. Thresholds below "
        "10⁻¹⁰ are compressed, and E = 0, which is what programs print when an E-value underflows, "
        "has a place of its own."
    ),
    "precision_recall": (
        "Precision against recall, each averaged over the queries: the share of what was "
        "retrieved that is relevant, against the share of what is relevant that was retrieved. "
        "Up and to the right is better. The full line ends at the threshold in use (diamond); the "
        "faint rest is what a more permissive threshold would add. Ticks along one line give the "
        "E-values at which its points are reached: two programs can have the same curve and "
        "reach the same point at very different E-values."
    ),
    "epq": (
        "How many errors the queries of one program have at each threshold. Boxes hold the middle "
        "half of the queries, whiskers reach from the fewest to the most, the two lines are the "
        "median and the mean. The horizontal line is k; where the median crosses it is Eₖ. A mean "
        "far above the median says that a few queries make most of the errors, which is why the "
        "threshold follows the median."
    ),
    "roc": (
        "The fraction of the relevant records found before each error, up to the n-th; ROCₙ is "
        "the mean height of a line to the left of the vertical one. The thick line averages the "
        "queries' own curves. The thin line of the same colour is the pooled curve: all lists "
        "merged by E-value and read as one. The gap between the two shows how poorly E-values "
        "of different queries compare, or how few queries supply the pooled errors."
    ),
    "average_roc": (
        "The whole ROC curve, averaged over the queries at each false positive rate (vertical "
        "averaging), with a band of ±1.96 standard deviations of the queries for one program. "
        "The axis is logarithmic since all that matters to a search happens at low rates. "
        "Beyond the end of a list the rest is taken to be in random order: a straight line, "
        "which looks bent on this axis."
    ),
    "coverage": (
        "The share of all relevant records found against the mean number of errors per query, "
        "one point for each threshold common to all queries. Compare programs at one number of "
        "errors per query, up and down: the program on top finds more for the same price. The "
        "diamond is the threshold in use. A line that ends early belongs to a program whose lists "
        "end there."
    ),
    "calibration": (
        "The errors per query that were observed at each E-value against the E-value itself, "
        "which by its definition promises as many. On the thin line E-values mean what they say. "
        "Above it a program makes more errors than it promises (its E-values are too good), "
        "below it fewer. A plateau on the left is made by hits that look like errors but have "
        "excellent E-values, often relatives that the classification separates."
    ),
    "nth_error": (
        "The E-value at which each query of one program has its k-th error, as a histogram. The "
        "vertical line is Eₖ: by it, half of the queries have k errors. A narrow histogram says "
        "that one threshold suits all queries; a wide one that any common threshold is strict "
        "for some and permissive for others. Queries that never reach k errors are counted in "
        "the corner."
    ),
    "scatter": (
        "Each dot is a query: its TAP with program A upwards, with program B to the right, each "
        "at its own threshold. Above the diagonal A is better, below it B; the corners count the "
        "queries. A small mean difference can be many small wins or a few large ones, and only "
        "this plot tells them apart. On the page a click on a dot opens the ranked lists of that "
        "query. Results of a single program show TAP against T(q) instead."
    ),
    "influence": (
        "What leaving out one query does to two scores of one program: pooled ROCₙ (dark) and "
        "TAP-k (violet), on one scale, for the queries that change pooled ROCₙ most. The column "
        "on the right says how many of the first n pooled errors come from that query. A long "
        "dark bar beside a short violet one is a query that dominates the pooled score."
    ),
    "violations": (
        "Queries that are scored apart and then merged. A pooled score (diamond) that lies "
        "outside the range of its parts (grey) is no average of them: merging two lists made "
        "both look worse, or better. Mean TAP (violet) lies between its parts by construction. "
        "Rows are ordered by how far outside the pooled score is."
    ),
    "order": (
        "The rank of each program by TAP-k for every k. Lines that cross mean that the ranking "
        "depends on k, and that a report should say so or show several k. A line that ends early "
        "belongs to a program of which too few lists have that many errors."
    ),
}

CARROLL = "Carroll, Kann, Sheetlin & Spouge (2010), *Bioinformatics* 26:1708"

SCORES = (
    Score(
        name="tap",
        title="TAP-k",
        description=(
            "The mean over queries of the Threshold Average Precision at Eₖ, the threshold at "
            "which the median query has k errors. The TAP of one query is the sum of the "
            "precisions at the relevant records retrieved, plus the precision at the threshold,"
            " divided by T(q) + 1. It rewards relevant records that come early and charges for "
            "errors after the last of them."
        ),
        source=f"{CARROLL}, section 2.3.4.",
        also_called="",
        range="0 to 1; larger is better. It depends on k: always report it.",
        function="tapviz.tap_k",
    ),
    Score(
        name="tap_e0",
        title="TAP at E₀",
        description=(
            "The same at one threshold E₀ common to all programs, records at the threshold "
            "included. Suits E-values that are comparable between programs."
        ),
        source=f"{CARROLL}, Equation (1).",
        also_called='APCP at a cutoff x (in the note "What is TAP-k?").',
        range="0 to 1; larger is better.",
        function="tapviz.tap",
    ),
    Score(
        name="e_k",
        title="Eₖ",
        description=(
            "The strictest threshold at which at least half of the queries have k errors or "
            "more (or another share, the *quantile*). It says where TAP-k was measured, and is "
            "what a user would set to see about k errors. Undefined where fewer queries have k "
            "errors."
        ),
        source=f"{CARROLL}, section 2.3.4.",
        also_called="",
        range="An E-value or score, in the units of the program.",
        function="tapviz.error_threshold",
    ),
    Score(
        name="epq",
        title="Errors per query",
        description="Irrelevant records at or before the threshold: the median and the mean over "
        "queries.",
        source=f"{CARROLL}, Figure 3; Green & Brenner (2002), *Proc. IEEE* 90:1834, for the mean.",
        also_called="EPQ; the mean: errors per query of a coverage plot.",
        range="0 upwards; smaller is better at the same recall.",
        function="tapviz.errors_per_query",
    ),
    Score(
        name="peak_tap",
        title="Peak of TAP",
        description=(
            "The largest mean TAP over all thresholds, and the strictest threshold where it is "
            "reached. It was found with the labels at hand: an upper bound, not a threshold to "
            "recommend."
        ),
        source=f"{CARROLL}, Figure 5 and Table 1.",
        also_called="",
        range="0 to 1; larger is better.",
        function="tapviz.tap_curve",
    ),
    Score(
        name="roc_n",
        title="ROCₙ",
        description=(
            "The area under the curve of relevant records found before each of the first n "
            "irrelevant ones, as a fraction of the best possible, in each query's own list; "
            "then the mean over queries. Where a list has fewer than n errors its curve stays "
            "flat."
        ),
        source=f"Gribskov & Robinson (1996), *Comput. Chem.* 20:25; {CARROLL}, section 2.3.1.",
        also_called=(
            "AUCₙ. n = 1: AUC1, ROC1, sensitivity up to the first false positive (Foldseek, "
            "MMseqs2); n = 5: ROC5."
        ),
        range="0 to 1; larger is better.",
        function="tapviz.roc_n",
    ),
    Score(
        name="pooled_roc_n",
        title="Pooled ROCₙ",
        description=(
            "ROCₙ of the lists of all queries merged by E-value into one. A few queries can "
            "supply most of the n errors, and the score of a union can lie outside the scores "
            "of its parts: see the plots [Influence](plot-influence) and [Violations](plot-"
            "violations). Brackets behind it show the worst and the best order of records of "
            "equal score."
        ),
        source=f"{CARROLL}, section 2.3.2, which says why not.",
        also_called="ROC50 of a whole benchmark (n = 50).",
        range="0 to 1; larger is better.",
        function="tapviz.pooled_roc_n",
    ),
    Score(
        name="map",
        title="Mean average precision",
        description=(
            "The sum of the precisions at the relevant records of the list, divided by T(q), "
            "whether retrieved or not; the mean over queries with T(q) > 0. Unlike TAP it has "
            "no threshold: errors after the last relevant record cost nothing."
        ),
        source=f"{CARROLL}, section 2.3.3; trec_eval's `map`.",
        also_called="MAP; AP for one query.",
        range="0 to 1; larger is better.",
        function="tapviz.average_precision",
    ),
    Score(
        name="auc_ipr",
        title="AUC iP/R",
        description=(
            "The area under interpolated precision against recall, the mean over queries. "
            "Interpolated precision is the largest precision at that recall or a larger one."
        ),
        source="BioCreative II.5, evaluation, section 3.1.",
        also_called="AUC of the interpolated precision/recall curve (bc-evaluate 2.3.1).",
        range="0 to 1; larger is better.",
        function="tapviz.ipr_auc",
    ),
)
