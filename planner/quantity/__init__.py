"""Units, parsing and printing of quantities, and the table of inputs."""
