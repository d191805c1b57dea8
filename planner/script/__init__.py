"""The functions and records for scripts and notebooks, exported by `import planner`."""
