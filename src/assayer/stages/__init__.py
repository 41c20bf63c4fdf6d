"""The stages of the pipeline: each loads artifacts, calls one function and saves the result."""
