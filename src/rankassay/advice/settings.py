"""How advice is found: what can be chosen, and the defaults with their reasons.

A dataclass, and no model of pydantic as the settings of studies are: advice is given in the light
core, where that is not installed.
"""

from dataclasses import dataclass

from rankassay.statistics.sensitivity import DEFAULT_GAMMA

ALPHA = 0.05
CONFIDENCE = 0.95
PERMUTATIONS = 5_000  # the least p-value is then .0002, and one of .05 is off by .003
# Of users. The ends of an interval of 95 % are then off by a tenth of its width.
RESAMPLES = 200
PROFILE = "paper"
# As in the simulated worlds: users without a relevant item are excluded from means and tests.
WITHOUT_RELEVANT = "nan"


@dataclass(frozen=True)
class Settings:
    """Settings of advice.

    Attributes
    ----------
    seed : int
        Of all that is drawn at random.
    alpha, confidence : float
        Of tests, and of the intervals of means and differences.
    gamma : float
        Up to which weights of hits a conclusion has to hold; see
        `rankassay.statistics.sensitivity`.
    permutations, resamples : int
        Of the tests of pairs, and of users.
    metrics : sequence of str or None
        Those asked for, of which the first is the conventional one; see `rankassay.advice.rule`.
    cutoffs : sequence of int or None
    yardstick : {"liked", "new"} or None
        Of a truth, by which alone measures are excluded; None takes both, if there are both.
    profile : str
        The definitions, as in `rankassay.evaluate`.
    without_relevant : {"value", "nan"} or None
        Whether users without a relevant item have a value, as in `rankassay.evaluate`.
    """

    seed: int = 0
    alpha: float = ALPHA
    confidence: float = CONFIDENCE
    gamma: float = DEFAULT_GAMMA
    permutations: int = PERMUTATIONS
    resamples: int = RESAMPLES
    metrics: tuple[str, ...] | None = None
    cutoffs: tuple[int, ...] | None = None
    yardstick: str | None = None
    profile: str = PROFILE
    without_relevant: str | None = WITHOUT_RELEVANT
