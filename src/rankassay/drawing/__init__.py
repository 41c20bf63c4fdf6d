"""How figures and tables look."""
