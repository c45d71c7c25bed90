"""A baseline that scores are compared with, and what is to fail."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tapviz.cli.flags import flag
from tapviz.scores import Baseline, Limit, Policies, asked_for, comparable_scores, read_limit


def _limit(text: str) -> Limit:
    """What is to fail, for an argument."""
    try:
        return read_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Options of a comparison with a baseline, and of what is to fail."""

    baseline: str = flag(
        "compare with this: a file that --save-baseline wrote (.json), or results",
        metavar="FILE",
        default="",
    )
    fail_if: Sequence[Limit] | None = flag(
        "end with exit code 1 if a score changed by so much from the baseline, such as "
        "'tap < -0.01', and the whole interval of the change lies beyond; may be given again",
        read=_limit,
        metavar="CHANGE",
        several=True,
    )
    strict: bool = flag(
        "with --fail-if: the change alone decides, whatever its interval", default=False
    )
    save_baseline: str = flag(
        "keep the scores of each query, and of each resample, for --baseline (.json)",
        metavar="FILE",
        default="",
    )

    @property
    def limits(self) -> Sequence[Limit]:
        """What is to fail."""
        return self.fail_if or ()

    @property
    def scores(self) -> list[str]:
        """Names of the scores that decide."""
        return [one.score.name for one in self.limits]

    @property
    def files(self) -> list[str]:
        """The baseline, if it is a file of results."""
        return [self.baseline] if self.baseline and not self.is_json else []

    @property
    def is_json(self) -> bool:
        """Whether the baseline is a file of scores."""
        return self.baseline.endswith(".json")

    def name_of(self, saved: Baseline | None, results: Mapping[str, Any]) -> str:
        """What the baseline is called; the last of the results, if it is a file of such."""
        if saved is not None:
            return self.baseline if saved.algorithm in results else saved.algorithm
        return [*results][-1] if self.files else ""

    def kept(self, results: Mapping[str, Any], policies: Policies) -> list[str]:
        """Names of the scores that are saved."""
        if not self.save_baseline:
            return []
        lists = next(iter(results.values()))
        asked = (one.name for one in asked_for(lists, policies.scores) if one.in_tables)
        return list(dict.fromkeys([*comparable_scores(lists), *asked]))

    def check(self, output: str, compare: str, standards: int) -> None:
        """Raise ValueError if options do not go together."""
        msg = ""
        if self.limits and not self.baseline:
            msg = "--fail-if: give --baseline, a file of results or of --save-baseline"
        elif self.baseline and compare:
            msg = "--baseline and --compare: give one of them"
        elif output == "junit" and not self.limits:
            msg = "--output junit: give --fail-if, of which the result is written"
        elif self.baseline and self.save_baseline:
            msg = "--baseline and --save-baseline: give one of them"
        elif self.save_baseline and standards > 1:
            msg = "--save-baseline: give one standard"
        if msg:
            raise ValueError(msg)

    def read_scores(self) -> Baseline | None:
        """The baseline, if it is a file of scores."""
        if not self.is_json:
            return None
        return Baseline.read(Path(self.baseline).read_text(encoding="utf-8"), self.baseline)
