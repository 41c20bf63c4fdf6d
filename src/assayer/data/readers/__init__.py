"""Readers of raw rating files, one format per module."""

READERS = {
    "delimited": "assayer.data.readers.delimited:read",
    "dicts": "assayer.data.readers.dicts:read",
    "matrix": "assayer.data.readers.matrix:read",
}
# What yields the number of the line that each row of what they return stands on.
LINES = {
    "delimited": "assayer.data.readers.delimited:lines",
    "dicts": "assayer.data.readers.dicts:lines",
    "matrix": "assayer.data.readers.matrix:lines",
}
