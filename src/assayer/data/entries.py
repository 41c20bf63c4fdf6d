"""Defaults for what a dataset's catalogue entry leaves out."""

from collections.abc import Iterable, Mapping
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
        _complete(entry, entry.get("path", ""), entry["columns"].values())
    if "aspects" in entry:
        aspects = dict(entry["aspects"])
        file = entry.get("aspects_path") or entry.get("files", {}).get("aspects") or ""
        _complete(aspects, file, (aspects["item"], aspects.get("labels")))
        entry["aspects"] = aspects
    return entry


def ending(path: str) -> str:
    """Return the ending of a file's name, of what is in it where it is packed.

    >>> ending("a.csv.gz"), ending("ratings")
    ('.csv', '.ratings')
    """
    return "." + str(path).removesuffix(".gz").rpartition(".")[2]


def _complete(described: dict[str, Any], path: str, columns: Iterable[Any]) -> None:
    """Set the separator and the header of a file in columns, if they were left out."""
    if described.get("separator") is None and ending(path) in SEPARATORS:
        described["separator"] = SEPARATORS[ending(path)]
    if any(isinstance(column, str) for column in columns):
        described.setdefault("header", True)
