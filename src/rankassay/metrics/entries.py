"""The entries of the catalogue: the properties of every metric, by kind.

`rankassay.metrics.metric` says what an entry has, and `rankassay.metrics.catalogue` looks it up.
"""

from rankassay.metrics.metric import ANY, CORRELATION, SHARE, SUM, Metric, Names, When

WEIGHTS = "propensities"
NO_WEIGHTS = When(
    "power", ("0", "0.0", "-0.0"), {"needs": lambda needs: tuple(n for n in needs if n != WEIGHTS)}
)
OF_AREA = When("gain", ("AUC",), {"needs": ("judgements", "items", WEIGHTS), "cut": False})


def by_weights(name: str, parameters: str) -> dict[str, Names]:
    """Return the names of a weighted sum of gains, for the weights and for their roots."""
    return {
        own: Names(f"{name}@k by 1/{root}popularity, {name}@k by 1/{root}propensity")
        for own, root in ((parameters, ""), (f"{parameters}, power=0.5", "√"))
    }


# Of lists and of judgements.
METRICS = {
    "P": Metric(
        "precision_recall:precision",
        SHARE,
        names=Names("Precision, PPV", "P_k", "precision", "Precision", "P"),
        names_with={
            "denominator='listed'": Names(trec_eval="set_P", ir_measures="SetP"),
            "denominator='judged'": Names(
                "P@k of judged items, Judged-only P, Judged-only precision"
            ),
            "denominator='judged_nan'": Names("P@k of judged items without empty lists"),
            "denominator='smoothed'": Names("smoothed P@k of judged items, Smoothed judged-only P"),
        },
        form=("hit", {"denominator": "cutoff"}),
        unjudged="binary",
    ),
    "R": Metric(
        "precision_recall:recall",
        SHARE,
        label="Recall",
        names=Names(
            "Recall, Sensitivity, TPR", "recall_k, set_recall", "recall", "Recall", "R, SetR"
        ),
        form=("share", {"denominator": "relevant"}),
        unjudged="binary",
    ),
    "AP": Metric(
        "average_precision:average_precision",
        SHARE,
        label="MAP",
        names=Names(
            "MAP, Average precision, Mean average precision",
            trec_eval="map, map_cut_k",
            ranx="map",
            ir_measures="AP",
        ),
        form=("precision", {"denominator": "relevant"}),
        unjudged="swept",
    ),
    "nDCG": Metric(
        "ndcg:ndcg",
        SHARE,
        names=Names("NDCG", trec_eval="ndcg, ndcg_cut_k", ranx="ndcg", ir_measures="nDCG"),
        names_with={
            "gain='exp'": Names(ranx="ndcg_burges"),
            "gain='binary'": Names("nDCG@k (binary)"),
        },
        unjudged="swept",
    ),
    "RR": Metric(
        "average_precision:reciprocal_rank",
        SHARE,
        label="MRR",
        names=Names("MRR, Reciprocal rank, Mean reciprocal rank", "recip_rank", "mrr", "MRR", "RR"),
        form=("first", {}),
        unjudged="binary",
    ),
    "Bpref": Metric(
        "average_precision:bpref",
        SHARE,
        label="bpref",
        names=Names("Binary preference", trec_eval="bpref", ir_measures="Bpref"),
        form=("preference", {"without_nonrelevant": "preferred"}),
        unjudged="swept",
    ),
    "infAP": Metric(
        "average_precision:infap",
        SHARE,
        names=Names("Inferred AP"),
        form=("inferred", {"unjudged": "pooled"}),
        unjudged="swept",
    ),
    "F1": Metric(
        "f_measure:f1",
        SHARE,
        names=Names("F1 score, F1 measure", ranx="f1"),
        unjudged="binary",
    ),
    "F": Metric(
        "f_measure:f_measure",
        SHARE,
        names=Names("F measure, F score"),
        names_with={
            "beta=2": Names("F2"),
            "denominator='listed'": Names(trec_eval="set_F", ir_measures="SetF"),
        },
        unjudged="binary",
    ),
    "DCG": Metric(
        "ndcg:dcg",
        SUM,
        names=Names(ranx="dcg"),
        names_with={"gain='exp'": Names(ranx="dcg_burges")},
        unjudged="rising",
    ),
    "ERR": Metric(
        "user_models:expected_reciprocal_rank",
        SHARE,
        names=Names("Expected reciprocal rank"),
        unjudged="rising",
    ),
    "Q": Metric("average_precision:q_measure", SHARE, names=Names("Q-measure")),
    "RBP": Metric(
        "user_models:rank_biased_precision",
        SHARE,
        names=Names("Rank-biased precision"),
        unjudged="rising",
    ),
    "Rprec": Metric(
        "precision_recall:r_precision",
        SHARE,
        label="R-precision",
        names=Names("R-precision", trec_eval="Rprec", ranx="r-precision", ir_measures="Rprec"),
    ),
    "NCG": Metric(
        "ndcg:ncg", SHARE, names=Names("Normalised cumulative gain, Normalized cumulative gain")
    ),
    "SDCG": Metric(
        "user_models:sdcg", SHARE, names=Names("Scaled DCG, Scaled discounted cumulative gain")
    ),
    "INST": Metric("user_models:inst", SHARE, names_with={"adaptive=False": Names("INSQ")}),
    "Compat": Metric("user_models:compatibility", SHARE, names=Names("Compatibility")),
    "Success": Metric(
        "precision_recall:success",
        SHARE,
        names=Names("HR, Hit rate, Hit ratio", "success_k", "hit_rate", "Hit", "Success"),
        unjudged="binary",
    ),
    "Judged": Metric("precision_recall:judged_share", SHARE, names=Names(ir_measures="Judged")),
    "FP": Metric(
        "precision_recall:false_positives",
        SHARE,
        names=Names("Anti-precision, False positives"),
        names_with={"denominator='nonrelevant'": Names("anti-recall@k")},
        lower_is_better=True,
        opposite=True,
    ),
    "CP": Metric(
        "precision_recall:centred_precision",
        CORRELATION,
        names=Names("Centred precision, Centred P, Chance-corrected precision, Chance-corrected P"),
    ),
    "Fallout": Metric(
        "classification:fallout",
        SHARE,
        names=Names("FPR, False positive rate"),
        needs=("judgements", "items"),
        lower_is_better=True,
        opposite=True,
    ),
    "MissRate": Metric(
        "classification:miss_rate",
        SHARE,
        names=Names("FNR, False negative rate"),
        lower_is_better=True,
        opposite=True,
    ),
    "InversePrecision": Metric(
        "classification:inverse_precision",
        SHARE,
        names=Names("NPV, Negative predictive value"),
        needs=("judgements", "items"),
        opposite=True,
    ),
    "InverseRecall": Metric(
        "classification:inverse_recall",
        SHARE,
        names=Names("Specificity, TNR, True negative rate"),
        needs=("judgements", "items"),
        opposite=True,
    ),
    "Markedness": Metric("classification:markedness", CORRELATION, needs=("judgements", "items")),
    "Informedness": Metric(
        "classification:informedness", CORRELATION, needs=("judgements", "items")
    ),
    "MCC": Metric(
        "classification:matthews_correlation",
        CORRELATION,
        names=Names("Matthews correlation"),
        needs=("judgements", "items"),
    ),
    "KendallTau": Metric("classification:kendall_tau", CORRELATION, needs=("judgements", "items")),
    "AverageMarkedness": Metric(
        "classification:average_markedness", CORRELATION, needs=("judgements", "items")
    ),
    "AverageInformedness": Metric(
        "classification:average_informedness", CORRELATION, needs=("judgements", "items")
    ),
    "AUC": Metric(
        "classification:auc",
        SHARE,
        names=Names("ROC AUC, AUROC"),
        needs=("judgements", "items"),
        cut=False,
    ),
    "LAUC": Metric(
        "classification:limited_auc",
        SHARE,
        names=Names("Limited AUC"),
        needs=("judgements", "items"),
    ),
    "MPR": Metric(
        "classification:mean_percentile_rank",
        SHARE,
        names=Names("Mean percentile rank, Expected percentile ranking"),
        needs=("judgements", "items"),
        lower_is_better=True,
        cut=False,
    ),
    "MAE": Metric(
        "rating_errors:mean_absolute_error",
        SUM,
        names=Names("Mean absolute error"),
        needs=("judgements", "predictions"),
        lower_is_better=True,
    ),
    "MSE": Metric(
        "rating_errors:mean_squared_error",
        SUM,
        names=Names("Mean squared error"),
        needs=("judgements", "predictions"),
        lower_is_better=True,
    ),
    "RMSE": Metric(
        "rating_errors:root_mean_squared_error",
        SUM,
        names=Names("Root mean squared error"),
        needs=("judgements", "predictions"),
        lower_is_better=True,
    ),
    "NMAE": Metric(
        "rating_errors:normalised_mean_absolute_error",
        SUM,
        needs=("judgements", "predictions"),
        lower_is_better=True,
    ),
    "IPS": Metric(
        "unbiased:ips",
        SUM,
        names_with={
            **by_weights("P", "gain='P'"),
            **by_weights("DCG", "gain='DCG'"),
            **by_weights("CP", "centred=True, gain='P'"),
            **by_weights("CDCG", "centred=True, gain='DCG'"),
            "centred=True, gain='DCG', power=0": Names("CDCG@k, Centred DCG"),
            "gain='DCG', power=0": Names("unweighted DCG@k"),
        },
        needs=("judgements", WEIGHTS),
        when=(When("centred", ("True",), {"bounds": ANY}), OF_AREA, NO_WEIGHTS),
    ),
    "SNIPS": Metric(
        "unbiased:snips",
        SHARE,
        names=Names("Recall@k by 1/popularity, Recall@k by 1/propensity"),
        needs=("judgements", WEIGHTS),
        when=(OF_AREA,),
    ),
    "Stratified": Metric(
        "unbiased:stratified", SHARE, needs=("judgements", WEIGHTS), when=(OF_AREA,)
    ),
}


# Of lists and of the aspects of their items.
ASPECTS = ("judgements", "aspects")
OF_JUDGED = (
    When("aspects", ("judged", "relevant"), {"needs": ASPECTS}),
    When("relevant_only", ("True",), {"needs": ASPECTS}),
)
DIVERSITY_METRICS = {
    "alpha_nDCG": Metric("diversity.metrics:alpha_ndcg", SUM, label="α-nDCG", needs=ASPECTS),
    "alpha_beta_nDCG": Metric(
        "diversity.metrics:alpha_beta_ndcg",
        SUM,
        label="αβ-nDCG",
        needs=ASPECTS,
    ),
    "S_Recall": Metric(
        "diversity.metrics:s_recall",
        SHARE,
        label="S-Recall",
        needs=("aspects",),
        when=OF_JUDGED,
    ),
    "S_RR": Metric(
        "diversity.metrics:s_rr",
        SHARE,
        label="S-RR",
        needs=("aspects",),
        variants=("aspects='judged'",),
        when=OF_JUDGED,
    ),
    "ERR_IA": Metric("diversity.metrics:err_ia", SUM, label="ERR-IA", needs=ASPECTS),
    "NRBP": Metric("diversity.metrics:nrbp", SUM, needs=ASPECTS),
    "EU": Metric("diversity.metrics:expected_utility", ANY, needs=ASPECTS),
    "RBU": Metric("diversity.metrics:rank_biased_utility", ANY, needs=ASPECTS),
}


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


# Of the places at which two lists have the relevant items.
PREFERENCES = {
    "RPP": Metric("preferences:recall_paired_preference", CORRELATION),
    "lexirecall": Metric("preferences:lexirecall", CORRELATION),
    "lexiprecision": Metric("preferences:lexiprecision", CORRELATION),
}
