"""Check a finished run on MovieLens 100K: `python tests/check_real_data.py FOLDER`.

Not a unit test: the data may not be redistributed, so it is there on some machines only.
"""

import sys
from pathlib import Path

import pandas as pd


def main(folder: Path) -> None:
    """Raise AssertionError for the first thing that is not as it should be."""
    statistics = pd.read_csv(folder / "results/ml-100k/statistics.csv").set_index("statistic").value
    assert statistics[["users", "items", "ratings"]].tolist() == [943, 1682, 100_000]

    means = pd.read_csv(folder / "results/ml-100k/means.csv")
    ndcg = means[(means.metric == "nDCG") & (means.cutoff == 100)].set_index("system")["mean"]
    assert ndcg["Random"] < 0.5 * ndcg["Popularity"], ndcg
    for system in ("SLIM", "PureSVD", "WRMF", "Rocchio's Weights", "KLD"):
        assert ndcg[system] > 1.2 * ndcg["Popularity"], ndcg

    robustness = folder / "results/ml-100k/robustness"
    sparsity = pd.read_csv(robustness / "sparsity.csv")
    assert (sparsity[sparsity.level == 100].tau == 1).all()
    half = sparsity[(sparsity.level == 50) & (sparsity.cutoff == 100)].set_index("metric").tau
    assert half["nDCG"] > 0.85, half
    power = pd.read_csv(robustness / "discriminative-power.csv")
    assert power.dp.between(0, power.pairs).all()

    figures = list((folder / "figures/robustness").rglob("*.png"))
    assert len(figures) == 12, figures
    print(f"ml-100k: {len(ndcg)} systems, {len(figures)} figures, as they should be")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
