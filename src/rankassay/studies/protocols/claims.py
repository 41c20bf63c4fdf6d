"""Further tables that claims about protocols are judged by."""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

DATA = {
    "criteria": Column("value"),
    "winners": Column("place"),
}
run = judging(DATA)
