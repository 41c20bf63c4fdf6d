"""The configuration: what it may hold, what it leaves out, and whether it fits together."""
