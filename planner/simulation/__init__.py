"""Runs of the reference simulators for a plan, and fits of drive facts to measurements."""
