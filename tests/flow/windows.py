#!/usr/bin/env python3
"""
A program of one-sided communication in DUMPI, 11 microseconds long at 12,500 bytes in each: windows.py DIRECTORY. Three ranks, which begin after
1, 2 and 3 microseconds, put 12,500 bytes into the window of the next one between post, start, complete and wait; then there are fences, before
and between which two of them compute. The window is that of a duplicate of the communicator, whose members the reader finds at the end.
"""
import os
import struct
import sys

from programs import Dumpi

RANKS, WORLD, COPY, WINDOW, ALL, NEXT, BEFORE = 3, 2, 4, 1, 1, 2, 3
os.makedirs(sys.argv[1], exist_ok=True)
for rank in range(RANKS):
    dumpi = Dumpi(rank, 1)

    def call(number, form, *values):
        dumpi.record(number, struct.pack(">" + form, *values))

    def fence():
        call(146, "ih", 0, WINDOW)

    call(124, "i", 0)
    dumpi.time += 1000 * (rank + 1)
    call(84, "hh", WORLD, COPY)
    call(145, "iihhh", 1 << 20, 1, 1, COPY, WINDOW)
    call(148, "hh", WINDOW, ALL)
    for group, other in (NEXT, rank + 1), (BEFORE, rank + 2):
        call(76, "hi", ALL, 1)
        dumpi.body += dumpi.array([other % RANKS]) + struct.pack(">h", group)
    call(150, "hih", BEFORE, 0, WINDOW)
    call(151, "hih", NEXT, 0, WINDOW)
    call(143, "ihiiihh", 12500, Dumpi.BYTE, (rank + 1) % RANKS, 0, 12500, Dumpi.BYTE, WINDOW)
    call(144, "h", WINDOW)
    call(152, "hi", WINDOW, 0)
    call(152, "hi", WINDOW, 1)
    dumpi.time += 5000 if rank == 1 else 0
    fence()
    dumpi.time += 2000 if rank == 0 else 0
    fence()
    call(125, "")
    with open(f"{sys.argv[1]}/trace-{rank:04}.bin", "wb") as out:
        out.write(dumpi.file())
