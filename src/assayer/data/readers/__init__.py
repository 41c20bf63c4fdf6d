"""Readers of raw rating files, one format per module."""

READERS = {
    "delimited": "assayer.data.readers.delimited:read",
    "dicts": "assayer.data.readers.dicts:read",
}
