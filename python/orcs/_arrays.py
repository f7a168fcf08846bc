"""Memory of the library as numpy arrays."""

import ctypes

import numpy as np

CHANNEL = np.dtype([("tail", "u4"), ("head", "u4"), ("port", "u4"), ("peer_port", "u4"), ("gbps", "f8"), ("latency", "f8")])
NODE = np.dtype({"names": ["guid", "lid", "host", "first_channel"], "formats": ["u8", "u4", "u4", "u4"], "offsets": [16, 24, 28, 32],
                 "itemsize": 40})


class _Memory:
    """Some memory of an object of the library, which it keeps."""

    def __init__(self, owner, address, shape, dtype):
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": shape, "typestr": dtype.str,
                                    "descr": dtype.descr}


def borrowed(owner, address: int, shape: tuple, dtype) -> np.ndarray:
    """Returns the memory at the address as a read-only array, which keeps its owner."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    if not count:
        return np.empty(shape, dtype)
    bytes_ = np.asarray(_Memory(owner, address, (count * dtype.itemsize,), np.dtype("u1")))
    return bytes_.view(dtype).reshape(shape)


def address_of(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
