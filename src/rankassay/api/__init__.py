"""The functions that users of Python call."""
