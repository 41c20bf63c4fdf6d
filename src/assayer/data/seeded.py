"""What draws random numbers between a source and a split, for the plan, which loads neither."""

FILTERS = ("sample_users",)  # of `assayer.data.filters`
SPLITS = ("random", "folds", "hold_out_users")  # of `assayer.data.splits`
