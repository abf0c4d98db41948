"""A paste at work: run, watched, its calls recorded and traced, and stopped when its time is over."""
