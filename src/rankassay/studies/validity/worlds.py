"""Worlds with a truth: every user's rating of every item, and how likely it is to be observed.

A world is simulated here, or a real matrix that a model completed (`rankassay.studies.validity.
semi_synthetic`). The bias of its ratings is chosen, and so known: propensities are those of one of
`BIASES`, with a strength from 0 on.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from rankassay.errors import RankassayError, one_of
from rankassay.seeds import generator
from rankassay.studies.validity.words_kinds import BIASES
from rankassay.types import Floats, Floats32

MOST_CELLS = 4_000_000  # of a truth, some 32 MB an array
# Weights of taste, of an item's quality, of a user's leniency and of noise in what users say.
TASTE, QUALITY, LENIENCY, NOISE = 0.6, 0.5, 0.3, 0.5
RELEVANT = 4  # ratings, from 1 to 5, are relevant from here on


@dataclass(frozen=True)
class World:
    """All users' ratings of all items, and what decides which of these are observed.

    Attributes
    ----------
    rating : float32 (n_users, n_items)
        The truth: no cell is empty.
    threshold : float
        Ratings from here on are relevant.
    exposure : float64 (n_items,)
        How easily each item is found, independent of its quality: mean 0, variance 1.
    activity : float64 (n_users,)
        How much each user rates: mean 0, variance 1.
    """

    rating: Floats32
    threshold: float
    exposure: Floats
    activity: Floats

    def propensity(self, bias: str, strength: float, density: float) -> Floats:
        """Return the probability that each rating is observed, float64 (n_users, n_items).

        ::

            P_ui = min(1, c exp(strength g_ui))

        with the c that makes their mean the density, and with a g of mean 0 and variance 1: of
        item-independent bias the user's activity; popularity-driven, the item's exposure;
        relevance-driven, the true rating; mixed, the exposure and the rating in equal parts. At
        strength 0 all are equal, and ratings are missing completely at random.
        """
        one_of("bias", bias, BIASES)
        liked = standard(self.rating.astype(np.float64))
        by_item = np.broadcast_to(self.exposure, liked.shape)
        by_user = np.broadcast_to(self.activity[:, None], liked.shape)
        driver = {
            "item-independent": by_user,
            "popularity-driven": by_item,
            "relevance-driven": liked,
            "mixed": standard(liked + by_item),
        }[bias]
        return scaled(np.exp(strength * driver), density)


def simulated(
    users: int, items: int, factors: int, relevant: float, seed: int, *names: str | int
) -> World:
    """Return a world of latent tastes.

    ::

        z_ui = 0.6 p_u . q_i / sqrt(factors) + 0.5 a_i + 0.3 b_u + 0.5 e_ui

    with all of p, q, a (the item's quality), b (the user's leniency) and e drawn from the standard
    normal distribution. The `relevant` share of the cells with the highest z are rated 4 or 5, a
    third of them 5; the others 1, 2 and 3 in equal parts. Exposure and activity are standard
    normal, too, and depend on nothing else. The `names` distinguish worlds of one seed.

    Raises RankassayError for more than `MOST_CELLS` ratings.
    """
    check_cells(users, items)
    rng = generator(seed, "simulated-world", *names)
    z = tastes(rng, users, items, factors)
    z *= TASTE / np.sqrt(factors)
    z += QUALITY * rng.standard_normal(items) + LENIENCY * rng.standard_normal(users)[:, None]
    z += NOISE * rng.standard_normal(z.shape)
    exposure, activity = rng.standard_normal(items), rng.standard_normal(users)
    return World(in_stars(z, relevant), RELEVANT, standard(exposure), standard(activity))


def tastes(rng: np.random.Generator, users: int, items: int, factors: int) -> Floats:
    """Draw users' and items' latent factors, and return their products p_u . q_i."""
    own, traits = rng.standard_normal((users, factors)), rng.standard_normal((items, factors))
    z = np.zeros((users, items))
    for k in range(factors):  # a matrix product's last bits would depend on the BLAS
        z += own[:, k, None] * traits[:, k]
    return z


def in_stars(z: Floats, relevant: float) -> Floats32:
    """Return ratings of 1 to 5 for utilities z: see `simulated`."""
    third = (1 - relevant) / 3
    shares = [third, 2 * third, 1 - relevant, 1 - relevant / 3]
    bounds = np.quantile(z, shares)
    return (1 + np.searchsorted(bounds, z, side="right")).astype(np.float32)


def observed(world: World, propensity: Floats, seed: int, *names: str | int) -> sp.csr_matrix:
    """Draw the ratings that are observed, each with its propensity, float32 (n_users, n_items)."""
    seen = generator(seed, "observed", *names).random(propensity.shape) < propensity
    return sp.csr_matrix(np.where(seen, world.rating, np.float32(0)))


def check_cells(users: int, items: int) -> None:
    """Raise RankassayError for a truth that would take too much memory."""
    if users * items > MOST_CELLS:
        raise RankassayError(
            f"a world of {users:,} users and {items:,} items has {users * items:,} true ratings, "
            f"which are kept in memory; at most {MOST_CELLS:,} are allowed: lower users or items."
        )


def standard(values: Floats) -> Floats:
    """Return values of mean 0 and variance 1; all 0 where they are equal."""
    spread = values.std()
    return (values - values.mean()) / spread if spread > 0 else np.zeros_like(values)


def scaled(odds: Floats, density: float) -> Floats:
    """Return min(1, c odds), whose mean is the density, by bisection of log c."""
    low, high = np.log(density / odds.max()), np.log(1 / odds.min())
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (middle, high)
            if np.minimum(1, np.exp(middle) * odds).mean() < density
            else (low, middle)
        )
    return np.minimum(1, np.exp(high) * odds)
