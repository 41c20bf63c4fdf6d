"""The study of what the names of metrics stand for (a blog post of 2017)."""
