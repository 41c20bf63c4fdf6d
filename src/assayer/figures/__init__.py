"""The figures, one kind a module: tables in, a matplotlib figure out."""
