"""The error that a formula raises for an argument outside its domain."""


class DomainError(ValueError):
    """An argument outside its domain; the message starts with its name."""
