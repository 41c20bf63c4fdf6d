"""The pipeline's artifacts and their files: the one place that knows file layouts.

Every file is written to a temporary name beside its target, synced and renamed, so that a file
that exists is whole; the same content always gives the same bytes. Tables are CSV; for arrays see
`assayer.artifacts.arrays`.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pandas as pd

Pathlike = str | os.PathLike[str]


@contextlib.contextmanager
def atomic(path: Pathlike, mode: str = "wb") -> Iterator[IO]:
    """Open a temporary file beside `path`; sync it and rename it to `path` on success."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    try:
        with open(temporary, mode, **text) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        error.filename = error.filename or str(path)  # what writes to a full disk names none
        raise
    finally:
        temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Sync a folder's entries: else a crash of the machine could bring an older file back.

    Snakemake might then take it for the one that its records, which were synced, tell of.
    """
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_table(table: pd.DataFrame, path: Pathlike) -> None:
    """Write a table as CSV, floats with as many digits as bring the same float64 back."""
    with atomic(path, "w") as file:
        table.to_csv(file, index=False, lineterminator="\n")


def read_table(path: Pathlike) -> pd.DataFrame:
    """Read a table that `write_table` wrote."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def write_json(content: dict, path: Pathlike) -> None:
    """Write a JSON object, indented, keys in the given order."""
    with atomic(path, "w") as file:
        file.write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def read_json(path: Pathlike) -> dict:
    """Read a JSON object."""
    return json.loads(Path(path).read_text(encoding="utf-8"))
