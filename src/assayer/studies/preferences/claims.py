"""The tables that claims about preferences ask for, beside results with replicates."""

from assayer.claims.judge import judging
from assayer.claims.measure import Column

DATA = {
    "significant": Column("significant_05", "power"),
    "tied": Column("tied", "power"),
}
run = judging(DATA)
