"""Screens of the app: widgets in, planner call, chart out."""
