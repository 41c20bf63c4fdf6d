"""Expected values of metrics on a sample of the irrelevant items."""
