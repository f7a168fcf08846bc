"""Fabrics with their routes."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _library
from ._arrays import CHANNEL, NODE, address_of, borrowed
from ._experiment import Pattern, Result
from ._library import NONE, call

Path = Union[str, "os.PathLike[str]"]


def _option_words(options: dict) -> list[str]:
    """The options as words: lft="FILE" as --lft=FILE; a list gives several."""
    given: list[str] = []
    for name, value in options.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None and one is not False:
                given.append(f"--{name.replace('_', '-')}" + ("" if one is True else f"={os.fspath(one) if hasattr(one, '__fspath__') else one}"))
    return given


def version() -> str:
    """The version of liborcs."""
    return call("version").decode()


def kinds(kind: str) -> str:
    """The list that orcs --list=KIND prints: patterns, metrics, engines, routings, topologies, subsets, mappings."""
    return _library.take_text(call("list", kind.encode()))


def load(fabric: Path, *files: Path, **options: Any) -> "Network":
    """Loads a fabric: a graph, a cache, dumps or a directory of them, or a specification such as "torus:8x8"; see orcs-fabric(7).

    options: those of orcs-fabric(7), such as fail="S1:3", lft=FILE and plane=1, and routing, routes, multipath, unroutable and seed of
    orcs(1).
    """
    given = [os.fspath(fabric), *map(os.fspath, files), *_option_words(options)]
    return Network(call("load_words", _library.words(given)), given)


def build(hosts: Sequence[bool], channels: Any, *, names: Optional[Sequence[str]] = None, name: str = "topology") -> "Network":
    """Makes a network of a topology of one's own, without routes.

    hosts: [nodes] whether each node is a host. channels: a structured array with the fields tail and head, and any of port, peer_port,
    gbps and latency (as Network.channels), or pairs (tail, head); both directions of a cable. names: [nodes]. Channels are numbered anew,
    in the order of their tails.
    """
    given = np.asarray(channels)
    array = np.zeros(len(given), CHANNEL)
    if given.dtype.names:
        for field in set(given.dtype.names) & set(CHANNEL.names):
            array[field] = given[field]
    elif len(given):
        array["tail"], array["head"] = given[:, 0], given[:, 1]
    nodes = (_library.NodeStruct * len(hosts))()
    for number, host in enumerate(hosts):
        nodes[number].host = 0 if host else NONE
        nodes[number].name = names[number].encode() if names is not None else None
    topology = _library.TopologyStruct(name.encode(), nodes, len(nodes),
                                       ctypes.cast(address_of(array), ctypes.POINTER(_library.ChannelStruct)), len(array))
    return Network(call("build", ctypes.byref(topology)), None)


def compare(*fabrics: Path, **options: Any) -> dict:
    """Compares routed fabrics with the same hosts in the same runs, as orcs-compare does. Returns the result (schema orcs-compare/1).

    options: those of orcs-compare(1), such as patterns="bisect,alltoall", runs=1000, precision=0.01 and seed=1.
    """
    return json.loads(_library.take_text(call("compare", _library.words([*map(os.fspath, fabrics), *_option_words(options)]))))


class Network:
    """A fabric with its routes. Created by load() and build().

    Hosts are numbered 0..len(network)-1; channels are directions of cables.
    """

    def __init__(self, network: int, words: Optional[list[str]]):
        self._network = network
        self._words = words
        self._names: Optional[list[str]] = None

    def __del__(self):
        if getattr(self, "_network", None):
            call("network_free", self._network)
            self._network = None

    def __len__(self) -> int:
        return len(self.hosts)

    def __repr__(self) -> str:
        return f"<orcs.Network {self.name}: {len(self.hosts)} hosts, {len(self.names) - len(self.hosts)} switches, {len(self.channels)} channels>"

    @property
    def name(self) -> str:
        """The name of the fabric."""
        return call("network_name", self._network).decode(errors="replace")

    @property
    def notes(self) -> str:
        """What is odd about the fabric: the warnings that the programs print, one a line."""
        return call("network_notes", self._network).decode(errors="replace")

    def _array(self, function: str, dtype) -> np.ndarray:
        count = ctypes.c_uint32()
        address = call(function, self._network, ctypes.byref(count))
        return borrowed(self, address, (count.value,), dtype)

    @property
    def hosts(self) -> np.ndarray:
        """The node of each host, uint32 [hosts]."""
        return self._array("hosts", np.uint32)

    @property
    def nodes(self) -> np.ndarray:
        """The nodes, structured [nodes]: guid (0: none), lid (0: none), host (number of the host; NONE: a switch), first_channel."""
        return self._array("nodes", NODE)

    @property
    def channels(self) -> np.ndarray:
        """The channels, structured [channels], by their tails: tail and head (nodes), port and peer_port (0: unknown), gbps (Gb/s, 0:
        unknown), latency (seconds)."""
        return self._array("channels", CHANNEL)

    @property
    def names(self) -> list[str]:
        """The names of the nodes, [nodes]."""
        if self._names is None:
            count = ctypes.c_uint32()
            address = call("nodes", self._network, ctypes.byref(count))
            nodes = ctypes.cast(address, ctypes.POINTER(_library.NodeStruct))
            self._names = [nodes[i].name.decode(errors="replace") for i in range(count.value)]
        return self._names

    def host(self, which: Union[int, str]) -> int:
        """The number of a host, given as such, or by its name, description, GUID or LID."""
        if not isinstance(which, str):
            return int(which)
        node = call("find", self._network, which.encode())
        number = int(self.nodes["host"][node])
        if number == NONE:
            raise _library.UsageError(f"{self.name}: '{which}' is a switch, not a host")
        return number

    # ---- routes

    def route(self, engine: Union[str, Callable[[int, int], Optional[int]]], seed: int = 1) -> "Network":
        """Routes the network by an engine of orcs-route(1), such as "minhop" or "dor:ties=random", in place of its routes so far.

        Or by tables of one's own: engine(node, host) returns the channel by which the node forwards packets for the host; None: none.
        Arrays and results from before stay as they are. Returns the network itself.
        """
        if not callable(engine):
            call("route", self._network, engine.encode(), seed)
            return self
        raised: list = []

        def next_channel(_data, node, host):
            try:
                channel = None if raised else engine(node, host)
                return NONE if channel is None else int(channel)
            except BaseException as error:  # it cannot pass through C
                raised.append(error)
                return NONE

        try:
            call("route_by", self._network, _library.NEXT(next_channel), None)
        finally:
            if raised:
                raise raised[0]
        return self

    def walk(self, source: Union[int, str], destination: Union[int, str]) -> np.ndarray:
        """The channels of the route from a host to another one, uint32 [hops]."""
        room = np.empty(len(self.nodes), np.uint32)
        hops = call("walk", self._network, self.host(source), self.host(destination), address_of(room), len(room))
        return room[:hops]

    def loads(self) -> np.ndarray:
        """The exact load of every channel, float64 [channels]: the routes over it if each host sends to each other host once."""
        address = call("loads", self._network, None)
        return borrowed(self, address, (len(self.channels),), np.float64)

    def unreachable(self) -> int:
        """The number of ordered pairs of hosts without a route."""
        count = ctypes.c_uint64()
        call("loads", self._network, ctypes.byref(count))
        return count.value

    def load_moments(self, pattern: str = "bisect") -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the load of every channel under random mappings of all hosts, exactly: float64 [channels] each, in routes.

        pattern: bisect, bisect_fb_sym or rand.
        """
        mean, variance = np.empty(len(self.channels)), np.empty(len(self.channels))
        call("load_moments", self._network, pattern.encode(), address_of(mean), address_of(variance))
        return mean, variance

    def check(self, require: Optional[Union[str, Sequence[str]]] = None) -> dict:
        """Checks the routing as orcs-check does. Returns its result; the member "sound" says whether it satisfies what is required.

        require: such as "routable,deadlock-free" (the default), or a list of these words.
        """
        report = ctypes.c_char_p()
        words = require if require is None or isinstance(require, str) else ",".join(require)
        call("check", self._network, words.encode() if words else None, ctypes.byref(report))
        return json.loads(report.value)

    # ---- runs

    def run(self, pattern: Optional[Pattern] = None, runs: int = 1, seed: int = 1, *, levels: int = 1, hosts=None, observe=None,
            **options: Any) -> Result:
        """Makes runs as orcs does. Returns their result.

        pattern: a specification of orcs-patterns(7) (None: bisect), or a function (ranks, run, level) -> pairs (sender, receiver), of so
        many levels. hosts: [ranks] places rank i on host hosts[i] in all runs. observe: called after each run with a dict: run, hosts,
        connections, undelivered, and of engines with times makespan (seconds), task, receiver, begun, ended (picoseconds, [operations]).
        options: those of orcs(1), such as engine="flow", bytes="64k", metric="makespan" and subset="rand"; True: one without a value.
        """
        return Result(self, {"runs": runs, "seed": seed, **options}, pattern, levels, hosts, observe)

    def bisections(self, n: int, seed: int = 1, **options: Any) -> np.ndarray:
        """The effective bandwidth of n random bisections, float64 [n], 1: all of it; the values of orcs --raw -n N --seed SEED."""
        return self.run("bisect", n, seed, metric="hist_acc_band", **options).values()[:, 0]

    def compare(self, routings: Sequence[str], runs: int = 1000, seed: int = 1, **options: Any) -> dict:
        """Compares routings of this fabric, in the same runs, as orcs-compare does. Returns the result (schema orcs-compare/1).

        routings: engines of orcs-route(1), and "as-is" for the routes of the fabric as it was loaded. options: those of orcs-compare(1),
        such as patterns="bisect,alltoall".
        """
        if self._words is None:
            raise _library.UsageError(f"{self.name}: a topology of one's own is not compared: run it with each routing")
        if any(word.startswith("--fail=") for word in self._words):
            raise _library.UsageError(f"{self.name}: a fabric with failures is not compared by this function; see orcs-compare(1)")
        words = [word for word in self._words if not word.startswith(("--routing=", "--routes=", "--seed="))]
        return compare(*words, routing=",".join(routings), runs=runs, seed=seed, **options)

    # ---- other forms

    def to_networkx(self, loads: bool = False):
        """The fabric as a networkx.MultiDiGraph: nodes by name with host (number, None: a switch), guid and lid; edges with the key and
        attribute channel, port, peer_port, gbps and latency, with loads also load."""
        import networkx

        graph = networkx.MultiDiGraph(name=self.name)
        names, nodes, channels = self.names, self.nodes, self.channels
        for number, name in enumerate(names):
            host = int(nodes["host"][number])
            graph.add_node(name, host=None if host == NONE else host, guid=int(nodes["guid"][number]), lid=int(nodes["lid"][number]))
        load = self.loads() if loads else None
        for number, channel in enumerate(channels.tolist()):
            values = dict(zip(CHANNEL.names[2:], channel[2:]))
            if load is not None:
                values["load"] = float(load[number])
            graph.add_edge(names[channel[0]], names[channel[1]], key=number, channel=number, **values)
        return graph
