"""The answer of `rankassay judge` on the data of `rankassay demo-data`, as pages show it."""

import functools
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rankassay
from rankassay.advice import words
from rankassay.advice.passages import Passage
from rankassay.cli.demo_data import write
from rankassay.errors import RankassayError

SEED = 0  # the command's default


@functools.cache
def found() -> Mapping[str, Any]:
    """Return the advice, as `rankassay.advice.findings.Findings.to_dict` does."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, SEED)
        runs = {path.stem: path for path in sorted(folder.glob("*.run"))}
        return rankassay.judge(folder / "qrels.txt", runs, folder / "train.csv").to_dict()


def answer() -> str:
    """Return the answer as the terminal shows it."""
    return "\n".join(words.screen(found()))


def passage(kind: str) -> Passage:
    """Return a part of the answer; raises RankassayError where it has none of the kind."""
    for own in words.passages(found()):
        if own.kind == kind:
            return own
    raise RankassayError(f"expected a part of the kind {kind} in the answer, found none.")


HELPERS = {"found": found, "answer": answer, "passage": passage}
