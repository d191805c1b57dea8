"""Plans as tables, records, CSV files and workbooks."""
