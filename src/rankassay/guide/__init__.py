"""Which metric for which purpose."""
