"""The study of preferences between lists: see `study.py`."""
