"""Random generators whose streams depend on names, never on the order of the calls."""

import zlib

import numpy as np


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """Return the generator of the stream that `seed` and `names` identify.

    Parameters
    ----------
    seed
        The study's seed, a non-negative integer.
    *names
        What the stream is for, for instance a dataset and a job. Strings enter by their CRC-32,
        because `hash` of a string differs from process to process.

    Notes
    -----
    The bit generator is Philox, whose output is specified and the same on every platform.
    """
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(_words(seed, names))))


def derive(seed: int, *names: str | int) -> int:
    """Return the 31-bit seed that `seed` and `names` identify, for code that wants an integer."""
    return int(np.random.SeedSequence(_words(seed, names)).generate_state(1)[0] >> 1)


def _words(seed: int, names: tuple[str | int, ...]) -> list[int]:
    return [seed, *(zlib.crc32(n.encode()) if isinstance(n, str) else int(n) for n in names)]
