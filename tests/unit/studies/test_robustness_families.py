"""Results without a family of the systems are those of the plain analyses on the others alone."""

import json

import made_up
import numpy as np
import pandas as pd
import pytest
from settings_of import settings_of

from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.lists import read, specs
from rankassay.declared.correlations import of_each
from rankassay.errors import RankassayError
from rankassay.statistics import correlation, incomplete, significance
from rankassay.statistics.discriminative_power import run as power_of
from rankassay.studies import STUDIES
from rankassay.studies.robustness import as_run, families
from rankassay.studies.robustness.claims import DATA
from rankassay.studies.robustness.procedure import gains

MEASURES = ["P@5", "P@20", "nDCG@5", "nDCG@20"]
# Five families: one of three systems, two of two, and those of a system alone that none names.
FAMILIES = dict(zip((f"system-{n}" for n in range(7)), "aabbbcc", strict=True))
LEFT = [[n for n in range(9) if n not in own] for own in ((0, 1), (2, 3, 4), (5, 6), (7,), (8,))]
EVALUATION = made_up.evaluation(MEASURES) | {"cutoffs": [5, 20], "families": FAMILIES}
CHANGES = {
    "sparsity": {"levels": [100, 50, 12.5], "samples": 3},
    "popularity": {"percentages": [100, 80]},
    "p-values": {"samples": 300},
    "as-run-p-values": {"samples": 200},
    "discriminative-power": {"replicates": 0},
}
BORROWED = ("cutoff_correlation", "metric_correlation", "gains", "sparsity", "popularity")
SEED = 5


def settings(name, **changes):
    return settings_of(f"robustness/{name}", **CHANGES.get(name, {}) | changes)


@pytest.fixture(scope="module")
def study():
    """Return train, test and the rankings of nine systems, one of which is there twice."""
    train, test, rankings = made_up.study(n_systems=9, trained=0.2, tested=0.5)
    rankings["system-4"] = rankings["system-3"]
    return train, test, rankings


def plain(train, test, rankings, **changes):
    """Return what each analysis gives, by table."""
    scores = made_up.scores(test, rankings, MEASURES)
    given = {"evaluation": EVALUATION, "seed": SEED}
    p_values = significance.p_values(scores, seed=SEED, **settings("p-values"))
    ordered = as_run.as_run_p_values(test, rankings, **given, **settings("as-run-p-values"))
    order = {"resamples": 0, **changes}
    return {
        "cutoff-correlation": correlation.cutoff_correlation(
            scores, **given, **settings("cutoff-correlation", **order)
        ),
        "metric-correlation": correlation.metric_correlation(
            scores, **given, **settings("metric-correlation", **order)
        ),
        "gains": gains(test, rankings, **given, **settings("gains", resamples=0)),
        "sparsity": incomplete.sparsity_bias(
            test, rankings, **given, **settings("sparsity", **order)
        ),
        "popularity": incomplete.popularity_bias(
            train, test, rankings, **given, **settings("popularity", **order)
        ),
        "discriminative-power": power_of(scores, p_values, SEED, 0, 0.95),
        "as-run": as_run.as_run(test, rankings, **given, p_values=ordered, replicates=0),
    }


def run(train, test, rankings, changes=(), evaluation=EVALUATION, **others):
    """Run the analysis with what it reads, or with others."""
    scores = made_up.scores(test, rankings, MEASURES)
    changes = dict(changes)
    borrowed = {
        name: settings(name.replace("_", "-"), **({} if name == "gains" else changes))
        for name in BORROWED
    }
    inputs = {
        "train": train,
        "p_values": significance.p_values(scores, seed=SEED, **settings("p-values")),
        "as_run_p_values": as_run.as_run_p_values(
            test, rankings, EVALUATION, SEED, **settings("as-run-p-values")
        ),
    }
    given = borrowed | inputs | others
    return families.run(test, rankings, scores, evaluation, SEED, **given)


@pytest.mark.parametrize(
    "changes",
    [{}, {"correlation": "tau_ap"}, {"round_means": 2}],
    ids=["tau", "weighted", "rounded"],
)
def test_without_a_family_there_is_what_the_plain_analyses_give_for_the_others(study, changes):
    train, test, rankings = study
    found = run(*study, changes)
    names = [*rankings]
    whole = plain(*study, **changes)
    for column, own in zip(
        [found.table["value"].to_numpy(), *found.replicates.T], [range(9), *LEFT], strict=True
    ):
        alone = plain(train, test, {names[s]: rankings[names[s]] for s in own}, **changes)
        assert set(found.table["table"]) == set(alone)
        for name, expected in alone.items():
            rows = (found.table["table"] == name).to_numpy()
            values = expected.table[expected.column].to_numpy()
            if expected.column == "dp":  # as if there were as many pairs as of all systems
                ratio = whole[name].table["pairs"] / expected.table["pairs"]
                np.testing.assert_allclose(column[rows], values * ratio, rtol=1e-12, err_msg=name)
            else:
                np.testing.assert_allclose(column[rows], values, rtol=1e-14, err_msg=name)
            for key in families.KEYS[name]:
                assert found.table.loc[rows, key].tolist() == expected.table[key].tolist()


def test_another_correlation_has_rows_of_its_own(study):
    several = settings("sparsity", also=["spearman"])
    rows = run(*study, sparsity=several).table.query("table == 'sparsity'")
    assert [*of_each(rows)[1]["correlation"].unique()] == ["spearman"]
    [alone] = of_each(run(*study, {"correlation": "spearman"}).table)
    assert "correlation" not in alone
    expected = alone.query("table == 'sparsity'")["value"].to_numpy()
    np.testing.assert_array_equal(of_each(rows)[1]["value"], expected)


def test_the_table_comes_back_as_it_was(study, tmp_path):
    found = run(*study).table
    write_table(found, tmp_path / "families.csv")
    back = read_table(tmp_path / "families.csv")
    text = (tmp_path / "families.csv").read_text()
    assert [*back] == families.COLUMNS
    assert "\nsparsity,P,,,,,5,,,12.5,," in text
    assert "\ncutoff-correlation,P,,,,,,5,20,,," in text
    pd.testing.assert_series_equal(back["value"], found["value"], check_index=False)
    names = {tuple(json.loads(text)) for text in back["families"]}
    assert names == {("a", "b", "c", "system system-7", "system system-8")}


def test_what_is_left_out_has_no_rows(study):
    without = dict.fromkeys(["sparsity", "metric_correlation", "gains", "as_run_p_values"])
    found = run(*study, **without)
    expected = ["cutoff-correlation", "popularity", "discriminative-power"]
    assert found.table["table"].unique().tolist() == expected
    untrained = (None, *study[1:])
    assert "popularity" not in set(run(*untrained).table["table"])
    counted = settings("popularity", count="test")
    assert "popularity" in set(run(*untrained, popularity=counted).table["table"])


def test_few_families_have_no_rows(study):
    train, test, rankings = study
    found = run(train, test, dict([*rankings.items()][:8]))
    assert found.table.empty
    assert [*found.table] == families.COLUMNS
    assert found.replicates.shape == (0, 0)
    every = run(*study, evaluation=EVALUATION | {"families": dict.fromkeys(rankings, "one")})
    assert every.table.empty
    # Where no system has one, each is its own.
    alone = run(*study, evaluation=EVALUATION | {"families": {}}, gains=None)
    assert alone.replicates.shape == (len(alone.table), 9)


def test_values_of_other_systems_are_refused(study):
    _, test, rankings = study
    scores = made_up.scores(test, rankings, MEASURES)
    renamed = {name.upper(): own for name, own in rankings.items()}
    borrowed = dict.fromkeys(BORROWED)
    with pytest.raises(
        RankassayError, match="expected values of the systems whose lists there are"
    ):
        families.run(test, renamed, scores, EVALUATION, SEED, **borrowed)


def test_all_findings_of_the_paper_are_asked_of_other_systems():
    """Each table that they are made of has rows without each family, by all columns they name."""
    asked = {
        (spec["table"], key)
        for claim in read(STUDIES["robustness"].claims)
        for spec in specs(claim["value"])
        for key in (*spec.get("rows", {}), *([spec["along"]] if "along" in spec else ()))
        if claim["kind"] == "finding"
    }
    assert asked <= {(table, key) for table, keys in families.KEYS.items() for key in keys}
    assert {table for table, _ in asked} == {*families.KEYS}
    assert {*families.KEYS}.isdisjoint(DATA)
