"""The error of what cannot be opened."""


class Refused(ValueError):
    """What was opened is no Trace, and nothing that could become one. Says why, and what to do; `code` is stable."""

    def __init__(self, message: str, advice: str, code: str = "not-opened") -> None:
        super().__init__(message)
        self.advice = advice
        self.code = code
