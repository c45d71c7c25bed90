"""What is refused: a call in a line, with words of the error that it raises."""

import pytest


def refuses(words, call, /, *args, error=ValueError, **options):
    """Hold that a call raises an error whose message has these words."""
    with pytest.raises(error, match=words):
        call(*args, **options)
