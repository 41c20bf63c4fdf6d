"""Small judgements and runs to judge: noisier and noisier rankings of the same ratings."""

import numpy as np

RATINGS = np.random.default_rng(7).integers(1, 6, size=(150, 30))
TESTED = 18  # items that are judged: the first ones
DEPTH = 10


def users():
    return [f"u{n}" for n in range(len(RATINGS))]


def qrels():
    """Return judgements {user: {item: rating}}."""
    rows = zip(users(), RATINGS[:, :TESTED].tolist(), strict=True)
    return {user: {f"i{i}": rating for i, rating in enumerate(own)} for user, own in rows}


def train():
    """Return training ratings: of the same users, and of others, who make the first items popular.

    No pair that is judged or listed is among them, and nobody rated the last judged item.
    """
    rows = zip(users(), RATINGS[:, TESTED:].tolist(), strict=True)
    own = {user: {f"old{i}": r for i, r in enumerate(row) if i % 2} for user, row in rows}
    return own | {f"v{n}": {f"i{i}": 4 for i in range(1 + n % (TESTED - 1))} for n in range(90)}


def like_minded():
    """Return training ratings that show what users like: each shares items with two who like it."""
    found = train()
    for user, rated in qrels().items():
        shared = {f"{user}-{n}": 5 for n in range(3)}
        likes = {item: rating for item, rating in rated.items() if rating >= 4}
        found |= {user: shared, f"{user}'": shared | likes, f"{user}''": shared | likes}
    return found


def run(noise, depth=DEPTH, seed=0):
    """Return the lists of a system that knows the ratings but for some noise."""
    rng = np.random.default_rng([seed, int(10 * noise)])
    order = np.argsort(noise * rng.normal(size=RATINGS.shape) - RATINGS, kind="stable")
    rows = zip(users(), order[:, :depth].tolist(), strict=True)
    return {user: [f"i{i}" for i in own] for user, own in rows}


def runs(*noises, **how):
    """Return runs by their names."""
    return {f"noise-{noise}": run(noise, **how) for noise in noises}


def write(folder, noises=(1, 2, 6)):
    """Write judgements, runs and training ratings as files, and return their paths as text."""
    rows = [f"{u} 0 {i} {r}\n" for u, own in qrels().items() for i, r in own.items()]
    (folder / "qrels.txt").write_text("".join(rows))
    rows = [f"{u},{i},{r}\n" for u, own in train().items() for i, r in own.items()]
    (folder / "train.csv").write_text("".join(["user,item,rating\n", *rows]))
    paths = []
    for name, lists in runs(*noises).items():
        lines = [
            f"{user} Q0 {item} {place} {-place} x\n"
            for user, items in lists.items()
            for place, item in enumerate(items, 1)
        ]
        (folder / f"{name}.run").write_text("".join(lines))
        paths.append(str(folder / f"{name}.run"))
    return [str(folder / "qrels.txt"), *paths]
