"""The one error that a formula raises on purpose."""


class DomainError(ValueError):
    """An argument outside its domain; the message starts with its name."""
