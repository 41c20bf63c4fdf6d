"""The table of a study's claims: what was found, and what the finding depends on."""

from collections.abc import Mapping

import pandas as pd

from assayer.tables.write import MISSING, Table

NOTE = (
    "Interval: 1.96 standard deviations over resampled users on either side. Reproduced: the claim "
    "holds for what was measured; partly: only for some value in the interval. Splits: in how many "
    "of the splits of the same data the claim is reproduced, and the range of what was measured. "
    "Other systems: the verdict where the recommenders have other settings. Depends on: what "
    "changes whether the claim is reproduced. In bold: not reproduced."
)

COLUMNS = ["Dataset", "Claim", "Where", "In words", "Published", "Expected", "Measured"]
COLUMNS += ["Interval", "Verdict", "Splits", "Other systems", "Depends on"]


def claims(
    claims: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Table:
    """Return a row for each claim and dataset, with what its variants make of it.

    Parameters
    ----------
    claims : pandas.DataFrame
        As `assayer.analysis.claims.judge` returns it, of several datasets.
    titles : mapping
        By short name, the dataset's title; its order is that of the rows.
    variants : mapping
        By short name, of (the dataset whose data it is), label and, where it is another split,
        split_seed.
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
            rows.append(_row(title, pd.concat([found, varied]), found, varied, variants))
    frame = pd.DataFrame(rows, columns=COLUMNS)
    marked = pd.DataFrame(False, index=frame.index, columns=frame.columns)
    marked["Verdict"] = frame["Verdict"] == "not reproduced"
    return Table(frame, "What is claimed, and what was found.", {}, marked, NOTE)


def _row(
    title: str,
    known: pd.DataFrame,
    found: pd.DataFrame,
    varied: pd.DataFrame,
    variants: Mapping[str, Mapping],
) -> dict:
    """Return the row of a claim about one dataset, from its verdicts there and on the variants."""
    claim = known.iloc[0]
    splits = [name for name in varied["dataset"] if "split_seed" in variants[name]]
    in_splits = pd.concat([found, varied[varied["dataset"].isin(splits)]])
    by_systems = varied[~varied["dataset"].isin(splits)]
    reproduced = in_splits["verdict"] == "reproduced"
    depends = []
    if splits and reproduced.nunique() > 1:
        depends.append("split")
    if len(found) and (by_systems["verdict"] == "reproduced").ne(reproduced.iloc[0]).any():
        depends.append("systems")
    values = in_splits["measured"]
    return {
        "Dataset": title,
        "Claim": claim["id"],
        "Where": claim["where"],
        "In words": claim["claim"],
        "Published": number(claim["published"]),
        "Expected": claim["expected"],
        "Measured": number(found["measured"].iloc[0]) if len(found) else MISSING,
        "Interval": interval(*found[["low", "high"]].iloc[0]) if len(found) else MISSING,
        "Verdict": found["verdict"].iloc[0] if len(found) else MISSING,
        "Splits": f"{reproduced.sum()} of {len(in_splits)} ({number(values.min())} to "
        f"{number(values.max())})"
        if splits
        else MISSING,
        "Other systems": ", ".join(
            f"{variants[row.dataset]['label']}: {row.verdict} ({number(row.measured)})"
            for row in by_systems.itertuples()
        )
        or MISSING,
        "Depends on": " and ".join(depends) or MISSING,
    }


def interval(low: float, high: float) -> str:
    """Return an interval for readers, or a dash for none."""
    return MISSING if pd.isna(low) else f"{number(low)} to {number(high)}"


def number(value: float) -> str:
    """Return a number with four significant digits, whole numbers in full."""
    if pd.isna(value):
        return MISSING
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}".replace("-", "−")
