"""What claims of the study are judged by."""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

# Claims about data, which have no replicates here, and so no intervals.
DATA = {
    "perturbations": Column("value"),
    "order-correlation": Column("tau"),
    "reversals": Column("reversals", of="order_correlation"),
    "incompleteness": Column("tau"),
}

claims = judging(DATA)

CONSTRUCTED = {"axioms": Column("holds", exact=True)}

constructed_claims = judging(CONSTRUCTED)
