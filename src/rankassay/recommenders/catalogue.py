"""Recommenders by the names of their methods."""

from rankassay.errors import RankassayError
from rankassay.lookup import find, load, place_of

RECOMMENDERS = {
    "random": "rankassay.recommenders.baselines:Random",
    "popularity": "rankassay.recommenders.baselines:Popularity",
    "rocchio": "rankassay.recommenders.feedback:Rocchio",
    "rsv": "rankassay.recommenders.feedback:RSV",
    "chi2": "rankassay.recommenders.feedback:ChiSquared",
    "kld": "rankassay.recommenders.feedback:KullbackLeibler",
    "rm1": "rankassay.recommenders.relevance_models:RM1",
    "rm2": "rankassay.recommenders.relevance_models:RM2",
    "lm-wsr-ub": "rankassay.recommenders.weighted_sum:LMWSRUser",
    "lm-wsr-ib": "rankassay.recommenders.weighted_sum:LMWSRItem",
    "uir-item": "rankassay.recommenders.relevance_models:UIRItem",
    "nncosngbr-ub": "rankassay.recommenders.biased_neighbourhoods:NNCosNgbrUB",
    "nncosngbr-ib": "rankassay.recommenders.biased_neighbourhoods:NNCosNgbrIB",
    "ht": "rankassay.recommenders.hitting_time:HittingTime",
    "svd": "rankassay.recommenders.rating_factorization:SVD",
    "bprmf": "rankassay.recommenders.pairwise:BPRMF",
    "puresvd": "rankassay.recommenders.factorization:PureSVD",
    "wrmf": "rankassay.recommenders.factorization:WRMF",
    "slim": "rankassay.recommenders.slim:SLIM",
    "lda": "rankassay.recommenders.topics:LDA",
    "plsa": "rankassay.recommenders.topics:PLSA",
    "ease": "rankassay.recommenders.linear:EASE",
    "ials": "rankassay.recommenders.implicit_als:IALS",
    "average-rating": "rankassay.recommenders.baselines:AverageRating",
    "user-knn": "rankassay.recommenders.knn:UserKNN",
    "item-knn": "rankassay.recommenders.knn:ItemKNN",
    "rp3beta": "rankassay.recommenders.random_walk:RP3Beta",
}
# The methods that draw at random: of the others, models are the same for all seeds.
SEEDED = ("random", "svd", "bprmf", "puresvd", "wrmf", "lda", "plsa", "ials")

# Those without folding-in of users that they were not trained on; see
# `rankassay.recommenders.folding`.
NEEDS_ALL_USERS = ("bprmf",)

# Those that compare ratings with one another, and say nothing where all of them are 1; counts are
# no ratings, either. And those whose default threshold is a number of stars.
OF_RATINGS = ("svd", "nncosngbr-ub", "nncosngbr-ib", "average-rating")
OF_STARS = ("popularity", "user-knn")

# Which methods resemble one another: what a claim says of other systems is estimated by leaving out
# one family at a time. A method that is not here is a family of its own.
FAMILIES = {
    "baselines": ("random", "popularity", "average-rating"),
    "relevance feedback": ("rocchio", "rsv", "chi2", "kld"),
    "relevance models": ("rm1", "rm2", "uir-item"),
    "neighbourhoods": (
        *("lm-wsr-ub", "lm-wsr-ib", "nncosngbr-ub", "nncosngbr-ib", "user-knn", "item-knn"),
    ),
    "item graphs": ("slim", "ease", "ht", "rp3beta"),
    "factorisation": ("svd", "bprmf", "puresvd", "wrmf", "ials"),
    "topic models": ("lda", "plsa"),
}

# What each recommender has, see `rankassay.recommenders.base`.
METHODS = {"fit": "fit(self, train, seed)", "score": "score(self, users)"}


def recommender(method: str) -> str:
    """Return "module:class" for a method: a name in the catalogue, or the user's own class.

    The latter is written as "module:class" already, and imported from the folder of the run or
    from wherever Python finds the module. Raises RankassayError for a class without the methods of
    a recommender, which its job would only find out once it is fitted.
    """
    if ":" not in method:
        return find("method", method, RECOMMENDERS)
    found = load(method)
    delegates = hasattr(found, "__getattr__")  # to another recommender, which has them
    for name, written in METHODS.items():
        if isinstance(found, type) and not (delegates or callable(getattr(found, name, None))):
            raise RankassayError(
                f"{place_of(method)}: {found.__name__} has no method {name}; expected a "
                f"recommender, with {' and '.join(METHODS.values())}; add {written}."
            )
    return method


def family(method: str) -> str:
    """Return the family of a method, by `FAMILIES`; one that is in none is its own.

    >>> family("svd"), family("my_code:Mine")
    ('factorisation', 'my_code:Mine')
    """
    return next((name for name, methods in FAMILIES.items() if method in methods), method)


def folds_in(method: str) -> bool:
    """Return whether a method can recommend to users that it was not trained on."""
    return hasattr(load(method), "fold_in") if ":" in method else method not in NEEDS_ALL_USERS
