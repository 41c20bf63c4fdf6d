"""What claims of the study are judged by."""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

DATA = {
    "overlapping": Column("overlapping_share", "pairs"),
    "open": Column("open_share", "pairs"),
}

claims = judging(DATA)
