"""A class on the server: predictions come in, the teacher alone sees them, and rubbish does not."""

import asyncio
import gzip
import json
import re
import socket
from http import HTTPStatus

import pytest
from bokeh.application import Application
from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer

from tapviz.cli import main
from tapviz.cli.class_pages import MAX_POST, Room
from tapviz.cli.guard import Pages
from tapviz.cli.server import reached_at
from tapviz.lesson.classroom import MOST, Predictions, questions
from tapviz.lesson.content import encoded

ADA, BOB = 24 * "a", 24 * "b"
JSON = "application/json"


def said(student=ADA, **answers):
    return json.dumps({"student": student, "answers": answers})


@pytest.fixture
def ask():
    """Ask a server of a class, one request after another; room and answers, with status and text.

    A request is a path, or a path, a body and its type; a teacher is one who has the cookie.
    """

    def asked(*requests, teacher=()):
        async def run():
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
                url = room.url + path.replace("KEY", room.key)
                answers.append(await client.fetch(url, **more))
            client.close()
            server.stop()
            return room, answers

        room, answers = asyncio.run(run())
        return room, [(one.code, one.body.decode()) for one in answers], answers

    return asked


REVEAL = "class/predictions", '{"question": "pooled"}', JSON


def mine(body, kind=JSON):
    return "lesson/predictions", body, kind


def test_what_students_send_is_seen_by_the_teacher_alone(ask):
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


def test_a_student_is_one_whatever_they_send_again_and_what_is_revealed_stays(ask):
    _, answers, _ = ask(
        *[mine(said(pooled=one / 100)) for one in (10, 20, 58)],
        *(REVEAL, mine(said(pooled=0.1, added=0.9)), "class/predictions"),
        teacher=[3, 5],
    )
    assert [code for code, _ in answers] == [200] * 6
    assert json.loads(answers[4][1]) == {"revealed": ["pooled"]}
    assert json.loads(answers[5][1]) == {"answers": [{"pooled": 0.58, "added": 0.9}]}


def test_the_address_of_the_teacher_loses_its_key(ask):
    room, answers, responses = ask("class?key=KEY", "class?key=wrong", "class", teacher=[2])
    assert [code for code, _ in answers] == [302, 403, 200]
    assert responses[0].headers["Location"] == "class"
    cookie = responses[0].headers["Set-Cookie"]
    assert cookie.startswith(f"tapviz-teacher={room.key}; HttpOnly; Path=/; SameSite=Lax")
    assert room.key not in answers[2][1]
    assert f'<b class="address">{room.url}lesson</b>' in answers[2][1]
    assert responses[2].headers["Cache-Control"] == "no-store"


def test_the_lesson_of_a_class_is_the_lesson_and_holds_nothing_of_the_class(ask):
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


def test_rubbish_is_refused_and_nothing_is_lost(ask):
    bodies = [said(pooled=0.58), *RUBBISH, said(BOB, added=0.5)]
    room, (first, *refused, last), _ = ask(*map(mine, bodies))
    assert (first[0], last[0]) == (200, 200)
    for body, (code, text) in zip(RUBBISH, refused, strict=True):
        assert (code, text[-1]) == (400, "\n"), body[:50]
    assert room.predictions.by_student == {ADA: {"pooled": 0.58}, BOB: {"added": 0.5}}


def test_a_page_of_another_site_cannot_predict(ask):
    """A browser asks before it posts JSON for another site, and is not answered."""
    kinds = ("text/plain", "application/x-www-form-urlencoded", "")
    room, answers, _ = ask(*(mine(said(pooled=0.58), kind) for kind in kinds))
    assert [code for code, _ in answers] == [400] * 3
    assert room.predictions.by_student == {}


def test_only_a_question_is_revealed(ask):
    bodies = ("", '{"question": "unknown"}', '{"question": ["pooled"]}', "[]")
    requests = [("class/predictions", body, JSON) for body in bodies]
    room, answers, _ = ask(*requests, teacher=range(4))
    assert [code for code, _ in answers] == [HTTPStatus.BAD_REQUEST] * 4
    assert room.predictions.revealed == set()


def test_who_floods_the_class_keeps_out_none_who_is_in():
    of_class = Predictions()
    for i in range(MOST):
        of_class.take(f"{i:024x}", {"pooled": 0.5})
    with pytest.raises(OverflowError, match="there are 1,000 students"):
        of_class.take(ADA, {"pooled": 0.5})
    of_class.take(f"{7:024x}", {"pooled": 0.6})
    assert len(of_class.by_student) == MOST
    assert of_class.by_student[f"{7:024x}"] == {"pooled": 0.6}


def test_the_flood_is_answered(ask, monkeypatch):
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
