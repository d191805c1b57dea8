"""Compare formulas with the simulators: `python -m validation`."""

from validation.command import command

if __name__ == "__main__":
    command(prog_name="python -m validation")
