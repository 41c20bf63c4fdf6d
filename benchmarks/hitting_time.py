"""HT's products of a sparse matrix and 16 columns, against scipy's, and the cost of a user.

    OMP_NUM_THREADS=1 ./run python benchmarks/hitting_time.py
    OMP_NUM_THREADS=1 ./run python benchmarks/hitting_time.py --tiles

Synthetic ratings of the sizes of MovieLens 1M and BeerAdvocate, made as benchmarks/synthetic.py
makes them, four fifths of them for training. A round multiplies the matrix of the items, and then
that of the users, by 16 columns: once by scipy, in the order of the data, and once by
`rankassay.recommenders.walk.multiply`, in the order of activity. The floor is the time that 16
multiplications and additions a rating take at what the product of dense matrices does in a second.
Then 256 users are scored with the modes and without, which is the sum of 8 steps that HT was
before, by the same products. CPU seconds, medians of seven alternating rounds (three for scores)
after a first one.

With --tiles, it is the product with the matrix of the items, whole and by `walk.tiles`, in
nanoseconds an entry, at four sizes (benchmarks/whole.py); and what a block of 16 users takes with
and without, three alternating rounds after a first one.
"""

import argparse
import time

import numpy as np
import scipy.sparse as sp
from whole import SIZES

from rankassay.data.synthetic import generate
from rankassay.recommenders.base import changed
from rankassay.recommenders.hitting_time import HittingTime
from rankassay.recommenders.sparse import shares
from rankassay.recommenders.walk import WIDTH, columns, multiply, tiles


def training(name: str) -> sp.csr_matrix:
    """Return the training ratings, float32 (users, items)."""
    users, items, ratings, gini = SIZES[name]
    data = generate(users, items, ratings, gini, seed=1)
    kept = np.random.default_rng(0).random(len(data.rating)) < 0.8
    entries = (data.rating[kept].astype(np.float32), (data.user[kept], data.item[kept]))
    train = sp.csr_matrix(entries, shape=(users, items))
    train.sort_indices()
    return train


def seconds(*calls, rounds: int) -> np.ndarray:
    """Return the median CPU seconds of each call."""
    taken = []
    for _ in range(rounds + 1):
        marks = [time.process_time()]
        for call in calls:
            call()
            marks.append(time.process_time())
        taken.append(np.diff(marks))
    return np.median(taken[1:], axis=0)


def by_tiles() -> None:
    """Print a row for each size: the product whole and by tiles, and blocks of users."""
    asked = np.arange(WIDTH, dtype=np.int32)
    for name in SIZES:
        model = HittingTime().fit(training(name), 1)
        matrix = model.to_users_
        by, out = (columns(n, np.float32) for n in matrix.shape[::-1])
        by[:] = np.random.default_rng(0).random(by.shape)
        cut = tiles(matrix)
        calls = [lambda own=own, b=by, o=out: multiply(own, b, o) for own in ((matrix,), cut)]
        nanoseconds = 1e9 * seconds(*calls, rounds=7) / matrix.nnz
        whole = changed(model, tiles_=())
        blocks = 1e3 * seconds(*(lambda m=m: m.score(asked) for m in (whole, model)), rounds=3)
        print(
            f"{name}: {len(cut)} tiles; an entry {nanoseconds[0]:.1f} ns, by tiles "
            f"{nanoseconds[1]:.1f}; degree {len(model.terms_) - 1}; 16 users {blocks[0]:.0f} ms, "
            f"by tiles {blocks[1]:.0f}",
            flush=True,
        )


def main() -> None:
    """Print a row for each size."""
    asked = np.arange(256, dtype=np.int32)
    square = np.random.default_rng(0).random((1500, 1500))
    (dense,) = seconds(lambda: square @ square, rounds=7)
    print(f"a core does {2 * 1500**3 / dense / 1e9:.0f} Gflop/s in a product of dense matrices")
    for name in ("ml-1m", "beeradvocate"):
        train = training(name)
        model, before = HittingTime().fit(train, 1), HittingTime(modes=0).fit(train, 1)
        forth, back = shares(train), shares(train.T.tocsr())
        n_users, n_items = train.shape
        there, reached = columns(n_users, np.float32), columns(n_items, np.float32)
        there[:] = start = np.random.default_rng(0).random((n_users, WIDTH))

        def ours(model=model, there=there, reached=reached) -> None:
            multiply((model.to_users_,), there, reached)
            multiply((model.to_items_,), reached, there)

        scipys, own = seconds(lambda f=forth, b=back, s=start: f @ (b @ s), ours, rounds=7)
        floor = 2 * 2 * WIDTH * train.nnz * dense / (2 * 1500**3)
        (fit,) = seconds(lambda train=train: HittingTime().fit(train, 1), rounds=1)
        new, old = (
            each * n_users / len(asked)
            for each in seconds(
                lambda m=model: m.score(asked), lambda m=before: m.score(asked), rounds=3
            )
        )
        print(
            f"{name}: a round, scipy {scipys * 1e3:.1f} ms, ours {own * 1e3:.1f} ms "
            f"({scipys / own:.1f} times), floor {floor * 1e3:.1f} ms; degree "
            f"{len(model.terms_) - 1}; all users {old:.0f} s with 8 steps, {new:.0f} s with the "
            f"modes ({old / new:.1f} times), fit {fit:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiles", action="store_true", help="compare tiles with whole matrices")
    by_tiles() if parser.parse_args().tiles else main()
