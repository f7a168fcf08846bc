/* The fat tree of a fabric that has no regular topology, as text and JSON. */
#ifndef TOOLS_CHECK_TREE_TEXT_H
#define TOOLS_CHECK_TREE_TEXT_H

#include "base/document.h"
#include "tools/check/check.h"

/* Adds the object tree, and writes the switches and up to most cables that do not fit; nothing if no tree was found. */
void report_tree(struct node *to, const struct check *check, uint64_t most);

#endif
