"""Eager arrays whose values are computed only when they are read, and what made them."""
