"""Metrics by all criteria, side by side: ranked, drawn and written."""
