"""Settings of this study's section other than its cut-off and its analyses."""

from pydantic import Field

from rankassay.studies.settings import Count, Distinct, Name, Settings


class Section(Settings):
    """The protocols that are compared, and how often each is repeated."""

    protocols: Distinct[Name] = Field(
        [
            "random-80-20",
            "leave-last-one",
            "temporal-80-20",
            "global-time-known-users",
            "five-core",
        ],
        description="The protocols to compare: names of protocol_catalogue. The first is the "
        "reference. Those that need timestamps are left out on datasets without.",
    )
    seeds: Count = Field(
        3,
        description="How often each protocol is repeated with another seed of the split and of "
        "the recommenders: seed, seed + 1, and so on. One of k folds is repeated k times, once for "
        "each fold, with the one seed.",
    )
    recommenders: Distinct[Name] | None = Field(
        None, description="The recommenders that are compared; null is all of `recommenders`."
    )
