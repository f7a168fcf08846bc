"""Compares forwarding tables: equal_tables.py OURS OPENSM. Both are dumps with lines as "Unicast lids ... guid 0xGUID", "0xLID PORT ...".

Prints "EQUAL of ALL" entries that either side has, and up to ten that differ. Status 0: all are equal."""
import lzma
import re
import sys


def read(path):
    tables, table = {}, None
    with (lzma.open(path, "rt", errors="replace") if path.endswith(".xz") else open(path, errors="replace")) as f:
        for line in f:
            head = re.search(r"Unicast lids.* guid (0x[0-9a-fA-F]+)", line)
            entry = re.match(r"(0x[0-9a-fA-F]+)\s+(\d+)", line)
            if head:
                table = tables.setdefault(int(head[1], 16), {})
            elif entry and table is not None and int(entry[2]) != 255:
                table[int(entry[1], 16)] = int(entry[2])
    return {(guid, lid): port for guid, table in tables.items() for lid, port in table.items()}


ours, theirs = read(sys.argv[1]), read(sys.argv[2])
if len(sys.argv) > 3:  # only LIDs that the dump can hold: dump_fts misses the highest ones
    top = max(lid for _, lid in theirs)
    ours = {key: port for key, port in ours.items() if key[1] <= top}
keys = set(ours) | set(theirs)
different = sorted(key for key in keys if ours.get(key) != theirs.get(key))
for guid, lid in different[:10]:
    print("  switch 0x%016x LID %d: OpenSM %s, ours %s" % (guid, lid, theirs.get((guid, lid)), ours.get((guid, lid))))
print("%d of %d" % (len(keys) - len(different), len(keys)))
sys.exit(1 if different or not keys else 0)
