"""The study of goals and classification metrics (Schröder et al., UCERSTI 2011)."""
