"""Defaults for what a dataset's catalogue entry leaves out."""

from collections.abc import Mapping
from typing import Any

SEPARATORS = {".csv": ",", ".tsv": "\t"}
COLUMNS = {"user": "user", "item": "item", "rating": "rating"}


def completed(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a valid entry of the catalogue with the defaults that it left out.

    >>> completed("mine", {"kind": "file", "path": "mine.csv", "threshold": 4})["header"]
    True
    """
    entry = {"label": name} | dict(entry)
    if entry["kind"] != "file":
        return entry
    entry = {"format": "delimited", "columns": COLUMNS, "duplicates": "error"} | entry
    if entry["format"] == "delimited":
        ending = "." + str(entry.get("path", "")).removesuffix(".gz").rpartition(".")[2]
        if ending in SEPARATORS:
            entry.setdefault("separator", SEPARATORS[ending])
        if any(isinstance(column, str) for column in entry["columns"].values()):
            entry.setdefault("header", True)
    return entry
