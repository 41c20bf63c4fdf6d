"""Check a finished run on MovieLens 100K or 1M: `python tests/check_real_data.py FOLDER`.

Of MovieLens 100K it checks the whole study, and of MovieLens 1M what the target `fidelity` writes.
Not a unit test: the data may not be redistributed, so it is there on some machines only.
"""

import sys
from pathlib import Path

import check_agreement
import pandas as pd

# Of the published systems, the neighbourhoods that fit 200 users and the NMLE, 30 factors, and
# what tells which items are candidates.
WITHIN_3_PERCENT = ("Rocchio's Weights", "RSV", "KLD", "CHI2", "PureSVD", "Popularity")
NNCOSNGBR = ("NNCosNgbr-UB", "NNCosNgbr-IB")


def main(folder: Path) -> None:
    """Raise AssertionError for the first thing that is not as it should be."""
    fidelity = folder / "results/ml-1m/fidelity.csv"
    study = folder / "results/ml-100k"
    if not fidelity.exists() and not study.exists():
        sys.exit(f"expected {study} or {fidelity}, found neither; run the workflow there first.")
    if study.exists():
        check_study(folder)
    if fidelity.exists():
        check_fidelity(pd.read_csv(fidelity))


def check_study(folder: Path) -> None:
    """Check the study on MovieLens 100K."""
    statistics = pd.read_csv(folder / "results/ml-100k/statistics.csv").set_index("statistic").value
    assert statistics[["users", "items", "ratings"]].tolist() == [943, 1682, 100_000]

    means = pd.read_csv(folder / "results/ml-100k/means.csv")
    ndcg = means[(means.metric == "nDCG") & (means.cutoff == 100)].set_index("system")["mean"]
    assert ndcg["Random"] < 0.5 * ndcg["Popularity"], ndcg
    for system in ("SLIM", "PureSVD", "WRMF", "Rocchio's Weights", "KLD"):
        assert ndcg[system] > 1.2 * ndcg["Popularity"], ndcg
    precision = means[(means.metric == "P") & (means.cutoff == 10)].set_index("system")["mean"]
    check_published_facts(precision, ndcg)

    robustness = folder / "results/ml-100k/robustness"
    sparsity = pd.read_csv(robustness / "sparsity.csv")
    assert (sparsity[sparsity.level == 100].tau == 1).all()
    half = sparsity[(sparsity.level == 50) & (sparsity.cutoff == 100)].set_index("metric").tau
    assert half["nDCG"] > 0.85, half
    power = pd.read_csv(robustness / "discriminative-power.csv")
    assert power.dp.between(0, power.pairs).all()

    check_agreement.main(folder, "ml-100k")
    # Eight of the paper, of which the first four once more for all metrics, and three as run.
    figures = list((folder / "figures/robustness").rglob("figure-*.png"))
    assert len(figures) == 15, figures
    print(f"ml-100k: {len(ndcg)} systems, {len(figures)} figures, as they should be")


def check_published_facts(precision: pd.Series, ndcg: pd.Series) -> None:
    """Check what Valcarce et al. published about single systems on MovieLens 1M."""
    for values in (precision, ndcg):
        assert abs(values["RSV"] - values["Rocchio's Weights"]) < 0.0002, values
        assert abs(values["UIR-Item"] / values["Popularity"] - 1) < 0.02, values
    assert precision["HT"] < 1.5 * precision["Random"] < 0.3 * precision["Popularity"], precision
    assert precision["SVD"] < 0.6 * precision["Popularity"], precision


def check_fidelity(table: pd.DataFrame) -> None:
    """Check the means on MovieLens 1M against the published ones; one split differs by some 1%."""
    ours, relative = (
        table.pivot(index="system", columns="metric", values=column)
        for column in ("ours", "relative")
    )
    decisive = ["P@10", "nDCG(truncate_ideal=False)@100"]
    check_published_facts(ours["P@10"], ours["nDCG@100"])
    near = relative.loc[[*WITHIN_3_PERCENT], decisive].abs()
    assert (near < 0.03).all(axis=None), near
    # What chance finds depends on the candidates: among all items its P@100 is 7% less.
    by_chance = relative.loc["Random", ["P@100", "R@100", decisive[1]]].abs()
    assert (by_chance < 0.05).all(), by_chance
    # Known and written down: the literature's formula is far better than what was published.
    far = relative.loc[[*NNCOSNGBR], decisive]
    assert (far > 0.5).all(axis=None), far
    print(f"ml-1m: {len(ours)} systems, as they should be beside the published ones")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
