"""What goes wrong with a runtime, in a sentence that says what to do."""

from __future__ import annotations


class RuntimeProblem(Exception):
    """The message is for people, whole sentences."""
