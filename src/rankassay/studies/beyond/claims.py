"""What claims of the study are judged by."""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

DATA = {
    "robustness": Column("tau"),
    "power": Column("dp"),
    "significant": Column("significant_05", "power"),
}

claims = judging(DATA)
