"""Further tables that claims about preferences are judged by."""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

DATA = {
    "significant": Column("significant_05", "power"),
    "tied": Column("tied", "power"),
}
run = judging(DATA)
