"""The study of metrics on a sample of the items (Rendle, 2019)."""
