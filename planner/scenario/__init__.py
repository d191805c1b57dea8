"""The scenario of a plan: workload, array and firmware."""
