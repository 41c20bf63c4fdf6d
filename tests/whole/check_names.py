"""Names that people give: results are the same whatever recommenders and datasets are called."""

from pathlib import Path

import pandas as pd
import pytest
import yaml
from in_process import ROOT, Run, configured

from assayer.artifacts.tables import read_table

PLAIN = ["Aa", "Bb", "Cc", "Dd"]
# In the order of the plain ones, where anything is ordered by name.
NAMES = {
    "signs": [
        *("!#$%&'()*+,-./\"", "--depth=5 :;<=>? $a_b$ \\c{d}"),
        *("SLIM (l2=100) %3D {x} <b>&amp;</b>", "[\\]^_`{|}~@ é 😀"),
    ],
    "numbers": ["0", "007", "1", "7"],
    "words": [" blank", "False", "NA", "nan"],
}
STUDIES = ["robustness", "preferences", "reliability"]
TEST = yaml.safe_load((ROOT / "config/test.yaml").read_text(encoding="utf-8"))


def made(names, study, figures):
    """Make a study of systems and a dataset with these names; return its tables by their paths."""
    labels = zip(TEST["recommenders"], names, strict=True)
    change = {
        "datasets": ["tiny"],
        "studies": [study],
        "recommender_catalogue": {name: {"label": label} for name, label in labels},
        "dataset_catalogue": {"tiny": {"label": names[0]}},
    }
    own = Run(configured(TEST, change))
    wanted = own.plan.report.inputs()
    own.make(*(path for path in wanted if figures or not path.startswith("figures")))
    return {str(path): read_table(path) for path in sorted(Path("results/tiny").rglob("*.csv"))}


@pytest.mark.parametrize("study", STUDIES)
def test_results_do_not_depend_on_what_systems_are_called(tmp_path, monkeypatch, study):
    found = []
    for number, names in enumerate((PLAIN, *NAMES.values())):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        found.append(made(names, study, figures=names is NAMES["signs"]))
    plain, *others = found
    for names, tables in zip(NAMES.values(), others, strict=True):
        assert plain.keys() == tables.keys()
        renamed = dict(zip(PLAIN, names, strict=True))
        for path, table in plain.items():
            own = table.map(lambda value: called(value, renamed))  # noqa: B023
            pd.testing.assert_frame_equal(own, tables[path], obj=path)


def called(value, renamed):
    """Return a value of a table, where names of systems may stand between commas, renamed."""
    if not isinstance(value, str):
        return value
    return ", ".join(renamed.get(name, name) for name in value.split(", "))
