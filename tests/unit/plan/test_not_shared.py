"""The analyses that one job makes, for any number of shards, and why."""

from rankassay.studies import ANALYSES

SECONDS = "it takes seconds: what it reads are tables, formulas or a few constructed rankings"
PAIRS = "the values are there, and each row compares two measures, which both have to be read"

JUDGED = {
    *(f"{study}/claims" for study in ("robustness", "aggregation", "definitions", "diversity")),
    *(f"{study}/claims" for study in ("goals", "sampling", "beyond", "preferences", "unjudged")),
    *(f"{study}/claims" for study in ("validity", "reliability", "protocols")),
    *(f"{study}/constructed-claims" for study in ("definitions", "diversity", "goals")),
    *(f"{study}/constructed-claims" for study in ("robustness", "sampling", "validity")),
}
FAMILIES = "parts of the test set are judged once for all tables, which takes less than one of them"
HITS = "it takes seconds for all measures, most of which have the same hits"
FEW = "it takes seconds: it computes a few measures, which each row compares with one another"
NOT_SHARED = {
    FEW: {
        *("robustness/gains", "robustness/as-run-cutoffs", "robustness/as-run-correlation"),
        *("definitions/reciprocal-ranks", "diversity/swaps"),
    },
    HITS: {"validity/sensitivity"},
    FAMILIES: {"robustness/families"},
    SECONDS: {
        *JUDGED,
        *("robustness/judgements", "robustness/summary", "robustness/published"),
        *("robustness/p-value-errors", "robustness/identical"),
        *("definitions/orders", "definitions/examples"),
        *("diversity/greedy", "diversity/order-correlation", "diversity/summary"),
        *("goals/examples", "goals/roc", "goals/properties", "goals/bias", "goals/summary"),
        *("sampling/curves", "sampling/example", "sampling/by-size", "sampling/by-rank"),
        *("sampling/orders", "sampling/agreement", "unjudged/pairs"),
        *("validity/closed-world", "validity/worlds", "validity/prediction", "validity/like"),
        *("validity/kinds", "validity/strategies", "validity/gamma", "validity/target-items"),
        *("validity/sensitivity-winners", "validity/diagnostics"),
        *("validity/prediction-on-data", "reliability/effect-sizes", "reliability/systems"),
        *("reliability/type-errors-published", "reliability/systems-across"),
        *("reliability/metrics-across", "protocols/splits", "protocols/components"),
        *("protocols/agreement", "protocols/winners", "protocols/criteria"),
        *("protocols/conclusions", "atlas/findings", "atlas/datasets", "atlas/conclusions"),
        *("atlas/places", "atlas/metrics-across"),
    },
    PAIRS: {
        *("robustness/cutoff-correlation", "robustness/metric-correlation"),
        *("robustness/power-differences", "preferences/power-differences"),
    },
}


def test_all_other_analyses_are_shared():
    listed = [name for names in NOT_SHARED.values() for name in names]
    assert len(listed) == len({*listed})
    assert {*listed} == {name for name, entry in ANALYSES.items() if not entry.shared}


def test_what_is_shared_are_settings_or_measures():
    for entry in ANALYSES.values():
        own = {*entry.model.model_fields, *entry.common}
        of_metrics = entry.shared == ("metrics",) and "metrics" in entry.evaluation
        assert entry.shared == ("measures",) or of_metrics or {*entry.shared} <= own
        assert not (of_metrics and "metrics" in own)  # which of the two would it be?
        assert entry.shared or not entry.within
