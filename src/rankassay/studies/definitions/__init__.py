"""The study of the definitions behind metrics' names (a blog post of 2017)."""
