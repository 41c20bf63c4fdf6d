"""Expected shares of judged non-relevant items above relevant ones."""

import numpy as np

from rankassay.kernels import kernel


@kernel
def expected_preference(first, last, above, within, bound, cutoffs):
    """Return the expected contribution of each relevant item to bpref, (n_hits, n_cutoffs).

    ::

        E = (1 / m) sum_{first <= k <= min(last, n)} E[1 - min(a + J_k, b) / b]

    with m the items of the tie, a = `above` the judged non-relevant items in the places before it,
    b = `bound`, and J_k, hypergeometric, those of the `within` ones in the tie that stand above k.
    """
    values = np.zeros((len(first), len(cutoffs)))
    for i in range(len(first)):
        size, n = last[i] - first[i] + 1, within[i]
        chance = np.zeros(n + 1)
        chance[0] = 1.0
        for t in range(min(size, cutoffs[-1] - first[i] + 1)):
            mean = 0.0
            for j in range(n + 1):
                mean += chance[j] * (1 - min(above[i] + j, bound[i]) / max(bound[i], 1))
            for c in range(len(cutoffs)):
                if first[i] + t <= cutoffs[c]:
                    values[i, c] += mean / size
            others = size - 1 - t
            for j in range(min(n, t + 1), -1, -1):
                stays = chance[j] * (1 - (n - j) / others) if others > 0 else 0.0
                comes = chance[j - 1] * (n - j + 1) / others if j > 0 and others > 0 else 0.0
                chance[j] = stays + comes
    return values
