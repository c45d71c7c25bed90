"""What is refused: a call in a line, with words of the error that it raises."""

import pytest


def refuses(words, call, /, *args, error=ValueError, **options):
    """Hold that a call raises an error whose message has these words; the error."""
    with pytest.raises(error, match=words) as caught:
        call(*args, **options)
    return caught.value


def error_of(call, /, *args, error=ValueError, **options):
    """The error that a call raises, whatever its words."""
    return refuses(None, call, *args, error=error, **options)
