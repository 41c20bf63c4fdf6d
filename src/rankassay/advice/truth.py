"""What is true of the user's lists: judgements of items that users did not choose, and outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rankassay.advice import sentences
from rankassay.advice.words_names import decimal
from rankassay.drawing.sentences import fill
from rankassay.metrics.judgements import Lists
from rankassay.seeds import generator
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import means_of_values
from rankassay.studies.validity import diagnostics
from rankassay.studies.validity.names import LIKED, NEW
from rankassay.studies.validity.yardsticks import Sample, discounts, summed
from rankassay.types import Floats, Integers

YARDSTICKS = (LIKED, NEW)
CUTOFF = 10  # true P@10, or P at the end of shorter lists


@dataclass(frozen=True)
class Truth:
    """The truth of the user's lists, as far as judgements show it."""

    # the judgements; users are numbered as the rows of `Given.judgements`, those without any follow
    sample: Sample | None
    systems: Mapping[str, Lists]  # the user's, in terms of the pairs of the sample
    # what was set aside of the observable judgements; None where these are a separate file
    share: float | None = None
    why: str = ""  # why there is no truth: a key of words, or empty
    notes: tuple[str, ...] = ()  # what was assumed, one sentence each
    warnings: tuple[str, ...] = ()  # what in the judgements would mislead; see `doubts`

    @property
    def n_users(self) -> int:
        """From which number on there is no user of the sample."""
        return 0 if self.sample is None else 1 + int(self.sample.users.max(initial=-1))

    @property
    def told(self) -> tuple[str, ...]:
        """The yardsticks that can be estimated: those under which a listed item is of use."""
        if self.sample is None:
            return ()
        listed = np.any([own.ranks > 0 for own in self.systems.values()], axis=0)
        possible = [LIKED] if self.sample.known is None else YARDSTICKS
        return tuple(own for own in possible if self.sample.gain(own, "P")[listed].any())

    def means(self, yardstick: str, cutoff: int, draws: Draws) -> Floats:
        """Return the estimates of true P@cutoff, float64 (1 + n_resamples, n_systems).

        ::

            P@k = mean_u sum_{i listed in the first k} w_ui g_ui / k

        the estimator of Horvitz and Thompson (`rankassay.studies.validity.yardsticks`), with the
        gain g of a liked item 1, and under the yardstick `new` 0 of an item that the user had
        known.
        """
        gain = self.sample.gain(yardstick, "P")
        of = discounts("P", cutoff, cutoff)
        ranks = [own.ranks for own in self.systems.values()]
        sums = summed(self.sample, ranks, of, self.sample.weight * gain)
        return means_of_values(sums[:, :, None], draws.of_users(self.sample.users))[:, 0]


def doubts(
    sample: Sample, systems: Mapping[str, Lists], number: Integers | None, out: Integers | None
) -> list[str]:
    """Return properties of the judgements that would mislead, a sentence each.

    See `rankassay.studies.validity.diagnostics`. `number` are the training ratings of each item,
    and `out` those by the users of the sample; None if they are not known.
    """
    found = []
    if number is not None and out is not None:
        rows = diagnostics.by_popularity(sample, number, out)
        weighed = [row for row in rows if row["diagnostic"] == "weighed"]
        if any(row["warning"] for row in weighed):
            values = [float(str(row["value"])) for row in weighed]
            least, most = (decimal(own, 2) for own in (min(values), max(values)))
            found.append(fill(sentences.NOT_RANDOM, least=least, most=most))
    ranks = [own.ranks for own in systems.values()]
    rows = diagnostics.listed(sample, ranks, [*systems], CUTOFF)
    return found + [str(row["warning"]) for row in rows if row.get("warning")]


@dataclass(frozen=True)
class Outcomes:
    """The outcome of each system, the higher the better, and its standard error."""

    values: Mapping[str, float]
    errors: Mapping[str, float]  # NaN where none is known: that outcome is then taken for exact
    notes: tuple[str, ...] = ()  # what was assumed, one sentence each

    def drawn(self, systems: list[str], resamples: int, seed: int) -> Floats:
        """Return the outcomes of systems, float64 (1 + resamples, n_systems).

        First as given, then drawn from normal distributions with the standard errors, independently
        for each system.
        """
        value = np.array([self.values[name] for name in systems], np.float64)
        error = np.array([self.errors[name] for name in systems], np.float64)
        drawn = np.empty((1 + resamples, len(systems)))
        drawn[0] = value
        for place, name in enumerate(systems):
            normal = generator(seed, "outcome", name).standard_normal(resamples)
            drawn[1:, place] = value[place] + np.nan_to_num(error[place]) * normal
        return drawn
