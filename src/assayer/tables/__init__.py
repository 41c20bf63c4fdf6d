"""The tables of the papers, one a module: result tables in, a printable table out."""
