"""Claims of papers: read, judged, counted, drawn and written."""
