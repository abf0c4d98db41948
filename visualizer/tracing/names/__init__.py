"""The person's own names for the variables of a program."""
