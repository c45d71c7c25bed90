"""A reader of verdicts: it takes the sentences and hands back what they claim.

Written from the grammar of the sentences, as somebody reads them, without the code that words them.
What it does not understand in full it refuses, so that no wording escapes it; what numbers are
worth is left to `tests.verdict_judge`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from tests.verdict_claims import (
    AheadAt,
    AheadThere,
    Alone,
    Apart,
    AsListed,
    Beats,
    Better,
    Beyond,
    ChangesK,
    ChangesThere,
    Claim,
    ClearThere,
    Differ,
    EveryK,
    First,
    Identical,
    JudgedAt,
    Ks,
    Largest,
    NeitherThere,
    NoBest,
    NoChangeK,
    NoChangeThere,
    NotClear,
    NoVerdict,
    OnlyOne,
    OnlySome,
    RemainK,
    RemainsAt,
    RemainThere,
    Span,
    Then,
    Ties,
    TurnedThere,
    Worth,
)


class UnreadableError(ValueError):
    """A sentence that is not understood, or in two ways."""


NUMBER = r"−?(?:\d{1,3}(?:,\d{3})*\.\d{3}|0\.000+[1-9])"
POSITIVE = NUMBER.removeprefix("−?")
E_VALUE = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
INTERVAL = rf"{NUMBER} to {NUMBER}"
WHOLE = r"\d{1,3}(?:,\d{3})*"
RUN = rf"{WHOLE}(?: to {WHOLE})?"
KS = rf"(?:k = {RUN}(?:(?:, {RUN})* and {RUN})?|{WHOLE} k between {WHOLE} and {WHOLE})"
COUNT = rf"{WHOLE}|none"

FIELDS = {
    "title": r"(?:[^.:;]|\.(?! ))+?",
    "word": "larger|smaller",
    "span": rf"{POSITIVE} \(\S+ % interval {INTERVAL}\)",
    "score": rf"{NUMBER} \(\S+ % interval {INTERVAL}\)",
    "ends": rf"\S+ % interval {INTERVAL}",
    "short": rf"{POSITIVE} \({INTERVAL}\)",
    "inside": rf"{POSITIVE}, {INTERVAL}",
    "limit": POSITIVE,
    "value": NUMBER,
    "n": WHOLE,
    "of": WHOLE,
    "last": WHOLE,
    "k": WHOLE,
    "held": COUNT,
    "clearly": COUNT,
    "ks": KS,
    "clear": KS,
    "where": "E = [^, ]+",
    "e": E_VALUE,
    "f": E_VALUE,
    "reason": r"\S.*",
}
Found = dict[str, str]
Forms = Iterator[tuple[str, Callable[[Found], list[Claim]]]]
"""Sentences with fields in braces, and what they claim."""


class Reader:
    """Reads sentences about programs of these names.

    Parameters
    ----------
    names : iterable of str
        Of the programs in the table above the sentences.
    """

    def __init__(self, names: Iterable[str]) -> None:
        longest_first = sorted(names, key=len, reverse=True)
        self.name = "|".join(re.escape(name) for name in longest_first)
        one = f"(?:{self.name})"
        several = f"{one}(?:, {one})* and {one}"
        self.fields = FIELDS | dict.fromkeys(("a", "a2", "b"), one)
        # Full stops inside of names and numbers do not end a sentence.
        self.fields["items"] = rf"(?>{self.name}|[^.:]|\.(?! |$))+"
        self.fields |= {"names": several, "some": f"(?:{several}|{one})"}
        self.rules = [(self._pattern(form, " |$"), make) for form, make in self._sentences()]

    def __call__(self, text: str) -> list[Claim]:
        """Claims of a text of any number of sentences."""
        claims: list[Claim] = []
        while text:
            read = [(found, make) for rule, make in self.rules if (found := rule.match(text))]
            if len(read) != 1:
                msg = f"read in {len(read)} ways: {text}"
                raise UnreadableError(msg)
            ((found, make),) = read
            claims += make(found.groupdict())
            text = text[found.end() :].removeprefix(" ")
        return claims

    def _pattern(self, form: str, then: str = "$") -> re.Pattern[str]:
        """A form with fields in braces as a regular expression."""
        parts = re.split(r"\{(\w+)\}", form)
        for at in range(0, len(parts), 2):
            parts[at] = re.escape(parts[at]).replace(r"\ ", " ")
        for at in range(1, len(parts), 2):
            parts[at] = f"(?P<{parts[at]}>{self.fields[parts[at]]})"
        return re.compile(f"{''.join(parts)}(?={then})")

    def _item(self, text: str, *forms: str) -> tuple[int, Found]:
        """The one of some forms that a part of a sentence has, and its fields."""
        read = [
            (at, found.groupdict())
            for at, form in enumerate(forms)
            if (found := self._pattern(form).match(text)) is not None
        ]
        if len(read) != 1:
            msg = f"read in {len(read)} ways: {text}"
            raise UnreadableError(msg)
        return read[0]

    def _list(self, text: str) -> tuple[str, ...]:
        """Names of "A, B and C"."""
        found: list[str] = []
        while text:
            name = re.match(f"(?:{self.name})(?=, | and |$)", text)
            if name is None:
                msg = f"no name: {text}"
                raise UnreadableError(msg)
            found.append(name[0])
            text = re.sub("^(, | and )", "", text[name.end() :])
        if len({*found}) < len(found):
            msg = f"named twice: {found}"
            raise UnreadableError(msg)
        return tuple(found)

    def _sentences(self) -> Forms:
        """Every form of a sentence, and what it claims."""
        yield from self._of_two()
        yield from self._of_several()
        yield from self._over_k()
        yield from self._at_threshold()

    def _of_two(self) -> Forms:
        yield "No verdict: {reason}.", lambda f: [NoVerdict(f["reason"])]
        yield (
            "The {title} of {a} is {score}.",
            lambda f: [Alone(f["a"], f["title"], span(f["score"]))],
        )
        yield "There is no other program to compare it with.", lambda _: [OnlyOne()]
        yield (
            "{a} does better than {b}: its {title} is {word} by {span}.",
            lambda f: [Better(f["a"], f["b"]), apart(f)],
        )
        between = "There is no clear difference between {a} and {b}: "
        excludes = "which excludes differences beyond {limit}."
        yield (
            between + "the {title} of {a2} is {word} by {span}, " + excludes,
            lambda f: [
                NotClear((f["a"], f["b"])),
                apart({**f, "a": f["a2"], "b": _other(f["a2"], f["a"], f["b"])}),
                Beyond((f["a"], f["b"]), f["limit"]),
            ],
        )
        yield (
            between + "their {title} is equal ({ends}), " + excludes,
            lambda f: [
                NotClear((f["a"], f["b"])),
                Apart(f["a"], f["b"], f["title"], "equal", span(f"0.000 ({f['ends']})")),
                Beyond((f["a"], f["b"]), f["limit"]),
            ],
        )
        listed = "with records of equal score as listed, the {title} of {a2} is clearly {word}, "
        yield (
            "The order of ties decides between {a} and {b}: "
            + listed
            + "by {span}; in the least favourable order it is not.",
            lambda f: [
                Ties(((f["a"], f["b"]),)),
                AsListed(
                    f["a2"],
                    _other(f["a2"], f["a"], f["b"]),
                    f["title"],
                    f["word"],
                    span(f["span"]),
                ),
            ],
        )

    def _of_several(self) -> Forms:
        yield (
            "{a} does best: its {title} is {value}, ahead of {b} by {span}.",
            lambda f: [
                First((f["a"],), f["b"], f["a"]),
                Worth(f["a"], f["title"], f["value"]),
                Better(f["a"], f["b"]),
                apart(f, word=""),
            ],
        )
        best = {
            "{names} do best, with no clear difference between them": NotClear,
            "{names} do best, and only some of the differences between them are clear": OnlySome,
        }
        for form, kind in best.items():
            yield (
                form + ": even {a} is ahead of {b} by {span}.",
                lambda f, kind=kind: [
                    kind(self._list(f["names"])),
                    First(self._list(f["names"]), f["b"], f["a"]),
                    Better(f["a"], f["b"]),
                    apart(f, word="", title=""),
                ],
            )
        for verb in ("comes", "come"):
            yield f"Then {verb} {{items}}.", lambda f, verb=verb: self._then(verb, f["items"])
        largest = "the largest, between {a} and {b}, is {span}"
        yield (
            "There is no clear difference between {names}: "
            + largest
            + "; differences beyond {limit} are excluded.",
            lambda f: [
                NotClear(self._list(f["names"])),
                Largest(f["a"], f["b"], self._list(f["names"])),
                Apart(f["a"], f["b"], "", "", span(f["span"])),
                Beyond(self._list(f["names"]), f["limit"]),
            ],
        )
        some = "No program does clearly better than all others: {n} of the {of} pairs "
        for form in ("differ clearly, most clearly {a} from {b}", "differs clearly, {a} from {b}"):
            yield (
                f"{some}{form}, by {{span}}.",
                lambda f, one="differs" in form: [
                    NoBest(),
                    Differ(counted(f["n"], one=one), whole(f["of"]), f["a"], f["b"]),
                    Better(f["a"], f["b"]),
                    Apart(f["a"], f["b"], "", "", span(f["span"])),
                ],
            )
        yield "{a} does better than {items}.", lambda f: self._beats(f["a"], f["items"])
        yield (
            "{names} are identical: every query has the same {title} with both.",
            lambda f: [Identical(exactly(2, self._list(f["names"])), f["title"])],
        )
        yield (
            "{names} are identical: every query has the same {title} with all of them.",
            lambda f: [Identical(self._list(f["names"]), f["title"])],
        )
        yield "{names} are identical.", lambda f: [Identical(self._list(f["names"]))]
        yield (
            "{names} are identical; {items}.",
            lambda f: [Identical(self._list(f["names"])), *self._identical(f["items"])],
        )
        yield "The order of ties decides between {items}.", lambda f: self._ties(f["items"])

    def _then(self, verb: str, text: str) -> list[Claim]:
        claims: list[Claim] = []
        tiers = []
        for at, item in enumerate(text.split("; ")):
            then = "then " if at else ""
            form, found = self._item(
                item,
                then + "{a}",
                then + "{names}, with no clear difference between them",
                then + "{names}, between which only some differences are clear",
            )
            tiers.append((found["a"],) if form == 0 else self._list(found["names"]))
            if form:
                claims.append((NotClear if form == 1 else OnlySome)(tiers[-1]))
            if at == 0 and (verb == "comes") != (form == 0):
                msg = f"Then {verb} {text}"
                raise UnreadableError(msg)
        return [Then(tuple(tiers)), *claims]

    def _beats(self, a: str, text: str) -> list[Claim]:
        first, *rest = text.split("; ")
        _, found = self._item(first, "{some}")
        whom = [(a, self._list(found["some"]))]
        others = 0
        for item in rest:
            form, found = self._item(
                item,
                "{a} than {some}",
                "and {n} other program does better than some",
                "and {n} other programs do better than some",
            )
            _last(others, item)
            if form:
                others = counted(found["n"], one=form == 1)
            else:
                whom.append((found["a"], self._list(found["some"])))
        return [Beats(tuple(whom), others)]

    def _identical(self, text: str) -> list[Claim]:
        read = [self._item(item, "so are {names}")[1] for item in text.split("; ")]
        return [Identical(self._list(found["names"])) for found in read]

    def _ties(self, text: str) -> list[Claim]:
        pairs = []
        others = 0
        for item in text.split("; "):
            form, found = self._item(
                item, "{a} and {b}", "and {n} other pair", "and {n} other pairs", "and {a} and {b}"
            )
            _last(others, item)
            if form in {1, 2}:
                others = counted(found["n"], one=form == 1)
            else:
                pairs.append((found["a"], found["b"]))
        return [Ties(tuple(pairs), others)]

    def _over_k(self) -> Forms:
        every = "at every k from 1 to {last}."
        yield "{a} is ahead " + every, lambda f: [EveryK((f["a"],), "ahead", whole(f["last"]))]
        yield (
            "{names} are equal " + every,
            lambda f: [EveryK(exactly(2, self._list(f["names"])), "equal", whole(f["last"]))],
        )
        yield (
            "{a} is ahead at no k from 1 to {last}.",
            lambda f: [EveryK((f["a"],), "no", whole(f["last"]))],
        )
        for form, read in self._ahead_at("{b} is ahead at {ks}"):
            yield form + ".", lambda f, read=read: [read(f)]
        yield (
            "No two of these programs change places at any k from 1 to {last}.",
            lambda f: [NoChangeK(whole(f["last"]))],
        )
        ahead = [*self._ahead_at("{b} is ahead of {a} at {ks}")]
        for verb in ("change", "changes"):
            yield (
                f"{{n}} of the {{of}} pairs {verb} places at some k from 1 to {{last}}: {{items}}.",
                lambda f, one=verb == "changes": [
                    ChangesK(
                        counted(f["n"], one=one),
                        whole(f["of"]),
                        whole(f["last"]),
                        *self._changes(f["items"], ahead),
                    )
                ],
            )
        yield (
            "The {n} clear differences remain clear " + every,
            lambda f: [RemainK(counted(f["n"]), whole(f["n"]), whole(f["last"]))],
        )
        for verb in ("remain", "remains"):
            yield (
                f"Of the {{n}} clear differences, {{held}} {verb} clear " + every,
                lambda f, verb=verb: [
                    RemainK(counted(f["n"]), held(f["held"], verb), whole(f["last"]))
                ],
            )
        yield (
            "The clear difference remains clear " + every,
            lambda f: [RemainsAt(whole(f["last"]), whole(f["last"]))],
        )
        yield (
            "The clear difference remains clear at {held} of the {of} k.",
            lambda f: [RemainsAt(number_of(f["held"]), whole(f["of"]))],
        )

    def _ahead_at(self, who: str) -> Iterator[tuple[str, Callable[[Found], AheadAt]]]:
        """Forms of who is ahead at which k, and how clearly."""

        def read(f: Found, clear: str = "", at: str = "") -> AheadAt:
            ks = k_list(f["ks"])
            if not clear:
                return AheadAt(f["b"], f.get("a", ""), ks)
            where = k_list(clear)
            (k,) = where.listed if not at else {whole(at)}
            return AheadAt(f["b"], f.get("a", ""), ks, where, span(f["inside"]), k)

        yield who + ", but not clearly", read
        yield who + ", clearly (by {inside})", lambda f: read(f, one_k(f["ks"]))
        yield who + ", clearly (by {inside}, at k = {k})", lambda f: read(f, f["ks"], f["k"])
        yield who + ", clearly at {clear} (by {inside})", lambda f: read(f, one_k(f["clear"]))
        yield (
            who + ", clearly at {clear} (by {inside}, at k = {k})",
            lambda f: read(f, f["clear"], f["k"]),
        )

    def _changes(self, text: str, forms: list) -> tuple[tuple, int, int]:
        """Pairs that change places; how many others there are, and how many of them clearly."""
        named = []
        others = clearly = 0
        for item in text.split("; "):
            form, found = self._item(
                item,
                "and {n} other pair, clearly",
                "and {n} other pair, not clearly",
                "and {n} other pairs, {clearly} of them clearly",
                *(form for form, _ in forms),
            )
            _last(others, item)
            if form > 2:
                named.append(forms[form - 3][1](found))
            else:
                others = counted(found["n"], one=form < 2)
                clearly = number_of(found["clearly"]) if form == 2 else int(form == 0)
        return tuple(named), others, clearly

    def _at_threshold(self) -> Forms:
        at = "At a common threshold, {where}, "
        for too in (", too", ""):
            for form, read in self._ahead_there("{b}", too):
                yield f"{at}{form}.", lambda f, read=read: [read(f)]
        yield at + "neither is ahead.", lambda f: [NeitherThere(f["where"])]
        for who, measured in (
            ("of these programs", False),
            ("of the programs measured there", True),
        ):
            yield (
                f"{at}no two {who} change places.",
                lambda f, measured=measured: [NoChangeThere(f["where"], measured)],
            )
        items = [*self._ahead_there("{b}", " of {a}")]
        for there in ("", " measured there"):
            for verb in ("change", "changes"):
                yield (
                    f"{at}{{n}} of the {{of}} pairs{there} {verb} places: {{items}}.",
                    lambda f, there=there, verb=verb: [
                        ChangesThere(
                            counted(f["n"], one=verb == "changes"),
                            whole(f["of"]),
                            f["where"],
                            bool(there),
                            *self._changed_there(f, items),
                        )
                    ],
                )
            yield (
                f"The {{n}} clear differences{there} remain clear there.",
                lambda f, there=there: [RemainThere(counted(f["n"]), whole(f["n"]), bool(there))],
            )
            for verb in ("remain", "remains"):
                yield (
                    f"Of the {{n}} clear differences{there}, {{held}} {verb} clear there.",
                    lambda f, there=there, verb=verb: [
                        RemainThere(counted(f["n"]), held(f["held"], verb), bool(there))
                    ],
                )
            yield (
                f"The clear difference{there} remains clear there.",
                lambda _, there=there: [RemainThere(1, 1, bool(there))],
            )
            for how in ("no longer clear", "clearly turned round"):
                yield (
                    f"The clear difference{there} is {how} there.",
                    lambda _, there=there, how=how: [TurnedThere("turned" in how, bool(there))],
                )
        yield (
            at + "the only pair measured there changes places: {items}.",
            lambda f: [ChangesThere(1, 1, f["where"], True, *self._changed_there(f, items))],
        )
        for other in ("other ", ""):
            yield (
                f"{{n}} {other}pairs differ clearly there.",
                lambda f, other=other: [ClearThere(counted(f["n"]), bool(other))],
            )
            yield (
                f"{{n}} {other}pair differs clearly there.",
                lambda f, other=other: [ClearThere(counted(f["n"], one=True), bool(other))],
            )
        yield (
            "{title} judges {a} at E = {e} and {b} at E = {f}.",
            lambda f: [JudgedAt(f["title"], f["a"], f["e"], f["b"], f["f"])],
        )

    def _changed_there(self, f: Found, forms: list) -> tuple[tuple, int, int]:
        named, others, clearly = self._changes(f["items"], forms)
        return tuple(one._replace(where=f["where"]) for one in named), others, clearly

    def _ahead_there(
        self, b: str, rest: str
    ) -> Iterator[tuple[str, Callable[[Found], AheadThere]]]:
        """Forms of who is ahead at the threshold, and how clearly."""

        def read(f: Found, by: str = "") -> AheadThere:
            shown = span(f[by]) if by else None
            return AheadThere(f["b"], f.get("a", ""), f.get("where", ""), shown, rest == ", too")

        yield f"{b} is clearly ahead{rest}, by {{short}}", lambda f: read(f, "short")
        yield f"{b} is ahead{rest}, but not clearly", read


def span(text: str) -> Span:
    """A difference and its interval, with its level or without."""
    by, low, high = re.findall(f"(?<![\\d.]){NUMBER}(?![\\d.])", text)
    level = re.search(r"(\S+) % interval", text)
    return Span(by, low, high, level[1].removeprefix("(") if level else "")


def apart(f: Found, **given: str) -> Apart:
    """By how much the first of two is ahead."""
    f = {**f, **given}
    return Apart(f["a"], f["b"], f["title"], f["word"], span(f["span"]))


def k_list(text: str) -> Ks:
    """ "k = 1 to 3 and 7", or "12 k between 1 and 50"."""
    numbers = [whole(number) for number in re.findall(WHOLE, text)]
    if "between" in text:
        return Ks(frozenset(), *numbers)
    runs = [[whole(end) for end in run.split(" to ")] for run in re.findall(RUN, text)]
    ks = [k for run in runs for k in range(run[0], run[-1] + 1)]
    if ks != sorted({*ks}) or any(len(run) == 2 and run[0] >= run[1] for run in runs):
        msg = f"not in order: {text}"
        raise UnreadableError(msg)
    return Ks(frozenset(ks), len(ks), ks[0], ks[-1])


def one_k(text: str) -> str:
    """The same, if it is a single k."""
    if len(k_list(text).listed) != 1:
        msg = f"of which k are the numbers: {text}"
        raise UnreadableError(msg)
    return text


def whole(text: str) -> int:
    return int(text.replace(",", ""))


def number_of(text: str) -> int:
    return 0 if text == "none" else whole(text)


def counted(text: str, *, one: bool = False) -> int:
    """A number that agrees with its noun and verb."""
    n = whole(text)
    if n < 1 or one != (n == 1):
        msg = f"{n} does not agree with what follows"
        raise UnreadableError(msg)
    return n


def held(text: str, verb: str) -> int:
    """ "6 remain", "1 remains", "none remains"."""
    n = number_of(text)
    if (verb == "remains") != (n < 2):
        msg = f"{text} {verb}"
        raise UnreadableError(msg)
    return n


def exactly(n: int, names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) != n:
        msg = f"{n} names expected: {names}"
        raise UnreadableError(msg)
    return names


def _other(name: str, a: str, b: str) -> str:
    if name not in {a, b}:
        msg = f"{name} is neither {a} nor {b}"
        raise UnreadableError(msg)
    return b if name == a else a


def _last(others: int, item: str) -> None:
    if others:
        msg = f"after what was to be the last: {item}"
        raise UnreadableError(msg)
