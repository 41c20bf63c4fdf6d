"""Advice on judgements and lists: what to report, what one may write, how far to trust it.

What the others find is put together here, with what a colleague would do next: at most three steps,
none that the data already answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd

from rankassay.advice import conclusions, sentences, simulated, trust
from rankassay.advice.cutoffs import default
from rankassay.advice.exclusion import NO_AGREEMENT, Exclusions, Ground, exclusions
from rankassay.advice.findings import MEASURES, Findings
from rankassay.advice.given import AS_GIVEN, PROFILE, Given, Settings, values
from rankassay.advice.rule import CONVENTIONAL, USUAL, Rule, feedback, informative, rule
from rankassay.advice.simulated import SETS, TRUTHS, Simulated, nearest
from rankassay.advice.trust import judged_share
from rankassay.advice.truth import Outcomes, Truth
from rankassay.advice.words_names import PREFIX, measure, several, unshortened
from rankassay.drawing.sentences import fill
from rankassay.errors import number_of
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.catalogue import weighs
from rankassay.metrics.evaluate import Measure, drops_without_relevant
from rankassay.metrics.names import direction
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.validity.names import LIKED
from rankassay.types import Floats, Integers

Found = Mapping[str, Any]
Step = dict[str, Any]

MOST = 3  # more are a list, not advice
JUDGES, ITEMS = 500, 20  # users and random items of a truth: 10,000 judgements, as large as Coat's
# Why no measure is recommended: neither data nor simulations speak for one.
NO_MEASURE = ("no-relevant", "no-hits", "few-informative", *simulated.UNLIKE, NO_AGREEMENT)
NEEDS = {"popularity": "train", "given": "propensities"}


def advise(
    given: Given,
    settings: Settings | None = None,
    truth: Truth | None = None,
    outcomes: Outcomes | None = None,
) -> Findings:
    """Return the findings; the same input and seed give the same bytes.

    Raises RankassayError for measures and yardsticks that are unknown or that the data do not
    allow.
    """
    settings = settings or Settings()
    true = truth is not None or outcomes is not None
    own = rule(given, settings.metrics, settings.cutoffs, true)
    against = exclusions(given, own.every, settings, truth, outcomes)
    near = nearest(int((given.judgements.n_relevant > 0).sum()), feedback(given))
    measured = simulated.measured(given, own, near, settings)
    why = simulated.reasons(given, own, measured)
    entries = [*_entries(given, own, against, why)]
    first = own.with_measure(entries[0]["measure"] or own.conventional, entries[0]["written"])
    pairs = conclusions.pairs(given, first, settings)
    systems = conclusions.systems(given, first, pairs, settings)
    table = _measures(given, first, near, against, settings)
    for entry in entries:
        entry["alike"] = _alike(table, entry, len(conclusions.of_different(pairs)))
    unlike = why or entries[0]["by"] or entries[0]["measure"] is None
    worlds = {} if unlike else _simulated(near, first)
    told = {} if measured is None else asdict(measured)
    found = Findings(
        data(given) | {"warnings": [*warnings(given, truth), *_left(given, own)]},
        asdict(settings),
        entries,
        worlds,
        told | {"warnings": [*simulated.warnings(given, first, near, settings)]},
        table.reindex(columns=[*MEASURES]),
        systems,
        pairs,
        conclusions.because(given, systems, first, settings) or {},
        trust.entries(given, pairs, first.measure, settings),
        [],
        [*notes(given, settings), *against.notes],
    )
    return replace(found, next=steps(found.to_dict("")))


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
        why = [key for key in why if key not in simulated.UNLIKE]
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
        parsed, worlds = Measure.parse(name), near.measure(name)
        row = {"measure": name, "metric": parsed.metric, "cutoff": parsed.cutoff}
        for of in SETS:
            row[f"tau_{of}"] = worlds.get(of, {}).get(TRUTHS[0], {}).get("tau", np.nan)
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


def steps(found: Found) -> list[Step]:
    """Return what to do next, the most urgent first: kind, text, command and numbers."""
    name = unshortened([own["system"] for own in found["systems"]])
    every = [{"command": None} | step for step in _steps(found)][:MOST]
    return [step | {"text": _sentence(step, found, name)} for step in every]


def _sentence(step: Step, found: Found, name: Mapping[str, str]) -> str:
    """Return what to do in a step."""
    shown = {
        key: name[str(value)] if key in ("better", "worse") else value
        for key, value in step.items()
    }
    if "against" in shown:
        shown["against"] = [measure(own, found["data"]["weights"]) for own in shown["against"]]
    kind = step["kind"]
    if kind == "identical" and step["others"]:
        kind = "identical-more"
    return fill(sentences.NEXT[kind], shown)


def _steps(found: Found) -> Iterator[Step]:
    """Yield what there is to do, the most urgent first."""
    why = {key for entry in found["recommendation"] for key in entry["why"]}
    if "no-relevant" in why:
        yield {"kind": "threshold", "threshold": found["data"]["threshold"]} | _option("threshold")
        return
    if "no-hits" in why:
        yield {"kind": "lists"}
        return
    if not found["pairs"]:
        yield {"kind": "second"}
    yield from _identical(found)
    yield from _of_first(found)
    if not found["data"]["train"]:
        yield {"kind": "train"} | _option("train")
    yield from _evaluate(found)
    if "unknown-known" in why:
        yield {"kind": "known"}
    elif found["pairs"] and not _has_truth(found):
        yield {"kind": "truth", "users": JUDGES, "items": ITEMS} | _option("truth")


def _option(name: str) -> Step:
    return {"command": f"--{name} {name.upper()}"}


def _identical(found: Found) -> Iterator[Step]:
    """Yield the first two runs with the same hits, and how many other pairs have the same."""
    alike = [own for own in found["pairs"] if own["identical"]]
    for own in alike[:1]:
        runs = {"better": own["better"], "worse": own["worse"]}
        yield {"kind": "identical"} | runs | {"others": len(alike) - 1}


def _of_first(found: Found) -> Iterator[Step]:
    """Yield that the first run is not to be claimed better than the second, where it is not."""
    first = {own["system"] for own in found["systems"][:2]}
    own = next((p for p in found["pairs"] if {p["better"], p["worse"]} == first), None)
    if own is None or own["identical"]:
        return
    runs = {"better": own["better"], "worse": own["worse"]}
    if not own["significant"]:
        yield {"kind": "claim"} | runs
        return
    against = [name for name, sign in own["signs"].items() if sign != 1]
    if against:
        yield {"kind": "disputed", "against": against} | runs


def _evaluate(found: Found) -> Iterator[Step]:
    """Yield how to compute a measure that has parameters, as it is not named on the screen."""
    for entry in found["recommendation"]:
        if entry["measure"] and "(" in entry["measure"]:
            step = {"kind": "evaluate", "measure": entry["measure"], "needs": entry["needs"]}
            own = measure(entry["measure"], found["data"]["weights"])
            name = f'rankassay evaluate QRELS RUN -m "{own}"'
            yield step | {"command": " ".join([name, *_as_judged(found, entry)])}
            return


def _as_judged(found: Found, entry: Found) -> Iterator[str]:
    """Yield the options of `evaluate` with which it gives the numbers of the answer."""
    own, profile = found["data"], found["settings"]["profile"]
    if own["relevant_users"] < own["users"]:
        yield "--without-relevant nan"
    if (own["threshold_reason"] or AS_GIVEN).startswith(AS_GIVEN):
        yield f"--threshold {own['threshold']:g}"
    if profile != PROFILE:
        yield f"--profile {profile}"
    if entry["needs"]:
        yield "--train TRAIN" if entry["needs"] == "train" else "--propensities FILE"


def _has_truth(found: Found) -> bool:
    """Whether a truth or outcomes were given: some measure has an agreement with them."""
    keys = ("truth_liked", "truth_new", "outcomes")
    return any(row[key] is not None for row in found["measures"] for key in keys)
