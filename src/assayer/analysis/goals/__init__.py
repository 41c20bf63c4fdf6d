"""The study of Schröder, Thiele and Lehner, 2011: which metric serves which goal."""
