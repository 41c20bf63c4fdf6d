"""Further tables that claims about metrics beyond accuracy are judged by."""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

DATA = {
    "robustness": Column("tau"),
    "power": Column("dp"),
    "significant": Column("significant_05", "power"),
}
run = judging(DATA)
