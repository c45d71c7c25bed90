"""Numbers in sentences."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"


def with_minus(number: str) -> str:
    """A number as people read it, whose sign is a minus; that of an exponent stays a hyphen.

    Examples
    --------
    >>> from tapviz.lists.words import with_minus
    >>> with_minus("-1.2e-05"), with_minus("0.01")
    ('−1.2e-05', '0.01')
    """
    return MINUS + number[1:] if number.startswith("-") else number


def threshold(e0: float) -> str:
    """A threshold as somebody gave it, and not only its first digits.

    Examples
    --------
    >>> from tapviz.lists.words import threshold
    >>> threshold(1.35e-66), threshold(0.01), threshold(10000.0)
    ('1.35e-66', '0.01', '10,000')
    """
    return f"{e0:,g}"


def count(number: float | str, noun: str) -> str:
    """A number of things.

    Parameters
    ----------
    number : float or str
        One that is text is written already.
    noun : str
        One of them.

    Examples
    --------
    >>> from tapviz.lists.words import count
    >>> [count(number, "query") for number in (1, 1351)]
    ['1 query', '1,351 queries']
    >>> [count(number, "error") for number in (0.1, 1.0, "1e-05")]
    ['0.1 errors', '1 error', '1e-05 errors']
    """
    ending = {"y": "ies", "s": "ses"}.get(noun[-1], f"{noun[-1]}s")
    if not isinstance(number, str):
        number = f"{number:,.0f}" if float(number).is_integer() else f"{number:g}"
    return f"{number} {noun if number == '1' else noun[:-1] + ending}"


def shortened(text: str, longest: int) -> str:
    """A text of at most so many characters.

    Examples
    --------
    >>> from tapviz.lists.words import shortened
    >>> shortened("PSI-BLAST", 9), shortened("PSI-BLAST", 5)
    ('PSI-BLAST', 'PSI-…')
    """
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def percent(share: float) -> str:
    """A share of queries, with three digits: what is just below one half is not called half.

    Examples
    --------
    >>> from tapviz.lists.words import percent
    >>> percent(0.498), percent(0.0371), percent(0.0)
    ('49.8 %', '3.71 %', '0 %')
    """
    return f"{100 * share:.3g} %"


def ordinal(n: float) -> str:
    """A number as a place in an order.

    Examples
    --------
    >>> from tapviz.lists.words import ordinal
    >>> [ordinal(n) for n in (1, 2, 11, 23)]
    ['1st', '2nd', '11th', '23rd']
    """
    last = {1.0: "st", 2.0: "nd", 3.0: "rd"}.get(n % 10, "th")
    return f"{n:g}{'th' if n % 100 in (11, 12, 13) else last}"
