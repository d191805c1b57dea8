"""Errors that a formula or a run of the simulator raises."""


class DomainError(ValueError):
    """An argument outside its domain; the message starts with its name."""


class Cancelled(Exception):  # noqa: N818 - a decision of the caller, not an error
    """The run was stopped by its progress callback."""
