"""Further tables that claims about metrics beyond accuracy are judged by."""

from assayer.claims.judge import judging
from assayer.claims.measure import Column

DATA = {
    "robustness": Column("tau"),
    "power": Column("dp"),
    "significant": Column("significant_05", "power"),
}
run = judging(DATA)
