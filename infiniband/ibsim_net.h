/* Additions of the input of the simulator ibsim to the topology file of ibnetdiscover(8), for ibnetdiscover.c. */
#ifndef INFINIBAND_IBSIM_NET_H
#define INFINIBAND_IBSIM_NET_H

#include "infiniband/dump.h"

enum { IBSIM_ALIASES_MAX = 1024 };

/* Bit masks of PortInfo; 0: not given. */
struct ibsim_masks {
	uint32_t width, speed, extended;
};

struct ibsim_alias {
	const char *name;
	uint32_t port;
};

/* Settings made by the lines so far. */
struct ibsim_net {
	bool started;     /* nodes have been given GUIDs */
	uint64_t base[4]; /* [enum node_kind] the next GUID */
	struct ibsim_masks masks;
	const char *module; /* NULL: none */
	struct ibsim_alias alias[IBSIM_ALIASES_MAX];
	size_t aliases;
};

/* Returns the GUID of a node with this number of ports whose id does not contain one, 0 for none; the next node gets a later one. */
uint64_t ibsim_next_guid(struct ibsim_net *net, enum node_kind kind, uint32_t ports);

/* Returns the node of an id, to which the module's name is added; NONE with the error set. */
uint32_t ibsim_node(struct dump_reader *reader, const struct ibsim_net *net, const char *id, size_t length);

/*
 * Moves *text past "@NAME" in quotes; sets *port to the port that an earlier line named so, NONE if no '@' follows. Returns 0, or -1 with
 * the error set.
 */
int ibsim_alias_port(struct dump_reader *reader, const struct ibsim_net *net, char **text, uint32_t *port);

/*
 * Sets the width and the speed of the port's cable from the masks "w=2 s=7 e=4" after a port or, where one is missing, from the masks set
 * above. Returns LINE_TAKEN or LINE_FAILED.
 */
enum dump_line ibsim_link(struct dump_reader *reader, const struct ibsim_net *net, uint32_t port, char *text);

/* Parses an alias, include, module or command line; node is the one whose ports are being listed, NONE: none yet. */
enum dump_line ibsim_line(struct dump_reader *reader, struct ibsim_net *net, uint32_t node, char *text);

#endif
