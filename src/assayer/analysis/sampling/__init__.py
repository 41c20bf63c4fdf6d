"""The study of metrics on a sample of the items (Rendle, 2019; Krichene and Rendle, KDD 2020)."""
