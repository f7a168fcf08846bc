#!/usr/bin/env python3
"""A rank in DUMPI that tests a request again and again, without success, 4,000,000 times in 160 MB: long_dumpi.py DIRECTORY."""
import os
import struct
import sys

from programs import Dumpi

os.makedirs(sys.argv[1], exist_ok=True)
dumpi = Dumpi(0, 1)
dumpi.record(124, struct.pack(">i", 0))
dumpi.record(12, struct.pack(">ihiihi", 1, Dumpi.BYTE, 0, 5, 2, 7))
before = len(dumpi.body)
dumpi.record(14, struct.pack(">ii", 7, 0) + dumpi.statuses([]))
dumpi.body += dumpi.body[before:] * 3999999
dumpi.record(8, struct.pack(">ihiihi", 1, Dumpi.BYTE, 0, 5, 2, 8))
dumpi.record(18, struct.pack(">i", 2) + dumpi.array([7, 8]) + dumpi.statuses([]))
dumpi.record(125, b"")
with open(sys.argv[1] + "/trace-0000.bin", "wb") as out:
    out.write(dumpi.file())
