"""What claims of the study are judged by."""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

DATA = {
    # Pairs of systems that are turned; and those turned significantly, by p-values that hold for
    # all pairs at once.
    "orders": Column("turned"),
    "significant-orders": Column("turned_adjusted", of="orders"),
    # The ratio of the means.
    "value-ratios": Column("ratio", of="orders"),
    # The correlation with the number of relevant items, and the share of users without any.
    "labels": Column("correlation"),
    "empty-users": Column("empty_share", of="labels"),
}

claims = judging(DATA)

CONSTRUCTED = {
    # Our number of a cell of the post's example; and 1 where it was printed, 0 where it was not.
    "examples": Column("measured", exact=True),
    "agreements": Column("agrees", of="examples", exact=True),
}

constructed_claims = judging(CONSTRUCTED)
