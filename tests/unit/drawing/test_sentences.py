"""Templates: one and several, of numbers and of lists; what values hold is no template."""

import numpy as np
import pandas as pd
import pytest

from rankassay.drawing.sentences import fill


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "0 runs (no runs) are tied"),
        (1, "1 run (one run) is tied"),
        (np.int64(1), "1 run (one run) is tied"),
        (1234.0, "1,234 runs (1,234 runs) are tied"),
        (10, "10 runs (ten runs) are tied"),
        (11, "11 runs (11 runs) are tied"),
    ],
)
def test_a_number_decides_on_noun_and_verb(n, said):
    assert fill("{n:n run} ({n:words run}) {n:is|are} tied", n=n) == said


@pytest.mark.parametrize(
    ("names", "said"), [(["P"], "P is"), (["P", "R"], "P and R are"), ((1, 2, 3), "1, 2 and 3 are")]
)
def test_a_list_is_named_and_decides_on_the_verb(names, said):
    assert fill("{names} {names:is|are}", names=names) == said


def test_values_are_of_a_row_and_named_ones_take_their_place():
    row = pd.Series({"pairs": 2, "tau": 0.456, "name": "{odd}"})
    assert fill("{name}: {tau:.2f} of {pairs:n pair}", row) == "{odd}: 0.46 of 2 pairs"
    assert fill("{pairs}", row, pairs=3) == "3"


def test_an_unknown_name_is_no_silent_gap():
    with pytest.raises(KeyError):
        fill("{tau}", rho=1)
