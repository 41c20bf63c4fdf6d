"""The tables that the claims of Parapar and Radlinski, RecSys 2021, ask for.

Those about data have no replicates, and so no intervals.
"""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

DATA = {
    "perturbations": Column("value"),
    "order-correlation": Column("tau"),
    "reversals": Column("reversals", of="order_correlation"),
    "incompleteness": Column("tau"),
}
run = judging(DATA)

CONSTRUCTED = {"axioms": Column("holds", exact=True)}
constructed_claims = judging(CONSTRUCTED)
