"""Expressions that anybody may write: what they find, what is refused, and that they end soon."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import JoinRules, Patterns
from tapviz.files.regex import MAX_SIZE, Regex, RegexError
from tests.refused import error_of, refuses

# An engine that goes back and tries again needs longer than anybody waits.
EXPONENTIAL = r"(\w*\w*\w*\w*\w*\w*\w*\w*\w*\w*)*!"

ATOMS = st.sampled_from(
    ["a", "b", "d1", "A", "1", ".", "_", r"\.", r"\w", r"\d", r"\s", r"\W", r"\b", r"\B", "^", "$",
     "[ab]", "[^ab]", "[]a]", "[^]a]", "[a-d_]", r"[\w-]", r"[\]1]", "-", "/", r"\|", "}", "]"]
)  # fmt: skip
REPEATS = st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?", "{,}", "??"])


def larger(part):
    group = st.one_of(
        part.map("({})".format), part.map("(?:{})".format), part.map("(?P<x>{})".format)
    )
    return st.one_of(
        st.lists(part, min_size=2, max_size=4).map("".join),
        st.lists(part, min_size=2, max_size=3).map("|".join).map("({})".format),
        st.builds(str.__add__, group, REPEATS),
        group,
    )


EXPRESSIONS = st.recursive(ATOMS, larger, max_leaves=8)
# No id is empty, where `re` of before 3.14 finds no \B.
IDS = st.lists(st.text("abcdABD1234_./-|]} ", min_size=1, max_size=8), max_size=6)


def of_re(expression):
    try:
        return re.compile(expression, re.ASCII)
    except re.error:
        return None


@given(EXPRESSIONS, IDS, st.booleans())
def test_it_finds_what_re_finds(expression, ids, ignore_case):
    twin = of_re(expression)
    try:
        found = Regex(expression, ignore_case=ignore_case).found_in(ids)
    except RegexError:
        # Nothing that `re` takes is refused, but for one name twice or two signs at once.
        assert twin is None or re.search(r"[*+?}]\{|\{,?2?,?\}[*+?{]", expression)
        return
    if twin is None:
        return
    flags = re.ASCII | (re.IGNORECASE if ignore_case else 0)
    assert found.tolist() == [bool(re.search(expression, one, flags)) for one in ids]


GROUPS = [
    ("[^/]+", "globin/12", "globin"),
    ("^([a-z]+)_", "fam_1", "fam"),
    ("^([a-z]+)_", "1", ""),
    ("x(?:a|b)(c)(d)", "xbcd", "c"),
    ("(?P<family>[a-z]+)/(?P<member>[0-9])", "kinase/7", "kinase"),
    ("a(b)?", "a", ""),
    ("(?i)FAM", "a fam", "fam"),
    ("é+", "déé", "éé"),
    (r"\(([(])\)", "((", ""),
    ("[(](x)", "(x", "x"),
]


@pytest.mark.parametrize(("expression", "text", "first"), GROUPS)
def test_the_first_group_or_all(expression, text, first):
    assert Regex(expression).first_group([text]) == [first]


def test_letters_in_either_case():
    assert Regex("^D1é", ignore_case=True).found_in(["d1É", "xd1é"]).tolist() == [True, False]


REFUSED = [
    ("(", "not a regular expression (missing parenthesis)"),
    ("a)", "not a regular expression (unexpected parenthesis)"),
    ("[a", "not a regular expression (missing bracket)"),
    ("a\\", "not a regular expression (a backslash at the end)"),
    ("*", "not a regular expression (no argument for repetition operator: *)"),
    ("z{2,1}", "not a regular expression (invalid repetition size: {2,1})"),
    (r"(a)\1", r"not supported because of its backreference, \1"),
    ("(?P<x>a)(?P=x)", "not supported because of its backreference, (?P="),
    ("a(?=b)", "not supported because of its look-ahead, (?="),
    ("a(?!b)", "not supported because of its look-ahead, (?!"),
    ("(?<=b)a", "not supported because of its look-behind, (?<="),
    ("(?<!b)a", "not supported because of its look-behind, (?<!"),
    ("(a)?(?(1)b|c)", "not supported because of its condition, (?("),
    ("(?>a)", "not supported because of its atomic group, (?>"),
    ("a*+", "not supported because of its possessive repetition, *+"),
    ("(?x) a", "not supported because of its group, (?x"),
    (r"a\Z", r"not supported because of its escape, \Z"),
    ("[[:alpha:]]", "not supported because of its named set, [:"),
    ("(" * 2000, "too long: it has more than 1,000 characters"),
    ("a{99999999999}", "too large: its repetitions stand for more than 1,000 characters"),
    ("((a{20}){20}){20}", "too large: its repetitions stand for more than 1,000 characters"),
    ("\ud800", "not text"),
]


@pytest.mark.parametrize(("expression", "why"), REFUSED)
def test_what_is_refused_is_named(expression, why):
    assert str(error_of(Regex, expression, error=RegexError)) == why


@given(st.text(r"ab(){}[]?*+\|^$.,1259:=!<>Ppi-&~", max_size=30))
def test_any_text_is_an_expression_or_is_refused(text):
    with suppress(RegexError):
        assert Regex(text).found_in(["ab", ""]).shape == (2,)


def test_what_takes_for_ever_elsewhere_ends_for_many_ids():
    ids = [f"d{number:06d}a_" for number in range(100_000)]
    assert not Regex(EXPONENTIAL).found_in(ids).any()
    assert Regex("^d0.*7a").found_in(ids).sum() == 10_000


def test_what_would_take_long_in_so_many_ids_is_refused():
    slow = Regex(f"(?i)([^k]?){{{MAX_SIZE - 1}}}$", max_work=100_000_000)
    assert slow.found_in(["d1abc"]).all()
    with pytest.raises(RegexError, match="too large to be searched for in 200,000 bytes of ids"):
        slow.found_in(["d1abcdefgh"] * 20_000)


def test_a_usual_expression_is_for_millions_of_ids():
    decoys = JoinRules(decoys="^(rev|decoy|shuffled)_[0-9]+")
    assert decoys.are_decoys(["sp|P12345|NAME_HUMAN"] * 2_000_000 + ["decoy_7"]).sum() == 1


@pytest.mark.parametrize(
    ("make", "option"),
    [(lambda text: JoinRules(decoys=text), "decoys"), (lambda text: Patterns(text, []), "family")],
)
def test_options_say_which_of_them_cannot_be_used(make, option):
    make(EXPONENTIAL)
    refuses(rf"^{option} is '\(\?=a\)': not supported because of its", make, "(?=a)")
