"""The configuration: its keys, its defaults, and whether it is consistent."""
