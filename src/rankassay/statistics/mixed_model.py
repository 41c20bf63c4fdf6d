"""Do metrics differ across datasets of which some have the same source? A mixed model.

The value of metric m on dataset d of source f has a fixed effect of the dataset, one of the metric,
and a random one of the metric on that source, which all datasets of the source share, ::

    y_dm = a_d + mu_m + b_fm + e_dm,    b_fm ~ N(0, rho s^2),    e_dm ~ N(0, (1 - rho) s^2)

Orthonormal contrasts of the k metrics remove a_d and are k - 1 independent variables, each with the
same variances: a one-way model of random effects. Sums of squares over the contrasts are those of
the values centred within their dataset.
"""

from dataclasses import dataclass

import numpy as np
import scipy  # its parts are imported on use: scipy.stats takes half a second

from rankassay.types import Floats, Integers

NONE = 1e-18  # the share of a sum of squares that rounding leaves of nothing


@dataclass(frozen=True)
class MixedModel:
    """The test of the null hypothesis that all metrics have the same mean.

    Attributes
    ----------
    share : float
        rho, the share of the variance that datasets of one source have in common; 0 where each
        source has one dataset, from which it cannot be estimated and on which F does not depend.
    f, p : float
        The Wald statistic and its p-value; NaN and 1 where all metrics are equal on each dataset.
    """

    share: float
    f: float
    p: float


def mixed_model(values: Floats, sources: Integers) -> MixedModel:
    """Test whether all metrics are alike on datasets of several sources.

    With n_f datasets of each of S sources, n in all, the means z_f over a source of the values
    centred within their dataset, and W the sum of their squared distances from these, ::

        w_f = 1 / (rho + (1 - rho) / n_f),    mu = sum_f w_f z_f / sum_f w_f,
        Q = W / (1 - rho) + sum_f w_f |z_f - mu|^2,    s^2 = Q / ((n - 1) (k - 1)),
        F = sum_f w_f |mu|^2 / ((k - 1) s^2)  with k - 1 and (S - 1) (k - 1) degrees of freedom

    where rho minimises -2 / (k - 1) times the log of the restricted likelihood (REML), ::

        (n - 1) log Q + log sum_f w_f + sum_f ((n_f - 1) log(1 - rho) + log(1 + (n_f - 1) rho))

    With one dataset of each source, it is the F test of a two-way analysis of variance without
    interaction. Datasets of a source that do not differ count as one.

    Parameters
    ----------
    values : float64 (n_datasets, n_metrics)
    sources : int64 (n_datasets,)
        The source of each dataset: 0, 1, ..., of which there are two or more.

    References
    ----------
    Laird and Ware, Biometrics 38, 1982; Searle, Casella and McCulloch, Variance Components, 1992,
    chapters 3 and 6.
    """
    k = values.shape[1]
    y = values - values.mean(axis=1, keepdims=True)
    squares = (y**2).sum()
    if squares <= NONE * (values**2).sum():
        return MixedModel(0.0, np.nan, 1.0)
    sizes = np.bincount(sources)
    z = np.array([y[sources == source].mean(axis=0) for source in range(len(sizes))])
    within = ((y - z[sources]) ** 2).sum()
    if within <= NONE * squares:
        sizes, within = np.ones_like(sizes), 0.0
    n = sizes.sum()

    def fitted(rho: float) -> tuple[float, float]:
        """Return what REML minimises, and F."""
        weights = 1 / (rho + (1 - rho) / sizes)
        mu = weights @ z / weights.sum()
        q = within / (1 - rho) + weights @ ((z - mu) ** 2).sum(axis=1)
        logs = (sizes - 1) * np.log1p(-rho) + np.log1p((sizes - 1) * rho)
        with np.errstate(divide="ignore"):  # of datasets without any residual
            reml = (n - 1) * np.log(q) + np.log(weights.sum()) + logs.sum()
            return float(reml), float((n - 1) * weights.sum() * (mu @ mu) / q)

    share, (least, f) = 0.0, fitted(0.0)
    if n > len(sizes):
        found = scipy.optimize.minimize_scalar(
            lambda rho: fitted(rho)[0], bounds=(0, 1), options={"xatol": 1e-9}
        )
        if found.fun < least:
            share, (_, f) = float(found.x), fitted(found.x)
    return MixedModel(share, f, float(scipy.stats.f.sf(f, k - 1, (k - 1) * (len(sizes) - 1))))
