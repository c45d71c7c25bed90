"""A class: predictions come in at the server, or as a code; rubbish and slips never pass.

A code becomes the predictions that it was made of, and the teacher alone sees those of all.
"""

import asyncio
import gzip
import json
import re
import socket
from http import HTTPStatus
from itertools import combinations

import pytest
from bokeh.application import Application
from hypothesis import given
from hypothesis import strategies as st
from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer

from tapviz.cli import main
from tapviz.cli.class_pages import MAX_POST, Room
from tapviz.cli.guard import Pages
from tapviz.cli.server import reached_at
from tapviz.lesson.classroom import MOST, Predictions, class_page, questions
from tapviz.lesson.codes import ALPHABET, CHECK, Question, decode, edition, encode, length
from tapviz.lesson.content import encoded
from tests.refused import refuses

ADA, BOB = 24 * "a", 24 * "b"
JSON = "application/json"


def said(student=ADA, **answers):
    return json.dumps({"student": student, "answers": answers})


async def requested(requests, teacher):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    room = Room(f"http://{host}/x/")
    more = {"extra_patterns": room.patterns(), "extra_websocket_origins": [host]}
    server = HTTPServer(Pages({"/": Application()}, prefix="/x", **more))
    server.add_socket(listener)
    client, answers = AsyncHTTPClient(force_instance=True), []
    for i, request in enumerate(requests):
        path, *posted = [request] if isinstance(request, str) else request
        headers = {"Cookie": f"tapviz-teacher={room.key}"} if i in teacher else {}
        more = {"headers": headers, "raise_error": False, "follow_redirects": False}
        if posted:
            body, headers["Content-Type"] = posted
            more |= {"method": "POST", "body": body}
        answers.append(await client.fetch(room.url + path.replace("KEY", room.key), **more))
    client.close()
    server.stop()
    return room, answers


def ask(*requests, teacher=()):
    """Ask a server of a class, one request after another; room and answers, with status and text.

    A request is a path, or a path, a body and its type; a teacher is one who has the cookie.
    """
    room, answers = asyncio.run(requested(requests, teacher))
    return room, [(one.code, one.body.decode()) for one in answers], answers


REVEAL = "class/predictions", '{"question": "pooled"}', JSON


def mine(body, kind=JSON):
    return "lesson/predictions", body, kind


def test_what_students_send_is_seen_by_the_teacher_alone():
    room, answers, _ = ask(
        *(mine(said(pooled=0.58)), mine(said(BOB, pooled=None))),
        *("class/predictions", "class/predictions", "class", REVEAL),
        teacher=[3],
    )
    assert [json.loads(text) for _, text in answers[:2]] == [{"revealed": []}] * 2
    assert json.loads(answers[3][1]) == {"answers": [{"pooled": 0.58}, {"pooled": None}]}
    for code, text in (answers[2], answers[4], answers[5]):
        assert (code, text[:29]) == (403, "This is the page of the teach")
    assert room.predictions.revealed == set()


def test_a_student_is_one_whatever_they_send_again_and_what_is_revealed_stays():
    _, answers, _ = ask(
        *[mine(said(pooled=one / 100)) for one in (10, 20, 58)],
        *(REVEAL, mine(said(pooled=0.1, added=0.9)), "class/predictions"),
        teacher=[3, 5],
    )
    assert [code for code, _ in answers] == [200] * 6
    assert json.loads(answers[4][1]) == {"revealed": ["pooled"]}
    assert json.loads(answers[5][1]) == {"answers": [{"pooled": 0.58, "added": 0.9}]}


def test_the_address_of_the_teacher_loses_its_key():
    room, answers, responses = ask("class?key=KEY", "class?key=wrong", "class", teacher=[2])
    assert [code for code, _ in answers] == [302, 403, 200]
    assert responses[0].headers["Location"] == "class"
    cookie = responses[0].headers["Set-Cookie"]
    assert cookie.startswith(f"tapviz-teacher={room.key}; HttpOnly; Path=/; SameSite=Lax")
    assert room.key not in answers[2][1]
    assert f'<b class="address">{room.url}lesson</b>' in answers[2][1]
    assert responses[2].headers["Cache-Control"] == "no-store"


def test_the_lesson_of_a_class_is_the_lesson_and_holds_nothing_of_the_class():
    _, answers, responses = ask(mine(said(pooled=0.58)), "lesson")
    page = answers[1][1]
    assert encoded() in page
    assert 'data-explorer="explore"' in page
    assert "lesson/predictions" in page
    assert "0.58" not in page.replace(encoded(), "")
    assert responses[1].headers["X-Consumed-Content-Encoding"] == "gzip"


def test_the_lesson_is_sent_to_who_cannot_unpack_it():
    room = Room("http://localhost/")
    page = {path: options for path, _, options in room.patterns()}["/lesson"]["page"]
    assert encoded().encode() in gzip.decompress(page)


RUBBISH = [
    *("", "rubbish", "[" * 4000, "null", "[]", '"text"', "{}", b"\xff\xfe"),
    *(said(student, pooled=0.5) for student in ("Ada", ADA + "a", ["a"])),
    *(said(pooled=one) for one in (1.5, -0.1, "high", [0.5], {"a": 1})),
    *(said(pooled=one) for one in (float("nan"), float("inf"), 10**3000)),
    *(said(**one) for one in ({"shape": "up"}, {"shape": 1}, {"unknown": 1}, {"report": "words"})),
    json.dumps({"student": ADA, "answers": [0.5]}),
    json.dumps({"student": ADA}),
    said(pooled=0.5) + " " * MAX_POST,
    "x" * 900_000,
]


def test_rubbish_is_refused_and_nothing_is_lost():
    bodies = [said(pooled=0.58), *RUBBISH, said(BOB, added=0.5)]
    room, (first, *refused, last), _ = ask(*map(mine, bodies))
    assert (first[0], last[0]) == (200, 200)
    for body, (code, text) in zip(RUBBISH, refused, strict=True):
        assert (code, text[-1]) == (400, "\n"), body[:50]
    assert room.predictions.by_student == {ADA: {"pooled": 0.58}, BOB: {"added": 0.5}}


def test_a_page_of_another_site_cannot_predict():
    """A browser asks before it posts JSON for another site, and is not answered."""
    kinds = ("text/plain", "application/x-www-form-urlencoded", "")
    room, answers, _ = ask(*(mine(said(pooled=0.58), kind) for kind in kinds))
    assert [code for code, _ in answers] == [400] * 3
    assert room.predictions.by_student == {}


def test_only_a_question_is_revealed():
    bodies = ("", '{"question": "unknown"}', '{"question": ["pooled"]}', "[]")
    requests = [("class/predictions", body, JSON) for body in bodies]
    room, answers, _ = ask(*requests, teacher=range(4))
    assert [code for code, _ in answers] == [HTTPStatus.BAD_REQUEST] * 4
    assert room.predictions.revealed == set()


def test_who_floods_the_class_keeps_out_none_who_is_in():
    of_class = Predictions()
    for i in range(MOST):
        of_class.take(f"{i:024x}", {"pooled": 0.5})
    refuses("there are 1,000 students", of_class.take, ADA, {"pooled": 0.5}, error=OverflowError)
    of_class.take(f"{7:024x}", {"pooled": 0.6})
    assert len(of_class.by_student) == MOST
    assert of_class.by_student[f"{7:024x}"] == {"pooled": 0.6}


def test_the_flood_is_answered(monkeypatch):
    monkeypatch.setattr("tapviz.lesson.classroom.MOST", 1)
    _, answers, _ = ask(mine(said(pooled=0.5)), mine(said(BOB)), mine(said(pooled=0.6)))
    assert [code for code, _ in answers] == [200, 429, 200]


def test_a_number_is_kept_as_its_question_has_it():
    of_class = Predictions()
    of_class.take(ADA, {"pooled": 0.5789, "mean": 1.26, "shape": "peaks", "lifted": None})
    kept = {"pooled": 0.58, "mean": 1.3, "shape": "peaks", "lifted": None}
    assert of_class.by_student[ADA] == kept
    assert set(of_class.by_student[ADA]) < {one.name for one in questions()}


def test_a_class_is_in_one_process(capsys):
    assert main(["serve", "--class", "--processes", "2", "--port", "0"]) == 2
    assert capsys.readouterr().err.startswith("--class: what students predict is in one process")


def test_who_lets_in_nobody_else_is_told():
    here, there = (Room(f"http://{name}:5006/") for name in ("localhost", "192.0.2.7"))
    assert here.addresses().splitlines() == [
        "Students open http://localhost:5006/lesson",
        f"The teacher opens http://localhost:5006/class?key={here.key}",
        "Only this machine is let in: --address 0.0.0.0 lets in others",
    ]
    assert len(there.addresses().splitlines()) == 2
    assert here.key != there.key


def test_the_address_that_students_type():
    assert reached_at("192.0.2.7") == "192.0.2.7"
    assert reached_at("2001:db8::7") == "[2001:db8::7]"
    own = reached_at("")
    assert own == "localhost" or re.fullmatch(r"\d+\.\d+\.\d+\.\d+", own)


# --- predictions as a code ------------------------------------------------------------------------

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


def test_every_slip_of_one_character_and_every_exchange_of_two_is_found():
    code = FULL.replace("-", "")
    slips = {code[:i] + wrong + code[i + 1 :] for i in range(len(code)) for wrong in ALPHABET}
    for i, j in combinations(range(len(code)), 2):
        slips.add(code[:i] + code[j] + code[i + 1 : j] + code[i] + code[j + 1 :])
    for slip in slips - {code}:
        refuses("mistyped", decode, LESSON, slip)


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
    refuses(f"^{re.escape(said)}$", decode, LESSON, wrong)


def test_codes_of_other_questions_are_refused():
    other = (*TWO[:1], Question("score", step=0.02))
    assert edition(TWO) != edition(other)
    refuses("of another lesson", decode, other, encode(TWO, {}))


@pytest.mark.parametrize("wrong", [{"list": "C"}, {"score": 1.5}, {"list": 0.5}, {"score": -1}])
def test_an_answer_that_no_question_has_is_refused(wrong):
    refuses(next(iter(wrong)), encode, TWO, wrong)


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
