"""The study `robustness` with all 21 recommenders on synthetic data as large as a real dataset.

    ./run python benchmarks/whole.py beeradvocate FOLDER
    ./run python benchmarks/whole.py ml-10m FOLDER --cores 2
    ./run python benchmarks/whole.py ml-25m FOLDER --summary

Runs Snakemake in a folder, which may be resumed, and prints from what the jobs measured themselves
what each stage and each recommender took: seconds on the clock, CPU seconds and memory. With
--summary nothing is run. The time of the whole is that of Snakemake's process; of a run in pieces
it is the sum of the pieces that this script ran, which it keeps in FOLDER.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import yaml

ROOT = Path(__file__).parents[1]
# Users, items, ratings and the Gini coefficient of the items' rating counts. That of the last two
# is MovieLens 1M's made larger, as rare films were added.
SIZES = {
    "ml-1m": (6_040, 3_706, 1_000_209, 0.634),
    "beeradvocate": (33_388, 66_055, 1_571_808, 0.865),
    "ml-10m": (71_567, 10_681, 10_000_054, 0.80),
    "ml-25m": (162_541, 59_047, 25_000_095, 0.93),
}
NAME = "made-up"


def configuration(size: str) -> dict:
    """Return the configuration of a run on data of a size."""
    parameters = dict(zip(("users", "items", "ratings", "gini"), SIZES[size], strict=True))
    entry = {
        "label": f"Synthetic, size of {size}",
        "kind": "synthetic",
        "threshold": 4,
        "parameters": parameters,
    }
    return {
        "datasets": [NAME],
        "studies": ["robustness"],
        "dataset_catalogue": {NAME: entry},
    }


def run(folder: Path, size: str, cores: int) -> None:
    """Run what is missing, and add the time to that of the pieces before."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "size.yaml"
    config.write_text(yaml.safe_dump(configuration(size)))
    words = ["snakemake", "--snakefile", ROOT / "workflow/Snakefile", "--directory", folder]
    words += ["--configfile", config, "--cores", str(cores), "--quiet", "all"]
    words += ["--nolock"]  # after a piece that was killed
    started = time.time()
    process = subprocess.run([*map(str, words), "--", "robustness"], check=False)
    pieces = _pieces(folder)
    (folder / "pieces.json").write_text(json.dumps([*pieces, time.time() - started]))
    if process.returncode:
        sys.exit("The run did not end; run this again to go on.")


def _pieces(folder: Path) -> list[float]:
    path = folder / "pieces.json"
    return json.loads(path.read_text()) if path.exists() else []


def summary(folder: Path) -> pd.DataFrame:
    """Return a row for each stage: a recommender, an analysis, or another job."""
    rows = []
    for path in sorted((folder / "results/benchmarks").rglob("*.tsv")):
        stage, *_, name = path.relative_to(folder / "results/benchmarks").with_suffix("").parts
        taken = pd.read_csv(path, sep="\t").iloc[-1]
        of = name if stage in ("recommend", "analyse") else ""
        rows.append((stage, of, *(float(taken[key]) for key in ("s", "cpu_time", "max_rss"))))
    table = pd.DataFrame(rows, columns=["stage", "of", "seconds", "cpu", "peak_mb"])
    return table.sort_values("seconds", ascending=False)


def main() -> None:
    """Run, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", choices=SIZES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if not options.summary:
        run(options.folder, options.size, options.cores)
    table = summary(options.folder)
    print("| stage | | seconds | CPU s | peak MB |\n| --- | --- | ---: | ---: | ---: |")
    for row in table.itertuples():
        numbers = " | ".join(f"{value:.0f}" for value in (row.seconds, row.cpu, row.peak_mb))
        print(f"| {row.stage} | {row.of} | {numbers} |")
    pieces = _pieces(options.folder)
    total, most = table[["seconds", "cpu"]].sum(), table[["seconds", "peak_mb"]].max()
    print(
        f"\n{len(table)} jobs took {total.seconds:.0f} s ({total.cpu:.0f} CPU s), the longest one "
        f"{most.seconds:.0f} s, with at most {most.peak_mb:.0f} MB each. "
        f"The whole took {sum(pieces) / 60:.1f} minutes, in {len(pieces)} piece(s)."
    )


if __name__ == "__main__":
    main()
