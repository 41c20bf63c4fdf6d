"""Readers of raw rating files, one format a module."""
