"""Advice on judgements and lists: what to report, what one may write, how far to trust it.

This module only puts together what the others find.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd

from rankassay.advice import checks, conclusions, sentences, steps, trust
from rankassay.advice.cutoffs import default
from rankassay.advice.exclusion import NO_AGREEMENT, Exclusions, Ground, exclusions
from rankassay.advice.findings import MEASURES, Findings
from rankassay.advice.given import PREFIX, Given
from rankassay.advice.outcomes import Outcomes
from rankassay.advice.rule import CONVENTIONAL, USUAL, Rule, feedback, informative, rule
from rankassay.advice.settings import Settings
from rankassay.advice.simulated import SETS, TRUTHS, Simulated, nearest
from rankassay.advice.truth import Truth
from rankassay.advice.unjudged import judged_share
from rankassay.advice.values import values
from rankassay.advice.words_names import measure, several
from rankassay.drawing.sentences import fill
from rankassay.errors import number_of
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.catalogue import weighs
from rankassay.metrics.evaluate import Measure, drops_without_relevant
from rankassay.metrics.names import direction
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.validity.words import LIKED
from rankassay.types import Floats, Integers

# Why no measure is recommended: neither data nor simulations speak for one.
NO_MEASURE = ("no-relevant", "no-hits", "few-informative", *checks.UNLIKE, NO_AGREEMENT)
NEEDS = {"popularity": "train", "given": "propensities"}


def advise(
    given: Given,
    settings: Settings | None = None,
    truth: Truth | None = None,
    outcomes: Outcomes | None = None,
) -> Findings:
    """Return the findings; the same input and seed give the same bytes.

    Parameters
    ----------
    given : Given
    settings : Settings or None
        None is the defaults.
    truth : Truth or None
        Judgements of items that users did not choose.
    outcomes : Outcomes or None
        What the systems achieved online.

    Raises
    ------
    RankassayError
        For measures and yardsticks that are not known, and measures that the data do not allow.
    """
    settings = settings or Settings()
    true = truth is not None or outcomes is not None
    own = rule(given, settings.metrics, settings.cutoffs, true)
    against = exclusions(given, own.every, settings, truth, outcomes, settings.yardstick)
    near = nearest(int((given.judgements.n_relevant > 0).sum()), feedback(given))
    measured = checks.measured(given, own, near, settings)
    why = checks.reasons(given, own, measured)
    entries = [*_entries(given, own, against, why)]
    first = own.with_measure(entries[0]["measure"] or own.conventional, entries[0]["written"])
    pairs = conclusions.pairs(given, first, settings)
    systems = conclusions.systems(given, first, pairs, settings)
    table = _measures(given, first, near, against, settings)
    for entry in entries:
        entry["alike"] = _alike(table, entry, len(conclusions.of_different(pairs)))
    unlike = why or entries[0]["by"] or entries[0]["measure"] is None
    simulated = {} if unlike else _simulated(near, first)
    told = {} if measured is None else asdict(measured)
    found = Findings(
        data(given) | {"warnings": [*warnings(given, truth), *_left(given, own)]},
        asdict(settings),
        entries,
        simulated,
        told | {"warnings": [*checks.warnings(given, first, near, settings)]},
        table.reindex(columns=[*MEASURES]),
        systems,
        pairs,
        conclusions.because(given, systems, first, settings) or {},
        trust.entries(given, pairs, first.measure, settings),
        [],
        [*notes(given, settings), *against.notes],
    )
    return replace(found, next=steps.steps(found.to_dict("")))


def _entries(
    given: Given, own: Rule, against: Exclusions, why: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield the recommendation: one entry, or one for each yardstick where these differ."""
    found = []
    for yardstick, (out, no) in against.by_yardstick().items():
        found.append(_entry(given, own, against.grounds, [*why, *([no] if no else [])], out))
        found[-1]["yardstick"] = yardstick
    first = found[0]
    same = all((one["measure"], one["why"]) == (first["measure"], first["why"]) for one in found)
    if same and (len(found) > 1 or first["yardstick"] == LIKED):
        yield first | {"yardstick": None}
        return
    named = {one["measure"] for one in found}  # what one truth excludes may be best by the other
    for one in found:
        yield one | {"avoid": [out for out in one["avoid"] if out["measure"] not in named]}


def _entry(
    given: Given,
    own: Rule,
    grounds: Sequence[Ground],
    why: Sequence[str],
    excluded: Sequence[str],
) -> dict[str, Any]:
    """Return what to report by one yardstick: the constant, or what a truth prefers to it.

    A truth that excludes the constant leaves the measure that agrees best with it. `why` has the
    reasons against any.
    """
    measure, by = own.measure, None
    for ground in grounds:
        if measure in ground.excluded and measure in excluded:
            measure, by = ground.best, ground.by
    told = [ground for ground in grounds if ground.used]
    if told:  # it speaks for a measure where no simulation does
        why = [key for key in why if key not in checks.UNLIKE]
    if {*NO_MEASURE} & {*why}:
        measure = None
    return {
        "verdict": "cannot tell" if why else "report",
        "measure": measure,
        "needs": NEEDS.get(given.weights) if measure and weighs(measure) else None,
        "why": [*why],
        "unweighed": [*own.why] if measure == own.measure else [],
        "by": by,
        "conventional": own.conventional,
        "written": [] if why else [*(own.written if by is None else (measure,))],
        "avoid": [*_avoid(told, excluded, own)] if measure else [],
        "truths": [{"by": g.by, "systems": g.systems, "used": g.used} for g in grounds],
    }


def _avoid(
    grounds: Sequence[Ground], excluded: Sequence[str], own: Rule
) -> Iterator[dict[str, Any]]:
    """Yield the measures that a truth excludes, but those that are reported.

    The constant is first, as one asks why it is not reported, then the worst.
    """
    for ground in grounds:
        out = [name for name in ground.excluded if name in excluded and name != own.conventional]
        best = ground.table.loc[ground.best]
        ends = {"best_measure": ground.best, "best": best["tau"]}
        ends |= {"best_low": best["low"], "best_high": best["high"]}
        for name in sorted(
            out, key=lambda name: (name != own.measure, ground.table.at[name, "tau"])
        ):
            yield {"measure": name, "by": ground.by, "tau": ground.table.at[name, "tau"]} | ends


def _simulated(near: Simulated, own: Rule) -> dict[str, Any]:
    """Return what simulations say of the measures, and of what one writes by the rule."""
    found = {
        "users": near.users,
        "measure": near.measure(own.measure),
        "conventional": near.measure(own.conventional),
    }
    if own.whole:  # writing was not simulated with shorter lists
        weighed = own.measure != own.unweighed
        found["writing"] = near.writing("written" if weighed else "unweighed")
        if own.conventional == f"{CONVENTIONAL}@{USUAL}":  # no other's tests were simulated
            found["usual"] = near.writing("usual")
    return found


def _measures(
    given: Given, own: Rule, near: Simulated, against: Exclusions, settings: Settings
) -> pd.DataFrame:
    """Return the measures, the reported one first: how they rank the runs, and what truths say."""
    names = [*dict.fromkeys((own.measure, *own.every))]
    x = values(given, names, settings)
    means = np.stack([direction(n) * aggregate(x[:, :, m]) for m, n in enumerate(names)])
    rows = []
    for m, name in enumerate(names):
        parsed, simulated = Measure.parse(name), near.measure(name)
        row = {"measure": name, "metric": parsed.metric, "cutoff": parsed.cutoff}
        for of in SETS:
            row[f"tau_{of}"] = simulated.get(of, {}).get(TRUTHS[0], {}).get("tau", np.nan)
        row["alike"] = float(tau_b(means[m], means[0]))
        row["reversed"] = int(_reversed(means[m], means[0]))
        rows.append(row)
    table = pd.DataFrame(rows).astype({"cutoff": "Int64"})
    return table.join(against.measures, on="measure")


def _reversed(means: Floats, other: Floats) -> Integers:
    """Return how many pairs of systems two measures rank in opposite order."""
    a, b = np.triu_indices(len(means), k=1)
    return (np.sign(means[a] - means[b]) * np.sign(other[a] - other[b]) < 0).sum()


def _alike(table: pd.DataFrame, entry: Mapping[str, Any], n_pairs: int) -> dict[str, Any]:
    """Return how the conventional measure ranks the user's runs, next to the first reported one."""
    if entry["measure"] in (None, entry["conventional"]):
        return {}
    own = table.set_index("measure").loc[entry["conventional"]]
    return {"tau": own["alike"], "pairs": n_pairs, "reversed": own["reversed"]}


def data(given: Given) -> dict[str, Any]:
    """Return what was judged and listed; see `rankassay.advice.findings.Findings`."""
    judgements, depth = given.judgements, max(given.depth, 1)
    about = given.about
    return {
        "users": judgements.n_users,
        "relevant_users": int((judgements.n_relevant > 0).sum()),
        "informative": informative(given),
        "runs": len(given.systems),
        "references": len(given.references),
        "depth": given.depth,
        "cutoff": default(judgements.n_relevant, given.depth),
        "longest": max(given.ends.values(), default=0),
        "relevant_median": given.relevant_median,
        "judged_median": given.judged_median,
        "judged_share": judged_share(given, given.systems.values(), depth),
        "judged_share_by_run": {
            name: judged_share(given, [own], depth) for name, own in given.systems.items()
        },
        "threshold": judgements.threshold,
        "threshold_reason": about.get("threshold_reason"),
        "negative": given.negative,
        "weights": given.weights,
        "train": dict(given.train),
        "dataset": about.get("dataset"),
        "synthetic": bool(about.get("synthetic", False)),
    }


def warnings(given: Given, truth: Truth | None) -> Iterator[str]:
    """Yield the warnings of the input that the answer begins with, one sentence each."""
    told = given.about.get("warnings")
    yield from told if isinstance(told, list | tuple) else ()
    yield from truth.warnings if truth else ()


def _left(given: Given, own: Rule) -> Iterator[str]:
    """Yield which of the measures asked for are not considered, and why."""
    for key, text in sentences.LEFT.items():
        if names := [measure(name, given.weights) for name, why in own.left if why == key]:
            yield fill(text, measures=several(names), n=len(names), depth=given.depth)


def notes(given: Given, settings: Settings) -> Iterator[str]:
    """Yield the assumptions, one sentence each."""
    yield from given.notes
    counted = int((given.judgements.n_relevant > 0).sum())
    rest = given.judgements.n_users - counted
    if counted and rest and drops_without_relevant(settings.profile, settings.without_relevant):
        yield (
            f"Means, pairs and tests are of the {number_of(counted, 'user')} with a relevant item: "
            f"without one, the other {rest:,} say nothing of the order of the runs."
        )
    if given.references:
        # Some names have a comma.
        names = "; ".join(name.removeprefix(PREFIX) for name in given.references)
        yield (
            f"Reference systems, fitted to the training ratings: {names}. They show whether the "
            "data are like simulated ones, and are not ranked with your runs."
        )
