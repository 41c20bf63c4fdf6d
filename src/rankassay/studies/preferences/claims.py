"""What claims of the study are judged by."""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

DATA = {
    "significant": Column("significant_05", "power"),
    "tied": Column("tied", "power"),
}

claims = judging(DATA)
