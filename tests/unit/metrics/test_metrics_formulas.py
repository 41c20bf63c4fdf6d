"""Every formula once more in plain Python, item by item, from the literature, against ours."""

from math import floor, inf, log, log2, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from metric_cases import (
    User,
    batches,
    examples,
    predicted,
    propensities,
    random_users,
    value,
    values,
)

from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.evaluate import Measure, grid

pytestmark = pytest.mark.slow

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
    if isinstance(gain, tuple):
        return dict(gain)[rating]
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


def ncg(user, k, gain="rating", ideal="judged", truncate_ideal=True):
    only = ideal == "relevant"
    gained = [gain_of(rating, gain, only) for rating in user.places[:k]]
    best = sorted((gain_of(rating, gain, only) for rating, _ in user.judged), reverse=True)
    return share(sum(gained), sum(best[:k] if truncate_ideal else best))


def share_of(rating, gain, highest=5):
    if rating is None:
        return 0.0
    return float(relevant(rating)) if gain == "binary" else max(rating, 0) / highest


def sdcg(user, k, gain="rating", highest=5):
    gained = discounted([share_of(rating, gain, highest) for rating in user.places[:k]])
    return gained / discounted([1] * k)


def inst(user, k, T=1, gain="binary", highest=5, adaptive=True):
    """Bailey et al., 2015: place by place, and by an integral below the place 3000."""
    gains = np.array([share_of(rating, gain, highest) for rating in user.places[:k]])
    i = np.arange(1, 3000)
    found = np.zeros(len(i))  # down to each place
    if adaptive:
        found[: len(gains)] = gains
        found = np.cumsum(found)
    looks = np.cumprod([1, *((i + 2 * T - found - 1) / (i + 2 * T - found)) ** 2])
    last = 3000 + 2 * T - found[-1]
    left = looks[-1] * (last - 1) ** 2 / (last - 0.5)
    return looks[: len(gains)] @ gains / (looks.sum() + left)


def compat(user, k, p=0.95, normalise=True):
    """Clarke et al., 2021: the overlap at each of 1500 depths with the ideal ranking."""
    items = [*enumerate(user.places), *((-1 - i, r) for i, r in enumerate(user.missed))]
    ideal = [(i, r) for i, r in items if relevant(r)]
    ideal.sort(key=lambda item: (-item[1], item[0] < 0, item[0]))
    listed = items[: min(k, len(user.places))]

    def rbo(a, b):
        both = np.full(1500, len({*a} & {*b}))  # at the depths below both
        longest = max(len(a), len(b))
        both[:longest] = [len({*a[: d + 1]} & {*b[: d + 1]}) for d in range(longest)]
        depth = np.arange(1500)
        return (1 - p) * (p**depth * both / (depth + 1)).sum()

    return share(rbo(listed, ideal), rbo(ideal, ideal) if normalise else 1)


def r_precision(user, k):
    return share(hits(user, min(k, n_relevant(user))), n_relevant(user))


def mean_percentile_rank(user, k, weight="equal"):
    n = user.n_items
    lowest = (len(user.places) + n - 1) / 2
    found = [
        (max(rating, 0) if weight == "rating" else 1, (j - 1 if j else lowest) / max(n - 1, 1))
        for rating, j in user.judged
        if relevant(rating)
    ]
    if not sum(weight for weight, _ in found):
        return np.nan
    return mean_gain(found) if n > 1 else 0.0


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


def test_ratings_below_0_gain_nothing_in_q():
    """On a scale from -10 to 10 with the threshold -5, gains are those of the ratings from 0 on."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        ratings = rng.integers(-10, 11, 8).tolist()
        listed = [ratings[i] for i in rng.permutation(8)[:5]]
        user = User(listed, [r for r in ratings if r not in listed])
        own = [r for r, _ in user.judged]
        best = sorted((max(r, 0) for r in own if r >= -5), reverse=True)
        expected = count = gained = 0
        for place, rating in enumerate(user.places, 1):
            if rating >= -5:
                count, gained = count + 1, gained + max(rating, 0)
                expected += (count + gained) / (place + sum(best[:place]))
        n = sum(r >= -5 for r in own)
        (found,) = values([user], ["Q"], threshold=-5)[:, 0]
        assert found == pytest.approx(expected / n if n else 0)
        assert 0 <= found <= 1 + 1e-12


def rbp(user, k, p=0.8, gain="binary", highest=5):
    gains = [share_of(rating, gain, highest) for rating in user.places[:k]]
    return (1 - p) * sum(g * p**j for j, g in enumerate(gains))


def success(user, k):
    return float(hits(user, k) > 0)


def judged(user, k):
    shown = user.places[:k]
    return share(sum(rating is not None for rating in shown), len(shown))


def false_positives(user, k):
    wrong = sum(rating is not None and rating < 4 for rating in user.places[:k])
    return wrong / k


def centred_precision(user, k):
    judged = [(float(relevant(rating)), 0 < j <= k) for rating, j in user.judged]
    share_of_all = share(sum(y for y, _ in judged), len(judged))
    return sum(y - share_of_all for y, listed in judged if listed) / k


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


def weighted(user, k, gain, weight_of, which=relevant):
    """Return weights and gains of the relevant items, or of those that `which` says."""
    n, listed = user.n_items, len(user.places)
    found = []
    for rating, j in user.judged:
        if which(rating):
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


def ips(user, k, gain="DCG", clip=inf, power=1, centred=False):
    def weight(p):
        return min(1 / p, clip) ** power

    found = weighted(user, k, gain, weight)
    if centred:
        p = share(n_relevant(user), len(user.judged))
        others = weighted(user, k, gain, weight, lambda rating: not relevant(rating))
        return sum(w * c * (1 - p) for w, c in found) - sum(w * c * p for w, c in others)
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
    "Rprec": r_precision,
    "NCG": ncg,
    "SDCG": sdcg,
    "INST": inst,
    "Compat": compat,
    "MPR": mean_percentile_rank,
    "Success": success,
    "Judged": judged,
    "FP": false_positives,
    "CP": centred_precision,
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
    *(metric for metric in FORMULAS if metric not in ("ERR", "NMAE", "SDCG")),
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
    *(f"RBP(gain='rating', highest={highest})" for highest in (5, 7.5)),
    *(
        f"NCG(gain={gain!r}, ideal={ideal!r}, truncate_ideal={truncate})"
        for gain in ("exp", "binary")
        for ideal in ("judged", "relevant")
        for truncate in (True, False)
    ),
    *(f"SDCG(gain={gain!r}, highest=5)" for gain in ("rating", "binary")),
    *(f"INST(T={T}, adaptive={adaptive})" for T in (0.5, 1, 3.25) for adaptive in (True, False)),
    "INST(gain='rating', highest=5)",
    *(f"Compat(p={p}, normalise={n})" for p in (0.5, 0.95) for n in (True, False)),
    "MPR(weight='rating')",
    *(f"ERR(highest={h!r})" for h in (5, 7.5, "user")),
    *(f"KendallTau(variant={v!r})" for v in ("a", "b", "gamma")),
    "NMAE(scale=(0, 5))",
    *(
        f"{estimator}gain={gain!r})"
        for estimator in ("IPS(", "IPS(clip=3.5, ", "SNIPS(", "Stratified(", "Stratified(width=2, ")
        for gain in ("P", "R", "DCG", "RR", "AUC")
    ),
    *(f"IPS(gain={gain!r}, power={power})" for gain in ("P", "R", "AUC") for power in (0, 0.5, 2)),
    *(f"IPS(gain={gain!r}, centred=True)" for gain in ("P", "DCG", "RR")),
    "IPS(gain='P', centred=True, power=0.5)",
    "IPS(gain='P', centred=True, clip=3.5, power=0.5)",
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
@settings(examples, max_examples=25)  # each of them with all metrics and their parameters
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


def test_gains_of_ratings_by_a_table():
    """Pairs for ratings with decimals; a dict and the gains of 0, 1, 2, ... are read as such."""
    table = {0.3: 0, 1.1: 0, 2.7: 0.5, 3.9: 2, 4.1: 2, 4.6: 9, 5: 10.5}
    for metric, formula in [("DCG", dcg), ("nDCG", ndcg), ("NCG", ncg)]:
        found = values(FRACTIONAL, [f"{metric}(gain={table})@5"])[:, 0]
        expected = [formula(user, 5, gain=tuple(table.items())) for user in FRACTIONAL]
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    whole = random_users(20, levels=(0, 1, 2, 3, 4))
    by_level, by_pair = values(whole, [f"nDCG(gain={g})@5" for g in ([0, 0, 1, 3, 7], GAINS)]).T
    np.testing.assert_array_equal(by_level, by_pair)
    assert str(Measure.parse("nDCG(gain={2: 1, 1: 0})@5")) == "nDCG(gain=((1, 0), (2, 1)))@5"


GAINS = {4: 7, 3: 3, 2: 1, 1: 0, 0: 0}


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("nDCG(gain=(0, 1, 2))", "expected one of the rating 3, found those of 0, 1, 2; add it."),
        ("nDCG(gain=())", "found those of none; add it."),
        ("DCG(gain={5: 1, 3: 2})", "none below that of a lower rating, found ((3, 2), (5, 1))."),
        ("NCG(gain=(-1, 0, 1, 2, 3, 4))", "not negative"),
        ("NCG(gain=((5, 1), (5, 1)))", "expected one of each"),
        ("nDCG(gain=(0, 'a'))", "nDCG's parameter gain: expected"),
        ("nDCG(gain=((5, 1, 2),))", "nDCG's parameter gain: expected"),
        (
            "INST(T=0.4)",
            "INST's parameter T: expected a number of at least 0.5 and at most 1e+06, found 0.4.",
        ),
        (
            "INST(T=1e7)",
            "INST's parameter T: expected a number of at least 0.5 and at most 1e+06, found 1",
        ),
        ("Compat(p=1)", "Compat's parameter p: expected a number above 0 and below 1, found 1."),
        ("SDCG", "the measure SDCG needs a cut-off, as in SDCG@10."),
        ("RBP(gain='rating', highest=4)", "RBP's parameter highest is 4, below the rating 5."),
        ("INST(gain='rating', highest=-1)", "highest: expected a number above 0, found -1"),
    ],
)
def test_parameters_that_have_no_value(measure, message):
    with pytest.raises(RankassayError) as error:
        values([User([5, 3])], [measure])
    assert message in str(error.value)


def test_rbp_is_the_gain_of_the_share_of_looks_of_a_user_who_goes_on_with_one_chance():
    """C/W/L: W(k) = prod_{j < k} C(j) / sum_l prod_{j < l} C(j) with C(k) = p."""
    looks = np.cumprod([1, *np.full(400, 0.9)])
    shares = looks / looks.sum()
    user = User([None, 5, 4, None])
    assert value(user, "RBP(p=0.9)") == pytest.approx(shares[1:3].sum(), rel=1e-12)


def test_the_scale_of_nmae_is_that_of_the_judgements_by_default():
    ratings = [r for user in FRACTIONAL for r, _ in user.judged]
    scale = (min(ratings), max(ratings))
    found = values(FRACTIONAL, ["NMAE@5", f"NMAE(scale={scale})@5"])
    np.testing.assert_array_equal(found[:, 0], found[:, 1])


def test_bpref_has_no_value_without_nonrelevant_items_if_so_asked():
    users = [User([5, 4]), User([5, 2]), User([], [5])]
    found = values(users, ["Bpref(without_nonrelevant='nan')"])[:, 0]
    np.testing.assert_array_equal(found, [np.nan, 1, np.nan])
