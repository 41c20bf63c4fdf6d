"""A few of the cases of the fuzzers; `.ci/run` has more of them."""

import warnings

import fuzz
import fuzz_artifacts
import fuzz_functions
import pytest


@pytest.mark.parametrize("name", fuzz.FUZZERS)
def test_mutations_are_taken_or_refused_in_one_line(name):
    cases = 8 if name == "configurations" else 25
    found = fuzz.fuzz(name, cases)
    assert sum(found.values()) == cases
    assert all(found[kind] for kind in ("taken", "refused"))


def test_what_was_altered_is_not_read():
    found = fuzz_artifacts.fuzz(200)
    assert found["refused"] > 150


def test_arguments_are_taken_or_refused_in_one_line():
    with warnings.catch_warnings(action="error"):
        found = fuzz_functions.fuzz(150)
    assert sum(count for (_, kind), count in found.items() if kind == "refused") > 50
    assert sum(count for (_, kind), count in found.items() if kind == "taken") > 20
