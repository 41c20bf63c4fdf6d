"""One thing is no several: what readers and splits count is written by `number_of`."""

import re
from pathlib import Path

from each import each

import rankassay.data

FILES = sorted(Path(rankassay.data.__file__).parent.rglob("*.py"))
# A length, a sum or a greatest number, or what a log counts, right before a plural.
COUNTED = re.compile(
    r"(\{len\(\w+\)\}|\{[^{}]*\.(sum|max)\([^{}]*\)\}|%d) (?:such |more )?(?!is\b|as\b)[a-z]+s\b"
)
# That is never one: the columns of a TREC file, and what is a hundred or more.
ALWAYS_MANY = ("{len(columns)} columns", "%d aspects")


@each("file", FILES)
def test_counts_are_written_with_their_nouns(file):
    found = [match[0] for match in COUNTED.finditer(file.read_text(encoding="utf-8"))]
    assert [text for text in found if text not in ALWAYS_MANY] == []


def test_a_count_before_a_plural_is_found():
    for text in (
        'f"{len(count)} users;"',
        'f"{count.max(initial=0)} ratings of"',
        '"(%d such lines)"',
    ):
        assert COUNTED.search(text)
