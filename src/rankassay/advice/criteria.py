"""Measures by the robustness of their conclusions to missing data, and by their power.

These are the numbers of the study of robustness (`rankassay.answers.criteria`): with its settings
they are the same, bit for bit. They say what the user's data say of the measures, and take no part
in the choice of one, which looks at no system's score.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd

from rankassay.advice.candidates import form
from rankassay.advice.given import Given
from rankassay.advice.settings import Settings
from rankassay.answers.criteria import averaged, summary
from rankassay.artifacts.successive import successive
from rankassay.metrics.evaluate import Measure, drops_without_relevant
from rankassay.metrics.judgements import Judgements
from rankassay.metrics.names import direction
from rankassay.statistics import popularity, sparsity
from rankassay.statistics.discriminative_power import power_table
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import TestSet, as_columns, means_of_values
from rankassay.statistics.paired import corrected_for
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import Replicated
from rankassay.statistics.significance import permutation
from rankassay.statistics.valuation import UsersValues
from rankassay.types import Booleans, Floats, Integers

# With fewer, the ranking of systems is no evidence on a measure: three make three pairs.
ENOUGH_TO_COMPARE = 6
CRITERIA = ("sparsity", "popularity", "power")
ENDS = ("", "_low", "_high")
REMOVED = {"sparsity": "level", "popularity": "percentage"}  # by what judgements are removed
REST = ("significant", "pairs", "without", "repeats", "alike", "reversed")


@dataclass(frozen=True)
class Counted:
    """Systems judged by the users who have a relevant item; see `UsersValues`.

    A user who keeps no relevant item in a part of the judgements does not count there. The means
    are those of a `TestSet` that drops such users value by value, and take a tenth of the time:
    they are sums over the users who are left, whose others are taken out first.
    """

    whole: TestSet

    @classmethod
    def of(cls, whole: TestSet) -> UsersValues:
        """Return a test set in which users without a relevant item count as its evaluation says."""
        spec = whole.evaluation
        if not drops_without_relevant(spec["profile"], spec["without_relevant"]):
            return whole
        return cls(replace(whole, evaluation=spec | {"without_relevant": "value"}))

    @property
    def judgements(self) -> Judgements:
        """The judgements of all users."""
        return self.whole.judgements

    @property
    def item(self) -> npt.NDArray[np.integer]:
        """The item of each judgement."""
        return self.whole.item

    @property
    def n_systems(self) -> int:
        """The number of systems."""
        return self.whole.n_systems

    @property
    def measures(self) -> list[dict[str, object]]:
        """The name of each measure."""
        return self.whole.measures

    def values(self, keep: Booleans | None = None) -> Floats:
        """Return every user's values, NaN for those who do not count."""
        return self.whole.values(self._counted(keep))

    def means(self, keep: Booleans | None = None, draws: Draws | None = None) -> Floats:
        """Return the systems' means over the users who count."""
        return self.whole.means(self._counted(keep), draws)

    def _counted(self, keep: Booleans | None) -> Booleans:
        """Return the judgements that are kept, without those of users who keep no relevant one."""
        judgements = self.judgements
        relevant = judgements.relevant if keep is None else judgements.relevant & keep
        counts = np.bincount(judgements.row[relevant], minlength=judgements.n_users) > 0
        counted = counts[judgements.row]
        return counted if keep is None else counted & keep


@dataclass(frozen=True)
class Criteria:
    """The criteria of measures on the user's data.

    Attributes
    ----------
    table : DataFrame
        By measure, the columns sparsity, popularity and power with their ends, significant, pairs,
        without, repeats, alike and reversed, as `rankassay.advice.findings.MEASURES` says. With
        fewer than `ENOUGH_TO_COMPARE` systems, reference systems counted, or without a relevant
        judgement the three criteria are NaN.
    sparsity, popularity : float64 (n_measures, 1 + n_resamples) or None
        The values of the table, and those for resampled users.
    """

    table: pd.DataFrame
    sparsity: Floats | None = None
    popularity: Floats | None = None


def criteria(
    given: Given, measures: Sequence[str], conventional: str, settings: Settings
) -> Criteria:
    """Return the criteria of each measure on the user's data.

    Parameters
    ----------
    given : Given
    measures : sequence of str
        As `Measure` writes them, the conventional one among them.
    conventional : str
        By which `alike` and `reversed` compare.
    settings : Settings
    """
    spec = {"profile": settings.profile, "without_relevant": settings.without_relevant}
    spec |= {"measures": [*measures], "aggregate": "mean"}
    whole = TestSet(given.judgements, given.item, [*given.judged.values()], spec)
    n, n_own = len(given.compared), len(given.systems)
    enough = n >= ENOUGH_TO_COMPARE and bool(given.judgements.relevant.any())
    own, powers = [], []
    same = given.identical[np.triu_indices(n, k=1)]
    for some, values in _parts(whole):
        own.append(_of_lists(whole, some, values[:, :n_own]))
        if enough:
            powers.append(_power(some, values, same, settings))
    means = np.concatenate([part[0] for part in own])
    table = pd.DataFrame({"without": np.concatenate([part[1] for part in own])}, [*measures])
    table = table.rename_axis("measure").assign(pairs=int((~same).sum()))
    table["repeats"] = _repeats(measures, [digest for part in own for digest in part[2]])
    for measure, share in _empty(replace(whole, systems=whole.systems[:n_own]), measures).items():
        table.loc[measure, "without"] = share
    usual = means[measures.index(conventional)]
    table["alike"], table["reversed"] = tau_b(means, usual), _reversed(means, usual)
    numbers = {}
    if enough:
        power, robust = Replicated.joined(powers), _robustness(given, whole, settings)
        table = table.join(_as_in_the_study(given, measures, robust, power))
        table["significant"] = power.table["significant"].to_numpy()
        for (name, column), result in zip(REMOVED.items(), robust, strict=True):
            numbers[name] = averaged(result, column)[1]
    columns = [f"{name}{end}" for name in CRITERIA for end in ENDS]
    table = table.reindex(columns=[*columns, *REST]).astype({"significant": "Int64"})
    return Criteria(table, **numbers)


def _of_lists(
    whole: TestSet, measures: Sequence[str], values: Floats
) -> tuple[Floats, Floats, list[bytes]]:
    """Return means, undefined shares and digests of the values of the user's systems.

    The means, better ones higher, (n_measures, n_systems); the share of undefined values,
    (n_measures,); and a digest of the values of each.
    """
    means = means_of_values(values, Draws.none(len(values)))[0]
    signs = np.array([[direction(measure)] for measure in measures])
    undefined = _share(np.isnan(values[_counts(whole)]))
    return signs * means, undefined, [_digest(values[:, :, m]) for m in range(len(measures))]


def _power(
    measures: Sequence[str], values: Floats, same: Booleans, settings: Settings
) -> Replicated:
    """Return the discriminative power of some measures over all systems, as the study has it.

    The further column significant has how many pairs have a corrected p-value below alpha, as the
    pairs of the user's runs are tested (`rankassay.advice.conclusions.pairs`). Pairs that are the
    `same`, bool (n_pairs,), are excluded.
    """
    p, adjusted = (_pairs(square) for square in _tested(values, settings))
    different = (own[:, ~same] for own in (p, adjusted))
    corrected = [corrected_for(*own, "max-t")[0] for own in zip(*different, strict=True)]
    significant = [int((own < settings.alpha).sum()) for own in corrected]
    of = (as_columns(measures), p, adjusted, same, settings.seed, settings.resamples)
    return power_table(values, *of).assign(significant=significant)


def _tested(values: Floats, settings: Settings) -> tuple[Floats, Floats]:
    """Return p-values, and those that hold for all pairs, (n_measures, n_systems, n_systems)."""
    p, adjusted = permutation(values, settings.permutations, settings.seed)
    return p, np.full_like(p, np.nan) if adjusted is None else adjusted


def _pairs(square: Floats) -> Floats:
    """Return the numbers of pairs i < j, (n_measures, n_pairs)."""
    first, second = np.triu_indices(square.shape[1], k=1)
    return square[:, first, second]


def _parts(whole: TestSet) -> Iterator[tuple[list[str], Floats]]:
    """Yield some measures and their values, (n_users, n_systems, n_measures), in turn."""
    measures = whole.evaluation["measures"]
    cells = whole.judgements.n_users * len(whole.systems)
    for own in successive(measures, cells):
        spec = whole.evaluation | {"measures": measures[own]}
        yield measures[own], replace(whole, evaluation=spec).values()


def _counts(whole: TestSet) -> Booleans:
    """Return which users are in the means of most measures, bool (n_users,)."""
    spec = whole.evaluation
    dropped = drops_without_relevant(spec["profile"], spec["without_relevant"])
    return (whole.judgements.n_relevant > 0) | (not dropped)


def _share(found: Booleans) -> Floats:
    """Return by measure the share of lists, (n_users, n_systems, n_measures); NaN without any."""
    return found.mean(axis=(0, 1)) if found.size else np.full(found.shape[2], np.nan)


def _digest(values: Floats) -> bytes:
    """Return a digest, the same for the same values."""
    return hashlib.blake2b(np.ascontiguousarray(values + 0.0).tobytes()).digest()


def _repeats(measures: Sequence[str], digests: Sequence[bytes]) -> list[bool]:
    """Return which measures have the values of the metric's next lower cut-off for all users."""
    parsed = [Measure.parse(measure) for measure in measures]
    found = [False] * len(parsed)
    by_metric: dict[str, list[int]] = {}
    for place, measure in enumerate(parsed):
        if measure.cutoff is not None:
            by_metric.setdefault(measure.name, []).append(place)
    for places in by_metric.values():
        places.sort(key=lambda place: parsed[place].cutoff)
        for lower, place in pairwise(places):
            found[place] = digests[place] == digests[lower]
    return found


def _reversed(means: Floats, usual: Floats) -> Integers:
    """Return by measure how many pairs of systems it ranks opposite to the usual measure."""
    first, second = np.triu_indices(means.shape[1], k=1)
    signs = np.sign(means[:, first] - means[:, second])
    return (signs * np.sign(usual[first] - usual[second]) < 0).sum(axis=1)


def _empty(whole: TestSet, measures: Sequence[str]) -> dict[str, float]:
    """Return by measure that counts judged items alone the share of lists that have none for it.

    These are lists without a judged item among the first places, of users who count.
    """
    named = {}
    for measure in map(Measure.parse, measures):
        if form(measure) == "judged":
            named[str(measure)] = f"Judged@{measure.cutoff}" if measure.cutoff else "Judged"
    if not named:
        return {}
    counted = [*dict.fromkeys(named.values())]
    spec = whole.evaluation | {"measures": counted, "without_relevant": "value"}
    share = _share(replace(whole, evaluation=spec).values()[_counts(whole)] == 0)
    return {measure: float(share[counted.index(name)]) for measure, name in named.items()}


def _robustness(given: Given, whole: TestSet, settings: Settings) -> tuple[Replicated, Replicated]:
    """Return robustness to sparsity and to popularity, as the study has them."""
    judged = whole
    if drops_without_relevant(settings.profile, settings.without_relevant):
        spec = whole.evaluation | {"without_relevant": "value"}
        judged = Counted(replace(whole, evaluation=spec))
    number = np.bincount(given.item) if given.popularity is None else given.popularity
    of = {"seed": settings.seed, "resamples": settings.resamples}
    return (
        sparsity.robustness(judged, settings.levels, settings.samples, **of),
        popularity.robustness(judged, number, settings.percentages, **of),
    )


def _as_in_the_study(
    given: Given,
    measures: Sequence[str],
    robust: tuple[Replicated, Replicated],
    power: Replicated,
) -> pd.DataFrame:
    """Return the three criteria by measure, as the summary of the study of robustness has them."""
    ratings = np.diff(given.judgements.start)
    split = {"part": ["test"], "users": [len(ratings)], "ratings_median": [np.median(ratings)]}
    found = summary(*robust, power, pd.DataFrame(split))
    columns = {}
    for criterion in CRITERIA:
        own = found[found["criterion"] == criterion]
        for end, name in zip(ENDS, ("value", "low", "high"), strict=True):
            columns[f"{criterion}{end}"] = own[name].to_numpy(np.float64)
    return pd.DataFrame(columns, index=pd.Index(measures, name="measure"))
