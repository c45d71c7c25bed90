"""When garbage is not collected."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_disabled() -> Iterator[None]:
    """Disable garbage collection in what ends soon: most of what it makes stays.

    Examples
    --------
    >>> import gc
    >>> from tapviz.files.garbage import gc_disabled
    >>> with gc_disabled():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
