"""The page of the command line: what every command says of itself."""

import contextlib
import io
import os
from unittest import mock

from assayer.cli.main import main as cli

WIDTH = "92"  # characters of a line


def command_line() -> str:
    """Return the page."""
    parts = ["# Command line", "", "```text", _help(), "```", ""]
    for title, names in (("Commands for people", cli.COMMANDS), ("Stages", cli.STAGES)):
        parts += [f"## {title}", ""]
        for name in names:
            parts += [f"### {name}", "", "```text", _help(name), "```", ""]
    return "\n".join(parts)


def _help(*command: str) -> str:
    """Return what a command says with --help, in lines of one length."""
    said = io.StringIO()
    with (
        mock.patch.dict(os.environ, COLUMNS=WIDTH),
        contextlib.redirect_stdout(said),
        contextlib.suppress(SystemExit),
    ):
        cli.main([*command, "--help"])
    return said.getvalue().strip()
