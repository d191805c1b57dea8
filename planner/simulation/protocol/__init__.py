"""Test protocols of reviews and standards: a sequence of phases, and what a drive will show.

A protocol is data: rows of `data/protocols.csv` and `data/protocol_phases.csv`, or phases as a
person types them. `planner.simulation.protocol.course` follows the state of a drive through them.
"""
