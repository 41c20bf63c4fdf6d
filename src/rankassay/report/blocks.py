"""Texts as a page holds them: compressed, and unpacked by its script."""

import base64
import zlib

LEVEL = 9  # the smallest, at a second for the whole page


def packed(text: str) -> str:
    """Return a text as base64 of its zlib stream (RFC 1950), which templates/blocks.js unpacks."""
    return base64.b64encode(zlib.compress(text.encode("utf-8"), LEVEL)).decode("ascii")


def unpacked(block: str) -> str:
    """Return the text that `packed` was given."""
    return zlib.decompress(base64.b64decode(block)).decode("utf-8")
