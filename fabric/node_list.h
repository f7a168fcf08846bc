/* Lists of nodes that users give: names, or a file of names and GUIDs as OpenSM's options take it. */
#ifndef FABRIC_NODE_LIST_H
#define FABRIC_NODE_LIST_H

#include "base/files.h"
#include "fabric/node_names.h"

struct listed_node {
	uint32_t node; /* NONE: the fabric has none of this GUID */
	uint64_t guid; /* as it stands in the file; 0: a name, or a LID */
};

struct node_list {
	struct listed_node *listed; /* [count] in the order of the list, each node once */
	size_t count, capacity;
	uint32_t known; /* of them */
};

/*
 * Reads the list: names, GUIDs or LIDs separated by commas or '+', or else the path of a file with one per line, '#' starting comments.
 * GUIDs in a file may be those of nodes that the fabric does not have. option: its name in messages. files (NULL: none) registers the
 * file. Returns 0, or -1: STATUS_USAGE for an unknown name, STATUS_FABRIC for one in a file or if no node of the file is there, STATUS_IO.
 * node_list_clear() in every case. Time O((nodes + list) log nodes).
 */
int node_list_read(struct node_list *list, const char *text, enum node_choice choice, const char *option, const struct fabric *fabric,
	struct files *files, struct error *error);
void node_list_clear(struct node_list *list);

#endif
