"""How near are our systems' means to the published ones, split by split?

    ./run python benchmarks/splits.py data/processed/ml-1m/ratings.npz

Splits a prepared dataset five times, fits a few systems of config/recommenders.yaml on each split
and prints P@100 and the untruncated nDCG beside the published values for MovieLens 1M.
"""

import argparse
from pathlib import Path

import pandas as pd
import yaml

from assayer.artifacts import Ratings
from assayer.data.split import split
from assayer.metrics.evaluate import evaluate
from assayer.metrics.judged import Judgements
from assayer.rankings import rank
from assayer.registry import RECOMMENDERS, load

ROOT = Path(__file__).parents[1]
MEASURES = ["P@10", "P@100", "nDCG(truncate_ideal=False)@100"]
# Valcarce et al., RecSys 2018: the authors' published means on MovieLens 1M, full test set.
PUBLISHED = {
    "random": [0.0061, 0.0060, 0.0175],
    "popularity": [0.1428, 0.0621, 0.2233],
    "rocchio": [0.2545, 0.0918, 0.3876],
    "rsv": [0.2544, 0.0919, 0.3875],
    "chi2": [0.2104, 0.0891, 0.3813],
    "kld": [0.2722, 0.0958, 0.4093],
    "puresvd": [0.2853, 0.1032, 0.4231],
    "wrmf": [0.2844, 0.1041, 0.4298],
    "slim": [0.3057, 0.1077, 0.4555],
}


def main() -> None:
    """Print the means of every system over the splits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", help="data/processed/ml-1m/ratings.npz of a run")
    parser.add_argument("--splits", type=int, default=5)
    options = parser.parse_args()
    catalogue = yaml.safe_load((ROOT / "config/recommenders.yaml").read_text())
    rows = []
    ratings = Ratings.load(options.ratings)
    for seed in range(options.splits):
        train, test = split(ratings, 0.2, "floor", seed)
        judgements = Judgements.of(test, 4)
        for name in PUBLISHED:
            entry = catalogue["recommender_catalogue"][name]
            model = load(RECOMMENDERS[entry["method"]])(**entry.get("settings", {}))
            ranking = rank(model.fit(train, seed), train, test)
            values = evaluate(judgements, [ranking.ranks], MEASURES, depth=100)
            rows.append(
                {"system": name, **dict(zip(MEASURES, values.mean(axis=(0, 1)), strict=True))}
            )
    table = pd.DataFrame(rows)
    mean, deviation = (getattr(table.groupby("system", sort=False), f)() for f in ("mean", "std"))
    for column, measure in enumerate(MEASURES):
        published = pd.Series({name: values[column] for name, values in PUBLISHED.items()})
        print(f"\n{measure}, {options.splits} splits")
        summary = pd.DataFrame(
            {
                "mean": mean[measure],
                "deviation": deviation[measure],
                "published": published,
                "off by %": 100 * (mean[measure] / published - 1),
            }
        )
        print(summary.round(4).to_string())


if __name__ == "__main__":
    main()
