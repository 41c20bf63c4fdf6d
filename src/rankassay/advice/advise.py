"""Advice on judgements and lists: which measure to report, how far to trust it, what to do next.

This module only puts together what the others find.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

import pandas as pd

from rankassay.advice import conclusions, steps, trust
from rankassay.advice.candidates import candidates, conventional
from rankassay.advice.choice import Choice, choose, facts
from rankassay.advice.criteria import criteria
from rankassay.advice.cutoffs import default
from rankassay.advice.exclusion import Exclusions, exclusions
from rankassay.advice.findings import MEASURES, PAIRS, Findings
from rankassay.advice.given import Given
from rankassay.advice.outcomes import Outcomes
from rankassay.advice.recommendation import NO_MEASURE, Facts, recommendation
from rankassay.advice.references import PREFIX
from rankassay.advice.settings import Settings
from rankassay.advice.truth import Truth
from rankassay.advice.unjudged import judged_share
from rankassay.errors import number_of
from rankassay.metrics.evaluate import drops_without_relevant
from rankassay.studies.validity.words import LIKED

SHOWN = (
    *("seed", "alpha", "confidence", "gamma", "permutations", "resamples", "levels", "samples"),
    *("percentages", "metrics", "cutoffs", "yardstick", "profile", "without_relevant"),
)


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
    usual = conventional(given, settings.metrics, settings.cutoffs)
    table = candidates(given, settings.metrics, settings.cutoffs, settings.profile)
    possible = [*table["measure"][~table["why_not"].isin(["weights"])]]
    of_data = criteria(given, possible, usual, settings)
    table = table.set_index("measure").join(of_data.table)
    _take_out_repeats(table, usual)
    competing = [*table.index[table["candidate"]]]
    against = exclusions(given, competing, settings, truth, outcomes, settings.yardstick)
    told = against.by_yardstick()
    choices = {
        yardstick: choose(competing, facts(given), usual, out)
        for yardstick, (out, _) in told.items()
    }
    (_, why), choice = next(iter(zip(told.values(), choices.values(), strict=True)))
    table = _joined(table, choice, against)
    measure = usual if why in NO_MEASURE else choice.measure or usual
    pairs = pd.DataFrame(columns=[*PAIRS])
    if given.judgements.relevant.any():
        pairs = conclusions.pairs(given, measure, choice.defensible, usual, settings)
    systems = conclusions.systems(given, measure, usual, pairs, settings)
    known = Facts(given, settings, table, of_data, usual, pairs, against.grounds)
    entries = _entries(known, choices, against)
    trusted = []
    if given.judgements.relevant.any():
        of = {"measure": measure}
        trusted = trust.entries(given, table.reset_index(), pairs, of, settings)
    found = Findings(
        data(given) | {"warnings": [*warnings(given, truth)]},
        {name: value for name, value in asdict(settings).items() if name in SHOWN},
        entries,
        table.reset_index().reindex(columns=[*MEASURES]),
        systems,
        pairs,
        trusted,
        [],
        [*notes(given, settings), *against.notes],
    )
    return replace(found, next=steps.steps(found.to_dict("")))


def data(given: Given) -> dict[str, Any]:
    """Return what was judged and listed; see `rankassay.advice.findings.Findings`."""
    judgements, depth = given.judgements, max(given.depth, 1)
    about = given.about
    return {
        "users": judgements.n_users,
        "relevant_users": int((judgements.n_relevant > 0).sum()),
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
    """Yield the warnings that the answer begins with, one sentence each."""
    told = given.about.get("warnings")
    yield from told if isinstance(told, list | tuple) else ()
    yield from truth.warnings if truth else ()


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
    if given.popularity is None:
        yield "No training ratings are given: the most popular items are the most judged ones."
    if given.references:
        # Some names have a comma.
        names = "; ".join(name.removeprefix(PREFIX) for name in given.references)
        yield (
            f"Reference systems, fitted to the training ratings: {names}. They help to compare "
            "measures, and are not ranked with your runs."
        )


def _take_out_repeats(table: pd.DataFrame, usual: str) -> None:
    """Let no measure compete that gives all users the values of the next lower cut-off."""
    repeats = table["repeats"].fillna(False).astype(bool) & table["candidate"]
    repeats &= table.index != usual
    table.loc[repeats, "candidate"] = False
    table.loc[repeats, "why_not"] = "repeats"


def _joined(table: pd.DataFrame, choice: Choice, against: Exclusions) -> pd.DataFrame:
    """Return the measures with their results in simulations and against a truth."""
    table = table.join(choice.table).join(against.measures)
    table["simulated"] = table["simulated"].fillna(False).astype(bool)
    table["defensible"] = table.index.isin(choice.defensible)
    return table


def _entries(
    known: Facts, choices: Mapping[str | None, Choice], against: Exclusions
) -> list[dict[str, Any]]:
    """Return the recommendation: one entry, or one for each yardstick where these differ."""
    told = against.by_yardstick()
    found = [
        recommendation(known, choice, yardstick, told[yardstick][1])
        for yardstick, choice in choices.items()
    ]
    first = found[0]
    same = all((own["measure"], own["why"]) == (first["measure"], first["why"]) for own in found)
    if same and (len(found) > 1 or first["yardstick"] == LIKED):
        return [first | {"yardstick": None}]
    named = {own["measure"] for own in found}  # what one truth excludes may be best by the other
    return [
        own | {"avoid": [out for out in own["avoid"] if out["measure"] not in named]}
        for own in found
    ]
