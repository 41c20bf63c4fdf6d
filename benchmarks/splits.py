"""How near are our systems' means to the published ones, split by split?

    ./run python benchmarks/splits.py data/processed/ml-1m/ratings.npz
    ./run python benchmarks/splits.py data/processed/ml-1m/ratings.npz --recommenders slim svd

Splits a prepared dataset five times, fits the recommenders of config/config.yaml that have
published means on each split, with their settings for the dataset, and prints P@10, P@100 and the
untruncated nDCG next to the published means.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import yaml

from rankassay.artifacts.arrays import Ratings
from rankassay.artifacts.tables import read_table, write_table
from rankassay.config.protocols import RandomSplit
from rankassay.data.parts import split
from rankassay.lookup import load
from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.recommenders.catalogue import RECOMMENDERS
from rankassay.recommenders.rank import rank
from rankassay.studies.fidelity.means import NDCG, compare, summarise

ROOT = Path(__file__).parents[1]
MEASURES = ["P@10", "P@100", NDCG]


def main() -> None:
    """Print the means of every system over the splits, and how near they are as a whole."""
    options = _parser().parse_args()
    dataset = options.dataset or Path(options.ratings).parent.name
    config = {}
    for name in ("config", "datasets", "recommenders"):
        config |= yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))
    published = read_table(ROOT / "src/rankassay/studies/fidelity/published/system-means.csv")
    published = published[published["dataset"] == dataset]
    known = [name for name in config["recommenders"] if name in set(published["recommender"])]
    names = options.recommenders or known
    if not names or (strange := set(names) - set(published["recommender"])):
        which = ", ".join(sorted(strange)) if names else "any configured recommender"
        sys.exit(f"splits: there are no published means of {which} on '{dataset}'.")
    ratings = Ratings.load(options.ratings)
    values = pd.DataFrame(means(ratings, dataset, names, config, options.splits))
    table = against(values, published)
    for measure in MEASURES:
        print(f"\n{measure}, {options.splits} splits of {dataset}")
        rows = table[table["metric"] == measure].drop(columns="metric").set_index("system")
        rows = rows.assign(relative=100 * rows["relative"]).rename(columns={"relative": "% off"})
        print(rows.round(4).to_string())
    print()
    for quantity, value in summarise(table).itertuples(index=False):
        print(f"{quantity}: {value:.4g}")
    if options.output:
        write_table(table, options.output)


def means(
    ratings: Ratings, dataset: str, names: list[str], config: dict, n_splits: int
) -> Iterator[dict]:
    """Yield the mean over users of each measure, for every split and recommender."""
    threshold = config["dataset_catalogue"][dataset]["threshold"]
    how = RandomSplit.model_validate(config["split"])  # with the defaults that the file leaves out
    for seed in range(n_splits):
        train, test = split(ratings.matrix, how.test_fraction, how.rounding, seed)
        judgements = Judgements.of(test, threshold)
        for name in names:
            print(f"split {seed + 1} of {n_splits}: {name}", file=sys.stderr, flush=True)
            entry = config["recommender_catalogue"][name]
            settings = entry.get("settings", {}) | entry.get("datasets", {}).get(dataset, {})
            model = load(RECOMMENDERS[entry["method"]])(**settings)
            ranking = rank(model.fit(train, seed), train, test)
            values = evaluate(judgements, [Lists.of(ranking, judgements)], MEASURES, depth=100)
            for metric, mean in zip(MEASURES, values.mean(axis=(0, 1)), strict=True):
                yield {"recommender": name, "system": name, "metric": metric, "ours": mean}


def against(values: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return mean and deviation over the splits next to the published values."""
    groups = values.groupby(["recommender", "system", "metric"], sort=False)["ours"]
    table = compare(groups.mean().reset_index(), published)
    deviation = groups.std().rename("deviation").reset_index()[["system", "metric", "deviation"]]
    columns = ["system", "metric", "ours", "deviation", "published", "difference", "relative"]
    return table.merge(deviation, on=["system", "metric"])[columns]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", help="data/processed/<dataset>/ratings.npz of a run")
    parser.add_argument("--dataset", help="its name; without it, that of the folder")
    parser.add_argument("--recommenders", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--output", help="the same numbers as a file (csv)")
    return parser


if __name__ == "__main__":
    main()
