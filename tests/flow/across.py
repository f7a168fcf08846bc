#!/usr/bin/env python3
"""Operations of intercommunicators of Open MPI as traces of events: across.py MEASURED DIRECTORY

A line of MEASURED is a case: ranks of the first group, all ranks, operation, bytes of a block, root (a task); pairs with bytes, all bytes, and a
sum over pairs. Writes DIRECTORY/N.trace for each, and DIRECTORY/wanted with a line 'N PAIRS BYTES SUM'.
"""
import sys

ROOTED = ("bcast", "reduce", "gather", "gatherv", "scatter", "scatterv")
COUNTED = ("alltoallv", "alltoallw", "reducescatter")


def lines(first, ranks, name, block, root):
    yield "comm 2 0-%d / %d-%d" % (first - 1, first, ranks - 1)
    for task in range(ranks):
        own = first if task < first else ranks - first
        size, more = block, ""
        if name in ROOTED:
            same = (task < first) == (root < first)
            more = " root=*" if same and task != root else " root=%d" % root
        if name.startswith("reducescatter"):
            size = block * (ranks - own)  # so that both groups reduce the same number of bytes
        if name in COUNTED:
            more += " counts=" + ",".join([str(size)] * (ranks - own if name.startswith("alltoall") else own))
        yield "x %d %s %d comm=2 element=8%s" % (task, name, size, more)


def main():
    measured, directory = sys.argv[1:]
    with open(directory + "/wanted", "w") as wanted:
        for number, line in enumerate(l for l in open(measured) if not l.startswith("#")):
            first, ranks, name, block, root, pairs, size, sums = line.split()
            with open("%s/%d.trace" % (directory, number), "w") as trace:
                trace.writelines(text + "\n" for text in lines(int(first), int(ranks), name, int(block), int(root)))
            wanted.write("%d %s %s %s %s\n" % (number, name, pairs, size, sums))


if __name__ == "__main__":
    main()
