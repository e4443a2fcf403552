"""What a command cannot go on from."""

from __future__ import annotations


class Problem(Exception):
    """The command ends here. ``code`` is stable, for programs; the message is for people."""

    def __init__(self, code: str, message: str, status: int = 3) -> None:
        super().__init__(message)
        self.code, self.status = code, status
