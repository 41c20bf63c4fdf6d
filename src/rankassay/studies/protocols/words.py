"""Words in the tables of this study, which are computed and printed in different modules."""

# What becomes of a finding; only what holds under the reference can survive.
SURVIVES, LOST, GAINED, STAYS, UNTOLD = (
    *("survives", "lost", "gained"),
    *("fails under both", "undefined"),
)
OUTCOMES = (SURVIVES, LOST, GAINED, STAYS, UNTOLD)
