"""Selection and sorting of compiled loops, against NumPy's."""

import numpy as np
import pytest

from rankassay.selection import SAMPLE, SHORT, largest, nonzero, select, sort_by

SIZES = [1, 2, 3, SHORT - 1, SHORT, SHORT + 1, 2 * SHORT, 5 * SHORT + 3, 500]


def arrangements(n):
    """Return n numbers in several orders, among them few distinct ones and infinite ones."""
    rng = np.random.default_rng(n)
    numbers = rng.normal(size=n)
    few = rng.integers(0, 3, n).astype(float)
    ends = np.where(rng.random(n) < 0.3, np.inf, np.where(rng.random(n) < 0.3, -np.inf, numbers))
    organ_pipe = np.concatenate((np.arange(n // 2), np.arange(n - n // 2)[::-1])).astype(float)
    return [numbers, np.sort(numbers), np.sort(numbers)[::-1].copy(), few, ends, organ_pipe]


@pytest.mark.parametrize("n", SIZES)
def test_the_selected_value_parts_the_others(n):
    for numbers in arrangements(n):
        for place in {0, n // 3, n // 2, n - 1}:
            values = numbers.copy()
            found = select(values, place)
            assert found == values[place] == np.sort(numbers)[place]
            assert (values[:place] <= found).all()
            assert (values[place:] >= found).all()
            np.testing.assert_array_equal(np.sort(values), np.sort(numbers))


@pytest.mark.parametrize("n", [*SIZES, 5 * SAMPLE + 7])
def test_the_largest_begin_where_sorting_puts_them(n):
    for numbers in arrangements(n):
        before = numbers.copy()
        for k in {1, n // 20 + 1, n // 3 + 1, n}:
            bound, equal = largest(numbers, k)
            best = np.sort(numbers)[n - k :]
            assert bound == best[0]
            assert equal == np.count_nonzero(best == bound)
        np.testing.assert_array_equal(numbers, before)


class Counting(list):
    """A list that counts how often it is read."""

    reads = 0

    def __getitem__(self, place):
        self.reads += 1
        return super().__getitem__(place)


@pytest.mark.parametrize("place", [0, 500, 999])
@pytest.mark.parametrize(
    "order",
    [
        lambda k: np.where(k % 2 == 0, k, len(k) - k),
        lambda k: np.minimum(k, len(k) - k),
        lambda k: -np.minimum(k, len(k) - k),
    ],
)
def test_no_plain_order_of_the_values_takes_many_passes(order, place):
    values = Counting(order(np.arange(1000)).tolist())
    expected = sorted(values)[place]
    assert select.function(values, place) == expected
    assert values.reads < 25 * 1000  # a pass reads twice; the square would be a million


@pytest.mark.parametrize("n", SIZES)
def test_indices_are_sorted_by_key_and_equal_keys_stay_in_order(n):
    rng = np.random.default_rng(n)
    for keys in arrangements(n):
        for chosen in (np.arange(n), rng.permutation(n), rng.permutation(n)[: n // 2]):
            order = chosen.copy()
            sort_by(keys, order, np.empty(n, np.int64))
            expected = chosen[np.argsort(keys[chosen], kind="stable")]
            np.testing.assert_array_equal(order, expected)


@pytest.mark.parametrize("n", [0, *SIZES])
def test_places_that_are_not_zero(n):
    values = np.random.default_rng(n).integers(-1, 2, n).astype(float)
    places = np.full(n, -1)
    found = places[: nonzero(values, places)]
    np.testing.assert_array_equal(found, np.flatnonzero(values))


def test_nothing_can_be_sorted():
    order = np.empty(0, np.int64)
    sort_by(np.ones(3), order, order.copy())
    assert len(order) == 0
