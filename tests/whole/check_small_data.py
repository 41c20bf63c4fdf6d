"""All studies on data too small to say much: results have columns, and what shows them goes on.

Each analysis that needs no training is run on a few data with the settings of `config/test.yaml`,
on the results of those that it reads; then each figure and table is made of what was found. Numbers
may be undefined, a RankassayError may say why there are none, but nothing else may be raised.
"""

import inspect
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import yaml
from made_up import N_ITEMS, evaluation, scores, study

from rankassay.artifacts.arrays import Attributes, Rankings, Ratings, Truth
from rankassay.artifacts.replicate import Replicate
from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.lists import about, read
from rankassay.data.filters import unfiltered
from rankassay.data.prepare import compare, statistics
from rankassay.data.splits import leakage
from rankassay.drawing.table import printed
from rankassay.errors import RankassayError
from rankassay.jobs.analyse import function_of
from rankassay.jobs.split import counted
from rankassay.lookup import load
from rankassay.statistics.judged_systems import as_columns
from rankassay.statistics.replicated import Replicated
from rankassay.studies import ANALYSES, FIGURES, STUDIES, TABLES

ROOT = Path(__file__).parents[2]
CONFIGURED = yaml.safe_load((ROOT / "config/test.yaml").read_text(encoding="utf-8"))
METRICS, CUTOFFS = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"], [5, 10, 20]
MEASURES = [f"{metric}@{cutoff}" for metric in METRICS for cutoff in CUTOFFS]
SMALL = {"resamples": 40, "samples": 50, "repetitions": 3, "most_users": 200}
NAMES = {"mine": "Mine (synthetic)", "other": "Other (synthetic)"}


def cut(data, users):
    """Return the data of some users alone."""
    train, test, rankings = data
    own = np.repeat(np.isin(np.arange(test.shape[0]), users), np.diff(test.indptr))
    few = {
        name: Rankings(
            each.items[users], each.ranks[own], each.n_ranked[users], each.n_candidates[users]
        )
        for name, each in rankings.items()
    }
    return train[users], test[users], few


def lowered(data):
    """Return the data with all ratings below the threshold."""
    train, test, rankings = data
    for part in (train, test):
        part.data[:] = 3
    return train, test, rankings


def alike(data):
    """Return the data with systems that are all the same."""
    train, test, rankings = data
    return train, test, dict.fromkeys(rankings, next(iter(rankings.values())))


CASES = {
    "one user": lambda: cut(study(12, 3), np.array([1])),
    "three users": lambda: cut(study(12, 3), np.array([1, 4, 7])),
    "nothing relevant": lambda: lowered(study(12, 3)),
    "systems alike": lambda: alike(study(12, 3)),
    "one user, two systems": lambda: cut(study(12, 2), np.array([1])),
}


def inputs(train, test, rankings):
    """Return the artifacts of the data, as analyses read them; of none where it is an error."""
    both = (train + test).tocoo()
    rng = np.random.default_rng(3)
    aspects = rng.random((N_ITEMS, 4)) < 0.5
    aspects[~aspects.any(axis=1), 0] = True
    n_users = train.shape[0]
    order = np.lexsort((both.col, both.row))
    ratings = Ratings(
        *(both.row[order].astype(np.int32), both.col[order].astype(np.int32)),
        both.data[order].astype(np.float32),
        np.array([f"u{i}" for i in range(n_users)]),
        np.array([f"i{i}" for i in range(N_ITEMS)]),
        aspects=aspects,
        aspect_names=np.array([*"abcd"]),
    )
    halves = np.array([["a", "b"][i % 2] for i in range(max(n_users, N_ITEMS))])[:, None]
    seen = (train + test).toarray() > 0
    truth = sp.csr_matrix(np.where(seen, 0, rng.integers(1, 6, seen.shape)).astype(np.float32))
    propensities = sp.csr_matrix(test, copy=True)
    propensities.data = np.full(test.nnz, 0.5)
    found = {
        "train": train,
        "test": test,
        "rankings": rankings,
        "ratings": ratings,
        "aspects": ratings,
        "attributes": Attributes(
            *(halves[:n_users], halves[:N_ITEMS]), np.array(["group"]), np.array(["kind"])
        ),
        "truth": Truth.of(truth),
        "split/propensities": propensities,
        "statistics": compare("mine", statistics(ratings), {}),
        "split/summary": pd.DataFrame([counted("train", train), counted("test", test)]),
    }
    if not (test.data >= 4).any():
        return found | dict.fromkeys(("scores", "means", "replicates"))  # the job says why
    found["scores"] = scores(test, rankings, MEASURES)
    values = found["scores"].values.mean(axis=0).T
    found["means"] = pd.DataFrame(
        {"system": system, "mean": value} | measure
        for measure, own in zip(as_columns(MEASURES), values, strict=True)
        for system, value in zip(rankings, own, strict=True)
    )
    found["replicates"] = replicates(found, ratings, both)
    return found


def replicates(found, ratings, both):
    """Return the data under two protocols, twice each; all have the same values."""
    time = np.arange(both.nnz)
    train = np.isin(ratings.user * N_ITEMS + ratings.item, cells(found["train"]))
    of_split = leakage(
        *(ratings.user, ratings.item, time, train, ~train),
        n_users=len(ratings.user_ids),
        n_items=N_ITEMS,
    )
    return [
        Replicate(
            *(protocol, protocol, "none", "seed", number, found["scores"]),
            ratings.user_ids[found["scores"].users],
            *(found["split/summary"], of_split, unfiltered(ratings)),
        )
        for protocol in NAMES
        for number in (1, 2)
    ]


def cells(matrix):
    coo = matrix.tocoo()
    return coo.row * N_ITEMS + coo.col


def settings(name):
    """Return the settings of an analysis, of the smallest configuration, with few repetitions."""
    own, _, analysis = name.partition("/")
    entry, configured = ANALYSES[name], CONFIGURED.get(own) or {}

    def small(model, given):
        few = {
            key: value
            for key, value in SMALL.items()
            if key in model.model_fields and key not in given and model().model_dump()[key] > value
        }
        return model(**given | few).model_dump()

    section = STUDIES[own].model
    shared = small(section, {k: v for k, v in configured.items() if k in section.model_fields})
    given = (configured.get("analyses") or {}).get(analysis) or {}
    return small(entry.model, given) | {key: shared[key] for key in entry.common}


RUNS = {
    name: {"title": name, "of": name, "label": "", "settings": name, "split": False}
    | {"implicit": False, "source": name}
    for name in NAMES
}


class Found:
    """The results of all analyses on some data, made as they are asked for.

    None stands for those that raise RankassayError, and for those that read one of these.
    """

    def __init__(self, data, folder):
        self.known, self.folder = inputs(*data), folder

    def of(self, name, study):
        if name.startswith("published/"):
            self.known[f"{study}/{name}"] = read_table(STUDIES[study].folder / f"{name}.csv")
            return self.known[f"{study}/{name}"]
        if name == "claims":
            return about(read(STUDIES[study].claims), "mine", ["mine"], False)
        if name not in self.known:
            self.known[name] = None  # for those that read it, if it fails
            self.known[name] = self.run(name) if name in ANALYSES else None
        return self.known[name]

    def run(self, name):
        entry, own = ANALYSES[name], name.partition("/")[0]
        # What is constructed does not depend on the data; tables of goals show both.
        if entry.trains or (entry.constructed and own != "goals"):
            return None
        given = {}
        for key, read_ in entry.inputs.items():
            found = self.of(read_, own)
            if found is None and key in entry.optional:
                continue
            if found is None:
                return None
            if isinstance(found, Replicated) and not entry.compares:
                found = found.table
            across = read_ in ANALYSES and ANALYSES[read_].across
            given[key] = found if across else several(found, entry)
        known = evaluation(MEASURES) | {"cutoffs": CUTOFFS, "recommenders": {}, "families": {}}
        function, wanted = function_of(entry)
        of_jobs = {"dataset": "mine", "seed": 1, "evaluation": known, "runs": RUNS}
        given |= {key: value for key, value in of_jobs.items() if key in wanted}
        try:
            borrowed = {key: settings(other) for key, other in entry.borrows.items()}
            given |= settings(name) | borrowed
            result = function(**given)
        except RankassayError:
            return None
        return self.written(name, result)

    def written(self, name, result):
        """Return the result as it is read again."""
        table = result.table if isinstance(result, Replicated) else result
        assert len(table.columns), f"{name} has no columns"
        path = self.folder / f"{name.replace('/', '-')}.csv"
        write_table(table, path)
        read_again = read_table(path)
        if isinstance(result, Replicated):
            return Replicated(read_again, result.column, result.replicates)
        return read_again


def several(found, entry):
    """Return a result as an analysis of several datasets or protocols reads it."""
    if not isinstance(found, pd.DataFrame) or not (entry.across or entry.by_protocol):
        return found
    column = "dataset" if entry.across else "protocol"
    return pd.concat(found.assign(**{column: name}) for name in NAMES)


def shown(table):
    """Return a result as figures and tables get it."""
    table = table.table if isinstance(table, Replicated) else table
    return table if "dataset" in table else table.assign(dataset="mine")


def cutoff(own):
    return CONFIGURED.get(own, {}).get("cutoff") or STUDIES[own].cutoff


def draw(name, found):
    """Draw a figure, if there is a result that it shows."""
    entry, own = FIGURES[name], name.partition("/")[0]
    result = found.of(f"{own}/{entry.analysis}", own)
    if result is not None:
        metrics = ["nDCG"] if entry.panels == "metrics" else []
        panels = entry.shown({"mine": NAMES["mine"]}, cutoff(own), metrics)
        load(entry.function)(shown(result), panels)


def tabulate(name, found):
    """Print a table, if there are the results that it is made from."""
    entry, own = TABLES[name], name.partition("/")[0]
    path = STUDIES[own].folder / f"published/{name.partition('/')[2]}.csv"
    given = {"titles": NAMES, "n_systems": 3, "variants": {}, "cutoff": cutoff(own)}
    given["published"] = read_table(path) if path.exists() else None
    results = {key: found.of(read_, own) for key, read_ in entry.inputs.items()}
    if any(results[key] is None for key in results if key not in entry.optional):
        return
    given |= {key: result if result is None else shown(result) for key, result in results.items()}
    function = load(entry.function)
    table = function(**{key: given[key] for key in inspect.signature(function).parameters})
    printed(table)
    return table


def test_the_orders_of_two_systems_are_compared_by_no_study(tmp_path):
    found = Found(study(12, 2), tmp_path)
    said = {name: tabulate(name, found) for name in TABLES if name.endswith("/answers")}
    declined = {
        name.partition("/")[0]: table.frame["Answer"]
        .str.contains("With two systems, orders cannot be compared: it takes at least 5")
        .sum()
        for name, table in said.items()
    }
    assert declined == {
        **{"beyond": 2, "preferences": 3, "unjudged": 1, "protocols": 1, "reliability": 1}
    }
    for table in said.values():
        others = table.frame["Answer"][~table.frame["Answer"].str.startswith("With two systems")]
        assert not others.str.contains("order").any()


@pytest.mark.parametrize("case", CASES)
def test_small_data_are_told_of_or_it_is_said_why_not(case, tmp_path):
    found, wrong = Found(CASES[case](), tmp_path), []
    analyses = {name: entry for name, entry in ANALYSES.items() if not entry.constructed}
    made = [(name, lambda name, _: found.of(name, name.partition("/")[0])) for name in analyses]
    made += [(name, draw) for name in FIGURES] + [(name, tabulate) for name in TABLES]
    for name, make in made:
        try:
            make(name, found)
        except RankassayError:
            pass
        except Exception as error:
            wrong.append((name, make.__name__, repr(error)))
    assert not wrong
    told = [name for name in analyses if found.known.get(name) is not None]
    assert len(told) > (10 if "relevant" in case else 40)
