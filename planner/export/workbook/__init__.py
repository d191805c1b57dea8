"""The workbook of plans: live formulas, one sheet a question."""
