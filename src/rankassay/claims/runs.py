"""Claims over all runs of the same data: other splits, and systems with other settings.

What one run says of a claim rests on its users and its systems. The verdict that is quoted rests on
its variants as well: with the same settings on other splits, and with other settings.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from rankassay.claims.verdicts import (
    ALL,
    ANSWERS,
    FAILS,
    HOLDS,
    NONE,
    OF_RUN,
    OURS,
    SOME,
    SOURCES,
    deciding,
    state,
    told,
    verdict,
)

ADDED = ["splits", "splits_hold", "n_splits", "other_systems", "verdict", "decides"]
COLUMNS = [*ADDED[:-1], "run_verdict", ADDED[-1]]


@dataclass(frozen=True)
class Run:
    """A dataset or variant: the data that it is of, its settings, and whether its split is another.

    `settings` is the name of the dataset or variant whose settings its systems have.
    """

    data: str
    settings: str
    split: bool

    @classmethod
    def of(cls, name: str, variants: Mapping[str, Mapping]) -> "Run":
        """Return the run of a name; variants have of, settings and split, others are data."""
        own = variants.get(name)
        if own is None:
            return cls(name, name, False)
        return cls(own["of"], own["settings"], own["split"])


def over_runs(claims: pd.DataFrame, variants: Mapping[str, Mapping]) -> pd.DataFrame:
    """Return the verdicts of a study with those over all runs of the same data.

    Parameters
    ----------
    claims : DataFrame
        The rows of `rankassay.claims.judge.judge` on several datasets.
    variants : mapping
        By name of a dataset that is another one in a different form: of, the dataset whose data it
        is; settings, the name of the dataset or variant whose settings the systems have; and split,
        whether it is split otherwise.

    Returns
    -------
    DataFrame
        The same rows, with run_verdict, the verdict of the run alone, and

        - splits: the state over splits of the data, with the same settings (see
          `rankassay.claims.verdicts.state`); n_splits, how many have a value, and splits_hold, in
          how many the claim holds for the measured number. Empty with one split, and for a run that
          is a further split itself
        - other_systems, of a dataset itself: the state over runs with other settings; each holds if
          the claim does for its measured number and under all its sources, and fails likewise
        - verdict: the one over users, systems, splits and other settings, as far as they were
          tested. Facts have that of the run
        - decides: the sources that disagree with the measured number, in words
    """
    claims = claims.reset_index(drop=True)  # of several tables: a number may be there twice
    found = claims.assign(run_verdict=claims["verdict"])
    runs = {name: Run.of(name, variants) for name in claims["dataset"].unique()}
    data = claims["dataset"].map({name: run.data for name, run in runs.items()})
    rows: dict[object, dict] = {}
    for _, own in claims.groupby([claims["id"], data], sort=False):
        rows |= _together(own, runs)
    added = pd.DataFrame([*rows.values()], [*rows]).reindex(columns=ADDED)
    found = found.drop(columns="verdict").join(added)
    found["verdict"] = found["verdict"].where(found["verdict"].notna(), found["run_verdict"])
    names = ("splits", "other_systems", "decides")
    texts = {name: found[name].astype(object).fillna("") for name in names}
    whole = dict.fromkeys(["splits_hold", "n_splits"], "Int64")
    return found.assign(**texts).astype(whole)


def _together(own: pd.DataFrame, runs: Mapping[str, Run]) -> dict[object, dict]:
    """Return the columns added to the rows of a claim about one dataset's data, by index."""
    own = own.assign(holds=pd.Series(told(own["holds"]), own.index, dtype=object))
    judged = own[own["holds"].notna() & (own["kind"] != "fact")]
    settings = judged["dataset"].map(lambda name: runs[name].settings)
    sources: dict[object, dict] = {}
    counts: dict[object, dict] = {}
    by_settings: dict[str, str] = {}
    for name, group in judged.groupby(settings, sort=False):
        further = group["dataset"].map(lambda name: runs[name].split)
        hold, n = sum(group["holds"]), len(group)
        splits = state(hold, n) if n > 1 and further.any() else ""
        by_settings[str(name)] = splits
        for at, row in group.iterrows():
            sources[at] = {source: _text(row[source]) for source in OF_RUN}
            if not further[at]:
                sources[at] |= {"splits": splits}
                counts[at] = {"splits_hold": hold, "n_splits": n} if splits else {}
                by_settings[str(name)] = _state(row["holds"], sources[at])
    found = {}
    for at, states in sources.items():
        row = own.loc[at]
        if row["dataset"] == runs[row["dataset"]].data:
            others = {one for name, one in by_settings.items() if name != row["dataset"] and one}
            states["other_systems"] = SOME if len(others) > 1 else "".join(others)
        ordered = {source: states.get(source, "") for source in SOURCES}
        quoted = verdict(row["holds"], [*ordered.values()]) if any(ordered.values()) else ""
        found[at] = {
            **{source: ordered[source] for source in ("splits", "other_systems")},
            **counts.get(at, {}),
            "verdict": ANSWERS[quoted] if quoted and row["source"] == OURS else quoted or None,
            "decides": deciding(row["holds"], ordered),
        }
    return found


def _state(holds: bool, sources: Mapping[str, str]) -> str:
    """Return whether a claim holds in a run, by its measured number and all sources."""
    if not any(sources.values()):
        return ALL if holds else NONE
    found = verdict(holds, [*sources.values()])
    return {HOLDS[ALL]: ALL, FAILS[NONE]: NONE}.get(found, SOME)


def _text(value: object) -> str:
    """Return a text of a table, also one that a file has as empty."""
    return value if isinstance(value, str) else ""
