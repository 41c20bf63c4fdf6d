"""What stands in the tables of this study, which computes them here and prints them there."""

# What becomes of a finding; only what holds under the reference can survive.
SURVIVES, LOST, GAINED, STAYS, UNTOLD = (
    *("survives", "lost", "gained"),
    *("fails under both", "undefined"),
)
OUTCOMES = (SURVIVES, LOST, GAINED, STAYS, UNTOLD)
