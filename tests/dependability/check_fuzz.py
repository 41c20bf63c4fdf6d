"""The fuzzers find what is planted, and nothing in what is sound; run by `.ci/run fuzz`."""

import dataclasses
import random

import forms
import fuzz_artifacts
import fuzz_forms
import fuzz_readers
import pytest

from rankassay.errors import RankassayError


def test_what_was_altered_is_not_read():
    found = fuzz_artifacts.fuzz(200)
    assert found["refused"] > 150


def test_a_form_that_means_another_thing_is_found(monkeypatch):
    """A form writes the second rating as the first."""
    sound = forms.FORMS["csv"]

    def make(rows, value, path):
        sound.make([(*row[:2], rows[0][2]) for row in rows], value, path)

    monkeypatch.setattr(fuzz_forms, "READ", ["csv"])
    assert fuzz_forms.fuzz(30)[1] == {}
    monkeypatch.setitem(forms.FORMS, "csv", dataclasses.replace(sound, make=make))
    assert len(fuzz_forms.fuzz(30)[1]) > 5


@pytest.mark.parametrize("name", fuzz_readers.TARGETS)
def test_what_is_new_leads_to_more(name):
    seeds = [*fuzz_readers.TARGETS[name].seeds]
    found = fuzz_readers.explore(name, seeds, random.Random(1), lambda files: files < 60)
    assert found.wrong is None
    assert found.kept > len(seeds)
    assert found.steps[1] > found.steps[0] > 0


def test_a_fault_is_found_by_its_steps_cut_and_saved(monkeypatch, tmp_path):
    """Each of three letters makes the reader go a step further."""

    def read(path):
        data = path.read_bytes()
        if b"x" in data:
            if b"y" in data:
                assert b"z" not in data
            raise RankassayError("two letters.")

    target = fuzz_readers.Target(read, (b"some text",))
    monkeypatch.setitem(fuzz_readers.TARGETS, "planted", target)
    monkeypatch.setattr(fuzz_readers, "PACKAGE", __file__)
    rng = random.Random(1)
    found = fuzz_readers.explore("planted", [b"some text"], rng, lambda files: files < 50_000)
    wrong, data = found.wrong
    assert wrong.startswith("AssertionError in check_fuzz.py")
    assert sorted(data) == sorted(b"xyz")
    path = fuzz_readers.kept("planted", data, tmp_path)
    assert path.read_bytes() == data
    assert fuzz_readers.again(path) == wrong


def test_a_reader_that_never_ends_is_a_fault(monkeypatch):
    def read(path):
        while True:
            pass

    monkeypatch.setitem(fuzz_readers.TARGETS, "planted", fuzz_readers.Target(read, ()))
    monkeypatch.setattr(fuzz_readers, "LONGEST", 1)
    assert fuzz_readers.fault("planted", b"").startswith("Hang")
