"""ORCS: what a statically routed fabric delivers.

    import orcs
    fabric = orcs.load("fabric.dot")           # any fabric of orcs-fabric(7), e.g. "torus:8x8"
    fabric.bisections(1000).mean()             # effective bisection bandwidth, 1: all of it
    fabric.route("minhop").loads().max()       # routes over the hottest channel, all pairs

Arrays are numpy arrays on the memory of the library, not copies, and read-only. Errors are exceptions (Error) with the text that the
programs print. Results are those of the programs: the same options and seed give the same numbers.
"""

from ._experiment import Result
from ._library import Error, FabricError, FileError, UsageError
from ._network import Network, build, compare, kinds, load, version

__version__ = version()
__all__ = ["Error", "FabricError", "FileError", "Network", "Result", "UsageError", "build", "compare", "kinds", "load", "version"]
