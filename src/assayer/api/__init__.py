"""What users of Python call."""
