"""A few cases of the fuzzers, and the files of earlier faults; `.ci/run fuzz` has many more."""

import warnings

import fuzz
import fuzz_forms
import fuzz_functions
import fuzz_readers
import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", fuzz.FUZZERS)
def test_mutations_are_taken_or_refused_in_one_line(name):
    cases = 8 if name == "configurations" else 25
    found = fuzz.fuzz(name, cases)
    assert sum(found.values()) == cases
    assert all(found[kind] for kind in ("taken", "refused"))


def test_arguments_are_taken_or_refused_in_one_line():
    with warnings.catch_warnings(action="error"):
        found = fuzz_functions.fuzz(100)
    assert sum(count for (_, kind), count in found.items() if kind == "refused") > 25
    assert sum(count for (_, kind), count in found.items() if kind == "taken") > 10


def test_forms_mean_the_same_or_are_refused():
    assert fuzz_forms.fuzz(20)[1] == {}


@pytest.mark.parametrize("name", fuzz_readers.TARGETS)
def test_files_of_old_faults_are_taken_or_refused_as_their_folder_says(name):
    paths = fuzz_readers.corpus(name)
    assert paths
    ends = {path.relative_to(fuzz_readers.CORPUS): fuzz_readers.again(path) for path in paths}
    assert ends == {path: path.parent.name for path in ends}


def test_the_corpus_has_files_of_readers_only():
    assert {path.name for path in fuzz_readers.CORPUS.iterdir()} == {*fuzz_readers.TARGETS}
