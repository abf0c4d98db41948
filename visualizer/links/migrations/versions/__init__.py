"""One file for each step; none is ever changed once a release has it."""
