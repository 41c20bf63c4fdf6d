"""The steps from a source to a split that draw at random, for the plan, which loads neither."""

FILTERS = ("sample_users",)  # of `rankassay.data.filters`
SPLITS = ("random", "folds", "hold_out_users")  # of `rankassay.data.splits`
