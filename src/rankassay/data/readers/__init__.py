"""Readers of raw rating files, one format per module.

`read` returns the ratings of a file, and `lines` yields the number of the line of each of its rows.
"""

FORMATS = ("delimited", "dicts", "lists", "matrix", "parquet")
READERS = {name: f"rankassay.data.readers.{name}" for name in FORMATS}
