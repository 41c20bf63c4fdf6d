"""Progress of long work: the same things, in order, and a line now and then."""

import doctest
import io
import itertools
import logging
import sys

import pytest

from rankassay import progress as module
from rankassay.progress import progress, time_left


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that tests set."""
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_a_log_gets_its_first_line_after_five_seconds_and_another_every_thirty(clock, caplog):
    caplog.set_level(logging.INFO, "rankassay")
    seen = []
    for thing in progress(range(20), "blocks"):
        seen.append(thing)
        clock[0] += 4.0
    assert seen == [*range(20)]
    assert caplog.messages == [
        "2 of 20 blocks in 8 s",
        "10 of 20 blocks in 40 s, 40 s left",
        "18 of 20 blocks in 72 s, 8 s left",
    ]


@pytest.mark.parametrize(
    ("seconds", "total", "left"),
    [
        ([20.0] + [0.5] * 4, 40, None),  # an eighth is done
        ([20.0] + [0.5] * 4, 20, 7.5),  # the first has compiled
        ([20.0] * 2, 4, None),
        ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], 10, None),  # each takes longer than the last
        ([3.0, 2.0, 2.0, 1.0, 1.0], 10, None),  # they get faster
        ([3.0, 1.0, 1.2, 1.1, 1.3], 10, 6.0),
        ([], 10, None),
    ],
)
def test_no_time_is_told_before_it_can_be(seconds, total, left):
    found = time_left([*itertools.accumulate(seconds)], total)
    assert found == (left if left is None else pytest.approx(left))


def test_examples_are_true():
    assert doctest.testmod(module).failed == 0


def test_the_first_thing_that_compiles_does_not_count(clock, caplog):
    """It took 20 s of 30, and 1000 s were told to be left."""
    caplog.set_level(logging.INFO, "rankassay")
    for n in progress(range(40), "systems"):
        clock[0] += 0.25 if n else 20.0
    assert caplog.messages == ["1 of 40 systems in 20 s"]


def test_quick_work_says_nothing(caplog):
    caplog.set_level(logging.INFO, "rankassay")
    assert [*progress(["a", "b"], "systems")] == ["a", "b"]
    assert caplog.messages == []


def test_a_terminal_gets_a_bar(monkeypatch, caplog):
    caplog.set_level(logging.INFO, "rankassay")
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    assert [*progress(range(3), "systems")] == [0, 1, 2]
    assert terminal.getvalue().strip() == ""  # it took less than two seconds
    monkeypatch.setattr(module, "WAITING", 0.0)
    assert [*progress(range(3), "systems")] == [0, 1, 2]
    assert "/3" in terminal.getvalue()
    assert "systems" in terminal.getvalue()
    assert caplog.messages == []


class Written:
    """Something that is written to and no more, as some put it in the place of an output."""

    def write(self, text):
        return len(text)


@pytest.mark.parametrize("output", [None, Written(), "closed"])
def test_standard_error_may_be_closed_or_no_file(monkeypatch, output):
    if output == "closed":
        output = io.StringIO()
        output.close()
    monkeypatch.setattr(sys, "stderr", output)
    assert [*progress(range(3), "blocks")] == [0, 1, 2]


def test_python_is_shown_none_unless_it_asks(monkeypatch, caplog):
    """A library that writes to a console is in the way: the commands set the logger's level."""
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(module, "WAITING", 0.0)
    for level, shown in ((logging.WARNING, False), (logging.INFO, True)):
        caplog.set_level(level, "rankassay")
        assert [*progress(range(3), "systems")] == [0, 1, 2]
        assert ("systems" in terminal.getvalue()) == shown
