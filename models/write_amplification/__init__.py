"""Write amplification: flash bytes programmed per byte that the host writes.

Every function maps spare area, as `op_ratio` (spare bytes per valid user byte),
to write amplification for one cleaning policy.
"""

from models.write_amplification.uniform import fifo, greedy, unless_sequential

__all__ = ["fifo", "greedy", "unless_sequential"]
