"""The tables that claims about protocols ask for, beside results with replicates."""

from assayer.claims.judge import judging
from assayer.claims.measure import Column

DATA = {
    "criteria": Column("value"),
    "winners": Column("place"),
}
run = judging(DATA)
