"""Do verdicts depend on the number of random draws? Compare a run with one that doubles them all.

    ./run python benchmarks/draws.py --write doubled.yaml
    cp -r RUN DOUBLED
    ./run snakemake robustness claims --cores 2 --directory DOUBLED --configfile ... doubled.yaml
    ./run python benchmarks/draws.py RUN DOUBLED --output FILE.csv

Resamples of users, random parts of the test set and permutations are twice as many in the second
run, which fits no recommender again: the copy has their lists. A verdict is that of one dataset's
run.
"""

import argparse
import json
from pathlib import Path

import pandas as pd

from rankassay.artifacts.tables import read_table
from rankassay.claims.conditions import FAILS, HOLDS, INCONCLUSIVE, QUESTIONS
from rankassay.studies import STUDIES
from rankassay.studies.settings import Settings

STUDY = "robustness"
DRAWN = ("samples", "resamples", "replicates")  # the settings that say how often
COLUMNS = ["dataset", "question", "verdicts", "changed", "decided", "ids"]


def doubled() -> dict:
    """Return the change of a configuration that doubles all numbers of draws of the study."""
    analyses = {}
    for name, entry in STUDIES[STUDY].analyses.items():
        if entry.constructed:  # a formula draws nothing
            continue
        if own := _doubled(entry.model()):
            analyses[name] = own
    return {STUDY: _doubled(STUDIES[STUDY].model()) | {"analyses": analyses}}


def _doubled(settings: Settings) -> dict:
    """Return the numbers of draws among settings, doubled."""
    known = settings.model_dump()
    return {key: 2 * known[key] for key in DRAWN if known.get(key)}


def compared(run: Path, other: Path) -> pd.DataFrame:
    """Count by dataset the verdicts on either question, and those that change in the second run.

    Columns dataset, question (reproduced or general), verdicts, changed, decided (those that were
    inconclusive, and are not in the second run) and ids (of the changed).
    """
    rows = []
    for path in sorted(run.glob(f"results/*/{STUDY}/claims.csv")):
        first = read_table(path).set_index("id")
        second = read_table(other / path.relative_to(run)).set_index("id").loc[first.index]
        for question in QUESTIONS:
            before, after = (table[question].dropna() for table in (first, second))
            changed = before.index[before != after.reindex(before.index)]
            decided = after.reindex(changed).isin([HOLDS, FAILS])
            decided &= before[changed] == INCONCLUSIVE
            counts = (len(before), len(changed), int(decided.sum()))
            rows.append((path.parents[1].name, question, *counts, " ".join(changed)))
    return pd.DataFrame(rows, columns=COLUMNS)


def main() -> None:
    """Write the change of the configuration, or compare two runs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, nargs="*", help="folders of the two runs")
    parser.add_argument("--write", type=Path, help="where to write the doubled numbers")
    parser.add_argument("--output", type=Path, help="a table to write")
    given = parser.parse_args()
    if given.write:
        given.write.write_text(json.dumps(doubled(), indent=2) + "\n")
        return
    if len(given.runs) != 2:
        parser.error("expected the folders of two runs, or --write FILE")
    table = compared(*given.runs)
    print(table.to_string(index=False))
    if given.output:
        table.to_csv(given.output, index=False)


if __name__ == "__main__":
    main()
