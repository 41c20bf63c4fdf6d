"""A dataset in files of a test, whose jobs are run as the workflow runs them."""

import re
from pathlib import Path

import pandas as pd
import yaml

from rankassay.artifacts.arrays import Ratings, Truth, read_matrix
from rankassay.cli.job import do
from rankassay.data.entries import completed
from rankassay.data.reading import lines_of, place_in

ROOT = Path(__file__).parents[1]
CATALOGUE = yaml.safe_load((ROOT / "config/datasets.yaml").read_text())["dataset_catalogue"]


class Made:
    """A dataset in a folder, whose jobs are run as the workflow runs them."""

    def __init__(self, folder, name, contents, **change):
        self.folder, self.name = folder, name
        entry = CATALOGUE[name] | change
        entry.pop("checksum", None)  # of the real file
        self.source = completed(name, entry)
        (folder / "raw" / name).mkdir(parents=True)
        for file, content in contents.items():
            (folder / "raw" / name / file).write_bytes(content.encode())

    def path(self, name):
        return self.folder / name

    def prepared(self, seed=1):
        """Return the ratings."""
        given = {"dataset": self.name, "source": self.source}
        record = self.path("source.json")
        do("fetch", given | {"raw_dir": self.folder / "raw", "output": record})
        outputs = {"ratings": self.path("r.npz"), "statistics": self.path("statistics.csv")}
        do("prepare", given | {"record": record, "seed": seed} | outputs)
        return Ratings.load(self.path("r.npz"))

    def truth(self, seed=1):
        """Return the judgements that are the truth, and their counts."""
        outputs = {"truth": self.path("truth.npz"), "summary": self.path("truth.csv")}
        do("truth", self._read() | {"seed": seed} | outputs)
        counts = pd.read_csv(self.path("truth.csv")).iloc[0]
        return Truth.load(self.path("truth.npz")), counts

    def propensities(self):
        """Return the propensities."""
        do("propensities", self._read() | {"output": self.path("p.npz")})
        return read_matrix(self.path("p.npz"))

    def _read(self):
        files = {"ratings": self.path("r.npz"), "record": self.path("source.json")}
        return files | {"source": self.source}


def triples(found, ratings):
    """Return the entries of a matrix: user, item and value."""
    found = found.tocoo()
    users, items = ratings.user_ids[found.row], ratings.item_ids[found.col]
    return list(zip(users.tolist(), items.tolist(), found.data.tolist(), strict=True))


def line_numbers(path, entry):
    """Return the line of each row of a file of ratings, as an error of it names them."""
    place = place_in(path, entry)
    errors = [str(place(row, "this", "that")) for row in range(len(lines_of(path, entry)))]
    return [int(re.search(r", line (\d+): expected this, found that", own)[1]) for own in errors]
