"""The statistics of a dataset that Table 2 of the paper shows, and the published values."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from rankassay.artifacts.arrays import Ratings
from rankassay.types import Integers


def gini(popularity: Integers) -> float:
    r"""Return the Gini coefficient of the items' numbers of ratings.

    .. math:: G = \frac{2 \sum_{i=1}^{n} i\, x_{(i)}}{n \sum_i x_i} - \frac{n + 1}{n}

    with the numbers, which are not all 0, in increasing order: 0 when all are equal, (n - 1) / n
    when all ratings are of one item.
    """
    ordered = np.sort(popularity)
    n = len(ordered)
    weighted = int((np.arange(1, n + 1) * ordered).sum())
    return 2 * weighted / (n * int(ordered.sum())) - (n + 1) / n


def statistics(ratings: Ratings) -> dict[str, float]:
    """Return the numbers of users, items and ratings, the density, and the Gini coefficient."""
    n_users, n_items, n_ratings = map(len, (ratings.user_ids, ratings.item_ids, ratings.rating))
    return {
        "users": n_users,
        "items": n_items,
        "ratings": n_ratings,
        "density": n_ratings / (n_users * n_items),
        "gini": gini(np.bincount(ratings.item, minlength=n_items)),
    }


def compare(
    dataset: str, values: Mapping[str, float], published: Mapping[str, float]
) -> pd.DataFrame:
    """Compare what `statistics` returns with the `published` part of a catalogue entry."""
    table = pd.DataFrame(
        {
            "dataset": dataset,
            "statistic": list(values),
            "value": np.array(list(values.values()), dtype=np.float64),
            "published": [float(published.get(name, np.nan)) for name in values],
        }
    )
    return table.assign(difference=table["value"] - table["published"])
