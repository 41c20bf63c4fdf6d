"""The commands for people: evaluate, compare, guide, verify."""
