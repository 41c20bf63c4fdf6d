"""Further tables that claims about unjudged items are judged by."""

from assayer.claims.judge import judging
from assayer.claims.measure import Column

DATA = {
    "overlapping": Column("overlapping_share", "pairs"),
    "open": Column("open_share", "pairs"),
}
run = judging(DATA)
