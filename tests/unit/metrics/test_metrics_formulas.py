"""Every formula once more in plain Python, item by item, from the literature, against ours."""

from math import floor, inf, log, log2, sqrt

import numpy as np
import pytest
from hypothesis import given
from metric_cases import User, batches, examples, predicted, propensities, random_users, values

from assayer.metrics.catalogue import METRICS
from assayer.metrics.evaluate import Measure, grid

THRESHOLD = 4
CUTOFFS = [1, 2, 5, 20]
FRACTIONAL = random_users(200)
TOP = 5  # the highest rating of FRACTIONAL


def relevant(rating):
    return rating is not None and rating >= THRESHOLD


def share(part, whole):
    return part / whole if whole else 0.0


def n_relevant(user):
    return sum(relevant(rating) for rating, _ in user.judged)


def hits(user, k):
    return sum(relevant(rating) for rating in user.places[:k])


def hit_places(user, k):
    return [j for j, rating in enumerate(user.places[:k], start=1) if relevant(rating)]


def divisor(user, k, denominator):
    return {
        "relevant": n_relevant(user),
        "min_cutoff": min(k, n_relevant(user)),
        "hits": hits(user, k),
        "listed": len(user.places[:k]),
        "cutoff": k,
        "min_relevant": min(k, n_relevant(user)),
    }[denominator]


def precision(user, k, denominator="cutoff"):
    return share(hits(user, k), divisor(user, k, denominator))


def recall(user, k, denominator="relevant"):
    return share(hits(user, k), divisor(user, k, denominator))


def f_measure(user, k, beta=1, denominator="cutoff"):
    """Van Rijsbergen's 1 / (a / P + (1 - a) / R) with a = 1 / (1 + beta^2)."""
    p, r = precision(user, k, denominator), recall(user, k)
    a = 1 / (1 + beta**2)
    return 1 / (a / p + (1 - a) / r) if p and r else 0.0


def average_precision(user, k, denominator="relevant"):
    total = sum(hits(user, j) / j for j in hit_places(user, k))
    return share(total, divisor(user, k, denominator))


def reciprocal_rank(user, k):
    return max((1 / j for j in hit_places(user, k)), default=0.0)


def bpref(user, k):
    n_judged = len(user.judged)
    r, n = n_relevant(user), n_judged - n_relevant(user)
    total = 0.0
    for j in hit_places(user, k):
        above = sum(rating is not None and not relevant(rating) for rating in user.places[:j])
        total += 1 - (min(above, r) / min(n, r) if n else 0)
    return share(total, r)


def infap(user, k, unjudged="pooled"):
    total = 0.0
    for j in hit_places(user, k):
        above = [rating for rating in user.places[: j - 1] if rating is not None]
        estimate = (hits(user, j - 1) + 1e-5) / (len(above) + 2e-5)
        in_pool = 1 if unjudged == "pooled" or j == 1 else len(above) / (j - 1)
        total += 1 / j + (j - 1) / j * in_pool * estimate
    return share(total, n_relevant(user))


def gain_of(rating, gain, relevant_only=False):
    if rating is None or (relevant_only and not relevant(rating)):
        return 0.0
    return {"rating": rating, "exp": 2**rating - 1, "binary": float(relevant(rating))}[gain]


def discounted(gains, base=2):
    return sum(gain / log(k + 1, base) for k, gain in enumerate(gains, start=1))


def dcg(user, k, gain="rating", log_base=2):
    return discounted([gain_of(rating, gain) for rating in user.places[:k]], log_base)


def ndcg(user, k, gain="rating", ideal="judged", truncate_ideal=True):
    only = ideal == "relevant"
    gained = [gain_of(rating, gain, only) for rating in user.places[:k]]
    if ideal == "retrieved":
        best = sorted(gained, reverse=True)
    else:
        best = sorted((gain_of(rating, gain, only) for rating, _ in user.judged), reverse=True)
        best = best[:k] if truncate_ideal else best
    return share(discounted(gained), discounted(best))


def err(user, k, highest):
    """Chapelle et al., 2009, algorithm 2."""
    top = max(rating for rating, _ in user.judged) if highest == "user" else highest
    p, found = 1.0, 0.0
    for r, rating in enumerate(user.places[:k], start=1):
        stop = 0.0 if rating is None else (2**rating - 1) / 2**top
        found += p * stop / r
        p *= 1 - stop
    return found


def q_measure(user, k, beta=1, denominator="relevant"):
    """Sakai's blended ratio at each relevant item, of gains that only relevant items have."""
    best = sorted((r if relevant(r) else 0 for r, _ in user.judged), reverse=True)
    total = 0.0
    for j in hit_places(user, k):
        gained = sum(rating for rating in user.places[:j] if relevant(rating))
        total += (hits(user, j) + beta * gained) / (j + beta * sum(best[:j]))
    return share(total, divisor(user, k, denominator))


def rbp(user, k, p=0.8):
    return (1 - p) * sum(p ** (j - 1) for j in hit_places(user, k))


def success(user, k):
    return float(hits(user, k) > 0)


def judged(user, k):
    shown = user.places[:k]
    return share(sum(rating is not None for rating in shown), len(shown))


def confusion(user, k):
    """Return tp, fp, fn, tn."""
    tp = hits(user, k)
    fp = len(user.places[:k]) - tp
    fn = n_relevant(user) - tp
    return tp, fp, fn, user.n_items - tp - fp - fn


def markedness(user, k):
    tp, fp, fn, tn = confusion(user, k)
    return tp / (tp + fp) + tn / (fn + tn) - 1 if tp + fp and fn + tn else 0.0


def informedness(user, k):
    tp, fp, fn, tn = confusion(user, k)
    return tp / (tp + fn) + tn / (fp + tn) - 1 if tp + fn and fp + tn else 0.0


def correlation(user, k):
    product = markedness(user, k) * informedness(user, k)
    return sqrt(max(product, 0)) * (1 if informedness(user, k) > 0 else -1)


def kendall_tau(user, k, variant="b"):
    if variant == "b":
        return correlation(user, k)
    tp, fp, fn, tn = confusion(user, k)
    pairs = tp * tn + fp * fn if variant == "gamma" else user.n_items * (user.n_items - 1) / 2
    return share(tp * tn - fp * fn, pairs)


def miss_rate(user, k):
    tp, _, fn, _ = confusion(user, k)
    return share(fn, tp + fn)


def fallout(user, k):
    _, fp, _, tn = confusion(user, k)
    return share(fp, fp + tn)


def inverse_recall(user, k):
    _, fp, _, tn = confusion(user, k)
    return share(tn, fp + tn)


def inverse_precision(user, k):
    _, _, fn, tn = confusion(user, k)
    return share(tn, fn + tn)


def average_markedness(user, k):
    return share(sum(markedness(user, j) for j in hit_places(user, k)), n_relevant(user))


def average_informedness(user, k):
    return share(sum(informedness(user, j) for j in hit_places(user, k)), n_relevant(user))


def limited_auc(user, k):
    """Return the share of pairs that are in order; a pair not in the list counts one half."""
    shown = [relevant(rating) for rating in user.places[:k]]
    left = [False] * (user.n_items - n_relevant(user) - shown.count(False))
    left += [True] * (n_relevant(user) - shown.count(True))
    places = [(j, is_relevant) for j, is_relevant in enumerate(shown)]
    places += [(inf, is_relevant) for is_relevant in left]
    good = [j for j, is_relevant in places if is_relevant]
    bad = [j for j, is_relevant in places if not is_relevant]
    if good and not bad:
        return 1.0
    won = sum((g < b) + (g == b) / 2 for g in good for b in bad)
    return share(won, len(good) * len(bad))


def auc(user, k):
    return limited_auc(user, len(user.places))


def errors(user, k):
    return [abs(predicted(rating, j) - rating) for rating, j in user.judged if 0 < j <= k]


def mean_absolute_error(user, k, scale=(0, 1)):
    found = errors(user, k)
    return sum(found) / len(found) / (scale[1] - scale[0]) if found else np.nan


def mean_squared_error(user, k):
    found = errors(user, k)
    return sum(error**2 for error in found) / len(found) if found else np.nan


def weighted(user, k, gain, weight_of):
    """Return the relevant items' weights and gains."""
    n, listed = user.n_items, len(user.places)
    found = []
    for rating, j in user.judged:
        if relevant(rating):
            seen = 0 < j <= k
            gains = {
                "P": seen / k,
                "R": float(seen),
                "DCG": seen and 1 / log2(j + 1),
                "RR": seen and 1 / j,
                "AUC": (n - j if j else (n - listed - 1) / 2) / n,
            }
            found.append((weight_of(float(propensities(rating))), gains[gain]))
    return found


def mean_gain(found):
    return share(sum(w * c for w, c in found), sum(w for w, _ in found))


def ips(user, k, gain="DCG", clip=inf):
    found = weighted(user, k, gain, lambda p: min(1 / p, clip))
    return mean_gain(found) if gain in ("R", "AUC") else sum(w * c for w, c in found)


def snips(user, k, gain="R"):
    return mean_gain(weighted(user, k, gain, lambda p: 1 / p))


def stratified(user, k, gain="R", width=10):
    strata = {}
    for w, c in weighted(user, k, gain, lambda p: 1 / p):
        strata.setdefault(floor(round(-log(w) / log(width), 9)), []).append((w, c))
    shares = [sum(w for w, _ in own) for own in strata.values()]
    means = [sum(c for _, c in own) / len(own) for own in strata.values()]
    return mean_gain([*zip(shares, means, strict=True)])


FORMULAS = {
    "IPS": ips,
    "SNIPS": snips,
    "Stratified": stratified,
    "P": precision,
    "R": recall,
    "F1": f_measure,
    "F": f_measure,
    "AP": average_precision,
    "RR": reciprocal_rank,
    "Bpref": bpref,
    "infAP": infap,
    "DCG": dcg,
    "nDCG": ndcg,
    "ERR": err,
    "Q": q_measure,
    "RBP": rbp,
    "Success": success,
    "Judged": judged,
    "MissRate": miss_rate,
    "Fallout": fallout,
    "InverseRecall": inverse_recall,
    "InversePrecision": inverse_precision,
    "Markedness": markedness,
    "Informedness": informedness,
    "MCC": correlation,
    "KendallTau": kendall_tau,
    "AverageMarkedness": average_markedness,
    "AverageInformedness": average_informedness,
    "AUC": auc,
    "LAUC": limited_auc,
    "MAE": mean_absolute_error,
    "NMAE": mean_absolute_error,
    "MSE": mean_squared_error,
    "RMSE": lambda user, k: sqrt(mean_squared_error(user, k)),
}

MEASURES = [
    *(metric for metric in FORMULAS if metric not in ("ERR", "NMAE")),
    *(f"P(denominator={d!r})" for d in ("cutoff", "listed", "min_relevant")),
    *(f"R(denominator={d!r})" for d in ("relevant", "min_cutoff")),
    *(f"F1(denominator={d!r})" for d in ("cutoff", "listed", "min_relevant")),
    *(f"F(beta={beta}, denominator='listed')" for beta in (0.5, 1, 3)),
    *(f"AP(denominator={d!r})" for d in ("relevant", "min_cutoff", "hits", "listed")),
    *(f"Q(denominator={d!r})" for d in ("relevant", "min_cutoff", "hits", "listed")),
    *(f"Q(beta={beta})" for beta in (0, 0.5, 10)),
    *(f"infAP(unjudged={u!r})" for u in ("pooled", "unpooled")),
    *(f"DCG(gain={g!r}, log_base={b})" for g in ("rating", "exp", "binary") for b in (2, 10)),
    *(
        f"nDCG(gain={gain!r}, ideal={ideal!r}, truncate_ideal={truncate})"
        for gain in ("rating", "exp", "binary")
        for ideal in ("judged", "relevant", "retrieved")
        for truncate in (True, False)
    ),
    *(f"RBP(p={p})" for p in (0.5, 0.99)),
    *(f"ERR(highest={h!r})" for h in (5, 7.5, "user")),
    *(f"KendallTau(variant={v!r})" for v in ("a", "b", "gamma")),
    "NMAE(scale=(0, 5))",
    *(
        f"{estimator}gain={gain!r})"
        for estimator in ("IPS(", "IPS(clip=3.5, ", "SNIPS(", "Stratified(", "Stratified(width=2, ")
        for gain in ("P", "R", "DCG", "RR", "AUC")
    ),
]


def by_formula(users, text):
    measure = Measure.parse(text)
    formula, parameters = FORMULAS[measure.metric], dict(measure.parameters)
    return [[formula(user, k, **parameters) for k in CUTOFFS] for user in users]


def test_every_metric_is_here():
    assert set(FORMULAS) == set(METRICS)


@pytest.mark.parametrize("measure", MEASURES)
def test_metrics_equal_their_formulas(measure):
    ours = values(FRACTIONAL, grid([measure], CUTOFFS), threshold=THRESHOLD)
    np.testing.assert_allclose(ours, by_formula(FRACTIONAL, measure), rtol=1e-9, atol=1e-12)


@given(batches)
@examples
def test_metrics_equal_their_formulas_on_adversarial_lists(users):
    users = [user for user in users if user.judged] or [User([4, 1])]
    ours = values(users, grid(MEASURES, CUTOFFS), threshold=THRESHOLD)
    for measure, own in zip(MEASURES, np.split(ours, len(MEASURES), axis=1), strict=True):
        expected = by_formula(users, measure)
        np.testing.assert_allclose(own, expected, rtol=1e-9, atol=1e-12, err_msg=measure)


def test_the_highest_rating_of_err_is_that_of_all_users_by_default():
    ours = values(FRACTIONAL, ["ERR@5"])[:, 0]
    np.testing.assert_allclose(ours, [err(user, 5, TOP) for user in FRACTIONAL], rtol=1e-12)
    assert max(r for user in FRACTIONAL for r, _ in user.judged) == TOP


def test_the_scale_of_nmae_is_that_of_the_judgements_by_default():
    ratings = [r for user in FRACTIONAL for r, _ in user.judged]
    scale = (min(ratings), max(ratings))
    found = values(FRACTIONAL, ["NMAE@5", f"NMAE(scale={scale})@5"])
    np.testing.assert_array_equal(found[:, 0], found[:, 1])


def test_bpref_has_no_value_without_nonrelevant_items_if_so_asked():
    users = [User([5, 4]), User([5, 2]), User([], [5])]
    found = values(users, ["Bpref(without_nonrelevant='nan')"])[:, 0]
    np.testing.assert_array_equal(found, [np.nan, 1, np.nan])
