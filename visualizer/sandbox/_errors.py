"""What the sandbox raises. Nothing else leaves it as an exception: what happens to a job is told in a diagnostic."""


class SandboxError(Exception):
    """The sandbox itself cannot work (no interpreter, the worker does not load); the message says why and what to do."""


class BadResult(Exception):
    """A line of a job's result that is not a message; the text says what is wrong, never quotes the line."""
