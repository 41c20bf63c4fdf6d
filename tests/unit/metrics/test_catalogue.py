"""What an entry of the catalogue says of a metric is so: one contract for all of them."""

import re
import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from beyond_values import means
from each import each

from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.beyond.lists import Catalogue, Groups, Shown
from rankassay.metrics.catalogue import (
    BEYOND_METRICS,
    DIVERSITY_METRICS,
    EVERY,
    METRICS,
    bare,
    entry,
)
from rankassay.metrics.diversity.lists import AspectLists, Aspects, Interests
from rankassay.metrics.evaluate import Measure, diversity_values, measure_values, resolve
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.parameters import kinds_of

pytestmark = pytest.mark.slow

N_USERS, N_ITEMS, DEPTH = 12, 20, 8
# A literal block, or arithmetic; a paper's year, or a tool; a function of the same module.
FORMULA = re.compile(r"::\n| [/+-] |\)\^|1 when")
SOURCE = re.compile("[12][0-9]{3}|trec_eval|ir_measures")
SEE = re.compile(r"(?:[Ss]ee|[Aa]s|of)\s+`(\w+)`")
RATING_ERRORS = ("MAE", "MSE", "RMSE", "NMAE")


@dataclass
class World:
    """What metrics may read: of each user and item, but for `shown` (of items and aspects)."""

    lists: Any  # item at each place, -1 for none
    judgements: Any  # test ratings, 0 for none
    train: Any
    predictions: Any
    propensities: Any
    aspects: Any
    item_groups: Any
    user_groups: Any
    items: int = N_ITEMS

    def values(self, measure, cutoff):
        """Return a measure of users, or one of all of them."""
        if bare(measure) in METRICS:
            return self.accuracy(f"{measure}@{cutoff}")
        test, train = sp.csr_matrix(self.judgements), sp.csr_matrix(self.train)
        aspects = Aspects.of(self.aspects)
        if bare(measure) in DIVERSITY_METRICS:
            interests = Interests.of(test, train, aspects, 4, 5)
            return diversity_values(AspectLists.of(self.lists, interests), [measure], [cutoff])
        groups = Groups(("a", "b"), self.item_groups), Groups(("a", "b"), self.user_groups)
        known = Catalogue(train, aspects, *groups)
        scored = np.linspace(0, 1, N_USERS)
        return means(
            Shown.of(self.lists, np.arange(N_USERS), test, 4.0, known, scored), measure, [cutoff]
        )

    def accuracy(self, measure):
        user, item = np.nonzero(self.judgements)
        places = np.zeros((N_USERS, N_ITEMS + 1), dtype=np.int32)
        for u, own in enumerate(self.lists):
            places[u, own] = np.arange(1, DEPTH + 1)
        start = np.concatenate(([0], np.cumsum(np.bincount(user, minlength=N_USERS))))
        judgements = Judgements(
            np.arange(N_USERS, dtype=np.int32),
            start,
            self.judgements[user, item],
            4.0,
            propensity=self.propensities[user, item],
        )
        length = (self.lists >= 0).sum(axis=1).astype(np.int32)
        candidates = np.full(N_USERS, self.items, dtype=np.int32)
        lists = Lists(places[user, item], length, candidates, self.predictions[user, item])
        return measure_values(judge(judgements, lists), [measure])


def world(seed):
    rng = np.random.default_rng(seed)
    train = rng.integers(1, 6, (N_USERS, N_ITEMS)) * (rng.random((N_USERS, N_ITEMS)) < 0.4)
    test = rng.integers(1, 6, train.shape) * ((train == 0) & (rng.random(train.shape) < 0.6))
    lists = np.array([rng.permutation(N_ITEMS)[:DEPTH] for _ in range(N_USERS)], dtype=np.int32)
    lists[0, 3:] = lists[1] = -1
    return World(
        lists,
        test.astype(np.float64),
        train.astype(np.float64),
        rng.uniform(1, 5, train.shape),
        10 ** rng.uniform(-3, 0, train.shape),
        np.column_stack([np.ones(N_ITEMS, bool), rng.random((N_ITEMS, 4)) < 0.4]),
        rng.permutation(np.arange(N_ITEMS) % 2).astype(np.int32),
        rng.permutation(np.arange(N_USERS) % 2).astype(np.int32),
    )


WORLDS = [world(seed) for seed in range(5)]
# What is read, by the need that says so.
INPUTS = {
    **{need: need for need in ("judgements", "items", "predictions", "propensities", "aspects")},
    **{"item groups": "item_groups", "user groups": "user_groups"},
}


def with_other(own, need):
    """Return a world in which what a metric may need is otherwise."""
    other = replace(world(99), judgements=world(99).judgements * (own.train == 0), items=50)
    return replace(own, **{INPUTS[need]: getattr(other, INPUTS[need])})


def differ(pairs):
    return not all(np.array_equal(*pair, equal_nan=True) for pair in pairs)


BARE = ("True", "None", "0", "0.0", "-0.0")  # values without quotes


def variants(name):
    """Return a metric, and it with every parameter of which something else is known."""
    with_parameters = [
        f"{name}({when.parameter}={value if value in BARE else repr(value)})"
        for when in EVERY[name].when
        for value in when.values
    ]
    return [name, *with_parameters]


metrics = each("name", EVERY)
measures = each("measure", [each for name in EVERY for each in variants(name)])


@measures
@each("need", INPUTS)
def test_a_metric_reads_what_it_needs_and_nothing_else(measure, need):
    pairs = ((own.values(measure, 5), with_other(own, need).values(measure, 5)) for own in WORLDS)
    assert differ(pairs) == (need in entry(measure).needs)


@measures
def test_values_lie_within_the_bounds(measure):
    low, high = entry(measure).bounds
    found = np.concatenate(
        [own.values(measure, n).ravel() for own in WORLDS for n in (1, 3, DEPTH)]
    )
    found = found[~np.isnan(found)]
    assert len(found)
    assert low - 1e-12 <= found.min() <= found.max() <= high + 1e-12
    if low < 0:
        assert found.min() < 0  # else the bound says less than is known


@metrics
def test_the_docstring_states_the_bounds_and_the_direction(name):
    text = " ".join(load(EVERY[name].function).__doc__.split())
    of_shares = "Range [0, 1]" in text and "may exceed 1" not in text
    if name in (*DIVERSITY_METRICS, *BEYOND_METRICS):
        assert of_shares == (EVERY[name].bounds == (0, 1))
    if name in BEYOND_METRICS:
        assert ("ower is better" in text) == EVERY[name].lower_is_better


@pytest.mark.parametrize("measure", ["ARP(popularity='share')", "Entropy(base=None)"])
def test_a_parameter_can_make_a_share(measure):
    assert (entry(measure).bounds, entry(bare(measure)).bounds) == ((0, 1), (0, np.inf))


@measures
def test_a_cutoff_changes_what_is_cut(measure):
    least = measure.replace("UserCoverage", "UserCoverage(least=2)")
    pairs = ([own.values(least, n) for n in (1, DEPTH)] for own in WORLDS)
    assert differ(pairs) == entry(measure).cut


@pytest.mark.parametrize("name", [*DIVERSITY_METRICS, "Serendipity", "EE_R", "EE_L"])
def test_a_relevant_item_above_an_unjudged_one_is_not_worse(name):
    """Those of lists alone are not asked; of accuracy see test_metrics_contract."""
    own, moved = world(5), world(5)
    for u, items in enumerate(moved.lists):
        for k in range(1, DEPTH):
            upper, lower = items[k - 1], items[k]
            listed, test = min(upper, lower) >= 0, own.judgements[u]
            if listed and test[upper] == 0 and test[lower] >= 4:
                items[k - 1], items[k] = lower, upper
    sign = -1 if entry(name).lower_is_better else 1
    if "judgements" in entry(name).needs:
        gains = [sign * (moved.values(name, n) - own.values(name, n)) for n in range(1, DEPTH)]
        assert min(map(np.min, gains)) >= -1e-12
        assert name == "EU" or max(map(np.max, gains)) > 0


@pytest.mark.parametrize("name", RATING_ERRORS)
def test_a_prediction_nearer_to_the_rating_is_better(name):
    own = WORLDS[0]
    nearer = replace(own, predictions=(own.predictions + own.judgements) / 2)
    found = nearer.values(name, DEPTH) - own.values(name, DEPTH)
    assert entry(name).lower_is_better
    assert np.nanmax(found) < 0


@metrics
def test_the_formula_and_the_source_are_there(name):
    function = load(EVERY[name].function)
    text, module = function.__doc__, sys.modules[function.__module__].__doc__
    elsewhere = [getattr(sys.modules[function.__module__], see, None) for see in SEE.findall(text)]
    text = " ".join([text, *(each.__doc__ for each in elsewhere if each)])
    assert FORMULA.search(text)
    assert SOURCE.search(text + module)


def parameters(name, **given):
    """Return what a metric makes of parameters, as it does of a measure that has them."""
    return resolve(name, tuple(given.items()))[1]


@metrics
def test_parameters_are_of_their_type_and_others_are_refused(name):
    function = load(EVERY[name].function)
    kinds, defaults = kinds_of(function), function.__kwdefaults__ or {}
    assert {*kinds} == {*defaults}
    for parameter, default in defaults.items():
        assert parameters(name, **{parameter: default})[parameter] == default
        with pytest.raises(RankassayError, match=f"{name}'s parameter {parameter}"):
            parameters(name, **{parameter: "no such value"})
    with pytest.raises(RankassayError, match=f"Known: {', '.join(defaults) or 'none'}"):
        parameters(name, no_such=1)


def test_metrics_that_studies_resample_most_have_a_form():
    """The others of the seven, and nDCG, whose gains are added up besides."""
    assert [name for name in METRICS if METRICS[name].form] == [
        *("P", "R", "AP", "RR", "Bpref", "infAP")
    ]
    for name in METRICS:
        if METRICS[name].form:
            assert METRICS[name].form[1].items() <= resolve(name, (), "paper")[1].items()


def test_a_metric_of_the_users_own_is_taken_to_read_judgements_and_a_cutoff():
    known = entry(str(Measure("mine:hits", (), 5)))
    assert (known.needs, known.cut, known.bounds) == (("judgements",), True, (-np.inf, np.inf))
