"""The paste's own state as it was, after our second run of one of its functions."""
