"""The commands for people: run, evaluate, compare, guide, verify, datasets, completion."""
