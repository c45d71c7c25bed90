"""Pages of `tapviz serve --class`: the lesson, which sends predictions, and the teacher's page."""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bokeh.server.views.auth_request_handler import AuthRequestHandler
from tornado.web import authenticated

from tapviz.cli.guard import refuse
from tapviz.files.small import json_of
from tapviz.lesson.classroom import Predictions, class_page
from tapviz.lesson.content import class_lesson

MAX_POST = 4096
"""Bytes of what a page sends."""
COOKIE = "tapviz-teacher"
ONLY_TEACHER = "This is the page of the teacher, whose address the server has printed.\n"


@dataclass(frozen=True)
class Room:
    """A class: the address of its pages, the key to that of the teacher, and what it predicted."""

    url: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    predictions: Predictions = field(default_factory=Predictions)

    def patterns(self) -> list[Any]:
        """Paths of the pages and what answers them."""
        # Packed, since forty phones ask for the lesson at once.
        lesson, teacher = (
            {"room": self, "page": gzip.compress(page.encode())}
            for page in (class_lesson("explore"), class_page(f"{self.url}lesson"))
        )
        return [
            ("/lesson", _Lesson, lesson),
            ("/lesson/predictions", _Student, {"room": self}),
            ("/class", _Teacher, teacher),
            ("/class/predictions", _Class, {"room": self}),
        ]

    def addresses(self) -> str:
        """Where the pages are, in words."""
        only = "\nOnly this machine is let in: --address 0.0.0.0 lets in others"
        return (
            f"Students open {self.url}lesson\nThe teacher opens {self.url}class?key={self.key}"
            f"{only if self.url.startswith('http://localhost:') else ''}"
        )


class _Handler(AuthRequestHandler):
    """What answers one path of a class."""

    def initialize(self, room: Room, page: bytes = b"") -> None:
        """Note the class."""
        self._room, self._page = room, page

    def set_default_headers(self) -> None:
        """Have nothing kept: what a page shows changes, and a reload begins anew."""
        self.set_header("Cache-Control", "no-store")

    def is_teacher(self, key: str = "") -> bool:
        """Whether it is the teacher's browser, or one with the key; says so if not."""
        given = key or self.get_cookie(COOKIE) or ""
        if secrets.compare_digest(given.encode(), self._room.key.encode()):
            return True
        refuse(self, 403, ONLY_TEACHER)
        return False

    def answer(self, work: Callable[[], Any]) -> None:
        """Send what some work returns, or say why it cannot be done."""
        try:
            found = work()
        except (ValueError, OverflowError) as error:
            refuse(self, 429 if isinstance(error, OverflowError) else 400, f"{error}\n")
        else:
            self.finish(found)

    def send_page(self) -> None:
        """Send the page of the path."""
        self.set_header("Content-Type", "text/html; charset=UTF-8")
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(self._page)
        else:
            self.finish(gzip.decompress(self._page))

    def posted(self, names: Sequence[str]) -> list[object]:
        """Fields of a posted object, or a ValueError. A page of another site cannot post JSON."""
        kind, found = self.request.headers.get("Content-Type", ""), None
        if kind == "application/json":
            found = json_of(self.request.body, "what was posted", most=MAX_POST)
        if not isinstance(found, dict):
            raise ValueError(f"expected {' and '.join(names)} as an object of JSON")  # noqa: TRY004  # one kind of error for what is sent
        return [found.get(name) for name in names]


class _Lesson(_Handler):
    """The lesson, whose page sends predictions."""

    @authenticated
    def get(self) -> None:
        """Send it."""
        self.send_page()


class _Student(_Handler):
    """Takes what a student predicted, and says what is revealed."""

    @authenticated
    def post(self) -> None:
        """Take it, or say why not."""
        take = self._room.predictions.take
        self.answer(lambda: {"revealed": take(*self.posted(["student", "answers"]))})


class _Teacher(_Handler):
    """The teacher's page."""

    @authenticated
    def get(self) -> None:
        """Send it to who has the key, which then leaves the address bar: the class looks on."""
        key = self.get_argument("key", "")
        if not self.is_teacher(key):
            return
        if key:
            self.set_cookie(COOKIE, key, httponly=True, samesite="Lax")
            self.redirect("class")
        else:
            self.send_page()


class _Class(_Handler):
    """What the class predicted, for the teacher alone."""

    @authenticated
    def get(self) -> None:
        """Say it as JSON."""
        if self.is_teacher():
            self.finish({"answers": [*self._room.predictions.by_student.values()]})

    @authenticated
    def post(self) -> None:
        """Reveal the answer to a question."""
        if self.is_teacher():
            reveal = self._room.predictions.reveal
            self.answer(lambda: reveal(*self.posted(["question"])) or {})
