"""What resamples of the same users have in common on all splits: the users' error of a mean."""

import numpy as np
import pandas as pd
import pytest
from claims_made_up import ROWS, claim, cube

from rankassay.artifacts.arrays import Replicates
from rankassay.artifacts.tables import write_table
from rankassay.claims.judge import DRAWS, replicated
from rankassay.claims.totals import collect
from rankassay.claims.verdicts import common, over_splits
from rankassay.jobs import published
from rankassay.statistics.replicated import Replicated

VARIANTS = {f"d-{i}": {"of": "d", "settings": "d", "split": True} for i in range(1, 5)}
TEN = {"rows": {"metric": "P", "cutoff": 10}}  # 0.7


def drawn(n_splits, n, shared, own, seed=0):
    """Return draws of splits that have a part in common, float64 (n_splits, n)."""
    rng = np.random.default_rng(seed)
    return shared * rng.standard_normal(n) + own * rng.standard_normal((n_splits, n))


def test_it_is_the_mean_covariance_of_two_splits():
    draws = drawn(6, 300, 0.02, 0.05)
    covariance = np.cov(draws)  # by numpy, of all pairs
    pairs = covariance[np.triu_indices(6, k=1)]
    assert common([*draws]) == pytest.approx(np.sqrt(pairs.mean()), rel=1e-9)
    many = drawn(10, 4000, 0.02, 0.05, seed=1)
    assert common([*many]) == pytest.approx(0.02, rel=0.1)
    # Draws beyond the first ones are of no common resample, and undefined ones of none.
    longer = [*draws[:-1], np.concatenate([draws[-1], [9.0, 9.0]])]
    assert common(longer) == common([*draws])
    draws[2, :5] = np.nan
    assert common([*draws]) == pytest.approx(common([*draws[:, 5:]]))


def test_without_enough_draws_nothing_is_known_and_a_negative_covariance_is_none():
    assert common([*drawn(3, 39, 1.0, 1.0)]) == np.inf
    assert common([np.ones(50), None]) == np.inf
    x = np.random.default_rng(3).standard_normal(200)
    assert common([x, -x]) == 0.0


def run(dataset, measured, draws, users=100):
    """Return the verdicts on one claim about one run, with its numbers of resampled users."""
    rows = [(metric, cutoff, measured if cutoff == 10 else tau) for metric, cutoff, tau in ROWS]
    one = claim(TEN, {"above": 0.6, "margin": 0.01}) | {"datasets": {dataset: None}}
    table = cube(rows, draws - draws.mean())
    result = Replicated(table.keys.assign(tau=table.values[:, 0]), "tau", table.values[:, 1:])
    found = replicated({}, [one], dataset, sparsity=result)
    return found.assign(users=users) if users else found


def five(users=lambda _: 100):
    """Return five splits whose draws have little in common."""
    draws = drawn(5, 250, 0.01, 0.05)
    names = ["d", *VARIANTS]
    taus = [0.70, 0.72, 0.68, 0.71, 0.69]
    return [
        run(*own, users(i)) for i, own in enumerate(zip(names, taus, draws, strict=True))
    ], draws


def listed(judged):
    return {"s": [claim(TEN, {"above": 0.6, "margin": 0.01}) | {"datasets": {"d": None}}]}, [
        ("s", one) for one in judged
    ]


def test_the_error_of_users_is_what_the_splits_have_in_common():
    judged, draws = five()
    row = collect(*listed(judged), variants=VARIANTS).iloc[0]
    assert (row["dataset"], row["splits"], row["mean"]) == ("d", 5, pytest.approx(0.7))
    assert row["error_users"] == pytest.approx(common([*draws]), rel=1e-6)
    assert row["error_users"] < 0.5 * draws.std(axis=1).mean()
    assert row["error_splits"] == pytest.approx(
        np.std([0.7, 0.72, 0.68, 0.71, 0.69], ddof=1) / 5**0.5
    )


@pytest.mark.parametrize("users", [lambda i: 100 + (i == 2), lambda _: None])
def test_of_other_users_the_whole_error_of_resamples_is_an_upper_bound(users):
    judged, draws = five(users)
    row = collect(*listed(judged), variants=VARIANTS).iloc[0]
    assert row["error_users"] == pytest.approx(np.sqrt(draws.var(axis=1, ddof=1).mean()), rel=1e-6)


def test_tables_without_draws_have_the_upper_bound():
    judged, draws = five()
    found = over_splits(pd.concat([one.table for one in judged]), VARIANTS).iloc[0]
    assert found["error_users"] == pytest.approx(
        np.sqrt(draws.var(axis=1, ddof=1).mean()), rel=1e-6
    )


def test_draws_are_those_that_all_rows_have_and_no_more_than_are_kept():
    claims = [claim(TEN, {"above": 0.6}), claim(TEN | {"table": "exact"}, {"above": 0.6}, name="b")]
    noise = np.linspace(-0.1, 0.1, DRAWS + 50)
    result = Replicated(
        cube(ROWS).keys.assign(tau=[r[2] for r in ROWS]),
        "tau",
        np.tile(noise, (len(ROWS), 1)) + np.array([[r[2]] for r in ROWS]),
    )
    bare = Replicated(result.table, "tau", np.empty((len(ROWS), 0)))
    found = replicated({}, claims, "ml-1m", sparsity=result, exact=bare)
    assert found.replicates.shape == (2, DRAWS)
    np.testing.assert_allclose(found.replicates[0], 0.7 + noise[:DRAWS])
    assert np.isnan(found.replicates[1]).all()


def test_the_job_reads_the_draws_next_to_a_table(tmp_path):
    judged, _ = five()
    paths = []
    for place, one in enumerate(judged):
        path = tmp_path / f"{place}.csv"
        write_table(one.table, path)
        Replicates(np.array("measured"), one.replicates).save(path.with_suffix(".npz"))
        paths.append(path)
    read = [published._judged(str(path)) for path in paths]
    again = collect(*listed(read), variants=VARIANTS).iloc[0]
    assert again["error_users"] == pytest.approx(
        collect(*listed(judged), variants=VARIANTS).iloc[0]["error_users"]
    )
    paths[0].with_suffix(".npz").unlink()
    assert isinstance(published._judged(str(paths[0])), pd.DataFrame)
