"""Predictions become a code and the code becomes predictions; a slip never passes."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz.cli import main
from tapviz.lesson.classroom import class_page, questions
from tapviz.lesson.codes import ALPHABET, CHECK, Question, decode, edition, encode, length

# 3 and 102 answers, those who skip included: 306 in all.
TWO = (Question("list", ("A", "B")), Question("score"))
LESSON = questions()
FULL = encode(LESSON, {one.name: one.options[-1] if one.options else 0.0 for one in LESSON})


def predictions():
    """Any predictions that the questions take, as they are decoded."""

    def answer(one):
        if one.options:
            return st.none() | st.sampled_from(one.options)
        steps = round((one.high - one.low) / one.step)
        values = st.integers(0, steps).map(lambda at: float(f"{one.low + at * one.step:.12g}"))
        return st.none() | values

    return st.fixed_dictionaries({one.name: answer(one) for one in LESSON})


def test_a_code_worked_by_hand():
    # B is answer 2 of the list's 3, and 0.58 answer 59 of the score's 102: 2 x 102 + 59 = 263.
    # 263 x 1021 = 268,523 = 8 x 32^3 + 6 x 32^2 + 7 x 32 + 11, and the digit 11 is B.
    assert encode(TWO, {"list": "B", "score": 0.58}) == f"{edition(TWO)}86-7B"
    assert encode(TWO, {}) == f"{edition(TWO)}00-00"
    assert decode(TWO, f"{edition(TWO)}867B") == {"list": "B", "score": 0.58}
    assert length(TWO) == 6
    assert encode(TWO, {"list": "B", "score": 1.0}).replace("-", "")[2:] == "9G3D"  # 305 x 1021


def test_the_multiplier_finds_slips_because_it_is_prime():
    assert all(CHECK % divisor for divisor in range(2, CHECK))


@given(predictions())
def test_predictions_survive(given_ones):
    code = encode(LESSON, given_ones)
    assert decode(LESSON, code) == given_ones
    assert len(code.replace("-", "")) == length(LESSON)


def test_a_number_is_rounded_to_the_step_of_its_question():
    assert decode(TWO, encode(TWO, {"score": 0.578}))["score"] == 0.58
    assert decode(TWO, encode(TWO, {"score": 0.0}))["score"] == 0.0


@pytest.mark.parametrize(
    "written",
    [str.lower, lambda c: c.replace("-", " "), lambda c: c.replace("-", ""), lambda c: f" {c}- "],
)
def test_capitals_spaces_and_hyphens_do_not_matter(written):
    assert decode(LESSON, written(FULL)) == decode(LESSON, FULL)


def test_letters_that_look_like_digits_are_read_as_these():
    codes = [encode(LESSON, {"mean": float(at)}).replace("-", "")[2:] for at in range(200)]
    code = next(code for code in codes if {"0", "1"} <= {*code})
    typed = code.replace("0", "o").replace("1", "l")
    assert decode(LESSON, edition(LESSON) + typed) == decode(LESSON, edition(LESSON) + code)


def test_every_slip_of_one_character_is_found():
    code = FULL.replace("-", "")
    for i, right in enumerate(code):
        for wrong in set(ALPHABET) - {right}:
            with pytest.raises(ValueError, match="mistyped"):
                decode(LESSON, code[:i] + wrong + code[i + 1 :])


def test_every_exchange_of_two_characters_is_found():
    code = FULL.replace("-", "")
    for i in range(len(code)):
        for j in range(i):
            if code[i] != code[j]:
                swapped = list(code)
                swapped[i], swapped[j] = code[j], code[i]
                with pytest.raises(ValueError, match="mistyped"):
                    decode(LESSON, "".join(swapped))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (FULL[:-1], f"has {length(LESSON) - 1} characters, not {length(LESSON)}"),
        (FULL + "0", f"has {length(LESSON) + 1} characters, not {length(LESSON)}"),
        (FULL.replace("-", "_"), "_ is in no code"),
        ("hello", f"begins with HE, not {edition(LESSON)}: mistyped, or of another lesson"),
    ],
)
def test_what_is_no_code_is_named(wrong, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        decode(LESSON, wrong)


def test_codes_of_other_questions_are_refused():
    other = (*TWO[:1], Question("score", step=0.02))
    assert edition(TWO) != edition(other)
    with pytest.raises(ValueError, match="of another lesson"):
        decode(other, encode(TWO, {}))


@pytest.mark.parametrize("wrong", [{"list": "C"}, {"score": 1.5}, {"list": 0.5}, {"score": -1}])
def test_an_answer_that_no_question_has_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        encode(TWO, wrong)


def test_the_page_for_the_class_holds_every_question_with_its_answer(tmp_path):
    file = tmp_path / "class.html"
    assert main(["lesson", "--class", "-o", str(file)]) == 0
    page = file.read_text(encoding="utf-8")
    assert page == class_page()
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert [one["name"] for one in data["questions"]] == [one.name for one in LESSON]
    assert data["edition"] == edition(LESSON)
    scenes = {one["name"]: one["scene"] for one in data["questions"]}
    assert (scenes["added"], scenes["scale"]) == ("Scene 5", "For those who report scores, 1")
    truths = {one["name"]: one["truth"] for one in data["questions"]}
    assert truths["pooled"] == pytest.approx(94 / 962, abs=1e-12)
    assert (truths["mean"], truths["median"]) == (2, 0)
    assert (truths["lifted"], truths["outside_tap"], truths["outside_pooled"]) == (1, 0, 4)
    assert "://" not in page.replace("http://www.w3.org", "")
