"""Ctrl-C: what is in its way, and what is left to others."""

import signal

import pytest

from rankassay.cli import process


def test_ctrl_c_is_one_line_until_it_is_left_to_python(capsys, monkeypatch):
    monkeypatch.setattr(process, "interrupted", False)
    before = signal.getsignal(signal.SIGINT)
    try:
        process.expect_interrupt()
        for _ in range(2):
            with pytest.raises(SystemExit) as error:
                signal.raise_signal(signal.SIGINT)
            assert error.value.code == process.STATUS
        process.leave_interrupt()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        process.leave_interrupt()  # of another's way it takes no notice
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == "rankassay: interrupted.\n"
