"""Small cases for the tests of metrics: what a user's list holds, written down place by place."""

from collections.abc import Sequence
from typing import NamedTuple

import hypothesis.strategies as st
import numpy as np
from each import each
from hypothesis import settings

from rankassay.metrics.evaluate import measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import WHOLE_LIST, Judgements, Lists
from rankassay.metrics.profiles import PROFILES

# The same examples in every run, however slow the machine, and no files.
examples = settings(max_examples=40, deadline=None, derandomize=True, database=None)


# Runs a test under each profile, whose name is its parameter `profile`.
profiles = each("profile", PROFILES)


class User(NamedTuple):
    """One user: the rating at each place of the list, None where the item is not judged."""

    places: Sequence[float | None]
    missed: Sequence[float] = ()  # the ratings of judged items that are not in the list
    others: int = 10  # items neither judged nor listed

    @property
    def judged(self):
        """The rating and the place of each judged item; place 0 is not in the list."""
        listed = [(r, k) for k, r in enumerate(self.places, start=1) if r is not None]
        return listed + [(r, 0) for r in self.missed]

    @property
    def n_items(self):
        return len(self.places) + len(self.missed) + self.others

    def cut(self, depth):
        """Return the user with the list cut."""
        lost = self.places[depth:]
        missed = [*self.missed, *(r for r in lost if r is not None)]
        return User(self.places[:depth], missed, self.others + sum(r is None for r in lost))


def predicted(rating, place):
    """Return a random prediction, so that rating errors have something to measure."""
    return 3 + 0.3 * rating - 0.1 * place


def propensities(ratings):
    """Return random propensities, so that unbiased estimators have something to weigh by."""
    return 1 / (1 + np.floor(7 * np.asarray(ratings, dtype=np.float64)) % 5)


def made(users, threshold=4):
    """Return the judgements and the lists; the judged items come in no particular order."""
    rng = np.random.default_rng(0)
    judged = [[user.judged[j] for j in rng.permutation(len(user.judged))] for user in users]
    flat = [entry for entries in judged for entry in entries]
    judgements = Judgements(
        np.arange(len(users), dtype=np.int32),
        np.cumsum([0, *map(len, judged)]),
        np.array([rating for rating, _ in flat], dtype=np.float64),
        float(threshold),
        propensity=propensities([rating for rating, _ in flat]),
    )
    lists = Lists(
        np.array([place for _, place in flat], dtype=np.int32),
        np.array([len(user.places) for user in users], dtype=np.int32),
        np.array([user.n_items for user in users], dtype=np.int32),
        np.array([predicted(rating, place) for rating, place in flat], dtype=np.float64),
    )
    return judgements, lists


def values(users, measures, profile="paper", threshold=4, depth=WHOLE_LIST):
    """Return the measures of users, float64 (n_users, n_measures)."""
    judgements, lists = made(users, threshold)
    return measure_values(judge(judgements, lists, depth), measures, profile)


def value(user, measure, profile="paper", threshold=4):
    """Return one measure of one user."""
    return values([user], [measure], profile, threshold)[0, 0]


LEVELS = [(0, 1, 2, 3, 4, 5), (4, 5), (1, 2, 3), (5,), (0,)]


@st.composite
def a_user(draw):
    """Return a user; among them are empty lists, and users with only one kind of judgement."""
    ratings = draw(st.sampled_from(LEVELS))
    length = draw(st.integers(0, 14))
    place = st.sampled_from((None, *ratings))
    places = draw(st.lists(place, min_size=length, max_size=length))
    missed = draw(st.lists(st.sampled_from(ratings), max_size=6))
    return User(places, missed, draw(st.integers(0, 6)))


# Many users to each example, which are evaluated at once.
batches = st.lists(a_user(), min_size=1, max_size=20)


def random_users(n_users, seed=0, levels=(0.3, 1.1, 2.7, 3.9, 4.1, 4.6, 5.0), longest=30):
    """Return users at random, by default with ratings whose sums are not exact."""
    rng = np.random.default_rng(seed)
    users = []
    for _ in range(n_users):
        own = rng.choice(levels, size=rng.integers(1, len(levels) + 1))
        places = [
            None if rng.random() < 0.5 else float(rng.choice(own))
            for _ in range(rng.integers(0, longest + 1))
        ]
        missed = [float(r) for r in rng.choice(own, size=rng.integers(0, 6))]
        users.append(User(places, missed, int(rng.integers(0, 12))))
    return [user if user.judged else user._replace(missed=[5.0]) for user in users]
