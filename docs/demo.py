"""The answer of `assayer judge` on the data of `assayer demo-data`, as pages show it."""

import functools
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import assayer
from assayer.advice import words
from assayer.advice.passages import Passage
from assayer.cli.demo_data import write
from assayer.errors import AssayerError

SEED = 0  # the command's default


@functools.cache
def found() -> Mapping[str, Any]:
    """Return the advice, as `assayer.advice.findings.Findings.to_dict` does."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, SEED)
        runs = {path.stem: path for path in sorted(folder.glob("*.run"))}
        return assayer.judge(folder / "qrels.txt", runs, folder / "train.csv").to_dict()


def answer() -> str:
    """Return the answer as the terminal shows it."""
    return "\n".join(words.screen(found()))


def passage(kind: str) -> Passage:
    """Return a part of the answer; raises AssayerError where it has none of the kind."""
    for own in words.passages(found()):
        if own.kind == kind:
            return own
    raise AssayerError(f"expected a part of the kind {kind} in the answer, found none.")


HELPERS = {"found": found, "answer": answer, "passage": passage}
