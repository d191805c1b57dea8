"""What is planned: workload, array and firmware."""
