"""The study of unjudged items: see `study.py`."""
