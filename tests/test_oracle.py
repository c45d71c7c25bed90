"""Files whose rows are known before they are read: each is read as it was meant, or refused."""

import pytest
from hypothesis import settings

from tests.oracle import CHANGES, FORMS, case, wrong

EACH = 5 * settings().max_examples
"""Cases of a part: 250, or 25 where somebody waits for them; a night has the ones after those."""


def check(first, number):
    for seed in range(first, first + number):
        made = case(seed)
        said = wrong(made)
        assert not said, f"case {seed}: {made.form.name}, {made.what}, {made.data!r}: {said}"


@pytest.mark.parametrize("part", range(10))
def test_what_is_read_is_what_was_meant(part):
    check(part * EACH, EACH)


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(20))
def test_what_is_read_is_what_was_meant_of_a_hundred_thousand(part):
    check(10 * EACH + part * 5000, 5000)


def test_each_damage_is_done_to_each_format():
    seen = {(seed % len(FORMS), case(seed).what) for seed in range(5000)}
    assert len(seen) == len(FORMS) * len(CHANGES)
