"""Streams of random numbers are the same in every process, and apart from one another."""

import numpy as np

from rankassay.seeds import derive, generator

NAME, CRC = "123456789", 0xCBF43926  # the check value that specifications of CRC-32 give


def test_a_stream_is_what_seed_and_names_say():
    words = np.random.SeedSequence([7, CRC, 3])
    expected = np.random.Generator(np.random.Philox(words)).random(5)
    np.testing.assert_array_equal(generator(7, NAME, 3).random(5), expected)
    assert derive(7, NAME, 3) == words.generate_state(1)[0] // 2


def test_every_name_and_number_counts():
    streams = [(7,), (8,), (7, "a"), (7, "b"), (7, "a", 1), (7, "a", 2), (7, 1, "a")]
    assert len({generator(*stream).random() for stream in streams}) == len(streams)
    assert len({derive(*stream) for stream in streams}) == len(streams)
