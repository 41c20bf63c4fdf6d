"""Record the preferences that the authors' own tool finds between simulated lists.

    python tests/peers/record_preferences.py FOLDER > tests/peers/preferences/pref_eval.csv

FOLDER is a checkout of github.com/diazf/pref_eval (Diaz and Ferraro, SIGIR 2022), which has no
version: the SHA-256 of its measures is recorded with each value. tests/unit/metrics/
test_preferences.py simulates the same lists and compares.
"""

import argparse
import csv
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

N_USERS, N_ITEMS, DEPTH, RUNS = 12, 40, 20, ("a", "b", "c", "d")
MEASURES = ("rpp", "invrpp", "dcgrpp", "lexirecall", "lexiprecision", "rrlexiprecision")
FIELDS = ("tool", "user", "run_a", "run_b", "measure", "value")


def made_up():
    """Return the relevant items of each user, and the list of each run for each user."""
    state = np.random.RandomState(5)  # whose numbers are the same in all versions of numpy
    relevant = [sorted(state.permutation(N_ITEMS)[: state.randint(1, 9)]) for _ in range(N_USERS)]
    runs = {}
    for name, taste in zip(RUNS, (0.0, 0.3, 0.6, 0.6), strict=True):
        runs[name] = []
        for own in relevant:
            score = state.random_sample(N_ITEMS)
            score[own] += taste * state.random_sample(len(own))
            runs[name].append(np.argsort(-score)[: state.randint(5, DEPTH + 1)])
    runs["d"][0] = runs["c"][0]  # two lists that are the same
    return relevant, runs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    code = b"".join(path.read_bytes() for path in sorted(folder.glob("measures/*.py")))
    tool = hashlib.sha256(code).hexdigest()[:12]
    relevant, runs = made_up()
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(FIELDS)
    with tempfile.TemporaryDirectory() as place:
        qrels = Path(place, "qrels")
        lines = [f"{u} 0 {i} 1" for u, own in enumerate(relevant) for i in own]
        qrels.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for name, lists in runs.items():
            lines = [
                f"{u} Q0 {i} {k} {1 / k} {name}"
                for u, own in enumerate(lists)
                for k, i in enumerate(own, start=1)
            ]
            Path(place, name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        asked = [part for measure in MEASURES for part in ("-m", measure)]
        files = [str(Path(place, name)) for name in RUNS]
        command = [sys.executable, "pref_eval.py", "-R", str(qrels), "-q", "-n", *asked, *files]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        found = json.loads(line)
        if found.get("type") == "preference":
            for measure in MEASURES:
                names = (Path(found["runi"]).name, Path(found["runj"]).name)
                rows.writerow((tool, found["qid"], *names, measure, f"{found[measure]:.12g}"))


if __name__ == "__main__":
    main()
