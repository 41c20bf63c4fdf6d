"""What result tables say: the correlations that there are, and units and bounds of columns."""
