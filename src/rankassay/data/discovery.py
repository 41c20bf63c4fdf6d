"""Which items a user has discovered, so that their ratings are observed.

Ratings are observed only of items that users found. Where people judged random items and said which
of them they knew before, this can be seen, and replaced by a discovery that depends on less
(Cañamares and Castells, "Should I follow the crowd?", SIGIR 2018, section 6.2).
"""

import numpy as np

from rankassay.errors import one_of
from rankassay.seeds import generator
from rankassay.types import Booleans, Floats, Integers32

SCENARIOS = ("as-is", "relevance-independent", "item-independent")


def discovered(
    item: Integers32, relevant: Booleans, known: Booleans, scenario: str, seed: int
) -> Booleans:
    r"""Return which of the judged items count as discovered, bool (n_judgements,).

    Each judgement is drawn independently, with a probability estimated from the judgements:

    - as-is: nothing is drawn; those that were known.
    - relevance-independent: :math:`P(known \mid \pi(i))`, the share of known ones among the
      judgements of another item, where :math:`\pi` is a random permutation of the items. An item is
      as easy to discover for those who like it as for others; and since popular items are liked
      more, the permutation removes the information that discovery has on an item's relevance.
    - item-independent: :math:`P(known \mid relevant)` or :math:`P(known \mid not\ relevant)`,
      over the judgements of all items. Items differ only by how many like them.

    So did the authors, as their code says. They also drew for unjudged pairs, as not relevant; here
    only judged pairs can be observed.
    """
    one_of("scenario of discovery", scenario, SCENARIOS)
    if scenario == "as-is":
        return known
    rng = generator(seed, "discovery", scenario)
    if scenario == "item-independent":
        chance = _shares(relevant.astype(np.int32), known, 2)[relevant.astype(np.int32)]
    else:
        n_items = int(item.max(initial=-1)) + 1
        judged = np.flatnonzero(np.bincount(item, minlength=n_items))
        shares = np.full(n_items, np.nan)
        shares[judged] = rng.permutation(_shares(item, known, n_items)[judged])
        chance = shares[item]
    return rng.random(len(item)) < chance


def _shares(group: Integers32, known: Booleans, n: int) -> Floats:
    """Return the share of known judgements in each of n groups; 0 in those without any."""
    return np.bincount(group, known, n) / np.maximum(np.bincount(group, minlength=n), 1)
