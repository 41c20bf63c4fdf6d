"""The tables that the claims of Valcarce et al. ask for, beside results with replicates."""

from assayer.claims.judge import judging
from assayer.claims.measure import Column

DATA = {
    "statistics": Column("value", exact=True),
    "sparsity-errors": Column("standard_error", of="sparsity"),
}
run = judging(DATA)

CONSTRUCTED = {"p-value-errors": Column("standard_error", exact=True)}
constructed_claims = judging(CONSTRUCTED)
