"""What draws random numbers between a source and a split: the plan knows it, and loads none."""

FILTERS = ("sample_users",)  # of `assayer.data.filters`
SPLITS = ("random", "folds", "hold_out_users")  # of `assayer.data.splits`
