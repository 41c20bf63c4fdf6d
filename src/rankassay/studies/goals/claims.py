"""What claims of the study are judged by."""

from rankassay.claims.judge import judging
from rankassay.claims.measure import Column

CONSTRUCTED = {
    "examples": Column("value", exact=True),
    "bias": Column("value", exact=True),
    # Of a property the exceptions, and their share of the cases.
    "properties": Column("exceptions", exact=True),
    "shares": Column("share", of="properties", exact=True),
}

constructed_claims = judging(CONSTRUCTED)
