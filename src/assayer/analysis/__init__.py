"""The studies of the metrics, one analysis a module: artifacts in, a tidy table out."""
