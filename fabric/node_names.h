/*
 * Look-up of nodes by the name in the graph, the node description or its first word, the GUID, or the LID. The first of these that any node
 * has counts.
 */
#ifndef FABRIC_NODE_NAMES_H
#define FABRIC_NODE_NAMES_H

#include "fabric/fabric.h"

enum node_choice { NODES_ALL, NODES_HOSTS, NODES_SWITCHES };

/* A GUID or a LID, and its node. */
struct node_number {
	uint64_t number;
	uint32_t node;
};

struct node_names {
	const struct fabric *fabric;
	enum node_choice choice;
	struct name_table desc, word;   /* of descriptions and their first words to nodes */
	char *words;                    /* memory of the first words */
	struct node_number *guid, *lid; /* [guids], [lids] ascending */
	uint32_t guids, lids;
};

/*
 * Creates the look-up among the hosts, the switches or all nodes of a fabric that has labels. Returns 0, or -1 if out of memory. Call
 * node_names_clear() in either case. Time O(nodes log nodes).
 */
int node_names_init(struct node_names *names, const struct fabric *fabric, enum node_choice choice, struct error *error);
void node_names_clear(struct node_names *names);

/*
 * Returns the node that a text of length characters names; NAME_NONE, or NODE_AMBIGUOUS for the description of several. Time O(log nodes).
 */
enum { NODE_AMBIGUOUS = NAME_NONE - 1 };
uint32_t node_names_find(const struct node_names *names, const char *text, size_t length);

/*
 * As node_names_find(), for a line of a file and its first word, both NUL-terminated: the name in the graph is the word, a description may
 * be the whole line.
 */
uint32_t node_names_find_line(const struct node_names *names, const char *line, const char *word);

/*
 * Writes the end of a message that a text was not found: "; did you mean 'H3'?", "; --fail removed it" or "", for an ambiguous text ":
 * 'H1', 'H2'", as many names as fit uncut. Returns hint. Time O(nodes * length).
 */
enum { NODE_HINT_SIZE = 640 };
const char *node_names_hint(const struct node_names *names, const char *text, size_t length, char hint[NODE_HINT_SIZE]);

#endif
