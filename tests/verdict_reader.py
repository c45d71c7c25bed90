"""A reader of verdicts: it takes the sentences and hands back what they claim.

Written from the grammar of the sentences, as somebody reads them, without the code that words them.
What it does not understand in full it refuses, so that no wording escapes it; what numbers are
worth is left to `tests.verdict_judge`.
"""

import re
from functools import partial
from typing import Any, NamedTuple


class UnreadableError(ValueError):
    """A sentence that is not understood, or in two ways."""


class Span(NamedTuple):
    """A difference and its interval as printed; `level` in percent where it is said."""

    by: str
    low: str
    high: str
    level: str = ""


class Ks(NamedTuple):
    """Either all of some k, or how many of them there are between the first and the last."""

    listed: frozenset[int]
    count: int
    first: int
    last: int


class Claim(NamedTuple):
    """What is claimed: which method of `tests.verdict_judge.Judge` decides, and what it is told."""

    kind: str
    told: dict[str, Any]


NUMBER = r"−?(?:\d{1,3}(?:,\d{3})*\.\d{3}|0\.000+[1-9])"
POSITIVE = NUMBER.removeprefix("−?")
E_VALUE = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
INTERVAL = rf"{NUMBER} to {NUMBER}"
WHOLE = r"\d{1,3}(?:,\d{3})*"
MANY = rf"(?![01] ){WHOLE}"
RUN = rf"{WHOLE}(?: to {WHOLE})?"
KS = rf"(?:k = {RUN}(?:(?:, {RUN})* and {RUN})?|{WHOLE} k between {WHOLE} and {WHOLE})"


def span(text):
    """A difference and its interval, with its level or without."""
    by, low, high = re.findall(f"(?<![\\d.]){NUMBER}(?![\\d.])", text)
    level = re.search(r"(\S+) % interval", text)
    return Span(by, low, high, level[1].removeprefix("(") if level else "")


def k_list(text):
    """ "k = 1 to 3 and 7", or "12 k between 1 and 50"; nothing where nothing is said."""
    numbers = [whole(number) for number in re.findall(WHOLE, text)]
    if "between" in text:
        return Ks(frozenset(), *numbers)
    runs = [[whole(end) for end in run.split(" to ")] for run in re.findall(RUN, text)]
    ks = [k for run in runs for k in range(run[0], run[-1] + 1)]
    if ks != sorted({*ks}) or any(len(run) == 2 and run[0] >= run[1] for run in runs):
        raise UnreadableError(f"not in order: {text}")
    return Ks(frozenset(ks), len(ks), ks[0], ks[-1]) if ks else None


def whole(text):
    return 0 if text in {"none", ""} else int(text.removeprefix(", at k = ").replace(",", ""))


FIELDS = {
    "title": (r"(?:[^.:;]|\.(?! ))+?", str),
    "word": ("larger|smaller", str),
    "span": (rf"{POSITIVE} \(\S+ % interval {INTERVAL}\)", span),
    "score": (rf"{NUMBER} \(\S+ % interval {INTERVAL}\)", span),
    "ends": (rf"\S+ % interval {INTERVAL}", lambda text: span(f"0.000 ({text})")),
    "short": (rf"{POSITIVE} \({INTERVAL}\)", span),
    "inside": (rf"{POSITIVE}, {INTERVAL}", span),
    "limit": (POSITIVE, str),
    "value": (NUMBER, str),
    **dict.fromkeys(("n", "of", "last"), (WHOLE, whole)),
    **dict.fromkeys(("total", "many"), (MANY, whole)),
    **dict.fromkeys(("held", "clearly"), (rf"{WHOLE}|none", whole)),
    "ks": (KS, k_list),
    "clear": (rf"(?: at {KS})?", k_list),
    "at": (rf"(?:, at k = {WHOLE})?", whole),
    "where": ("E = [^, ]+", str),
    **dict.fromkeys(("e", "f"), (E_VALUE, str)),
    "reason": (r"\S.*", str),
    "verb": ("comes?", str),
    "too": ("(?:, too)?", bool),
    "other": ("(?:other )?", bool),
    "measured": ("(?: measured there)?", bool),
    "only": ("only pair measured", bool),
    "these": ("these programs|the programs measured there", lambda text: "measured" in text),
    "turned": ("no longer clear|clearly turned round", lambda text: "turned" in text),
}
"""What stands in braces: how it is written, and what it means."""

BY = "By {title}, "
OF_TWO = "There is no clear difference between {both}: "
ONLY_SOME = "and only some of the differences between them are clear"
EVERY_K = "at every k from 1 to {last}"
SOME_K = "at some k from 1 to {last}: {items}."
THERE = "At a common threshold, {where}, "
SENTENCES = {
    "No verdict: {reason}.": "no_verdict reason",
    "The {title} of {a} is {score}.": "alone a title span=score",
    "There is no other program to compare it with.": "only_one",
    "{a} does better than {b}: its {title} is {word} by {span}.": (
        "better a b, apart a b title word span"
    ),
    OF_TWO
    + "the {title} of {winner} is {word} by {span}, which excludes differences beyond {limit}.": (
        "not_clear names=both, apart a=winner b=loser title word span, beyond names=both limit"
    ),
    OF_TWO + "their {title} is equal ({ends}), which excludes differences beyond {limit}.": (
        "not_clear names=both, equal names=both title span=ends, beyond names=both limit"
    ),
    "The order of ties decides between {both}: with records of equal score as listed, the {title} "
    "of {winner} is clearly {word}, by {span}; in the least favourable order it is not.": (
        "ties pairs, as_listed a=winner b=loser title word span"
    ),
    "{a} does best: its {title} is {value}, ahead of {b} by {span}.": (
        "first following=b least=a, worth a title value, better a b, apart a b span"
    ),
    BY + "{names} do best, with no clear difference between them: even {a} is ahead of {b} by "
    "{span}.": (
        "by title, not_clear names, first names following=b least=a, better a b, apart a b span"
    ),
    BY + f"{{names}} do best, {ONLY_SOME}: even {{a}} is ahead of {{b}} by {{span}}.": (
        "by title, only_some names, first names following=b least=a, better a b, apart a b span"
    ),
    BY
    + "there is no clear difference between {names}: the largest, between {a} and {b}, is {span}; "
    "differences beyond {limit} are excluded.": (
        "by title, not_clear names, largest a b names, apart a b span, beyond names limit"
    ),
    BY
    + "no program does clearly better than all others: {n} of the {of} pairs [differs clearly, {a}|"
    "differ clearly, most clearly {a}] from {b}, by {span}.": (
        "by title, no_best, differ_clearly n of a b, better a b, apart a b span"
    ),
    "{both} are identical: every query has the same {title} with both.": (
        "identical_are names=both title"
    ),
    "{names} are identical: every query has the same {title} with all of them.": (
        "identical_are names title"
    ),
    "{names} are identical.": "identical_are names",
    # Over k.
    f"{{a}} is ahead {EVERY_K}.": "ahead_at_every_k a last",
    f"{{both}} are equal {EVERY_K}.": "equal_at_every_k names=both last",
    "{a} is ahead at no k from 1 to {last}.": "ahead_at_no_k a last",
    "{b} is ahead at {ks}, but not clearly.": "ahead_at b ks",
    "{b} is ahead at {ks}, clearly{clear} (by {inside}{at}).": "ahead_at b ks clear at span=inside",
    "No two of these programs change places at any k from 1 to {last}.": "no_change_k last",
    f"The {{total}} clear differences remain clear {EVERY_K}.": "remain_k total held=total last",
    f"Of the {{total}} clear differences, {{held}} [remains|remain] clear {EVERY_K}.": (
        "remain_k total held last"
    ),
    f"The clear difference remains clear {EVERY_K}.": "remains_at held=last of=last",
    "The clear difference remains clear at {held} of the {of} k.": "remains_at held of",
    # At the common threshold.
    THERE + "{b} is clearly ahead{too}, by {short}.": "ahead_there b where too span=short",
    THERE + "{b} is ahead{too}, but not clearly.": "ahead_there b where too",
    THERE + "neither is ahead.": "neither_there where",
    THERE + "no two of {these} change places.": "no_change_there where measured=these",
    "The {total} clear differences{measured} remain clear there.": (
        "remain_there total held=total measured"
    ),
    "Of the {total} clear differences{measured}, {held} [remains|remain] clear there.": (
        "remain_there total held measured"
    ),
    "The clear difference{measured} remains clear there.": "remain_there measured",
    "The clear difference{measured} is {turned} there.": "turned_there turned measured",
    "{n} {other}[pair differs|pairs differ] clearly there.": "clear_there n other",
    "{title} judges {a} at E = {e} and {b} at E = {f}.": "judged_at title a b at_a=e at_b=f",
}
"""Forms of sentences; what each claims, by which fields: "other=field" is called other there."""

OTHERS = {
    "and {n} other [pair, clearly|pairs, {clearly} of them clearly]": 1,
    "and {one} other pair, not clearly": 0,
}
ITEMS = {
    "then": {
        "then {a}": "",
        "then {names}, with no clear difference between them": "not_clear names",
        "then {names}, between which only some differences are clear": "only_some names",
    },
    "beats": {
        "{a} than {some}": "",
        "and {n} other [program does|programs do] better than some": "",
    },
    "identical": {"so are {names}": "identical_are names"},
    "ties": {"{both}": "", "and {both}": "", "and {n} other [pair|pairs]": ""},
    "changes_k": OTHERS
    | {
        "{b} is ahead of {a} at {ks}, but not clearly": "ahead_at b a ks",
        "{b} is ahead of {a} at {ks}, clearly{clear} (by {inside}{at})": (
            "ahead_at b a ks clear at span=inside"
        ),
    },
    "changes_there": OTHERS
    | {
        "{b} is clearly ahead of {a}, by {short}": "ahead_there b a where span=short",
        "{b} is ahead of {a}, but not clearly": "ahead_there b a where",
    },
}
"""Forms of what stands between semicolons."""


def claims(written, found):
    """Claims as `SENTENCES` writes them, told what was found in a sentence."""
    made = []
    for kind, *told in map(str.split, filter(None, written.split(", "))):
        fields = (one.partition("=") for one in told)
        made.append(Claim(kind, {name: found[field or name] for name, _, field in fields}))
    return made


def numbered(form):
    """A form for one and a form for many, where it has "[pair|pairs]", and how each counts."""
    if "[" not in form:
        return [(form, {"one": "1"})]
    one, many = (re.sub(r"\[(.*?)\|(.*?)\]", part, form) for part in (r"\1", r"\2"))
    return [(one, {"n": "1", "held": "none|1"}), (many, {"n": MANY, "held": MANY})]


class Reader:
    """Reads sentences about programs of these names.

    Parameters
    ----------
    names : iterable of str
        Of the programs in the table above the sentences.
    """

    def __init__(self, names):
        self.name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        one = f"(?:{self.name})"
        several = f"{one}(?:, {one})* and {one}"
        self.fields = FIELDS | dict.fromkeys(("a", "b", "winner"), (one, str))
        # Full stops inside of names and numbers do not end a sentence.
        self.fields["items"] = (rf"(?>{self.name}|[^.:]|\.(?! |$))+", str)
        lists = {"both": f"{one} and {one}", "names": several, "some": f"(?:{several}|{one})"}
        self.fields |= {field: (form, self._list) for field, form in lists.items()}
        sentences = {form: partial(claims, written) for form, written in SENTENCES.items()} | {
            "Then {verb} {items}.": self._then,
            "{a} does better than {items}.": self._beats,
            "{names} are identical; {items}.": self._identical,
            "The order of ties decides between {items}.": self._ties,
            f"{{n}} of the {{of}} pairs [changes|change] places {SOME_K}": (
                partial(self._changes, "changes_k")
            ),
        }
        there = partial(self._changes, "changes_there")
        changes = "{n} of the {of} pairs{measured} [changes|change] places: {items}."
        sentences |= {
            THERE + changes: there,
            THERE + "the {only} there changes places: {items}.": there,
        }
        self.sentences = self._rules(sentences, " |$")
        self.items = {kind: self._rules(forms) for kind, forms in ITEMS.items()}

    def __call__(self, text):
        """Claims of a text of any number of sentences."""
        found = []
        while text:
            make, sentence = self._only(text, self.sentences)
            found += make(self._meant(sentence))
            text = text[sentence.end() :].removeprefix(" ")
        return found

    def _rules(self, forms, then="$"):
        """Forms with fields in braces as regular expressions, each with what it stands for."""
        return [
            (self._pattern(form, counts, then), value)
            for written, value in forms.items()
            for form, counts in numbered(written)
        ]

    def _pattern(self, form, counts, then):
        parts = re.split(r"\{(\w+)\}", form)
        for at in range(0, len(parts), 2):
            parts[at] = re.escape(parts[at]).replace(r"\ ", " ")
        for at in range(1, len(parts), 2):
            field = parts[at]
            parts[at] = f"(?P<{field}>{counts.get(field) or self.fields[field][0]})"
        return re.compile(f"{''.join(parts)}(?={then})")

    def _only(self, text, rules):
        """The one rule by which a text can be read: what it stands for, and the match."""
        read = [(value, found) for pattern, value in rules if (found := pattern.match(text))]
        if len(read) != 1:
            raise UnreadableError(f"read in {len(read)} ways: {text}")
        return read[0]

    def _meant(self, match):
        """What each field of a sentence means, and what follows from it."""
        found = {
            field: self.fields.get(field, ("", whole))[1](text)
            for field, text in match.groupdict().items()
        }
        if "winner" in found:
            if found["winner"] not in found["both"]:
                raise UnreadableError(f"{found['winner']} is none of {found['both']}")
            found["pairs"] = (found["both"],)
            (found["loser"],) = {*found["both"]} - {found["winner"]}
        if "inside" in found:  # the numbers of one k
            found["clear"] = found["clear"] or found["ks"]
            found["at"] = found["at"] or max(found["clear"].listed, default=0)
            if match["at"] == "" and len(found["clear"].listed) != 1:
                raise UnreadableError(f"of which k are the numbers: {match[0]}")
        return found

    def _list(self, text):
        """Names of "A, B and C"."""
        found = []
        while text:
            name = re.match(f"(?:{self.name})(?=, | and |$)", text)
            if name is None or name[0] in found:
                raise UnreadableError(f"no name, or one named before: {text}")
            found.append(name[0])
            text = re.sub("^(, | and )", "", text[name.end() :])
        return tuple(found)

    def _items(self, kind, text):
        """What each item of a list stands for and says; none follows after "and 3 others"."""
        read = [self._only(item, self.items[kind]) for item in text.split("; ")]
        found = [(value, self._meant(match)) for value, match in read]
        if any({"n", "one"} & item.keys() for _, item in found[:-1]):
            raise UnreadableError(f"after what was to be the last: {text}")
        return found

    def _then(self, f):
        read = self._items("then", f"then {f['items']}")
        if (f["verb"] == "comes") != ("a" in read[0][1]):
            raise UnreadableError(f"Then {f['verb']} {f['items']}")
        tiers = tuple(found["names"] if written else (found["a"],) for written, found in read)
        within = [one for written, found in read for one in claims(written, found)]
        return [Claim("then", {"tiers": tiers}), *within]

    def _beats(self, f):
        read = [found for _, found in self._items("beats", f"{f['a']} than {f['items']}")]
        whom = tuple((found["a"], found["some"]) for found in read if "a" in found)
        return [Claim("beats", {"whom": whom, "others": read[-1].get("n", 0)})]

    def _identical(self, f):
        read = [("identical_are names", f), *self._items("identical", f["items"])]
        return [one for written, found in read for one in claims(written, found)]

    def _ties(self, f):
        read = [found for _, found in self._items("ties", f["items"])]
        pairs = tuple(found["both"] for found in read if "both" in found)
        return [Claim("ties", {"pairs": pairs, "others": read[-1].get("n", 0)})]

    def _changes(self, kind, f):
        """Pairs that change places; how many others there are, and how many of them clearly."""
        told = {field: value for field, value in f.items() if field != "items"}
        told |= {"named": [], "others": 0, "others_clear": 0}
        if told.pop("only", False):
            told["measured"] = True
        for meaning, found in self._items(kind, f["items"]):
            if isinstance(meaning, str):
                told["named"] += claims(meaning, f | found)
            else:
                told["others"] = found.get("n", 1)
                told["others_clear"] = found.get("clearly", meaning)
        return [Claim(kind, told)]
