"""The closed world: observed and true values of rankings of independent items.

Cañamares and Castells, SIGIR 2018 ("Should I follow the crowd?"): nothing is sampled but the items'
probabilities; all else is a formula.
"""

import numpy as np
import pandas as pd

from rankassay.seeds import generator
from rankassay.types import Floats, Integers

BATCH = 32  # worlds at a time: 1 MB an array of 3,700 items
PLACES = 256  # of a ranking to begin with; hardly a user has rated all of the items there
TRAINING = 0.8  # the share of the ratings that systems see
PUBLISHED, PUBLISHED_WORLDS = 3700, 10_000  # items and worlds of the paper
NEGLIGIBLE = 1e-25  # a probability to pass all places: later ones change no bit of a sum


def run(seed: int, published: pd.DataFrame, *, worlds: int, items: int) -> pd.DataFrame:
    """Compute observed and true P@1 of rankings, on average over worlds.

    An item is relevant to a user with the probability p(rel); the user finds it with p(seen|rel) or
    p(seen|not rel), and rates a found item with p(rated|seen, rel) or p(rated|seen, not rel). The
    five are drawn for each item, independent and uniform on [0, 1]. Then ::

        p(rel, rated) = p(rated|seen, rel) p(seen|rel) p(rel)
        p(rated) = p(rel, rated) + p(rated|seen, not rel) p(seen|not rel) (1 - p(rel))

    Users get the first item of a ranking r that they have not rated in training, which holds the
    share rho of the ratings::

        observed P@1 = (1 - rho) sum_k p(rel, rated)(r_k) prod_{j < k} rho p(rated)(r_j)
        true P@1 = sum_k (p(rel) - rho p(rel, rated))(r_k) prod_{j < k} rho p(rated)(r_j)

    The first takes `TRAINING` as rho, and the second 1, as the authors computed it. Rankings are
    random, by popularity p(rel, rated), by average rating p(rel, rated) / p(rated), and optimal: by
    p(rel, rated) / (1 - rho p(rated)) for observed and by (p(rel) - p(rel, rated)) / (1 - p(rated))
    for true values.

    Returns
    -------
    DataFrame
        Columns ranking, kind (observed or true), value (the mean P@1 over the worlds), error (its
        standard error), published (empty for other items than the paper's) and apart (how
        many standard errors of the difference the two are apart; that of the paper, which has
        10,000 worlds, is taken to be that of 10,000 worlds here).
    """
    rng = generator(seed, "closed-world")
    found: dict[tuple[str, str], list[Floats]] = {}
    for first in range(0, worlds, BATCH):
        for key, values in _worlds(rng, min(BATCH, worlds - first), items, TRAINING).items():
            found.setdefault(key, []).append(values)
    rows = []
    for (ranking, kind), parts in found.items():
        values = np.concatenate(parts)
        spread = values.std(ddof=1)
        rows.append((ranking, kind, values.mean(), spread / np.sqrt(worlds), spread))
    table = pd.DataFrame(rows, columns=["ranking", "kind", "value", "error", "spread"])
    table = table.merge(published, how="left", on=["ranking", "kind"], validate="1:1")
    if items != PUBLISHED:
        table["published"] = np.nan
    both = table["spread"] * np.sqrt(1 / worlds + 1 / PUBLISHED_WORLDS)
    table["apart"] = (table["value"] - table["published"]).abs() / both
    return table.drop(columns="spread")


def _worlds(
    rng: np.random.Generator, worlds: int, items: int, training: float
) -> dict[tuple[str, str], Floats]:
    """Draw some worlds and return P@1 in each, float64 (worlds,), by ranking and kind."""
    drawn = rng.random((5, worlds, items))
    places = min(PLACES, items)
    found, passed = _at_first_places(drawn, training, places)
    while passed > NEGLIGIBLE and places < items:
        places = min(2 * places, items)
        found, passed = _at_first_places(drawn, training, places)
    return found


def _at_first_places(
    drawn: Floats, training: float, places: int
) -> tuple[dict[tuple[str, str], Floats], float]:
    """Return P@1 by the first places of every ranking, and the largest chance to pass them all.

    `drawn` are the probabilities of `run`, (5, worlds, items).
    """
    relevant, seen, seen_other, rated, rated_other = drawn
    both = rated * seen * relevant
    any_rated = both + rated_other * seen_other * (1 - relevant)
    # Items are in random order already.
    orders = {
        "random": np.broadcast_to(np.arange(places), (len(both), places)),
        "popularity": _best(both, places),
        "average-rating": _best(both / any_rated, places),
    }
    best = {
        "observed": _best(both / (1 - training * any_rated), places),
        "true": _best((relevant - both) / (1 - any_rated), places),
    }
    found, most = {}, 0.0
    for kind, rho in (("observed", training), ("true", 1.0)):
        gain = (1 - rho) * both if kind == "observed" else relevant - both
        for name, order in (orders | {"optimal": best[kind]}).items():
            passed = np.cumprod(rho * np.take_along_axis(any_rated, order, 1), axis=1)
            most = max(most, passed[:, -1].max())
            terms = np.zeros_like(gain)  # of all places, so that sums are rounded as theirs
            terms[:, :places] = np.take_along_axis(gain, order, 1)
            terms[:, 1:places] *= passed[:, :-1]
            found[name, kind] = terms.sum(axis=1)
    return found, most


def _best(score: Floats, n: int) -> Integers:
    """Return the n items of each row with the highest scores, best first, int64 (n_rows, n)."""
    best = np.argpartition(-score, n - 1, axis=1)[:, :n]
    order = np.argsort(-np.take_along_axis(score, best, 1), axis=1)
    return np.take_along_axis(best, order, 1)
