"""Closed-form models of solid-state drives: numbers in, numbers out.

Every formula is a free function of numbers in base units (bytes, seconds,
operations per second, dollars). Floats give a float; lists and arrays broadcast
and give an array of floats, except for arguments that a page marks as `(float)`.
A value outside a formula's domain raises `models.errors.DomainError`, whose
message starts with the argument's name.
"""
