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
        What the stream is for, for instance a dataset and a stage. Strings enter by their CRC-32,
        because `hash` of a string differs from process to process.

    Notes
    -----
    The bit generator is Philox, whose output is specified and the same on every platform.
    """
    words = [zlib.crc32(n.encode()) if isinstance(n, str) else int(n) for n in names]
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, *words])))
