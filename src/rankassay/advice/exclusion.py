"""Agreement of the measures with a truth or outcomes, and which are excluded by it.

A true ranking of systems, from judgements or from outcomes, is itself an estimate. Users are
resampled on both sides with the same draws, and measures are compared draw by draw.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from rankassay.advice.given import Counted, Given, Settings
from rankassay.advice.rule import ENOUGH_TO_EXCLUDE
from rankassay.advice.truth import CUTOFF, YARDSTICKS, Outcomes, Truth
from rankassay.declared.columns import CORRELATION
from rankassay.errors import RankassayError, one_of
from rankassay.metrics.names import direction
from rankassay.seeds import generator
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import TestSet, names_of
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import centred, interval
from rankassay.studies.validity.names import LIKED, NEW
from rankassay.types import Floats

ORDERS = 1_000  # random ones of the systems: a p-value of .05 is off by .007
ROUNDING = 1e-12  # of differences of taus, which are multiples of 1 / pairs but for ties
OUTCOMES = "outcomes"
# Why there is no evidence: the interval of the best measure's tau includes 0, or systems in random
# order would agree as well with some measure.
NO_AGREEMENT = "no-agreement"
COLUMNS = tuple(
    f"{name}{end}"
    for name in (*(f"truth_{yardstick}" for yardstick in YARDSTICKS), OUTCOMES)
    for end in ("", "_low", "_high")
)


def observed(given: Given, measures: Sequence[str], draws: Draws, settings: Settings) -> Floats:
    """Return the means of the user's systems, higher is better, for the users and resamples.

    float64 (1 + n_resamples, n_measures, n_systems). The users of the draws are the rows of
    `given.judgements`, and may be more.
    """
    evaluation = {"measures": [*measures], "profile": settings.profile, "aggregate": "mean"}
    evaluation |= {"without_relevant": settings.without_relevant}
    lists = given.systems.values()
    whole = TestSet.of_lists(given.judgements, given.item, lists, evaluation, given.depth)
    signs = np.array([direction(metric) for metric, _ in names_of(measures)], np.float64)
    rows = np.arange(given.judgements.n_users)
    return Counted.of(whole).means(None, draws.of_users(rows)) * signs[:, None]


def compared(
    measures: Sequence[str], means: Floats, true: Floats, settings: Settings
) -> pd.DataFrame:
    """Compare the rankings of systems under measures with the true one.

    Measures are compared with the best one step by step, the one that agrees least first ::

        p_m = (1 + #{b: R_mb >= tau_best - tau_m}) / (1 + B), and at least that of any worse one
        R_mb = max c_kb - min c_kb over the measures k with tau_k >= tau_m

    where c_kb is what resample b adds to tau of measure k, less its mean over resamples. The range
    R is that of all pairs of the measures that are left, as in Tukey's test: so the best may be the
    one that came out best, and their number needs no other correction. (In simulations with 6 to 20
    systems and 10 or 40 measures, one as good as the best was dropped in 0 to 3% at .05, and in up
    to 29% by comparing each with the best one.)

    `means` are float64 (1 + n_resamples, n_measures, n_systems), higher is better, and `true`
    float64 (1 + n_resamples, n_systems). By measure: tau (tau-b; NaN where a side ties all
    systems), low, high, worse (p) and excluded (p < alpha, of `ENOUGH_TO_EXCLUDE` systems or more).
    """
    taus = tau_b(means, true[:, None, :])
    tau, replicates = taus[0], taus[1:].T
    low, high = interval(tau, replicates, settings.confidence, CORRELATION.bounds)
    worse = np.full(len(tau), np.nan)
    known = ~np.isnan(low)
    if known.any():
        worse[known] = _worse(tau[known], replicates[known])
    excluded = (worse < settings.alpha) & (true.shape[1] >= ENOUGH_TO_EXCLUDE)
    columns = {"tau": tau, "low": low, "high": high, "worse": worse, "excluded": excluded}
    return pd.DataFrame(columns, index=pd.Index([*measures], name="measure"))


def by_chance(means: Floats, true: Floats, seed: int) -> float:
    """Return the probability that some measure agrees as well as the best one by chance.

        p = (1 + #{o: max_m tau_mo >= max_m tau_m}) / (1 + n_orders)

    over random orders o of the true values. The best of many measures agrees with a truth that is
    nothing but noise, too: in simulations, the interval of its tau lay above 0 in 11 to 25 % of the
    cases, and p below .05 in at most 5 %. NaN where no measure has a tau.
    """
    orders = generator(seed, "orders of systems").permuted(np.tile(true, (ORDERS, 1)), axis=1)
    taus = tau_b(means, np.vstack([true, orders])[:, None, :])
    best = np.where(np.isnan(taus), -np.inf, taus).max(axis=1)
    if np.isinf(best[0]):
        return np.nan
    return float((1 + (best[1:] >= best[0] - ROUNDING).sum()) / (1 + ORDERS))


def _worse(tau: Floats, replicates: Floats) -> Floats:
    """Return the p-values of being worse than the best, (n_measures,); see `compared`.

    A replicate without a value, as where a resample ties all systems, differs from none.
    """
    order = np.argsort(-tau, kind="stable")
    gap = tau[order[0]] - tau[order]
    off = (centred(tau, replicates) - tau[:, None])[order]
    off = np.where(np.isnan(off), 0.0, off)
    most = np.maximum.accumulate(off, axis=0) - np.minimum.accumulate(off, axis=0)
    # Exact ties are ties: a range that equals the gap but for rounding reaches it.
    reached = (most >= gap[:, None] - ROUNDING).sum(axis=1)
    p = np.empty(len(tau))
    # Equal ones have the p-value of the last of them, from which it is handed on.
    p[order] = np.maximum.accumulate(((1 + reached) / (1 + most.shape[1]))[::-1])[::-1]
    return p


@dataclass(frozen=True)
class Ground:
    """The evidence of one true ranking of systems on the measures."""

    by: str  # liked, new or outcomes
    table: pd.DataFrame  # as `compared` has it
    systems: int  # the user's, that it orders
    why: str = ""  # why it is no evidence: a key of words, or empty

    @property
    def used(self) -> bool:
        """Whether it may exclude measures; else it is only shown."""
        return self.systems >= ENOUGH_TO_EXCLUDE and not self.why

    @property
    def best(self) -> str | None:
        """The measure that agrees best, of equal ones the first; None where none has a value."""
        known = self.table["tau"].dropna()
        return str(known.index[int(known.argmax())]) if len(known) else None

    @property
    def excluded(self) -> tuple[str, ...]:
        """The measures that are significantly worse than the best."""
        return tuple(self.table.index[self.table["excluded"]]) if self.used else ()

    def numbers(self) -> dict[str, object]:
        """Return the numbers of its sentence: best with its tau and interval, and the range."""
        if self.best is None:
            return {"by": self.by, "systems": self.systems, "best": None}
        own = self.table.loc[self.best]
        found = {"by": self.by, "systems": self.systems, "best": self.best, "tau": own["tau"]}
        found |= {"low": own["low"], "high": own["high"]}
        return found | {"least": self.table["tau"].min(), "most": self.table["tau"].max()}


@dataclass(frozen=True)
class Exclusions:
    """What all of them say."""

    grounds: tuple[Ground, ...]
    measures: pd.DataFrame  # the columns of `findings.MEASURES` from truth_liked to excluded
    notes: tuple[str, ...] = ()  # what was assumed, one sentence each

    def by_yardstick(self) -> dict[str | None, tuple[tuple[str, ...], str]]:
        """Return the measures excluded for each yardstick, or why it excludes none.

        Without a truth the only yardstick is None. Outcomes exclude for all.
        """
        online = [own for own in self.grounds if own.by == OUTCOMES]
        of_truth = [own for own in self.grounds if own.by != OUTCOMES]
        found: dict[str | None, tuple[tuple[str, ...], str]] = {}
        for own in of_truth or [None]:
            parts = [*online, *([own] if own else [])]
            out = dict.fromkeys(name for part in parts for name in part.excluded)
            why = next((part.why for part in reversed(parts) if part.why), "")
            found[own.by if own else None] = tuple(out), why
        return found


def exclusions(
    given: Given,
    measures: Sequence[str],
    settings: Settings,
    truth: Truth | None = None,
    outcomes: Outcomes | None = None,
) -> Exclusions:
    """Return how each measure agrees with a truth and with outcomes, and which they exclude.

    Reference systems do not count. A yardstick of None is all that the truth can estimate. Raises
    RankassayError for the yardstick new where it is not said what users had known.
    """
    n_users = max(given.judgements.n_users, truth.n_users if truth else 0)
    draws = Draws.of(n_users, settings.resamples, settings.seed)
    names = [*given.systems]
    wanted = yardsticks(truth, settings.yardstick)
    notes = tuple(note for own in (truth, outcomes) if own for note in own.notes)
    if not measures:  # none competes, so that none can be excluded
        return Exclusions((), _columns(measures, []), notes)
    online = [name for name in names if outcomes and name in outcomes.values]
    means = observed(given, measures, draws, settings) if wanted or online else None
    grounds = []
    for by in wanted:
        if truth.sample is None:
            grounds.append(Ground(by, _undefined(measures), len(names), truth.why))
            continue
        true = truth.means(by, min(CUTOFF, given.depth), draws)
        grounds.append(_ground(by, measures, means, true, settings))
    if outcomes:
        rows = [names.index(name) for name in online]
        true = outcomes.drawn(online, settings.resamples, settings.seed)
        grounds.append(_ground(OUTCOMES, measures, means[:, :, rows], true, settings))
    return Exclusions(tuple(grounds), _columns(measures, grounds), notes)


def yardsticks(truth: Truth | None, asked: str | None) -> list[str]:
    """Return the yardsticks that a truth can estimate, or the one asked for.

    Raises RankassayError for one that is not known, that there is no truth for, or that this truth
    cannot tell.
    """
    if asked is not None:
        one_of("yardstick", asked, YARDSTICKS)
    if truth is None:
        if asked is not None:
            raise RankassayError(
                f"yardstick: expected a truth to tell what is {asked}, found none; give truth= "
                "(--truth), or leave yardstick out."
            )
        return []
    if truth.sample is None:
        return [asked or LIKED]
    if asked == NEW and NEW not in truth.told:
        found = "no column known" if truth.sample.known is None else "none in any list"
        raise RankassayError(
            "the truth: expected liked items that the user had not known, by the column known, for "
            f"the yardstick new, found {found}; add them, or leave yardstick out."
        )
    return [asked] if asked else [*truth.told]


def _ground(
    by: str, measures: Sequence[str], means: Floats, true: Floats, settings: Settings
) -> Ground:
    """Return the evidence of a truth: none where no measure is shown to agree with it."""
    own = Ground(by, compared(measures, means, true, settings), true.shape[1])
    if own.systems < ENOUGH_TO_EXCLUDE:
        return own
    chance = by_chance(means[0], true[0], settings.seed)
    if own.best and own.table.loc[own.best, "low"] > 0 and chance < settings.alpha:
        return own
    return replace(own, why=NO_AGREEMENT)


def _undefined(measures: Sequence[str]) -> pd.DataFrame:
    """Return the table of a truth that cannot be had."""
    index = pd.Index([*measures], name="measure")
    empty = dict.fromkeys(("tau", "low", "high", "worse"), np.nan)
    return pd.DataFrame(empty, index=index).assign(excluded=False)


def _columns(measures: Sequence[str], grounds: Sequence[Ground]) -> pd.DataFrame:
    """Return the columns of the measures' table."""
    found = pd.DataFrame(np.nan, index=pd.Index([*measures], name="measure"), columns=[*COLUMNS])
    by: dict[str, list[str]] = {}
    for own in grounds:
        name = own.by if own.by == OUTCOMES else f"truth_{own.by}"
        found[[name, f"{name}_low", f"{name}_high"]] = own.table[["tau", "low", "high"]]
        for measure in own.excluded:
            by.setdefault(measure, []).append(own.by)
    said = [", ".join(by[measure]) if measure in by else None for measure in measures]
    return found.assign(excluded=pd.Series(said, index=found.index, dtype=object))
