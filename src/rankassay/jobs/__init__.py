"""The pipeline's jobs: each loads artifacts, calls one function and saves the result."""
