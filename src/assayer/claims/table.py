"""The table of a study's claims: what was found, and what the finding depends on."""

from collections.abc import Mapping

import pandas as pd

from assayer.claims.judge import HOLDS
from assayer.claims.lists import NOT_ASKED
from assayer.drawing.table import MISSING, Table

NOTE = (
    "Interval: 95 %, over resampled users, or, of claims about simulated worlds, over resampled "
    "worlds. Reproduced: the claim holds for what was measured and "
    "for the whole interval; reproduced, uncertain: not for the whole interval. Not shown: it does "
    "not hold for what was measured, but for a part of the interval; contradicted: for nothing in "
    "the interval. Not asked: the run did not compute what the claim is about. "
    "Kind: a fact says nothing of metrics; implied claims follow from others; "
    "calibrated ones are made of what the systems' settings were chosen to match. Splits: in how "
    "many of the splits of the same data the claim holds for what was measured, in how many of "
    "them for the whole interval, and the range of what was measured. Other systems: the verdict "
    "where the recommenders have other settings. Depends on: what changes whether the claim holds "
    "for what was measured. In bold: contradicted."
)

COLUMNS = ["Dataset", "Claim", "Kind", "Where", "In words", "Published", "Expected", "Measured"]
COLUMNS += ["Interval", "Verdict", "Splits", "Other systems", "Depends on"]


def claims(
    claims: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Table:
    """Return a row for each claim and dataset, with what its variants make of it.

    `claims` are as `assayer.claims.judge.judge` returns them, of several datasets; `titles` and
    `variants` are by short name: of (the dataset whose data it is), label and, where it is another
    split, split_seed. The rows are in the order of the titles.
    """
    rows = []
    data = {name: variants[name]["of"] if name in variants else name for name in titles}
    for dataset in dict.fromkeys(data.values()):
        own = claims[claims["dataset"] == dataset]
        of_data = [name for name, variant in variants.items() if variant["of"] == dataset]
        others = claims[claims["dataset"].isin(of_data)]
        for name in dict.fromkeys([*own["id"], *others["id"]]):
            found, varied = own[own["id"] == name], others[others["id"] == name]
            # A dataset may be studied as its variants only.
            title = titles.get(dataset, dataset)
            rows.append(_row(title, found, varied, variants))
    frame = pd.DataFrame(rows, columns=COLUMNS)
    marked = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    marked["Verdict"] = frame["Verdict"] == "contradicted"
    return Table(frame, "What is claimed, and what was found.", {}, marked, NOTE)


def _row(title: str, found: pd.DataFrame, varied: pd.DataFrame, variants: Mapping) -> dict:
    """Return the row of a claim about one dataset, from its verdicts there and on the variants."""
    claim = pd.concat([found, varied]).iloc[0]
    splits = [name for name in varied["dataset"] if "split_seed" in variants[name]]
    in_splits = pd.concat([found, varied[varied["dataset"].isin(splits)]])
    by_systems = varied[~varied["dataset"].isin(splits)]
    holds = in_splits["verdict"].isin(HOLDS.values())
    firm = in_splits["verdict"] == HOLDS["all"]
    depends = []
    if splits and holds.nunique() > 1:
        depends.append("split")
    if len(found) and by_systems["verdict"].isin(HOLDS.values()).ne(holds.iloc[0]).any():
        depends.append("systems")
    values = in_splits["measured"]
    return {
        "Dataset": title,
        "Claim": claim["id"],
        "Kind": kind(claim),
        "Where": claim["where"],
        "In words": claim["claim"],
        "Published": number(claim["published"]),
        "Expected": claim["expected"],
        "Measured": number(found["measured"].iloc[0]) if len(found) else MISSING,
        "Interval": interval(*found[["low", "high"]].iloc[0]) if len(found) else MISSING,
        "Verdict": _verdict(found),
        "Splits": f"{holds.sum()} of {len(in_splits)}, firmly {firm.sum()} "
        f"({number(values.min())} to {number(values.max())})"
        if splits
        else MISSING,
        "Other systems": ", ".join(
            f"{variants[row.dataset]['label']}: {row.verdict} ({number(row.measured)})"
            for row in by_systems.itertuples()
        )
        or MISSING,
        "Depends on": " and ".join(depends) or MISSING,
    }


def _verdict(found: pd.DataFrame) -> str:
    """Return the verdict on a claim, with the reason of one that was not asked."""
    if found.empty:
        return MISSING
    own = found.iloc[0]
    asked = own["verdict"] != NOT_ASKED
    return own["verdict"] if asked else f"{own['verdict']} ({own['reason']})"


def kind(claim: Mapping) -> str:
    """Return a claim's kind in a few words: a fact or a finding, and what there is to know."""
    words = [claim["kind"]]
    if isinstance(claim["implied_by"], str) and claim["implied_by"]:
        words.append(f"implied by {claim['implied_by'].replace(' ', ', ')}")
    if claim["calibrated"]:
        words.append("calibrated")
    return "; ".join(words)


def interval(low: float, high: float) -> str:
    """Return an interval for readers, or a dash for none."""
    return MISSING if pd.isna(low) else f"{number(low)} to {number(high)}"


def number(value: float) -> str:
    """Return a number with four significant digits, whole numbers in full."""
    if pd.isna(value):
        return MISSING
    text = f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"
    return text.replace("-", "−")
