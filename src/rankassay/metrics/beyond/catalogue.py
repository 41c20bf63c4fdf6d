"""The catalogue of metrics beyond accuracy."""

from rankassay.metrics.metric import SHARE, SUM, Metric, Names, When

# Of whole sets of lists, or of lists with the training ratings.
BEYOND_METRICS = {
    "Coverage": Metric(
        "beyond.exposure:coverage",
        SHARE,
        label="Item coverage",
        names=Names("Catalogue coverage", RecBole="ItemCoverage"),
        needs=(),
    ),
    "UserCoverage": Metric("beyond.exposure:user_coverage", SHARE, label="User coverage", needs=()),
    "PredictionCoverage": Metric(
        "beyond.exposure:prediction_coverage",
        SHARE,
        label="Prediction coverage",
        needs=(),
        cut=False,
    ),
    "Gini": Metric(
        "beyond.exposure:gini",
        SHARE,
        names=Names("Gini index, Gini coefficient", RecBole="GiniIndex"),
        needs=(),
        lower_is_better=True,
    ),
    "Entropy": Metric(
        "beyond.exposure:entropy",
        SUM,
        needs=(),
        when=(When("base", ("None",), {"bounds": SHARE}),),
    ),
    "ARP": Metric(
        "beyond.novelty:average_popularity",
        SUM,
        names=Names("Average recommendation popularity", RecBole="AveragePopularity"),
        needs=(),
        lower_is_better=True,
        when=(When("popularity", ("share",), {"bounds": SHARE}),),
    ),
    "APLT": Metric(
        "beyond.novelty:long_tail",
        SHARE,
        names=Names("Average percentage of long tail"),
        needs=(),
    ),
    "EPC": Metric(
        "beyond.novelty:expected_popularity_complement",
        SHARE,
        names=Names("Expected popularity complement"),
        needs=(),
        when=(When("relevant_only", ("True",), {"needs": ("judgements",)}),),
    ),
    "EFD": Metric(
        "beyond.novelty:expected_free_discovery",
        SUM,
        names=Names("Expected free discovery"),
        needs=(),
        when=(When("relevant_only", ("True",), {"needs": ("judgements",)}),),
    ),
    "ILD": Metric(
        "beyond.aspects:intra_list_diversity",
        SHARE,
        names=Names("Intra-list diversity"),
        needs=("aspects",),
        when=(When("by", ("ratings",), {"needs": ()}),),
    ),
    "Serendipity": Metric("beyond.novelty:serendipity", SHARE),
    "Calibration": Metric(
        "beyond.aspects:calibration",
        SUM,
        label="Miscalibration",
        needs=("aspects",),
        lower_is_better=True,
    ),
    "EE_D": Metric(
        "beyond.exposure:exposure_disparity",
        SUM,
        label="EE-D",
        needs=(),
        lower_is_better=True,
    ),
    "EE_R": Metric("beyond.exposure:exposure_relevance", SUM, label="EE-R"),
    "EE_L": Metric("beyond.exposure:exposure_loss", SUM, label="EE-L", lower_is_better=True),
    "AWRF": Metric(
        "beyond.fairness:attention_weighted_rank_fairness",
        SHARE,
        names=Names("Attention-weighted rank fairness"),
        needs=("item groups",),
        lower_is_better=True,
    ),
    "ItemGroups": Metric(
        "beyond.fairness:item_group_exposure",
        SUM,
        label="Item-group gap",
        needs=("item groups",),
        lower_is_better=True,
        when=(
            When("per", ("relevant",), {"needs": ("judgements", "item groups")}),
            When("compared", ("ratio",), {"bounds": SHARE, "lower_is_better": False}),
        ),
    ),
    "UserGroups": Metric(
        "beyond.fairness:user_group_quality",
        SHARE,
        label="User-group gap",
        needs=("judgements", "user groups"),
        lower_is_better=True,
        when=(When("compared", ("ratio", "worst"), {"lower_is_better": False}),),
    ),
}
