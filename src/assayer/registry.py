"""The names that a configuration may use, each with the object that it stands for.

Adding a recommender, metric, analysis, figure or table is one file and one line here. Objects are
named as "module:attribute" and imported on use, so that this module stays light: the workflow
imports it to know what depends on what.
"""

import importlib
from dataclasses import dataclass

from assayer.errors import AssayerError, unknown

READERS = {
    "delimited": "assayer.data.readers.delimited:read",
    "dicts": "assayer.data.readers.dicts:read",
}

RECOMMENDERS = {
    "random": "assayer.recommenders.baselines:Random",
    "popularity": "assayer.recommenders.baselines:Popularity",
    "rocchio": "assayer.recommenders.feedback:Rocchio",
    "rsv": "assayer.recommenders.feedback:RSV",
    "chi2": "assayer.recommenders.feedback:ChiSquared",
    "kld": "assayer.recommenders.feedback:KullbackLeibler",
    "rm1": "assayer.recommenders.relevance_models:RM1",
    "rm2": "assayer.recommenders.relevance_models:RM2",
    "lm-wsr-ub": "assayer.recommenders.weighted_sum:LMWSRUser",
    "lm-wsr-ib": "assayer.recommenders.weighted_sum:LMWSRItem",
    "uir-item": "assayer.recommenders.user_item_relevance:UIRItem",
    "nncosngbr-ub": "assayer.recommenders.biased_neighbourhoods:NNCosNgbrUB",
    "nncosngbr-ib": "assayer.recommenders.biased_neighbourhoods:NNCosNgbrIB",
    "ht": "assayer.recommenders.hitting_time:HittingTime",
    "svd": "assayer.recommenders.rating_factorization:SVD",
    "bprmf": "assayer.recommenders.pairwise:BPRMF",
    "puresvd": "assayer.recommenders.factorization:PureSVD",
    "wrmf": "assayer.recommenders.factorization:WRMF",
    "slim": "assayer.recommenders.slim:SLIM",
    "lda": "assayer.recommenders.topics:LDA",
    "plsa": "assayer.recommenders.topics:PLSA",
    "ease": "assayer.recommenders.linear:EASE",
    "ials": "assayer.recommenders.implicit_als:IALS",
    "item-knn": "assayer.recommenders.item_knn:ItemKNN",
    "rp3beta": "assayer.recommenders.random_walk:RP3Beta",
}

METRICS = {
    "P": "assayer.metrics.precision:precision",
    "R": "assayer.metrics.recall:recall",
    "AP": "assayer.metrics.average_precision:average_precision",
    "nDCG": "assayer.metrics.ndcg:ndcg",
    "RR": "assayer.metrics.reciprocal_rank:reciprocal_rank",
    "Bpref": "assayer.metrics.bpref:bpref",
    "infAP": "assayer.metrics.infap:infap",
    "F1": "assayer.metrics.f_measure:f1",
    "F": "assayer.metrics.f_measure:f_measure",
    "DCG": "assayer.metrics.ndcg:dcg",
    "ERR": "assayer.metrics.expected_reciprocal_rank:expected_reciprocal_rank",
    "Q": "assayer.metrics.q_measure:q_measure",
    "RBP": "assayer.metrics.rank_biased_precision:rank_biased_precision",
    "Success": "assayer.metrics.precision:success",
    "Judged": "assayer.metrics.precision:judged_share",
    "Fallout": "assayer.metrics.confusion:fallout",
    "MissRate": "assayer.metrics.confusion:miss_rate",
    "InversePrecision": "assayer.metrics.confusion:inverse_precision",
    "InverseRecall": "assayer.metrics.confusion:inverse_recall",
    "Markedness": "assayer.metrics.confusion:markedness",
    "Informedness": "assayer.metrics.confusion:informedness",
    "MCC": "assayer.metrics.confusion:matthews_correlation",
    "KendallTau": "assayer.metrics.confusion:kendall_tau",
    "AverageMarkedness": "assayer.metrics.confusion:average_markedness",
    "AverageInformedness": "assayer.metrics.confusion:average_informedness",
    "AUC": "assayer.metrics.area_under_curve:auc",
    "LAUC": "assayer.metrics.area_under_curve:limited_auc",
    "MAE": "assayer.metrics.rating_errors:mean_absolute_error",
    "MSE": "assayer.metrics.rating_errors:mean_squared_error",
    "RMSE": "assayer.metrics.rating_errors:root_mean_squared_error",
    "NMAE": "assayer.metrics.rating_errors:normalised_mean_absolute_error",
}

# Metrics that need the aspects of items.
DIVERSITY_METRICS = {
    "alpha_nDCG": "assayer.metrics.diversity.alpha_ndcg:alpha_ndcg",
    "alpha_beta_nDCG": "assayer.metrics.diversity.alpha_beta_ndcg:alpha_beta_ndcg",
    "S_Recall": "assayer.metrics.diversity.subtopics:s_recall",
    "S_RR": "assayer.metrics.diversity.subtopics:s_rr",
    "ERR_IA": "assayer.metrics.diversity.err_ia:err_ia",
    "NRBP": "assayer.metrics.diversity.nrbp:nrbp",
    "EU": "assayer.metrics.diversity.utility:expected_utility",
    "RBU": "assayer.metrics.diversity.utility:rank_biased_utility",
}


@dataclass(frozen=True)
class Analysis:
    """One analysis of a study: its function and the artifacts that it reads.

    An analysis of rankings that a paper constructed needs no dataset and is run once; whatever else
    it reads is constructed, too.
    """

    function: str
    inputs: tuple[str, ...]
    constructed: bool = False


@dataclass(frozen=True)
class Figure:
    """One figure: its drawing function, the analysis it shows, and what its panels are.

    `panels` is "metrics" when a panel shows one metric on one dataset over its cut-offs,
    "datasets" when a panel shows all metrics at the reference cut-off on one dataset, "dataset"
    when each dataset has a figure of its own, whose function makes the panels, and "constructed"
    when the figure shows an analysis that needs no dataset.
    """

    function: str
    analysis: str
    panels: str


@dataclass(frozen=True)
class Table:
    """One table of a study: its function and the result tables that it is made from."""

    function: str
    inputs: tuple[str, ...]


ANALYSES = {
    "robustness/judgements": Analysis("assayer.analysis.judgements:run", ("train", "test")),
    "robustness/cutoff-correlation": Analysis("assayer.analysis.correlation:cutoffs", ("scores",)),
    "robustness/metric-correlation": Analysis("assayer.analysis.correlation:metrics", ("scores",)),
    "robustness/sparsity": Analysis("assayer.analysis.sparsity:run", ("test", "rankings")),
    "robustness/popularity": Analysis(
        "assayer.analysis.popularity:run", ("train", "test", "rankings")
    ),
    "robustness/unjudged-users": Analysis(
        "assayer.analysis.unjudged_users:run", ("test", "rankings")
    ),
    "robustness/p-values": Analysis("assayer.analysis.significance:run", ("scores",)),
    "robustness/discriminative-power": Analysis(
        "assayer.analysis.discriminative_power:run", ("scores", "robustness/p-values")
    ),
    "robustness/power-differences": Analysis(
        "assayer.analysis.discriminative_power:differences", ("scores", "robustness/p-values")
    ),
    "robustness/summary": Analysis(
        "assayer.analysis.summary:run",
        ("robustness/sparsity", "robustness/popularity", "robustness/discriminative-power"),
    ),
    "robustness/as-run": Analysis("assayer.analysis.as_run:run", ("test", "rankings")),
    "robustness/published": Analysis(
        "assayer.analysis.published:run",
        (
            *("statistics", "fidelity", "published/figure-7", "published/table-3"),
            *("robustness/popularity", "robustness/discriminative-power", "robustness/as-run"),
        ),
    ),
    "robustness/claims": Analysis(
        "assayer.analysis.verdicts:run",
        (
            *("claims", "train", "test", "rankings", "scores", "statistics"),
            *("robustness/cutoff-correlation", "robustness/metric-correlation"),
            *("robustness/sparsity", "robustness/popularity"),
            *("robustness/discriminative-power", "robustness/as-run"),
        ),
    ),
    "aggregation/groups": Analysis(
        "assayer.analysis.aggregation:run", ("train", "test", "rankings")
    ),
    "aggregation/claims": Analysis(
        "assayer.analysis.aggregation_verdicts:run", ("claims", "aggregation/groups")
    ),
    "definitions/discrepancies": Analysis("assayer.analysis.definitions:run", ("test", "rankings")),
    "definitions/choices": Analysis(
        "assayer.analysis.definitions_choices:run", ("test", "rankings")
    ),
    "definitions/orders": Analysis(
        "assayer.analysis.definitions_choices:orders", ("definitions/choices",)
    ),
    "definitions/labels": Analysis(
        "assayer.analysis.definitions_choices:labels", ("test", "rankings")
    ),
    "definitions/examples": Analysis(
        "assayer.analysis.definitions_examples:run", ("published/examples",), constructed=True
    ),
    "goals/examples": Analysis("assayer.analysis.goals.examples:run", (), constructed=True),
    "goals/roc": Analysis("assayer.analysis.goals.examples:roc", (), constructed=True),
    "goals/properties": Analysis("assayer.analysis.goals.properties:run", (), constructed=True),
    "goals/bias": Analysis(
        "assayer.analysis.goals.bias:constructed", ("goals/examples",), constructed=True
    ),
    "goals/groups": Analysis("assayer.analysis.goals.bias:groups", ("test", "rankings")),
    "goals/bias-measured": Analysis(
        "assayer.analysis.goals.bias:measured", ("test", "rankings", "goals/groups")
    ),
    "goals/metric-correlation": Analysis(
        "assayer.analysis.goals.runs:metric_correlation", ("test", "rankings")
    ),
    "goals/sparsity": Analysis("assayer.analysis.goals.runs:sparsity", ("test", "rankings")),
    "goals/popularity": Analysis(
        "assayer.analysis.goals.runs:popularity", ("train", "test", "rankings")
    ),
    "goals/discriminative-power": Analysis(
        "assayer.analysis.goals.runs:power", ("test", "rankings")
    ),
    "goals/summary": Analysis(
        "assayer.analysis.summary:run",
        ("goals/sparsity", "goals/popularity", "goals/discriminative-power"),
    ),
    "goals/claims": Analysis(
        "assayer.analysis.goals.verdicts:run",
        (
            *("claims", "goals/bias-measured", "goals/metric-correlation"),
            *("goals/sparsity", "goals/popularity", "goals/discriminative-power"),
        ),
    ),
    "goals/constructed-claims": Analysis(
        "assayer.analysis.goals.verdicts:constructed",
        ("claims", "goals/examples", "goals/bias", "goals/properties"),
        constructed=True,
    ),
    "definitions/claims": Analysis(
        "assayer.analysis.definitions_verdicts:run",
        ("claims", "definitions/orders", "definitions/labels"),
    ),
    "definitions/constructed-claims": Analysis(
        "assayer.analysis.definitions_verdicts:constructed",
        ("claims", "definitions/examples"),
        constructed=True,
    ),
}

FIGURES = {
    "robustness/summary": Figure("assayer.figures.summary:draw", "summary", "datasets"),
    "robustness/figure-1": Figure(
        "assayer.figures.correlation:cutoffs", "cutoff-correlation", "metrics"
    ),
    "robustness/figure-2": Figure("assayer.figures.robustness:sparsity", "sparsity", "metrics"),
    "robustness/figure-3": Figure("assayer.figures.robustness:popularity", "popularity", "metrics"),
    "robustness/figure-4": Figure("assayer.figures.p_values:draw", "p-values", "metrics"),
    "robustness/figure-5": Figure(
        "assayer.figures.correlation:metrics", "metric-correlation", "datasets"
    ),
    "robustness/figure-6": Figure("assayer.figures.robustness:sparsity", "sparsity", "datasets"),
    "robustness/figure-7": Figure(
        "assayer.figures.robustness:popularity", "popularity", "datasets"
    ),
    "robustness/figure-8": Figure("assayer.figures.p_values:draw", "p-values", "datasets"),
    "robustness/unjudged-users": Figure(
        "assayer.figures.robustness:unjudged_users", "unjudged-users", "datasets"
    ),
    "robustness/claims": Figure("assayer.figures.claims:draw", "claims", "datasets"),
    "aggregation/claims": Figure("assayer.figures.claims:draw", "claims", "datasets"),
    "aggregation/groups": Figure("assayer.figures.aggregation:draw", "groups", "dataset"),
    "definitions/values": Figure("assayer.figures.definitions:values", "discrepancies", "dataset"),
    "definitions/turned": Figure(
        "assayer.figures.definitions_turned:draw", "orders", "datasets"
    ),
    "definitions/places": Figure("assayer.figures.definitions:places", "discrepancies", "dataset"),
    "goals/figure-1": Figure("assayer.figures.goals:figure_1", "examples", "constructed"),
    "goals/figure-2": Figure("assayer.figures.goals:figure_2", "examples", "constructed"),
    "goals/figure-3": Figure("assayer.figures.goals:figure_3", "examples", "constructed"),
    "goals/figure-4": Figure("assayer.figures.goals:figure_4", "examples", "constructed"),
    "goals/figure-5": Figure("assayer.figures.goals:figure_5", "roc", "constructed"),
    "goals/bias": Figure("assayer.figures.goals_bias:draw", "groups", "dataset"),
    "goals/metric-correlation": Figure(
        "assayer.figures.correlation:metrics", "metric-correlation", "datasets"
    ),
    "goals/summary": Figure("assayer.figures.summary:draw", "summary", "datasets"),
    "fidelity/systems": Figure("assayer.figures.fidelity:draw", "fidelity", "datasets"),
}

TABLES = {
    "robustness/table-1": Table(
        "assayer.tables.robustness:assumptions", ("robustness/judgements",)
    ),
    "robustness/table-2": Table("assayer.tables.robustness:statistics", ("statistics",)),
    "robustness/table-3": Table(
        "assayer.tables.robustness:discriminative_power",
        ("robustness/discriminative-power", "robustness/as-run"),
    ),
    "robustness/summary": Table("assayer.tables.summary:summary", ("robustness/summary",)),
    "robustness/power-differences": Table(
        "assayer.tables.robustness:power_differences", ("robustness/power-differences",)
    ),
    "robustness/published": Table("assayer.tables.published:summary", ("robustness/published",)),
    "robustness/claims": Table("assayer.tables.claims:claims", ("robustness/claims",)),
    "aggregation/claims": Table("assayer.tables.claims:claims", ("aggregation/claims",)),
    "aggregation/groups": Table("assayer.tables.aggregation:groups", ("aggregation/groups",)),
    "definitions/discrepancies": Table(
        "assayer.tables.definitions:discrepancies", ("definitions/discrepancies",)
    ),
    "goals/examples": Table("assayer.tables.goals:examples", ("goals/examples",)),
    "goals/properties": Table("assayer.tables.goals:properties", ("goals/properties",)),
    "goals/bias": Table("assayer.tables.goals:bias", ("goals/bias", "goals/bias-measured")),
    "goals/summary": Table("assayer.tables.summary:summary", ("goals/summary",)),
    "definitions/choices": Table(
        "assayer.tables.definitions_choices:choices", ("definitions/orders", "definitions/labels")
    ),
    "definitions/examples": Table(
        "assayer.tables.definitions_examples:examples", ("definitions/examples",)
    ),
}


def studies() -> list[str]:
    """Return the studies that have analyses."""
    return list(dict.fromkeys(name.partition("/")[0] for name in ANALYSES))


def needs(name: str) -> set[str]:
    """Return all that an analysis reads, and what that was made from, by name."""
    inputs = ANALYSES[name].inputs if name in ANALYSES else ()
    return set(inputs).union(*map(needs, inputs))


def of_study(table: dict, study: str) -> dict:
    """Return the entries of one study, by their names within it."""
    prefix = f"{study}/"
    return {k.removeprefix(prefix): v for k, v in table.items() if k.startswith(prefix)}


def recommender(method: str) -> str:
    """Return "module:class" for a method: a name of the registry, or a class of the user's own.

    The latter is written as "module:class" already, and imported from the folder of the run or
    from wherever Python finds the module.
    """
    return method if ":" in method else find("method", method, RECOMMENDERS)


def module_of(target: str) -> str:
    """Return the module part of a "module:attribute" name."""
    return target.partition(":")[0]


def load(target: str):
    """Import and return the object that "module:attribute" names."""
    module, _, attribute = target.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise AssayerError(
            f"cannot load '{target}': {error}; expected module:attribute, with the module in the "
            "folder of the run or installed."
        ) from error


def find(kind: str, name: str, table: dict):
    """Return `table[name]`; raises AssayerError naming the nearest known name."""
    if name not in table:
        raise unknown(kind, name, table)
    return table[name]
