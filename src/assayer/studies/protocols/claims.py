"""Further tables that claims about protocols are judged by."""

from assayer.claims.judge import judging
from assayer.claims.measure import Column

DATA = {
    "criteria": Column("value"),
    "winners": Column("place"),
}
run = judging(DATA)
