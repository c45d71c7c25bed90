"""The page in a cell of a notebook: from when it is drawn, it shows what Python has."""

from __future__ import annotations

from functools import partial
from typing import Any

import panel as pn
import param
from bokeh.core.serialization import Serializer
from bokeh.document.events import ModelChangedEvent
from bokeh.document.json import PatchJson
from bokeh.model import Model
from bokeh.protocol.messages.patch_doc import patch_doc
from panel.custom import JSComponent
from panel.io.model import diff
from panel.io.notebook import send

SILENT = "embedded"
"""Tag of a page to which Panel sends nothing."""


class NotebookSync(JSComponent):
    """Part of the page in a cell that keeps the page and Python at one.

    The browser is not ready for messages before it has drawn the page, and drops them; Panel keeps
    those from before the page was opened, but not their order. So none is sent until the page says
    that it is drawn. It is then told, in one message, all that differs from the output of the cell,
    also when a saved notebook is opened again while its kernel runs.

    Panel's page tells Python each value that Python has just set. By then Python may have another,
    and would take the old one for a choice of the person: here only the page's own are told.
    """

    _busy__ignore = ("answered",)

    answered = param.Boolean(default=False, doc="Whether Python knows that the page is drawn.")

    _esm = """
    export function render({ model, view }) {
        const root = view.root.model
        const manager = root.document.roots().find((one) => one.client_comm_id)
        if (manager) {
            const tell = manager._document_changed
            manager._document_changed = function (event) { if (event.sync) tell.call(this, event) }
            // A message may fail for what else is in it, such as sizes of a plot no longer there.
            const say = (wait) => {
                if (model.answered) return
                model.send_msg(root.id)
                setTimeout(() => say(2 * wait), wait)
            }
            say(1000)
        }
        return document.createElement("div")
    }
    """

    def __init__(self) -> None:
        super().__init__(width=0, height=0, margin=0)
        self._given: dict[str, dict[Model, dict[str, Any]]] = {}
        self.on_msg(lambda event: self._drawn(event.data))

    def keep(self) -> None:
        """Take note of what has just become the output of a cell."""
        for ref in self._models.keys() - self._given.keys():
            page, root, _, comm = pn.state._views[ref]  # noqa: SLF001  # no public name leads there
            if comm is None:
                continue  # a widget of jupyter_bokeh, as in VS Code
            self._given[ref] = {model: _set(model) for model in root.references()}
            root.tags = [SILENT]
            client = page._comms[ref][1]  # noqa: SLF001
            client._on_open = partial(self._opened, root, client._on_open)  # noqa: SLF001

    def _opened(self, root: Model, opened: Any, message: Any) -> None:
        """Wait for a page that has been opened, perhaps again."""
        root.tags = [SILENT]
        opened(message)

    def _drawn(self, ref: str) -> None:
        """Send what differs from the output of the cell; what was held back is part of it."""
        self.answered = True
        given = self._given.get(ref)
        if given is None:
            return
        _, root, document, comm = pn.state._views[ref]  # noqa: SLF001
        root.tags = []
        diff(document)
        events = [
            ModelChangedEvent(document, model, name, known.get_value(model))
            for model in root.references() & given.keys()  # others go with what refers to them
            for name, value in _set(model).items()
            if value is not given[model].get(name, SILENT)
            and not (known := model.lookup(name)).readonly  # sizes: the browser's own
        ]
        content = PatchJson(events=Serializer(references=set(given)).encode(events))
        send(comm, patch_doc(patch_doc.create_header(), {"use_buffers": False}, content))

    def _cleanup(self, root: Model | None = None) -> None:
        if root is not None:
            self._given.pop(root.ref["id"], None)
        super()._cleanup(root)


def _set(model: Model) -> dict[str, Any]:
    """Properties that have been set: another object is there once one has been set again."""
    return dict(model._property_values)  # noqa: SLF001  # the public way takes a second for a page
