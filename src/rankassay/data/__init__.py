"""Ratings from their source to train and test matrices."""
