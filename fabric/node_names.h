/*
 * Nodes as people name them: by the name in the graph, by the node description or its first word, by the GUID, or by the LID. The first of
 * these that any node has counts.
 */
#ifndef FABRIC_NODE_NAMES_H
#define FABRIC_NODE_NAMES_H

#include "fabric/fabric.h"

enum node_choice { NODES_ALL, NODES_HOSTS, NODES_SWITCHES };

/* A GUID or a LID, and the node that has it. */
struct node_number {
	uint64_t number;
	uint32_t node;
};

struct node_names {
	const struct fabric *fabric;
	enum node_choice choice;
	struct names desc, word;        /* of descriptions and their first words to nodes */
	char *words;                    /* holds the first words */
	struct node_number *guid, *lid; /* [guids], [lids] in ascending order */
	uint32_t guids, lids;
};

/* Makes the look-up among the hosts, the switches or all nodes of a fabric that has its labels. Returns 0, or -1 when the memory is not
 * there. node_names_clear() in every case. Time O(nodes log nodes). */
int node_names_init(struct node_names *names, const struct fabric *fabric, enum node_choice choice, struct error *error);
void node_names_clear(struct node_names *names);

/* The node that a text of length characters names; NAME_NONE, or NODE_AMBIGUOUS where it is the description of several. Time O(log nodes).
 */
enum { NODE_AMBIGUOUS = NAME_NONE - 1 };
uint32_t node_names_find(const struct node_names *names, const char *text, size_t length);

/* The same of a line of a file, whose first word is given too, both ended by NUL: the name in the graph is a word, a description may be all
 * of the line. */
uint32_t node_names_find_line(const struct node_names *names, const char *line, const char *word);

/* What follows the message that a text was not found: "; did you mean 'H3'?" or "", and where it is ambiguous ": 'H1', 'H2'". Returns hint.
 * Time O(nodes * length). */
enum { NODE_HINT_SIZE = 400 };
const char *node_names_hint(const struct node_names *names, const char *text, size_t length, char hint[NODE_HINT_SIZE]);

#endif
