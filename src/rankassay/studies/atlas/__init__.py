"""The study of an atlas of datasets: which findings of a paper hold beyond its own data."""
