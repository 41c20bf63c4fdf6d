"""Time and memory of `rankassay.data.synthetic.generate` at the sizes of three public datasets.

    ./run python benchmarks/synthetic.py

prints a CSV row per dataset. Each size runs in a process of its own, as the peak of a process's
memory never falls again.
"""

import multiprocessing
import resource
import time

import numpy as np

from rankassay.data.prepare import gini as gini_coefficient
from rankassay.data.synthetic import generate

# Users, items, ratings and the Gini coefficient of the items' rating counts.
SIZES = {
    "ml-1m": (6040, 3706, 1_000_209, 0.634),
    "librarything": (7279, 37_232, 749_401, 0.581),
    "beeradvocate": (33_388, 66_055, 1_571_808, 0.865),
}


def measure(name: str) -> str:
    """Generate one dataset and return its row."""
    users, items, ratings, gini = SIZES[name]
    # Compiling, or loading what was compiled before, is no part of the time.
    generate(20, 20, 100, 0.3, seed=0)
    start = time.perf_counter()
    dataset = generate(users, items, ratings, gini, seed=1)
    seconds = time.perf_counter() - start
    # The peak is in kilobytes on Linux.
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    item_counts = np.bincount(dataset.item, minlength=items)
    user_counts = np.bincount(dataset.user, minlength=users)
    return (
        f"{name},{len(dataset.rating)},{seconds:.1f},{megabytes:.0f},{gini},"
        f"{gini_coefficient(item_counts):.4f},{item_counts.min()},{item_counts.max()},"
        f"{user_counts.min()},{user_counts.max()}"
    )


def main() -> None:
    """Print the rows of all sizes."""
    print(
        "dataset,ratings,seconds,peak_mb,gini_asked,gini_got,"
        "item_min,item_max,profile_min,profile_max"
    )
    for name in SIZES:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            print(pool.apply(measure, (name,)), flush=True)


if __name__ == "__main__":
    main()
