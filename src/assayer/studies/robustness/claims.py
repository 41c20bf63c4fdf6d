"""The tables that the claims of Valcarce et al. ask for, beside results with replicates."""

from assayer.claims.judge import judging
from assayer.claims.measure import Column

DATA = {"statistics": Column("value", exact=True)}
run = judging(DATA)
