"""What labels say, as a few letters: two runs with the same were judged alike."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

LENGTH = 16
"""Bytes."""


def fingerprint(labels: Any) -> str:
    """Letters that are the same for labels that judge every hit alike.

    Examples
    --------
    >>> from tapviz import ClassTable
    >>> from tapviz.labels import fingerprint
    >>> one = ClassTable({"d1": "a.1.1.1", "d2": "a.1.1.2"})
    >>> other = ClassTable({"d2": "a.1.1.2", "d1": "a.1.1.1"})
    >>> fingerprint(one) == fingerprint(other)
    True
    >>> fingerprint(one) == fingerprint(ClassTable(other.records, relevant=2))
    False
    """
    digest = hashlib.blake2b(digest_size=LENGTH)
    _add(digest, labels)
    return digest.hexdigest()


def _add(digest: Any, value: Any) -> None:
    if is_dataclass(value) and not isinstance(value, type):
        digest.update(type(value).__name__.encode())
        value = {one.name: getattr(value, one.name) for one in fields(value) if one.compare}
    if isinstance(value, Mapping):
        digest.update(b"{%d" % len(value))
        for key in sorted(value, key=str):
            digest.update(repr(key).encode() + b"\0")
            _add(digest, value[key])
    else:
        digest.update(repr(value).encode() + b"\0")
