/*
 * Jellyfish: a random regular graph of switches (Singla, Hong, Popa, Godfrey: Jellyfish: Networking Data Centers Randomly, NSDI 2012). Two
 * switches with free ports that are not joined yet are drawn and joined, as long as there are any; then pairs of remaining free ports
 * replace a cable by two, one to each of its ends. An odd number of ports leaves one free. The seed determines the graph; a disconnected
 * one is drawn again.
 *
 * Ports: hosts first, then the other switches by their numbers.
 */
#include "base/memory.h"
#include "base/random.h"
#include "topologies/cabling.h"

#include <stdio.h>
#include <stdlib.h>

enum { JELLYFISH_TRIES = 100, JELLYFISH_PURPOSE = 0x6a656c };

struct jelly {
	uint32_t switches, links;
	uint32_t *degree; /* [switches] */
	uint32_t *peer;   /* [switches * links] peers, the first degree of each switch are valid */
	uint32_t *open;   /* [switches] those with free ports, the first opened are valid */
	uint32_t *place;  /* [switches] position of a switch in open */
	uint32_t opened;
	struct random random;
};

static uint32_t *peers_of(const struct jelly *j, uint32_t node)
{
	return j->peer + (size_t)node * j->links;
}

static bool joined(const struct jelly *j, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < j->degree[a]; i++)
		if (peers_of(j, a)[i] == b)
			return true;
	return false;
}

/* Adds one end of a cable; a switch without free ports leaves open. */
static void add_peer(struct jelly *j, uint32_t node, uint32_t peer)
{
	peers_of(j, node)[j->degree[node]++] = peer;
	if (j->degree[node] == j->links) {
		uint32_t last = j->open[--j->opened];
		j->open[j->place[node]] = last;
		j->place[last] = j->place[node];
	}
}

static void join(struct jelly *j, uint32_t a, uint32_t b)
{
	add_peer(j, a, b);
	add_peer(j, b, a);
}

static void change_peer(struct jelly *j, uint32_t node, uint32_t old, uint32_t new)
{
	for (uint32_t i = 0; i < j->degree[node]; i++)
		if (peers_of(j, node)[i] == old)
			peers_of(j, node)[i] = new;
}

/* Finds two different switches of open that are not joined: by drawing and, after many failures, by searching. */
static bool find_pair(struct jelly *j, uint32_t *a, uint32_t *b)
{
	for (uint32_t tries = 0; tries < 4 * JELLYFISH_TRIES && j->opened > 1; tries++) {
		*a = j->open[random_below(&j->random, j->opened)];
		*b = j->open[random_below(&j->random, j->opened)];
		if (*a != *b && !joined(j, *a, *b))
			return true;
	}
	for (uint32_t i = 0; i < j->opened; i++)
		for (uint32_t k = i + 1; k < j->opened; k++)
			if (!joined(j, *a = j->open[i], *b = j->open[k]))
				return true;
	return false;
}

/*
 * Replaces a cable by cables to the free ports of a and b, which can be the same switch: a cable drawn at random, otherwise the first that
 * fits.
 */
static bool replace_cable(struct jelly *j, uint32_t a, uint32_t b)
{
	uint32_t first = random_below(&j->random, j->switches);
	for (uint32_t n = 0; n < j->switches; n++) {
		uint32_t x = (first + n) % j->switches;
		for (uint32_t i = 0; i < j->degree[x]; i++) {
			uint32_t y = peers_of(j, x)[i];
			if (x == a || x == b || y == a || y == b || joined(j, a, x) || joined(j, b, y))
				continue;
			change_peer(j, x, y, a);
			change_peer(j, y, x, b);
			add_peer(j, a, x);
			add_peer(j, b, y);
			return true;
		}
	}
	return false;
}

static bool is_connected(struct jelly *j)
{
	uint32_t last = 0, *queue = j->open; /* reused, as open is no longer needed */
	bool *seen = calloc(j->switches, sizeof *seen);
	if (!seen)
		return false;
	queue[last++] = 0;
	seen[0] = true;
	for (uint32_t first = 0; first < last; first++)
		for (uint32_t i = 0; i < j->degree[queue[first]]; i++) {
			uint32_t to = peers_of(j, queue[first])[i];
			if (!seen[to])
				queue[last++] = to;
			seen[to] = true;
		}
	free(seen);
	return last == j->switches;
}

/* Makes one attempt. Returns whether the graph is regular, except for one port, and connected. */
static bool draw(struct jelly *j)
{
	uint32_t a, b;
	j->opened = j->switches;
	for (uint32_t i = 0; i < j->switches; i++) {
		j->degree[i] = 0;
		j->open[i] = j->place[i] = i;
	}
	while (find_pair(j, &a, &b))
		join(j, a, b);
	/* free ports of two switches, or two of one */
	while (j->opened > 1 || (j->opened && j->degree[j->open[0]] + 2 <= j->links))
		if (!replace_cable(j, j->open[0], j->open[j->opened > 1]))
			return false;
	return is_connected(j);
}

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

static void add_cables(struct topology *topology, struct jelly *j)
{
	for (uint32_t node = 0; node < j->switches; node++) {
		qsort(peers_of(j, node), j->degree[node], sizeof *j->peer, by_number);
		for (uint32_t i = 0; i < j->degree[node]; i++)
			if (peers_of(j, node)[i] > node)
				cabling_add(topology, cabling_switch(topology, node), cabling_switch(topology, peers_of(j, node)[i]));
	}
}

static int draw_graph(struct topology *topology, struct jelly *j, uint64_t seed, struct error *error)
{
	for (uint64_t tries = 0; tries < JELLYFISH_TRIES; tries++) {
		random_start(&j->random, seed, JELLYFISH_PURPOSE, tries);
		if (draw(j)) {
			add_cables(topology, j);
			return cabling_finish(topology, error);
		}
	}
	return error_set(error, STATUS_USAGE, "none of %d random graphs is regular and connected; use more links", JELLYFISH_TRIES);
}

static int jellyfish_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	uint64_t switches = (uint64_t)value[0].integer, ports = (uint64_t)value[1].integer, links = (uint64_t)value[2].integer;
	struct jelly j = {.switches = (uint32_t)switches, .links = (uint32_t)links};
	char hosts[24];
	if (links >= switches)
		return error_set(error, STATUS_USAGE, "links must be less than switches");
	if (links >= ports)
		return error_set(error, STATUS_USAGE, "links must be less than ports; otherwise there are no hosts");
	snprintf(hosts, sizeof hosts, "%u", (unsigned)(ports - links));
	if (cabling_start_direct(topology, hosts, switches, times(switches, links) / 2, error))
		return -1;
	if ((j.degree = array_create(switches, sizeof *j.degree, error)) && (j.open = array_create(switches, sizeof *j.open, error)) &&
		(j.place = array_create(switches, sizeof *j.place, error)) &&
		(j.peer = array_create(switches * links, sizeof *j.peer, error)))
		draw_graph(topology, &j, (uint64_t)value[3].integer, error);
	free(j.degree);
	free(j.open);
	free(j.place);
	free(j.peer);
	return error->status ? -1 : 0;
}

static void jellyfish_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	text = put_number(text, host ? 'H' : 'S', direct_node(topology, host, node));
	direct_name_end(topology, host, node, text);
}

static const struct arg jellyfish_args[] = {
	{"switches", ARG_INTEGER, NULL, 2, UINT32_MAX, "switches"},
	{"ports", ARG_INTEGER, NULL, 2, UINT32_MAX, "ports of each"},
	{"links", ARG_INTEGER, NULL, 1, UINT32_MAX, "ports of each to other switches; the rest have hosts"},
	{"seed", ARG_INTEGER, "1", 0, INT64_MAX, "seed of the random graph"},
	{.type = ARG_END},
};

const struct topology_kind topology_jellyfish = {
	.name = "jellyfish",
	.summary = "random regular graph of switches",
	.source = "Singla et al. 2012",
	.formulae = "switches (ports - links) hosts; as many cables to hosts and floor(switches links/2) between switches",
	.args = jellyfish_args,
	.setup = jellyfish_setup,
	.node_name = jellyfish_name,
	CABLED,
};
