"""Numbers as texts: many at once are what each is by itself."""

import numpy as np
import pytest

from rankassay.data import numerals

PLAIN = ["1", " 2.5 ", "-3e-7", "+4", ".5", "1e999", "-inf", "Infinity", "0.1000000000000000055"]
ODD = ["", "x", "nan", "NaN", "1_0", "١", "1,5", "0x10", "1 2", "True", "１"]


@pytest.mark.parametrize("kind", ["score", "rank", "rating"])
@pytest.mark.parametrize("odd", [None, *ODD])
def test_many_at_once_are_what_each_is(kind, odd):
    texts = PLAIN if odd is None else [*PLAIN, odd]
    found = numerals.fields(texts, kind)
    assert found == [numerals.field(text, kind) for text in texts]
    if kind != "rating":
        assert (str in {*map(type, found)}) == (odd is not None)


def test_scores_are_read_as_python_reads_them():
    values = np.random.default_rng(1).normal(size=1000) * 10.0 ** np.arange(-250, 250).repeat(2)
    texts = [repr(float(value)) for value in values]
    assert numerals.fields(texts, "score") == values.tolist()
