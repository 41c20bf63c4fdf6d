"""Readers of raw rating files, one format per module."""

READERS = {
    "delimited": "assayer.data.readers.delimited:read",
    "dicts": "assayer.data.readers.dicts:read",
    "lists": "assayer.data.readers.lists:read",
    "matrix": "assayer.data.readers.matrix:read",
    "parquet": "assayer.data.readers.parquet:read",
}
# What yields the number of the line that each row of what they return stands on.
LINES = {
    "delimited": "assayer.data.readers.delimited:lines",
    "dicts": "assayer.data.readers.dicts:lines",
    "lists": "assayer.data.readers.lists:lines",
    "matrix": "assayer.data.readers.matrix:lines",
    "parquet": "assayer.data.readers.parquet:lines",
}
