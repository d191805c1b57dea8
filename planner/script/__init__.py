"""What scripts and notebooks use, behind `import planner`."""
