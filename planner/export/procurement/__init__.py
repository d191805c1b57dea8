"""A choice as a workbook for those who buy, and its tables as plain rows."""

from planner.export.procurement.project import Project
from planner.export.procurement.tables import procurement_tables
from planner.export.procurement.workbook import procurement_workbook

__all__ = ["Project", "procurement_tables", "procurement_workbook"]
