"""The study of metrics beyond accuracy: see `study.py`."""
