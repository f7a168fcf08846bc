"""Runs on a network, and what came out."""

from __future__ import annotations

import ctypes
import json
import threading
from typing import Any, Callable, Iterable, Optional, Sequence, Union

import numpy as np

from . import _library
from ._arrays import address_of, borrowed
from ._library import call

Pattern = Union[str, Callable[..., Iterable[Sequence[int]]]]


class Result:
    """What runs of Network.run() gave."""

    def __init__(self, network, options: dict, pattern: Optional[Pattern], levels: int, hosts, observe):
        self._network = network
        self._experiment = None
        self._kept: list = []
        self._raised: Optional[BaseException] = None
        self._experiment = call("experiment_create", network._network)
        for name, value in options.items():
            self._set(name.replace("_", "-") if name not in ("ptrn_level",) else name, value)
        if callable(pattern):
            self._use(pattern, levels)
        elif pattern is not None:
            self._set("pattern", pattern)
        if hosts is not None:
            array = np.ascontiguousarray(hosts, dtype=np.uint32)
            call("place", self._experiment, address_of(array), len(array))
        if observe is not None:
            self._observe(observe)
        self._run()

    def __del__(self):
        if self._experiment:
            call("experiment_free", self._experiment)
            self._experiment = None

    def _set(self, name: str, value: Any) -> None:
        if value is None or value is False:
            return
        text = None if value is True else str(value).encode()
        call("set", self._experiment, name.encode(), text)

    def _guarded(self, function):
        """Calls a function of the user; the first exception ends the runs, and is raised by _run()."""

        def guarded(*arguments):
            if self._raised is None:
                try:
                    function(*arguments)
                except BaseException as raised:  # it cannot pass through C
                    self._raised = raised
                    call("stop", self._experiment)

        return guarded

    def _use(self, pattern, levels: int) -> None:
        def level(_data, ranks, run, number, to):
            for sender, receiver in pattern(ranks, run, number):
                call("send", to, int(sender), int(receiver))

        function = _library.LEVEL(self._guarded(level))
        name = ("own_" + getattr(pattern, "__name__", "pattern").strip("<>")).encode()
        self._kept.append(function)
        call("set_pattern", self._experiment, ctypes.byref(_library.PatternStruct(name, levels, 1, 0, None, function)))

    def _observe(self, observe) -> None:
        def seen(_data, pointer):
            given = pointer.contents
            copy = np.ctypeslib.as_array
            observe({
                "run": given.run,
                "hosts": copy(given.host, (given.ranks,)).copy(),
                "connections": given.connections,
                "undelivered": given.undelivered,
                "makespan": given.makespan if given.operations else None,
                **{name: copy(getattr(given, name), (given.operations,)).copy()
                   for name in ("task", "receiver", "begun", "ended") if given.operations},
            })

        function = _library.OBSERVER(self._guarded(seen))
        self._kept.append(function)
        call("observe", self._experiment, function, None)

    def _run(self) -> None:
        """Makes the runs in a thread of their own, so that Ctrl-C ends them after the current one."""
        failed: list = []

        def run():
            try:
                call("run", self._experiment)
            except BaseException as error:
                failed.append(error)

        if threading.current_thread() is threading.main_thread():
            thread = threading.Thread(target=run)
            thread.start()
            try:
                thread.join()
            except BaseException:
                call("stop", self._experiment)
                thread.join()
                raise
        else:
            run()
        if self._raised is not None:
            raise self._raised
        if failed:
            raise failed[0]

    @property
    def runs(self) -> int:
        """The number of runs."""
        return call("runs", self._experiment)

    @property
    def notes(self) -> str:
        """The warnings that orcs would print, one a line."""
        return call("notes", self._experiment).decode(errors="replace")

    def values(self, metric: Optional[str] = None) -> np.ndarray:
        """The values of a metric (None: the first), float64 [runs, values of a run], NAN where a run has none.

        The first column is what orcs --raw prints.
        """
        runs, width = ctypes.c_uint64(), ctypes.c_uint32()
        address = call("values", self._experiment, metric.encode() if metric else None, ctypes.byref(runs), ctypes.byref(width))
        return borrowed(self, address, (runs.value, width.value), np.float64)

    def channel_sums(self) -> tuple[np.ndarray, float]:
        """What each channel carried in all runs: uint64 [channels], and the unit of these numbers, in routes, bits or seconds.

        Requires a metric that sums channels, such as get_cable_cong.
        """
        unit = ctypes.c_double()
        address = call("channel_sums", self._experiment, ctypes.byref(unit))
        return borrowed(self, address, (len(self._network.channels),), np.uint64), unit.value

    def text(self, format: str = "text") -> str:
        """The result as orcs prints it: text, json or csv."""
        return call("result", self._experiment, format.encode()).decode(errors="replace")

    def json(self) -> dict:
        """The result in the schema orcs-result/1."""
        return json.loads(self.text("json"))

    def __repr__(self) -> str:
        return f"<orcs.Result of {self.runs} runs on {self._network.name}>"

    def __str__(self) -> str:
        return self.text()
