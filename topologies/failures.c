#include "topologies/failures.h"

#include "base/args.h"
#include "base/input.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES_PURPOSE = 0x6661696c };

/* ---- nodes and channels by number */

static uint32_t id_of(const struct failures *f, bool host, uint32_t node)
{
	return host ? node : f->topology->hosts + node;
}

static struct topology_port port_of(const struct failures *f, uint32_t id, uint32_t port)
{
	bool host = id < f->topology->hosts;
	return (struct topology_port){host, host ? id : id - f->topology->hosts, port};
}

static uint32_t ports_of(const struct failures *f, uint32_t id)
{
	return (uint32_t)(f->first[id + 1] - f->first[id]);
}

/* Returns the node from which a channel leads; time O(log nodes). */
static uint32_t tail_of(const struct failures *f, uint64_t channel)
{
	uint32_t from = 0, to = f->nodes; /* first[from] <= channel < first[to] */
	while (to - from > 1) {
		uint32_t middle = from + (to - from) / 2;
		if (f->first[middle] <= channel)
			from = middle;
		else
			to = middle;
	}
	return from;
}

static struct topology_port peer_of(const struct failures *f, uint32_t id, uint32_t port, uint32_t *peer)
{
	struct topology_port end = f->topology->kind->peer(f->topology, port_of(f, id, port));
	*peer = id_of(f, end.host, end.node);
	return end;
}

static bool is_set(const struct failures *f, uint64_t channel)
{
	return f->channel[channel / 8] >> channel % 8 & 1;
}

/* Returns whether the channel, or a node of it, failed. */
static bool is_gone(const struct failures *f, uint32_t id, uint32_t port)
{
	uint32_t peer;
	if (f->node[id] || is_set(f, f->first[id] + port))
		return true;
	peer_of(f, id, port, &peer);
	return f->node[peer];
}

/* Returns whether the cable of the port is counted at this end: each is counted at exactly one end. */
static bool counts_cable(const struct failures *f, uint32_t id, uint32_t port)
{
	uint32_t peer;
	return peer_of(f, id, port, &peer).port == TOPOLOGY_NO_PORT || peer > id;
}

static void set_channel(struct failures *f, uint64_t channel)
{
	f->channel[channel / 8] |= (uint8_t)(1 << channel % 8);
}

/* Fails both channels of a cable, given by one of its ends. */
static void fail_cable(struct failures *f, uint32_t id, uint32_t port)
{
	uint32_t peer;
	struct topology_port end = peer_of(f, id, port, &peer);
	set_channel(f, f->first[id] + port);
	if (end.port != TOPOLOGY_NO_PORT)
		set_channel(f, f->first[peer] + end.port);
}

static void fail_node(struct failures *f, uint32_t id)
{
	f->switches += id >= f->topology->hosts && !f->node[id];
	f->node[id] = 1;
}

int failures_init(struct failures *f, const struct topology *topology, uint64_t seed, bool keep_connected, struct error *error)
{
	uint64_t channels = 0;
	*f = (struct failures){.topology = topology, .nodes = topology->hosts + topology->switches, .keep_connected = keep_connected};
	f->first = array_create((size_t)f->nodes + 1, sizeof *f->first, error);
	f->node = array_create(f->nodes, sizeof *f->node, error);
	f->channel = array_create(topology->channels / 8 + 1, 1, error);
	random_start(&f->random, seed, FAILURES_PURPOSE, 0);
	if (error->status)
		return -1;
	for (uint32_t id = 0; id < f->nodes; id++) {
		struct topology_port node = port_of(f, id, 0);
		f->first[id] = channels;
		channels += topology->kind->ports(topology, node.host, node.node);
		f->first[id + 1] = channels;
		for (uint32_t port = 0; port < ports_of(f, id); port++) {
			uint32_t peer;
			struct topology_port end = peer_of(f, id, port, &peer);
			f->all += counts_cable(f, id, port);
			if (end.port == TOPOLOGY_NO_PORT && keep_connected)
				return error_set(error, STATUS_USAGE, "one-way channels cannot be kept connected");
		}
	}
	return 0;
}

void failures_clear(struct failures *f)
{
	free(f->first);
	free(f->channel);
	free(f->node);
	*f = (struct failures){0};
}

/* ---- named failures */

int failures_name(struct failures *f, const char *text, struct error *error)
{
	const struct topology *t = f->topology;
	size_t length = strcspn(text, ":");
	int64_t port = 0;
	char name[TOPOLOGY_NAME_MAX];
	for (uint32_t id = 0; id < f->nodes; id++) {
		struct topology_port node = port_of(f, id, 0);
		t->kind->node_name(t, node.host, node.node, name);
		if (strlen(name) != length || strncmp(name, text, length))
			continue;
		if (!text[length])
			return fail_node(f, id), 0;
		if (!read_integer(text + length + 1, 1, ports_of(f, id), &port))
			return error_set(error, STATUS_USAGE, "'%s': %s has ports 1 to %" PRIu32, text, name, ports_of(f, id));
		return fail_cable(f, id, (uint32_t)port - 1), 0;
	}
	return error_set(error, STATUS_USAGE, "'%s': no node has this name", text);
}

int failures_file(struct failures *f, const char *path, struct error *error)
{
	struct line_reader lines;
	struct error reason = {0};
	line_reader_open(&lines, path, LIST_LINE_LONGEST, error);
	for (char *line; !error->status && (line = line_reader_list(&lines, error));)
		if (*line && failures_name(f, line, &reason))
			error_at(error, reason.status, path, lines.number, "%s", reason.text);
	line_reader_close(&lines);
	return error->status ? -1 : 0;
}

/* ---- groups of connected nodes, as a forest: every node has a link towards the root */

static uint32_t root_of(uint32_t *above, uint32_t id)
{
	while (above[id] != id)
		id = above[id] = above[above[id]];
	return id;
}

/* Joins two groups. Returns whether they were different. */
static bool unite(uint32_t *above, uint32_t a, uint32_t b)
{
	a = root_of(above, a);
	b = root_of(above, b);
	above[a > b ? a : b] = a < b ? a : b;
	return a != b;
}

/* Makes groups of the nodes that did not fail. Returns their number. */
static uint32_t make_groups(const struct failures *f, uint32_t *above)
{
	uint32_t groups = 0, peer;
	for (uint32_t id = 0; id < f->nodes; id++) {
		above[id] = id;
		groups += !f->node[id];
	}
	for (uint32_t id = 0; id < f->nodes; id++)
		for (uint32_t port = 0; port < ports_of(f, id); port++)
			if (!is_gone(f, id, port)) {
				peer_of(f, id, port, &peer);
				groups -= unite(above, id, peer);
			}
	return groups;
}

/* ---- drawn failures */

bool share_read(const char *text, struct share *share)
{
	static const struct unit percent[] = {{"%", 1}, {"", 1}};
	int64_t number;
	share->percent = strchr(text, '%') != NULL;
	if (share->percent)
		return read_scaled(text, percent, 0, 100, &share->number);
	if (!read_integer(text, 0, INT64_MAX, &number))
		return false;
	share->number = (double)number;
	return true;
}

/* Computes the number to draw from all. Returns 0, or -1 if there are fewer. */
static int count_share(struct share share, uint64_t all, const char *what, uint64_t *count, struct error *error)
{
	double number = share.percent ? round(share.number / 100 * (double)all) : share.number;
	*count = (uint64_t)number;
	if (!all && number > 0)
		return error_set(error, STATUS_USAGE, "there are no %s that can fail; name the hosts to fail instead", what);
	return number <= (double)all ? 0 : error_set(error, STATUS_USAGE, "%.0f %s cannot fail: only %" PRIu64 " can", number, what, all);
}

/* Draws number i of a random order of count numbers when it is needed, as random_shuffle would. */
static void draw_next(struct failures *f, uint64_t *item, uint64_t i, uint64_t count)
{
	uint64_t j = i + random_below(&f->random, (uint32_t)(count - i)), swap = item[j];
	item[j] = item[i];
	item[i] = swap;
}

/* Returns whether some node that did not fail has all its ports at this one, and would be isolated without it. */
static bool holds_leaf(const struct failures *f, uint32_t id)
{
	for (uint32_t port = 0; port < ports_of(f, id); port++) {
		uint32_t leaf, other = id, last = UINT32_MAX;
		peer_of(f, id, port, &leaf);
		for (uint32_t p = 0; p < ports_of(f, leaf) && other == id; p++)
			if (!is_gone(f, leaf, p)) {
				peer_of(f, leaf, p, &other);
				last = other;
			}
		if (!f->node[leaf] && last == id && other == id)
			return true;
	}
	return false;
}

int failures_draw_switches(struct failures *f, struct share share, struct error *error)
{
	uint64_t count = 0, wanted, failed = 0;
	uint64_t *item = array_create(f->topology->switches, sizeof *item, error);
	uint32_t *above = array_create(f->nodes, sizeof *above, error);
	for (uint32_t id = f->topology->hosts; item && id < f->nodes; id++)
		if (!f->node[id])
			item[count++] = id;
	if (!error->status && !count_share(share, count, "switches", &wanted, error)) {
		uint32_t groups = f->keep_connected ? make_groups(f, above) : 0;
		for (uint64_t i = 0; i < count && failed < wanted; i++) {
			draw_next(f, item, i, count);
			if (f->keep_connected && holds_leaf(f, (uint32_t)item[i])) /* for speed: groups would detect it, too */
				continue;
			f->node[item[i]] = 1;
			uint32_t now = f->keep_connected ? make_groups(f, above) : 0;
			f->node[item[i]] = now <= groups;
			failed += now <= groups;
			groups = now < groups ? now : groups;
		}
		f->switches += (uint32_t)failed;
		if (failed < wanted)
			error_set(error, STATUS_USAGE,
				"--keep-connected: only %" PRIu64 " of %" PRIu64 " switches can fail without disconnecting a node", failed,
				wanted);
	}
	free(item);
	free(above);
	return error->status ? -1 : 0;
}

/* Lists the cables that can be drawn, by the channel from the lower node. Returns their number. */
static uint64_t list_cables(const struct failures *f, uint64_t *item)
{
	uint64_t count = 0;
	for (uint32_t id = 0; id < f->nodes; id++)
		for (uint32_t port = 0; port < ports_of(f, id); port++) {
			uint32_t peer;
			struct topology_port end = peer_of(f, id, port, &peer);
			bool leaf = (id < f->topology->hosts && ports_of(f, id) == 1 && end.port != TOPOLOGY_NO_PORT) ||
				    (end.host && ports_of(f, peer) == 1 && end.port != TOPOLOGY_NO_PORT);
			if (!leaf && (end.port == TOPOLOGY_NO_PORT || peer > id) && !is_gone(f, id, port))
				item[count++] = f->first[id] + port;
		}
	return count;
}

/*
 * Leaves out the cables that cannot fail without disconnecting a node, when cables fail one after another in their order: those that are
 * the last to join two groups when cables are restored from the last to the first (Kruskal's tree). Returns the number of the others.
 */
static uint64_t leave_bridges_out(const struct failures *f, uint64_t *item, uint64_t count, uint32_t *above)
{
	uint64_t kept = count;
	uint32_t peer;
	for (uint32_t id = 0; id < f->nodes; id++)
		above[id] = id;
	for (uint64_t i = count; i--;) {
		uint32_t id = tail_of(f, item[i]);
		peer_of(f, id, (uint32_t)(item[i] - f->first[id]), &peer);
		if (!unite(above, id, peer))
			item[--kept] = item[i];
	}
	memmove(item, item + kept, (count - kept) * sizeof *item);
	return count - kept;
}

int failures_draw_cables(struct failures *f, struct share share, struct error *error)
{
	uint64_t wanted, count = 0, left = 0;
	uint64_t *item = array_create(f->all, sizeof *item, error);
	uint32_t *above = array_create(f->nodes, sizeof *above, error);
	if (!error->status && !count_share(share, count = list_cables(f, item), "cables", &wanted, error)) {
		left = count;
		for (uint64_t i = 0; i < (f->keep_connected ? count : wanted); i++)
			draw_next(f, item, i, count);
		if (f->keep_connected)
			left = leave_bridges_out(f, item, count, above);
		if (left < wanted)
			error_set(error, STATUS_USAGE,
				"--keep-connected: only %" PRIu64 " of %" PRIu64 " cables can fail without disconnecting a node", left,
				wanted);
		for (uint64_t i = 0; i < wanted && !error->status; i++) {
			uint32_t id = tail_of(f, item[i]);
			fail_cable(f, id, (uint32_t)(item[i] - f->first[id]));
		}
	}
	free(item);
	free(above);
	return error->status ? -1 : 0;
}

/* ---- remaining nodes and cables */

static bool has_channel(const struct failures *f, uint32_t id)
{
	for (uint32_t port = 0; port < ports_of(f, id); port++)
		if (!is_gone(f, id, port))
			return true;
	return false;
}

/* Fails hosts without a channel, repeatedly: with one-way channels their failure can remove the last channel of another host. */
static void fail_lonely_hosts(struct failures *f)
{
	bool again = true;
	while (again) {
		again = false;
		for (uint32_t host = 0; host < f->topology->hosts; host++)
			if (!f->node[host] && !has_channel(f, host))
				f->node[host] = again = true;
	}
	f->hosts = 0;
	for (uint32_t host = 0; host < f->topology->hosts; host++)
		f->hosts += f->node[host];
}

/* Counts the failed cables, each at one of its ends. */
static uint64_t count_cables(const struct failures *f)
{
	uint64_t count = 0;
	for (uint32_t id = 0; id < f->nodes; id++)
		for (uint32_t port = 0; port < ports_of(f, id); port++)
			count += counts_cable(f, id, port) && is_gone(f, id, port);
	return count;
}

int failures_count(struct failures *f, struct error *error)
{
	uint32_t *above = array_create(f->nodes, sizeof *above, error), *size = array_create(f->nodes, sizeof *size, error);
	uint32_t largest = 0, with = 0;
	fail_lonely_hosts(f);
	f->cables = count_cables(f);
	if (!error->status)
		make_groups(f, above);
	for (uint32_t host = 0; host < f->topology->hosts && !error->status; host++) {
		if (f->node[host])
			continue;
		uint32_t in = ++size[root_of(above, host)];
		largest = in > largest ? in : largest;
		with++;
	}
	f->cut_off = with - largest;
	free(above);
	free(size);
	return error->status ? -1 : 0;
}

bool failures_left_out(const struct failures *f, bool host, uint32_t node)
{
	return f->node[id_of(f, host, node)];
}

bool failures_channel(const struct failures *f, struct topology_port port)
{
	return is_gone(f, id_of(f, port.host, port.node), port.port);
}
