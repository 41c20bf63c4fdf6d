"""A few of the cases of fuzz.py; `.ci/run` has more of them."""

import fuzz
import pytest


@pytest.mark.parametrize("name", fuzz.FUZZERS)
def test_mutations_are_taken_or_refused_in_one_line(name):
    cases = 8 if name == "configurations" else 25
    found = fuzz.fuzz(name, cases)
    assert sum(found.values()) == cases
    assert all(found[kind] for kind in ("taken", "refused"))
