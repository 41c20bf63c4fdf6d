"""Further tables that claims about preferences are judged by."""

from assayer.claims.judge import judging
from assayer.claims.measure import Column

DATA = {
    "significant": Column("significant_05", "power"),
    "tied": Column("tied", "power"),
}
run = judging(DATA)
