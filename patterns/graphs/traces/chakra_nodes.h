/* Nodes of Chakra's traces: messages of Protocol Buffers, whose schema is that of mlcommons/chakra. */
#ifndef PATTERNS_GRAPHS_TRACES_CHAKRA_NODES_H
#define PATTERNS_GRAPHS_TRACES_CHAKRA_NODES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chakra_bytes {
	const uint8_t *at, *end;
};

enum node_type { NODE_COMPUTE = 4, NODE_SEND = 5, NODE_RECEIVE = 6, NODE_COLLECTIVE = 7 };
enum attribute { COMM_TYPE, COMM_SIZE, COMM_SOURCE, COMM_DESTINATION, COMM_TAG, COMM_ROOT, ATTRIBUTES };
struct chakra_node {
	uint64_t id, type, duration;
	int64_t attribute[ATTRIBUTES];
	bool given[ATTRIBUTES];
	struct chakra_bytes group; /* the name of its process group */
};

/* That a node waits for another. */
struct chakra_dependency {
	uint64_t id, other;
};

struct chakra_dependencies {
	struct chakra_dependency *list; /* [count] */
	size_t count, capacity;
};

/* Reads bytes behind their length, and removes both. Returns false if there are fewer. */
bool chakra_bytes_read(struct chakra_bytes *bytes, struct chakra_bytes *content);

/*
 * Reads a node; its dependencies are appended to the list, without its id, which may follow them. Returns false if it is not one, or out of
 * memory.
 */
bool chakra_node_read(struct chakra_bytes bytes, struct chakra_node *node, struct chakra_dependencies *dependencies, struct error *error);

#endif
