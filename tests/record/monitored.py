"""
Compares a recorded program with the counts of Open MPI's own monitoring in the same run: monitored.py BIN TRACE PREFIX RANKS FABRIC SET [PREFIX].
With the set none, the messages of the program and their number; with others, the bytes of every pair with those of collective operations.
"""
import collections
import csv
import io
import subprocess
import sys

bin_dir, trace, prefix, ranks, fabric, algorithms = sys.argv[1:7]
making = sys.argv[7:]  # the prefix of counts that are not the program's
out = subprocess.run([bin_dir + "/orcs", "--engine", "flow", "-d", "--quiet", "-p", f"trace:{trace},collectives={algorithms}",
                      "--flows", "-", "-o", "/dev/null", fabric], stdout=subprocess.PIPE, check=True).stdout.decode()
found, counted = collections.Counter(), collections.Counter()
number, number_counted = collections.Counter(), collections.Counter()
for row in csv.DictReader(io.StringIO(out)):
    found[int(row["sender"]), int(row["receiver"])] += int(float(row["bytes"]))
    number[int(row["sender"]), int(row["receiver"])] += 1
for rank, name, sign in [(r, prefix, 1) for r in range(int(ranks))] + [(r, m, -1) for r in range(int(ranks)) for m in making]:
    for line in open(f"{name}.{rank}.prof"):
        word = line.split()
        if word and word[0] in ("E", "I") and (word[0] == "E" or algorithms != "none"):
            counted[int(word[1]), int(word[2])] += sign * int(word[3])
            number_counted[int(word[1]), int(word[2])] += sign * int(word[5])
bad = not counted
for pair in sorted(set(found) | set(counted)):
    if found[pair] != counted[pair] or (algorithms == "none" and number[pair] != number_counted[pair]):
        print(pair, "counted", counted[pair], number_counted[pair], "recorded", found[pair], number[pair])
        bad = True
sys.exit(bad)
