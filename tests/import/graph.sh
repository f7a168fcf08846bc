#!/bin/sh
# Imports with names by GUIDs and shows the graph in short, for traps.cases: graph.sh ARGUMENTS_OF_ORCS_IMPORT
set -u

orcs-import --names=guid -o "$TMP/graph.dot" "$@" && python3 tests/import/reference.py show "$TMP/graph.dot"
