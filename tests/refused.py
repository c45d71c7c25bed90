"""What is refused: a call in a line, with words of the error that it raises."""

import pytest


def refuses(words, call, /, *args, error=ValueError, **options):
    """Hold that a call raises an error whose message has these words; the error."""
    with pytest.raises(error, match=words) as caught:
        call(*args, **options)
    try:
        return caught.value
    finally:
        del caught  # its traceback has this frame: what a cycle of them holds is closed late


def error_of(call, /, *args, error=ValueError, **options):
    """The error that a call raises, whatever its words."""
    return refuses(None, call, *args, error=error, **options)
