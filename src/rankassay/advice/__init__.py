"""Which measure to report on given judgements and lists, why, and what to do next."""
