"""What a finished run took by dataset, as its jobs measured themselves: a table in CSV.

    ./run python benchmarks/by_dataset.py FOLDER > usage.csv

FOLDER is that of the run, or several. Columns: `dataset` (a variant is one of its own), `jobs`,
`cpu_minutes` of all jobs together, and `peak_mb`, the memory of the job that takes most. With n
cores that are otherwise idle, the run takes at least the sum of the CPU minutes divided by n. Jobs
that compare datasets are in the row `across`, those without a record (figures and tables) in none.
"""

import argparse
import sys
from pathlib import Path

import pandas as pd

from rankassay.artifacts.usage import CPU, MEMORY


def by_dataset(folders: list[Path]) -> pd.DataFrame:
    """Return a row for each dataset or variant: jobs, cpu_minutes and peak_mb."""
    rows = []
    for folder in folders:
        records, results = folder / "results/benchmarks", folder / "results"
        known = {path.name for path in results.iterdir() if path.is_dir()} - {"benchmarks"}
        for path in sorted(records.rglob("*.tsv")):
            parts = path.relative_to(records).with_suffix("").parts
            dataset = next((part for part in parts if part in known), "across")
            taken = pd.read_csv(path, sep="\t").iloc[-1]
            rows.append((dataset, float(taken[CPU]) / 60, float(taken[MEMORY])))
    jobs = pd.DataFrame(rows, columns=["dataset", "minutes", "mb"])
    return (
        jobs.groupby("dataset", as_index=False)
        .agg(jobs=("mb", "size"), cpu_minutes=("minutes", "sum"), peak_mb=("mb", "max"))
        .sort_values("cpu_minutes", ascending=False)
        .round({"cpu_minutes": 2, "peak_mb": 0})
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    by_dataset(parser.parse_args().folders).to_csv(sys.stdout, index=False)


if __name__ == "__main__":
    main()
