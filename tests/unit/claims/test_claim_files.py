"""The shipped claims: what each says of itself, and whether what is said to follow does follow."""

from collections.abc import Mapping
from graphlib import TopologicalSorter
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
import yaml
from claims_made_up import bare, cube

from rankassay.claims.judge import judge
from rankassay.claims.lists import KINDS, calibrated, not_rows, predicate, read, specs
from rankassay.claims.measure import DECIMALS, Cube, measure
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS
from rankassay.studies import ANALYSES, STUDIES

pytestmark = pytest.mark.slow

FILES = tuple(sorted(name for name, study in STUDIES.items() if study.claims.is_file()))
CLAIMS = {name: read(STUDIES[name].claims) for name in FILES}
OWN = "a question of this project"


def raw(name):
    """Return what a file says, before anything is added."""
    return yaml.safe_load(STUDIES[name].claims.read_text(encoding="utf-8"))


def test_these_are_all_files():
    folder = STUDIES["robustness"].folder.parent
    assert sorted(path.parent.name for path in folder.rglob("claims.yaml")) == [*FILES]


@pytest.mark.parametrize("name", FILES)
def test_a_study_names_the_data_of_its_claims(name):
    about = {dataset for claim in CLAIMS[name] for dataset in claim["datasets"]}
    assert {*STUDIES[name].data} == about - {"constructed"}


@pytest.mark.parametrize("name", FILES)
def test_every_claim_says_what_it_is(name):
    content = raw(name)
    for claim in content["claims"]:
        assert claim["kind"] in KINDS, claim["id"]
        assert isinstance(claim["demanding"], bool), claim["id"]
        # A rule by its name, or a sentence: no name that is misspelt.
        assert claim["why"] in content["bounds"] or claim["why"].strip().endswith("."), claim["id"]
    for claim in CLAIMS[name]:
        assert claim["why"].endswith("."), claim["id"]
        assert claim["claim"].strip().endswith("."), claim["id"]
        assert "{" not in f"{claim['id']} {claim['claim']} {claim['implied_by']}", claim["id"]
        asked = claim["source"] == "ours"
        assert asked == (OWN in claim["where"]) == (OWN in claim["why"]), claim["id"]


@pytest.mark.parametrize("name", FILES)
def test_every_sentence_has_rows_of_one_source(name):
    content = raw(name)
    rows = {}
    for claim in CLAIMS[name]:
        own = rows.setdefault(claim["sentence"], [])
        own.append((claim["source"].partition(",")[0], claim["says"], claim["kind"]))
    for sentence, own in rows.items():
        assert len(set(own)) == 1, sentence  # a question of ours is no part of what a paper says
    for sentence, said in content.get("sentences", {}).items():
        assert sentence in rows, sentence
        assert said["says"].strip().endswith("."), sentence


def test_what_was_asked_by_papers_and_by_us_is_counted():
    about = ("ml-1m", "constructed")
    rows = [
        (name, claim)
        for name, claims in CLAIMS.items()
        for claim in claims
        if not {*about}.isdisjoint(claim["datasets"])
    ]
    ours = [name for name, claim in rows if claim["source"] == "ours"]
    assert {name: ours.count(name) for name in FILES if name in ours} == {
        "aggregation": 5,
        "beyond": 25,
        "definitions": 2,
        "preferences": 6,
        "reliability": 10,
        "unjudged": 19,
        "validity": 29,
    }
    # All that is asked of protocols is, too, and of other data.
    assert {claim["source"] for claim in CLAIMS["protocols"]} == {"ours"}


def test_the_paper_of_robustness_has_some_twenty_sentences_and_one_of_them_forty_two_rows():
    found = {}
    for claim in CLAIMS["robustness"]:
        if "ml-1m" in claim["datasets"] and claim["kind"] == "finding":
            found.setdefault(claim["sentence"], []).append(claim["id"])
    assert 20 <= len(found) <= 26
    # Seven metrics, three criteria; a trend, and 100 against 5.
    assert len(found["deeper"]) == 7 * 3 * 2
    assert max(len(own) for name, own in found.items() if name != "deeper") == 7


def test_calibrated_follows_from_the_table_alone():
    known = {name.partition("/")[2] for name, entry in ANALYSES.items() if entry.of_means}
    names = ("cutoff-correlation", "metric-correlation", "discriminative-power", "as-run", "gains")
    assert known == {*names, "as-run-correlation"}
    claims = calibrated(CLAIMS["robustness"], known)
    found = {claim["id"]: claim["calibrated"] for claim in claims}
    same = {}
    for claim in claims:
        key = tuple(spec["table"] for spec in specs(claim["value"]))
        same.setdefault(key, set()).add(claim["calibrated"])
    assert all(len(values) == 1 for values in same.values())
    power = [name for name in found if name.startswith("power-")]
    assert {"power-best", "power-ndcg-best", "power-great-difference", "power-nDCG"} < {*power}
    assert all(found[name] for name in power)
    assert not any(found[f"popularity-90-{name}"] for name in ("P", "RR"))
    # Nothing is, of systems that were not fitted.
    assert not any(claim["calibrated"] for claim in CLAIMS["robustness"])


@pytest.mark.parametrize("name", FILES)
def test_every_rule_is_used(name):
    content = raw(name)
    assert set(content["bounds"]) <= {claim["why"] for claim in content["claims"]}
    assert all(rule.strip().endswith(".") for rule in content["bounds"].values())


@pytest.mark.parametrize("name", FILES)
def test_what_follows_follows_on_every_dataset_and_not_from_itself(name):
    claims = {claim["id"]: claim for claim in CLAIMS[name]}
    TopologicalSorter({key: claim["implied_by"] for key, claim in claims.items()}).prepare()
    for claim in claims.values():
        for other in claim["implied_by"]:
            assert set(claims[other]["datasets"]) >= set(claim["datasets"]), claim["id"]


@pytest.mark.parametrize("name", FILES)
def test_a_claim_to_be_near_has_the_published_number(name):
    for claim in CLAIMS[name]:
        if "near" in claim["holds"]:
            published = [*claim["datasets"].values()]
            assert published, claim["id"]
            assert all(isinstance(number, int | float) for number in published), claim["id"]
        if "constructed" in claim["datasets"]:
            assert [*claim["datasets"]] == ["constructed"], claim["id"]
            if claim["kind"] == "fact":  # an error follows from a formula, of which no data are
                assert claim["value"]["table"] == "p-value-errors", claim["id"]


def test_facts_are_of_the_data_or_the_procedure_and_exact():
    claims = [claim for claims in CLAIMS.values() for claim in claims]
    facts = {claim["id"]: claim for claim in claims if claim["kind"] == "fact"}
    tables = ("statistics", "empty-users", "p-value-errors", "sparsity-errors")
    assert {c["id"] for c in claims if c["value"]["table"] in tables} == set(facts)
    # The post says "negligible" and the paper "a good estimate", and no number.
    assert facts.pop("empty-few")["holds"] == {"below": 0.05}
    assert facts.pop("samples-enough")["holds"] == {"at_most": 0.005}
    assert len(facts) == 7
    for claim in facts.values():
        kind, margin = predicate(claim["id"], claim["holds"])
        assert kind == "near"
        for published in claim["datasets"].values():
            # A count is exact; of what was rounded half a unit of the last digit is allowed.
            digits = f"{published:.5f}".rstrip("0").partition(".")[2]
            unit = 10.0 ** -len(digits)
            assert margin in (0, pytest.approx(unit / 2)), claim["id"]
            assert (margin == 0) == isinstance(published, int), claim["id"]


def test_the_claims_about_robustness_are_many_and_about_known_metrics_and_datasets():
    assert 90 <= len(CLAIMS["robustness"]) <= 150
    for claim in CLAIMS["robustness"]:
        of_data = {"ml-1m", "librarything", "beeradvocate"}
        assert set(claim["datasets"]) <= of_data or [*claim["datasets"]] == ["constructed"]
        for spec in specs(claim["value"]):
            for key in ("metric", "metric_a", "metric_b"):
                named = spec.get("rows", {}).get(key, [])
                assert set([named] if isinstance(named, str) else named) <= set(METRICS)


def test_sentences_that_are_no_row_say_why():
    found = not_rows(STUDIES["robustness"].claims)
    assert len(found) > 10
    for one in found:
        assert set(one) == {"where", "sentence", "because"}
        assert all(isinstance(text, str) and text.strip() for text in one.values())
        assert one["because"].endswith("."), one["sentence"]


def test_numbers_of_several_rows_are_made_of_those_of_the_file_or_not_at_all(tmp_path):
    values = [
        {"table": "sparsity", "rows": {"metric": "P"}, "reduce": "min"},
        {"table": "sparsity", "rows": {"metric": "P", "cutoff": 10}},
        {"table": "sparsity", "rows": {"metric": "P", "cutoff": [10]}, "reduce": "max"},
    ]
    claims = [bare(value, {"above": 0}, name=str(i)) for i, value in enumerate(values)]
    claims[1]["value"]["minus"] = {"table": "sparsity", "reduce": "mean"}
    (tmp_path / "claims.yaml").write_text(
        yaml.safe_dump({"rows": {"sparsity": {"cutoff": [5, 10]}}, "claims": claims})
    )
    found = read(tmp_path / "claims.yaml")
    assert found[0]["value"]["rows"] == {"cutoff": [5, 10], "metric": "P"}
    assert found[1]["value"]["rows"] == {"metric": "P", "cutoff": 10}
    assert found[1]["value"]["minus"]["rows"] == {"cutoff": [5, 10]}
    assert found[2]["value"]["rows"] == {"cutoff": [10], "metric": "P"}
    deep = judge(found, {"sparsity": cube([("P", 10, 0.7), ("P", 20, 0.9)])}, "ml-1m")
    assert deep["verdict"].tolist()[:2] == ["not asked"] * 2
    assert deep["reason"].tolist()[:2] == ["not computed: no row has the cutoff 5"] * 2
    assert deep["measured"][2] == 0.7
    (tmp_path / "claims.yaml").write_text(
        yaml.safe_dump({"rows": {"sparsity": [5]}, "claims": claims})
    )
    with pytest.raises(RankassayError, match=r"rows\.sparsity: expected keys and their values"):
        read(tmp_path / "claims.yaml")


# ---- What follows from what ----------------------------------------------------------------------
#
# Result tables are drawn at random, a column of values for each draw, with no more in them than
# what is true by definition. Every claim is measured on all draws at once.

DRAWS = 4000
# Columns that claims average over or go along, of which they name no value, or few.
MORE = {
    "sparsity": {"level": [20, 50, 80], "cutoff": [5, 10, 20, 50, 100]},
    "popularity": {"percentage": [80, 90, 95], "cutoff": [5, 10, 20, 50, 100]},
    "incompleteness": {"level": [20, 50, 80], "beta": [0.1, 0.5, 0.9]},
}
POSITIVE = ("discriminative-power", "as-run", "value-ratios", "reliable", "distance-by-rank")
COUNTS = ("orders", "significant-orders", "reversals", "systems", "properties")


def grids(claims):
    """Return for each table the rows that claims may ask for: all values of all its columns."""
    columns: dict[str, dict[str, set]] = {}
    for spec in (spec for claim in claims for spec in specs(claim["value"])):
        own = columns.setdefault(spec["table"], {})
        for key, wanted in spec.get("rows", {}).items():
            values = wanted if isinstance(wanted, list) else [wanted]
            own.setdefault(key, set()).update(values)
    for table, more in MORE.items():
        for key, values in more.items() if table in columns else ():
            columns[table].setdefault(key, set()).update(values)
    return {
        table: pd.DataFrame(product(*(sorted(v, key=str) for v in own.values())), columns=[*own])
        for table, own in columns.items()
    }


def drawn(table, keys, rng):
    """Return random values of a table's rows, (n_rows, DRAWS).

    Each draw has a quality of every metric and an effect of the cut-off, in addition to each row's
    own: otherwise hardly any draw has one metric before all others, or a deeper cut-off that is
    better for all of them. For one metric the effect is often far larger and the opposite.
    """
    n = max(len(keys), 1)
    values = rng.normal(scale=rng.choice([0.01, 1], size=DRAWS), size=(n, DRAWS))
    if "metric" in keys:
        metrics, metric = np.unique(keys["metric"], return_inverse=True)
        values += rng.normal(size=(len(metrics), DRAWS))[metric]
        if "cutoff" in keys:
            effect = np.tile(rng.normal(scale=0.05, size=DRAWS), (len(metrics), 1))
            odd = rng.integers(len(metrics), size=DRAWS)
            effect[odd, np.arange(DRAWS)] *= rng.choice([1, -30], size=DRAWS)
            values += effect[metric] * keys["cutoff"].to_numpy()[:, None] / 50
    if table in POSITIVE:
        return np.exp(values.clip(-10, 10))
    if table in COUNTS:
        return rng.poisson(1, size=(n, DRAWS)).astype(float)
    return np.tanh(values)


def near(published, margin, rng):
    """Return numbers that are mostly near what was published, and sometimes anywhere."""
    found = published + margin * rng.uniform(-1.2, 1.2, size=DRAWS)
    return np.where(rng.random(DRAWS) < 0.9, found, rng.uniform(-0.5, 1.5, size=DRAWS))


def row(cube, **wanted):
    """Return the one row that has some values, as a place to read and write."""
    (found,) = np.flatnonzero((cube.keys[[*wanted]] == pd.Series(wanted)).all(axis=1))
    return cube.values[found]


def true_of_statistics(tables, claims, dataset, rng):
    """The density is that of the users, items and ratings, which are mostly the published ones."""
    published = {c["id"]: c["datasets"][dataset] for c in claims if dataset in c["datasets"]}
    found = {}
    for name in ("users", "items", "ratings"):
        other = published[f"dataset-{name}"] * rng.uniform(0.7, 1.3, size=DRAWS)
        found[name] = np.where(rng.random(DRAWS) < 0.8, published[f"dataset-{name}"], other.round())
        row(tables["statistics"], statistic=name)[:] = found[name]
    density = found["ratings"] / (found["users"] * found["items"])
    row(tables["statistics"], statistic="density")[:] = density


def true_of_properties(tables, rng):
    """The rankings whose relevant items come first are among those whose list holds them all."""
    all_listed = row(tables["properties"], property="lauc-retrieved")
    first = rng.binomial(all_listed.astype(int), 0.5)
    row(tables["properties"], property="lauc-first")[:] = first


def true_of_samples(tables, claims, rng):
    """Exact and expected values, differences and distances are of the same values by size."""
    by_id = {claim["id"]: claim for claim in claims}
    names = {"AUC": "auc", "AP": "ap", "nDCG": "ndcg", "R": "recall"}
    sizes = sorted({99, *tables["differences"].keys["m"], np.inf})
    keys = [*product("ABC", names, sizes)]
    values = dict(zip(keys, np.tanh(rng.normal(size=(len(keys), DRAWS))), strict=True))
    offset = rng.normal(scale=3, size=(3, DRAWS))
    for (algorithm, metric, size), own in values.items():
        if metric == "AP" and size < 50:
            own += offset["ABC".index(algorithm)]
    unbiased = rng.random(DRAWS) < 0.7
    for algorithm, (metric, short) in product("ABC", names.items()):
        for kind, size in (("exact", np.inf), ("sampled", 99)):
            claim = by_id[f"{kind}-{algorithm}-{short}"]
            margin = claim["holds"]["near"]
            own = near(claim["datasets"]["constructed"], margin, rng)
            values[algorithm, metric, size] = own
        if metric == "AUC":
            exact = values[algorithm, metric, np.inf]
            for size in sizes[:-1]:
                same = exact + 9e-10 * rng.uniform(-1, 1, size=DRAWS)
                values[algorithm, metric, size] = np.where(
                    unbiased, same, values[algorithm, metric, size]
                )
        for statistic, size in (("exact", np.inf), ("expected", 99)):
            where = {"algorithm": algorithm, "metric": metric, "statistic": statistic}
            row(tables["example"], **where)[:] = values[algorithm, metric, size]
    pairs = [*product(permutations("ABC", 2), names, sizes)]
    tables["differences"] = Cube(
        pd.DataFrame([(f"{a}-{b}", metric, m) for (a, b), metric, m in pairs]).set_axis(
            ["pair", "metric", "m"], axis=1
        ),
        np.array([values[a, metric, m] - values[b, metric, m] for (a, b), metric, m in pairs]),
    )
    tables["distance"] = Cube(
        pd.DataFrame([*product(names, sizes[:-1])], columns=["metric", "m"]),
        np.array(
            [
                np.max([np.abs(values[a, n, m] - values[a, n, np.inf]) for a in "ABC"], axis=0)
                for n, m in product(names, sizes[:-1])
            ]
        ),
    )


def true_of_systems(tables, rng):
    """Pairs of systems that are significantly the wrong way round are the wrong way round."""
    cube = tables["systems"]
    head = cube.keys[cube.keys["statistic"] == "wrong"].drop(columns="statistic")
    for _, where in head.iterrows():
        wrong = row(cube, **where, statistic="wrong").astype(int)
        row(cube, **where, statistic="contradicted")[:] = rng.binomial(wrong, 0.5)


def near_of_targets(tables, claims, dataset, rng):
    """The values that were published are mostly near to that: so narrow a margin is rarely met."""
    for claim in claims:
        if "near" in claim["holds"] and claim["value"]["table"] == "target-items":
            published = claim["datasets"][dataset]
            own = row(tables["target-items"], **claim["value"]["rows"])
            own[:] = near(published, claim["holds"]["near"] * published, rng)


def results(name, dataset):
    """Return random result tables of a study of a dataset."""
    rng = np.random.default_rng([FILES.index(name), len(dataset)])
    own = [claim for claim in CLAIMS[name] if dataset in claim["datasets"]]
    tables = {
        table: Cube(keys, drawn(table, keys, rng), exact=True) for table, keys in grids(own).items()
    }
    if "statistics" in tables:
        true_of_statistics(tables, own, dataset, rng)
    if "properties" in tables:
        true_of_properties(tables, rng)
    if "differences" in tables:
        true_of_samples(tables, own, rng)
    if "target-items" in tables:
        near_of_targets(tables, own, dataset, rng)
    if "systems" in tables:
        true_of_systems(tables, rng)
    return tables


def holding(claim: Mapping, numbers, published):
    """Return the draws in which a claim holds, as a verdict has it."""
    name, bound = predicate(claim["id"], claim["holds"])
    if name == "near":
        allowed = bound * abs(published) if claim["holds"].get("relative") else bound
        return np.abs(numbers - published) <= allowed + 10.0**-DECIMALS
    compare = {"above": np.greater, "below": np.less}
    compare |= {"at_least": np.greater_equal, "at_most": np.less_equal}
    return compare[name](numbers, bound)


STUDIED = [
    (name, dataset)
    for name, claims in CLAIMS.items()
    for dataset in sorted({dataset for claim in claims for dataset in claim["datasets"]})
]


@pytest.mark.parametrize(("name", "dataset"), STUDIED)
def test_what_is_said_to_follow_follows(name, dataset):
    """Where all premises hold the claim holds; and where one of them is left out it need not."""
    tables = results(name, dataset)
    claims = [claim for claim in CLAIMS[name] if dataset in claim["datasets"]]
    holds = {}
    for claim in claims:
        numbers = measure(claim["id"], claim["value"], tables)
        assert numbers.shape == (DRAWS,)
        assert not np.isnan(numbers).any(), claim["id"]
        holds[claim["id"]] = holding(claim, numbers, claim["datasets"][dataset])
    for claim in claims:
        premises = np.array([holds[other] for other in claim["implied_by"]])
        if len(premises):
            given = premises.all(axis=0)
            assert given.sum() >= 20, (claim["id"], int(given.sum()))
            assert holds[claim["id"]][given].all(), claim["id"]
        for left_out, other in enumerate(claim["implied_by"]):
            given = np.delete(premises, left_out, axis=0).all(axis=0)
            assert not holds[claim["id"]][given].all(), (claim["id"], "does not need", other)


def test_there_is_something_that_follows():
    implied = {name: sum(bool(c["implied_by"]) for c in claims) for name, claims in CLAIMS.items()}
    expected = {"aggregation": 0, "beyond": 0, "definitions": 0, "diversity": 0, "goals": 1}
    expected |= {"sampling": 10, "preferences": 0, "unjudged": 0}
    assert implied == expected | {"robustness": 13, "validity": 3, "reliability": 0, "protocols": 0}


def test_the_most_and_the_least_robust_metric_are_so_by_both_biases():
    rows = CLAIMS["robustness"]
    for sentence, extreme in (("p-most-robust", "best"), ("mrr-least-robust", "worst")):
        own = [claim for claim in rows if claim["sentence"] == sentence]
        assert sorted(c["value"]["table"] for c in own) == ["popularity", "sparsity"]
        (popular,) = (c for c in own if c["value"]["table"] == "popularity")
        (same,) = (c for c in rows if c["id"] == f"popularity-{extreme}")
        assert popular["implied_by"] == [same["id"]]
        assert (popular["value"], popular["holds"]) == (same["value"], same["holds"])
