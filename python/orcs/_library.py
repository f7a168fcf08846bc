"""The functions of liborcs by ctypes; see orcs(3)."""

import ctypes
import os
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int, c_uint32, c_uint64, c_ulong, c_void_p

NONE = 0xFFFFFFFF

_STATUS_IO, _STATUS_USAGE, _STATUS_FABRIC = 1, 2, 3


class Error(Exception):
    """An error of orcs, with the text that the programs print.

    status: the exit status of the programs; line: of the file that the text begins with, 0: none.
    """

    status = 0
    line = 0


class UsageError(Error, ValueError):
    """An argument or an option is invalid."""


class FabricError(Error):
    """The fabric cannot be used so, for example because a pair has no route."""


class FileError(Error, OSError):
    """A file cannot be read, or the memory does not suffice."""


class ErrorStruct(ctypes.Structure):
    _fields_ = [("status", c_int), ("line", c_ulong), ("text", c_char * 1000)]

    def exception(self) -> Error:
        kind = {_STATUS_IO: FileError, _STATUS_USAGE: UsageError, _STATUS_FABRIC: FabricError}.get(self.status, Error)
        error = kind(self.text.decode(errors="replace"))
        error.status = self.status
        error.line = self.line
        return error


class NodeStruct(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("description", c_char_p), ("guid", c_uint64), ("lid", c_uint32), ("host", c_uint32),
                ("first_channel", c_uint32)]


class ChannelStruct(ctypes.Structure):
    _fields_ = [("tail", c_uint32), ("head", c_uint32), ("port", c_uint32), ("peer_port", c_uint32), ("gbps", c_double),
                ("latency", c_double)]


class TopologyStruct(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("node", POINTER(NodeStruct)), ("nodes", c_uint32), ("channel", POINTER(ChannelStruct)),
                ("channels", c_uint32)]


LEVEL = ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_uint64, c_uint64, c_void_p)
NEXT = ctypes.CFUNCTYPE(c_uint32, c_void_p, c_uint32, c_uint32)


class PatternStruct(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("levels", c_uint64), ("differs", c_int), ("permutation", c_int), ("data", c_void_p), ("level", LEVEL)]


class ObservationStruct(ctypes.Structure):
    _fields_ = [("run", c_uint64), ("ranks", c_uint32), ("host", POINTER(c_uint32)), ("connections", c_uint64), ("undelivered", c_uint64),
                ("operations", c_uint32), ("makespan", c_double), ("task", POINTER(c_uint32)), ("receiver", POINTER(c_uint32)),
                ("begun", POINTER(c_uint64)), ("ended", POINTER(c_uint64))]


OBSERVER = ctypes.CFUNCTYPE(None, c_void_p, POINTER(ObservationStruct))

# name: (result, arguments without the error, whether the error is the last argument)
_FUNCTIONS = {
    "version": (c_char_p, [], False),
    "list": (c_void_p, [c_char_p], True),
    "text_free": (None, [c_void_p], False),
    "load_words": (c_void_p, [POINTER(c_char_p)], True),
    "build": (c_void_p, [POINTER(TopologyStruct)], True),
    "network_free": (None, [c_void_p], False),
    "network_name": (c_char_p, [c_void_p], False),
    "network_notes": (c_char_p, [c_void_p], False),
    "nodes": (c_void_p, [c_void_p, POINTER(c_uint32)], False),
    "channels": (c_void_p, [c_void_p, POINTER(c_uint32)], False),
    "hosts": (c_void_p, [c_void_p, POINTER(c_uint32)], False),
    "find": (c_uint32, [c_void_p, c_char_p], True),
    "route": (c_int, [c_void_p, c_char_p, c_uint64], True),
    "route_by": (c_int, [c_void_p, NEXT, c_void_p], True),
    "walk": (c_int, [c_void_p, c_uint32, c_uint32, c_void_p, c_uint32], True),
    "loads": (c_void_p, [c_void_p, POINTER(c_uint64)], True),
    "load_moments": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p], True),
    "check": (c_int, [c_void_p, c_char_p, POINTER(c_char_p)], True),
    "experiment_create": (c_void_p, [c_void_p], True),
    "experiment_free": (None, [c_void_p], False),
    "set": (c_int, [c_void_p, c_char_p, c_char_p], True),
    "place": (c_int, [c_void_p, c_void_p, c_uint32], True),
    "send": (None, [c_void_p, c_uint32, c_uint32], False),
    "set_pattern": (c_int, [c_void_p, POINTER(PatternStruct)], True),
    "observe": (c_int, [c_void_p, OBSERVER, c_void_p], True),
    "run": (c_int, [c_void_p], True),
    "stop": (None, [c_void_p], False),
    "runs": (c_uint64, [c_void_p], False),
    "notes": (c_char_p, [c_void_p], False),
    "values": (c_void_p, [c_void_p, c_char_p, POINTER(c_uint64), POINTER(c_uint32)], True),
    "channel_sums": (c_void_p, [c_void_p, POINTER(c_double)], True),
    "result": (c_char_p, [c_void_p, c_char_p], True),
    "compare": (c_void_p, [POINTER(c_char_p)], True),
}


def _open() -> ctypes.CDLL:
    """Opens liborcs: that of ORCS_LIBRARY, of the source tree, of the prefix of the package, or of the system."""
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    source, prefix = os.path.join(above, "..", "build", "lib"), os.path.join(above, "..", "..")
    for place in [os.environ.get("ORCS_LIBRARY"), os.path.join(source, "liborcs.so.1"), os.path.join(prefix, "liborcs.so.1")]:
        if place and os.path.exists(place):
            return ctypes.CDLL(place)
    try:
        return ctypes.CDLL("liborcs.so.1")
    except OSError as error:
        raise ImportError(f"{error}: install liborcs, or set ORCS_LIBRARY to the path of liborcs.so.1") from None


_library = _open()
for _name, (_result, _arguments, _has_error) in _FUNCTIONS.items():
    _function = getattr(_library, "orcs_" + _name)
    _function.restype = _result
    _function.argtypes = _arguments + ([POINTER(ErrorStruct)] if _has_error else [])


def call(name: str, *arguments):
    """Calls orcs_NAME; raises the exception of its error."""
    function = getattr(_library, "orcs_" + name)
    if not _FUNCTIONS[name][2]:
        return function(*arguments)
    error = ErrorStruct()
    result = function(*arguments, byref(error))
    if error.status:
        raise error.exception()
    return result


def words(texts):
    """Returns a list of texts as the array that ends with NULL."""
    encoded = [os.fsencode(text) for text in texts]
    return (c_char_p * (len(encoded) + 1))(*encoded, None)


def take_text(pointer: int) -> str:
    """Returns a new text of the library, which is freed."""
    try:
        return ctypes.string_at(pointer).decode(errors="replace")
    finally:
        call("text_free", pointer)
