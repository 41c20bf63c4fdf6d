"""Profiles: named sets of choices where definitions of the same metric differ."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Profile:
    """The definitions that hold unless a measure says otherwise."""

    source: str
    # by metric, those that differ from the metric's defaults
    parameters: dict[str, dict] = field(default_factory=dict)
    without_relevant: str = "value"  # "value": 0/0 is 0, which means count; "nan": no value
    # whether an item rated below 0 is judged in condensed lists; see also `bpref`
    negative: str = "nonrelevant"


WITHOUT_RELEVANT = ("value", "nan")

PROFILES = {
    "paper": Profile("the equations of Valcarce, Bellogín, Parapar and Castells, RecSys 2018"),
    "trec": Profile(
        "trec_eval 9 and 10: P, recall, map_cut, ndcg_cut, recip_rank, bpref, infAP, Rprec, and "
        "rbp of binary judgements",
        {
            "Bpref": {"negative": "unjudged"},
            "infAP": {"unjudged": "unpooled", "negative": "unjudged"},
            "ERR": {"highest": "user"},
            "RBP": {"p": 0.9},
        },
        negative="unjudged",
    ),
    "as-run": Profile(
        "what the authors of the paper ran: set_P, recall, map, ndcg, recip_rank, bpref, infAP2",
        {
            "P": {"denominator": "listed"},
            "F": {"denominator": "listed"},
            "F1": {"denominator": "listed"},
            "nDCG": {"truncate_ideal": False},
            "ERR": {"highest": "user"},
        },
    ),
    "blog": Profile(
        '"Evaluation metrics for recommender systems", a blog post of 2017',
        {
            "AP": {"denominator": "hits"},
            "nDCG": {"gain": "exp", "ideal": "retrieved", "log_base": 2.718281828459045},
            "DCG": {"gain": "exp", "log_base": 2.718281828459045},
        },
        without_relevant="nan",
    ),
    "rendle": Profile(
        "Rendle, 2019, equations (2) to (8)",
        {
            "AP": {"denominator": "min_cutoff"},
            "nDCG": {"gain": "binary"},
            "DCG": {"gain": "binary"},
        },
        without_relevant="nan",
    ),
}
