"""How often intervals hold what they are of: coverage of several kinds, by simulation.

    ./run python benchmarks/intervals.py

A population of 200,000 simulated users values 12 systems by three metrics; test sets are samples of
its users, and a part of a test set is what is left of the values when 70 % are missing. What an
interval should hold is what as many users give on average, over 1,000 samples. The table says, for
each number and kind of interval, in how many of 600 test sets it does, and the mean width.
"""

import numpy as np
import scipy.special

from rankassay.statistics.bootstrap import Pairs
from rankassay.statistics.discriminative_power import normal_p, resampled_power
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import means_of_values
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import interval

POPULATION, SYSTEMS, MISSING = 200_000, 12, 0.7
SAMPLES, TRIALS, RESAMPLES = 1000, 600, 200
Z = scipy.special.ndtri(0.975)


def population(spread: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return every user's values, whole and with judgements missing, (n_users, n_systems, 3).

    Systems differ in quality by `spread`; the metrics are like P@1, like RR and graded.
    """
    quality = np.sort(rng.normal(size=SYSTEMS)) * spread
    shown = (
        quality + rng.normal(size=(POPULATION, 1)) + 1.5 * rng.normal(size=(POPULATION, SYSTEMS))
    )
    hit = (shown > 0.8).astype(float)
    reciprocal = 1 / np.maximum(np.round(np.exp(2 - 0.8 * shown)), 1)
    graded = np.clip(np.round((shown + 3) * 2) / 14, 0, 1)
    whole = np.stack([hit, reciprocal, graded], axis=2)
    return whole, np.where(rng.random((POPULATION, 1, 3)) < MISSING, 0.0, whole)


def numbers(whole: np.ndarray, part: np.ndarray, draws: Draws, seed: int) -> dict[str, np.ndarray]:
    """Return what is measured on a test set, and its replicates, float64 (1 + n_resamples,)."""
    order, incomplete = means_of_values(whole, draws), means_of_values(part, draws)
    tau = tau_b(incomplete, order)
    power = [normal_p(Pairs.of(whole[:, :, m]).sums()).sum() for m in range(2)]
    drawn = resampled_power(whole[:, :, :2], len(draws.times) - 1, seed)
    dp = np.vstack([power, drawn])
    return {
        "tau, hits": tau[:, 0],
        "tau, RR": tau[:, 1],
        "difference of the two": tau[:, 0] - tau[:, 1],
        "lowest of three taus": tau.min(axis=1),
        "tau between metrics": tau_b(order[:, 0], order[:, 2]),
        "DP, hits": dp[:, 0],
        "difference of DP": dp[:, 0] - dp[:, 1],
    }


def kinds(x: np.ndarray) -> dict[str, tuple[float, float]]:
    """Return the interval of each kind for a number and its replicates, (1 + n_resamples,)."""
    measured, replicates = x[0], x[1:]
    low, high = np.quantile(replicates, [0.025, 0.975])
    half = Z * replicates.std()
    share = np.clip(
        (replicates < measured).mean() + (replicates == measured).mean() / 2, 0.0025, 0.9975
    )
    corrected = scipy.special.ndtr(2 * scipy.special.ndtri(share) + np.array([-Z, Z]))
    return {
        "centred (ours)": interval(measured, replicates),
        "normal": (measured - half, measured + half),
        "percentile": (low, high),
        "basic": (2 * measured - high, 2 * measured - low),
        "bias-corrected": tuple(np.quantile(replicates, corrected)),
    }


def main() -> None:
    """Print the table."""
    print(f"{'systems spread, users, number':44}" + "".join(f"{k:>20}" for k in kinds(np.ones(9))))
    for spread, n_users in ((1.0, 800), (0.3, 800), (0.3, 3000)):
        rng = np.random.default_rng(1)
        people = population(spread, rng)

        def test_set(draws: Draws, seed: int = 0, people=people, rng=rng) -> dict[str, np.ndarray]:
            users = rng.integers(0, POPULATION, len(draws.group))
            return numbers(*(values[users] for values in people), draws, seed)

        many = [test_set(Draws.none(n_users)) for _ in range(SAMPLES)]
        expected = {name: np.mean([found[name][0] for found in many]) for name in many[0]}
        held: dict[tuple, list] = {}
        for trial in range(TRIALS):
            found = test_set(Draws.of(n_users, RESAMPLES, trial), trial)
            for name, x in found.items():
                for kind, (low, high) in kinds(x).items():
                    inside = low <= expected[name] <= high
                    held.setdefault((name, kind), []).append((inside, high - low))
        for name in expected:
            shares = [np.mean(held[name, kind], axis=0) for kind in kinds(np.ones(9))]
            cells = "".join(f"{f'{share:.0%} ({width:.2f})':>20}" for share, width in shares)
            print(f"{f'{spread}, {n_users}, {name}':44}{cells}")


if __name__ == "__main__":
    main()
