"""Names that people give: results do not depend on the names of recommenders and datasets."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from in_process import ROOT, Run, configured

from rankassay.artifacts.tables import read_table

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


# Of aspects, of an attribute and the groups that it makes, and of claims.
NAMED = {
    "aspects": (["Aa", "Bb", "Cc"], ["!#$%&'()*+,-./\"", "=1 {x} <b>&</b>", "[\\]^_`{}~@ é 😀"]),
    "groups": (
        ["Aa", "Bb", "Cc"],
        ["--depth=5 :;<=>?", "007 %3D $(id)", "nan 😀 {wildcards.dataset}"],
    ),
    "attribute": (["kind"], ["=k \"x\" 'y' {z} %41 #"]),
    "claims": (["Aa", "Bb"], ['=1+2 "{x}", <b> $a_b$', "--x=%3D 😀"]),
}


def made_of_a_file(names):
    """Make studies of aspects, groups and claims with these names; return tables by their paths."""
    rng = np.random.default_rng(1)
    pairs = pd.DataFrame(np.argwhere(rng.random((40, 60)) < 0.4), columns=["user", "item"])
    pairs.assign(rating=rng.integers(1, 6, len(pairs))).to_csv("ratings.csv", index=False)
    items = pd.DataFrame({"item": range(60)})
    items["aspects"] = ["|".join(rng.choice(names["aspects"], 2, replace=False)) for _ in range(60)]
    items["group"] = rng.choice(names["groups"], 60)
    items.to_csv("items.csv", index=False)
    value = {"table": "discriminative-power", "rows": {"metric": "P", "cutoff": 20}}
    said = [
        {"id": name, "where": name, "claim": name, "datasets": ["mine"], "value": value}
        | {"holds": {"above": 0}}
        for name in names["claims"]
    ]
    Path("claims.yaml").write_text(yaml.safe_dump(said, allow_unicode=True), encoding="utf-8")
    (attribute,) = names["attribute"]
    entry = {"kind": "file", "path": "ratings.csv", "threshold": 4, "aspects_path": "items.csv"}
    entry |= {"aspects": {"item": "item", "labels": "aspects"}, "item_attributes_path": "items.csv"}
    kinds = {"id": "item", "attributes": {attribute: {"column": "group"}}}
    change = {
        "datasets": ["mine"],
        "studies": ["robustness", "beyond"],
        "claims": {"robustness": "claims.yaml"},
        "dataset_catalogue": {"mine": entry | {"item_attributes": kinds}},
        "beyond": {"item_groups": attribute},
    }
    own = Run(configured(TEST, change))
    own.make(*(path for path in own.plan.report.inputs() if not path.startswith("figures")))
    own.make("results/claims.csv")
    return {str(path): read_table(path) for path in sorted(Path("results").rglob("*.csv"))}


def test_results_do_not_depend_on_what_aspects_groups_and_claims_are_called(tmp_path, monkeypatch):
    found = []
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        monkeypatch.chdir(tmp_path / str(number))
        found.append(made_of_a_file({key: names[number] for key, names in NAMED.items()}))
    plain, odd = found
    assert plain.keys() == odd.keys()
    verdicts = plain["results/claims.csv"].query("dataset == 'mine'")
    assert verdicts["reproduced"].isin(["holds", "inconclusive"]).all()
    assert odd["results/claims.csv"]["id"].isin(NAMED["claims"][1]).sum() == len(verdicts) == 2
    for path, table in plain.items():
        if not path.startswith("results/tables"):  # where names are quoted
            own = odd[path].map(lambda value: BACK.get(value, value))
            pd.testing.assert_frame_equal(table, own, obj=path)


BACK = {
    odd: plain
    for key in ("groups", "attribute", "claims")
    for plain, odd in zip(*NAMED[key], strict=True)
}


def called(value, renamed):
    """Return a value of a table, where names of systems may stand between commas, renamed."""
    if not isinstance(value, str):
        return value
    return ", ".join(renamed.get(name, name) for name in value.split(", "))
