"""Words that figures, tables and sentences of the study share."""

# What is taken away.
REMOVED = {
    "users": "Users removed",
    "sparsity": "Test ratings removed at random",
    "popularity": "Popular items removed",
}
