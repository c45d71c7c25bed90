"""The page in a cell of a notebook: from when it is drawn, it shows what Python has."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

import param
from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.document.events import ModelChangedEvent
from bokeh.document.json import PatchJson
from bokeh.model import Model
from bokeh.protocol.messages.patch_doc import patch_doc

from tapviz.live import compat
from tapviz.live.parts import Component
from tapviz.live.script import script

NO_JUPYTER_BOKEH = (
    "jupyter_bokeh is missing: in VS Code and Colab the page needs it, pip install jupyter_bokeh"
)
NOT_SET = object()


def warn_without_jupyter_bokeh() -> None:
    """Tell the reader of a notebook what some of them need to show the page."""
    if find_spec("jupyter_bokeh") is None:
        print(NO_JUPYTER_BOKEH)  # noqa: T201


class Output(NamedTuple):
    """An output of a cell: its root, and what each of its models was when it was made."""

    root: Model
    document: Document
    comm: object
    properties: dict[Model, dict[str, object]]


class NotebookSync(Component):
    """Part of the page in a cell that keeps the page and Python in agreement.

    The browser is not ready for messages before it has drawn the page, and drops them; Panel keeps
    those from before the page was opened, but not their order. So none is sent until the page says
    that it is drawn. It is then sent, in one message, all that differs from the output of the cell,
    also when a saved notebook is opened again while its kernel runs.

    Panel's page tells Python each value that Python has just set. By then Python may have another,
    and would take the old one for a choice of the person: here only the page's own are told.
    """

    answered = param.Boolean(default=False, doc="Whether Python knows that the page is drawn.")
    moves = param.Boolean(default=False, doc="Whether sliders move the page without Python.")

    _esm = script("notebook_sync.js")

    def __init__(self) -> None:
        super().__init__(width=0, height=0)
        self._outputs: dict[str, Output] = {}
        self.on_msg(lambda event: self._update_output(event.data))
        compat.on_removed(self, lambda ref: self._outputs.pop(ref, None))

    def record_output(self) -> None:
        """Take note of what has just become the output of a cell."""
        for ref in compat.rendered_refs(self) - self._outputs.keys():
            view = compat.rendered_view(ref)
            if view is None:
                continue
            page, root, document, comm = view
            properties = {model: compat.set_properties(model) for model in root.references()}
            self._outputs[ref] = Output(root, document, comm, properties)
            compat.mute(root)
            # Opened again, the page is not ready again.
            compat.before_page_opens(page, ref, partial(compat.mute, root))

    def _update_output(self, ref: str) -> None:
        """Send what differs from the output of the cell; what was held back is part of it."""
        self.answered = True
        output = self._outputs.get(ref)
        if output is None:
            return
        root, document, comm, properties = output
        compat.unmute(root)
        compat.discard_held_events(document)
        events = [
            ModelChangedEvent(document, model, name, descriptor.get_value(model))
            for model in root.references() & properties.keys()  # others go with what refers to them
            for name, value in compat.set_properties(model).items()
            if value is not properties[model].get(name, NOT_SET)
            and not (descriptor := model.lookup(name)).readonly  # sizes: the browser's own
        ]
        content = PatchJson(events=Serializer(references=set(properties)).encode(events))
        message = patch_doc(patch_doc.create_header(), {"use_buffers": False}, content)
        compat.send_to_output(comm, message)
