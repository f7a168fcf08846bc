/*
 * Random fabrics: nodes, cables, one random in-tree per destination, then the ways in which a file
 * may say the same thing ("*", the order of its statements).
 */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

/* Most hosts are called "H" and a number; the others are hosts by their attribute, or have names
 * that need quotes. A host whose name does not spell a GUID carries one. */
static void name_host(struct node *node, int number, bool odd, struct rng *r)
{
	static const char *const forms[] = {"H%x", "H_%d", "Hnode-%d", "X%d"};
	int form = odd ? rng_below(r, 4) : 0;

	snprintf(node->name, sizeof node->name, forms[form], number);
	node->host = true;
	node->typed = form == 3 || rng_chance(r, 5);
	if (form != 0 || rng_chance(r, 30))
		node->guid = rng_next(r) | 1u << 20;
	if (odd && rng_chance(r, 60))
		snprintf(node->desc, sizeof node->desc, "machine%03d", number);
}

/* A switch that is called like a host is a switch by its attribute. */
static void name_switch(struct node *node, int number, bool odd, struct rng *r)
{
	static const char *const forms[] = {"S%d", "leaf %d", "core.%d", "H%dsw"};
	int form = odd ? rng_below(r, 4) : 0;

	snprintf(node->name, sizeof node->name, forms[form], number);
	node->host = false;
	node->typed = form == 3 || rng_chance(r, 5);
	if (rng_chance(r, 20))
		node->guid = rng_next(r) | 1u << 20;
}

/* Switches come first here; the order in the file is drawn last. */
static int draw_nodes(struct fabric *f, struct rng *r)
{
	bool odd = rng_chance(r, 40);
	int switches = rng_between(r, 1, 6);
	int hosts = rng_between(r, 2, rng_chance(r, 50) ? 24 : 10);
	int number[999];

	for (int i = 0; i < 999; i++)
		number[i] = i + 1;
	rng_shuffle(r, number, 999);
	f->nodes = switches + hosts;
	for (int i = 0; i < f->nodes; i++) {
		f->node[i] = (struct node){0};
		if (i < switches)
			name_switch(&f->node[i], number[i], odd, r);
		else
			name_host(&f->node[i], number[i], odd, r);
	}
	return switches;
}

/* ---- cables ---- */

static void add_channel(struct fabric *f, int tail, int head)
{
	f->channel[f->channels++] = (struct channel){.tail = tail, .head = head};
}

static void add_cable(struct fabric *f, int a, int b)
{
	add_channel(f, a, b);
	add_channel(f, b, a);
}

/* A random tree of switches, further cables (parallel ones too), and every host on a switch, some
 * on two or twice on one. Now and then a channel without an opposite one, even back to its own
 * tail. */
static void draw_cables(struct fabric *f, int switches, struct rng *r)
{
	for (int s = 1; s < switches; s++)
		add_cable(f, s, rng_below(r, s));
	if (switches > 1)
		for (int extra = rng_below(r, 2 * switches); extra > 0; extra--) {
			int a = rng_below(r, switches);
			add_cable(f, a, (a + 1 + rng_below(r, switches - 1)) % switches);
		}
	for (int h = switches; h < f->nodes; h++) {
		add_cable(f, h, rng_below(r, switches));
		if (rng_chance(r, 12))
			add_cable(f, h, rng_below(r, switches));
	}
	if (rng_chance(r, 10))
		add_channel(f, rng_below(r, switches), rng_below(r, switches));
}

/* All channels have a speed, or none has. The slowest channel need not be a host's. */
static void draw_speeds(struct fabric *f, struct rng *r)
{
	static const double speeds[] = {2.5, 5, 10, 14, 20, 40, 56, 100};
	int slowest_host = rng_below(r, 8), fastest = rng_below(r, 8);

	if (rng_chance(r, 50))
		return;
	for (int c = 0; c < f->channels; c++) {
		struct channel *e = &f->channel[c];
		bool of_host = f->node[e->tail].host || f->node[e->head].host;
		e->speed = speeds[of_host ? rng_between(r, slowest_host, 7) : rng_between(r, 0, fastest)];
	}
}

/* ---- forwarding sets ---- */

/* Channels by which one more node can join the tree towards d. Only d ends at a host, unless hosts
 * forward as well. With `nearest`, only those whose head is as close to d as any. */
static int joining_channels(const struct fabric *f, int d, const int distance[], bool nearest, bool hosts_forward, int found[])
{
	int count = 0;
	int closest = MAX_NODES;

	for (int c = 0; c < f->channels; c++) {
		int tail = f->channel[c].tail, head = f->channel[c].head;
		if (distance[tail] >= 0 || distance[head] < 0)
			continue;
		if (f->node[head].host && head != d && !hosts_forward)
			continue;
		if (nearest && distance[head] > closest)
			continue;
		if (nearest && distance[head] < closest)
			count = 0;
		closest = distance[head];
		found[count++] = c;
	}
	return count;
}

static void draw_tree(struct fabric *f, int d, bool nearest, bool hosts_forward, struct rng *r)
{
	int distance[MAX_NODES];
	int found[MAX_CHANNELS];
	int count;

	for (int i = 0; i < f->nodes; i++)
		distance[i] = i == d ? 0 : -1;
	while ((count = joining_channels(f, d, distance, nearest, hosts_forward, found)) > 0) {
		struct channel *c = &f->channel[found[rng_below(r, count)]];
		c->lists[d] = true;
		distance[c->tail] = distance[c->head] + 1;
	}
}

static void draw_tables(struct fabric *f, struct rng *r)
{
	int shortest = rng_below(r, 3) * 50;
	bool hosts_forward = rng_chance(r, 10);

	for (int d = 0; d < f->nodes; d++)
		if (f->node[d].host)
			draw_tree(f, d, rng_chance(r, shortest), hosts_forward, r);
}

/* "*" in place of the list of one channel of the node: the same routes in fewer words. */
static void draw_star(struct fabric *f, int node, struct rng *r)
{
	int out[MAX_CHANNELS];
	int count = fabric_out_channels(f, node, out);

	if (count == 0)
		return;
	struct channel *c = &f->channel[out[rng_below(r, count)]];
	c->star = true;
	memset(c->lists, 0, sizeof c->lists);
}

static void draw_stars(struct fabric *f, struct rng *r)
{
	for (int i = 0; i < f->nodes; i++)
		if (rng_chance(r, f->node[i].host ? 70 : 20))
			draw_star(f, i, r);
}

/* Names that no route needs: of no node at all, or of a switch. */
static void sprinkle_names(struct fabric *f, struct rng *r)
{
	if (rng_chance(r, 70))
		return;
	for (int i = rng_between(r, 1, 5); i > 0; i--) {
		struct channel *c = &f->channel[rng_below(r, f->channels)];
		if (!c->star)
			c->unknown++;
	}
	for (int i = 0; i < f->nodes; i++) {
		struct channel *c = &f->channel[rng_below(r, f->channels)];
		if (!f->node[i].host && !c->star)
			c->lists[i] = true;
	}
}

/* Some channel and a host that it lists; false when they are hard to find. */
static bool find_entry(const struct fabric *f, struct rng *r, int *channel, int *d)
{
	for (int tries = 0; tries < 100; tries++) {
		*channel = rng_below(r, f->channels);
		*d = rng_below(r, f->nodes);
		if (f->channel[*channel].lists[*d] && f->node[*d].host)
			return true;
	}
	return false;
}

/* Entries lost, moved to another channel of their tail (which may close a loop), or written to a
 * second one. */
static void spoil(struct fabric *f, struct rng *r)
{
	int kept = rng_below(r, 3) * 50, copied = rng_below(r, 3) * 50;
	int channel, d;

	for (int times = rng_between(r, 1, f->nodes); times > 0; times--) {
		if (!find_entry(f, r, &channel, &d))
			return;
		int out[MAX_CHANNELS];
		int count = fabric_out_channels(f, f->channel[channel].tail, out);
		struct channel *other = &f->channel[out[rng_below(r, count)]];
		f->channel[channel].lists[d] = rng_chance(r, kept);
		if (!other->star && rng_chance(r, copied))
			other->lists[d] = true;
	}
}

/* ---- the order of the file ---- */

/* Channels in a random order, and between them statements of nodes: of every node that has
 * attributes, and of some others. */
static void draw_statements(struct fabric *f, struct rng *r)
{
	int item[MAX_NODES + MAX_CHANNELS];
	int count = 0;

	for (int c = 0; c < f->channels; c++)
		item[count++] = MAX_NODES + c;
	for (int i = 0; i < f->nodes; i++)
		if (f->node[i].typed || f->node[i].guid != 0 || f->node[i].desc[0] || rng_chance(r, 20))
			item[count++] = i;
	if (rng_chance(r, 80))
		rng_shuffle(r, item, count);
	f->statements = count;
	for (int i = 0; i < count; i++) {
		f->statement[i].node = item[i] < MAX_NODES ? item[i] : -1;
		f->statement[i].channel = item[i] < MAX_NODES ? -1 : item[i] - MAX_NODES;
	}
}

static void appear(int node, int place[], int *placed)
{
	if (place[node] < 0)
		place[node] = (*placed)++;
}

static struct channel renumbered(const struct channel *c, const int place[], int nodes)
{
	struct channel moved = *c;

	moved.tail = place[c->tail];
	moved.head = place[c->head];
	for (int i = 0; i < nodes; i++)
		moved.lists[place[i]] = c->lists[i];
	return moved;
}

/* Numbers nodes by their first appearance and channels by their creation, as a reader does. */
static void renumber(struct fabric *f, struct fabric *draft)
{
	int place[MAX_NODES];
	int placed = 0;

	*draft = *f;
	for (int i = 0; i < f->nodes; i++)
		place[i] = -1;
	f->channels = 0;
	for (int i = 0; i < f->statements; i++) {
		struct statement *s = &f->statement[i];
		if (s->node >= 0) {
			appear(s->node, place, &placed);
			s->node = place[s->node];
		} else {
			appear(draft->channel[s->channel].tail, place, &placed);
			appear(draft->channel[s->channel].head, place, &placed);
			s->channel = f->channels++;
		}
	}
	for (int i = 0; i < f->nodes; i++)
		f->node[place[i]] = draft->node[i];
	int created = 0;
	for (int i = 0; i < f->statements; i++)
		if (draft->statement[i].channel >= 0)
			f->channel[created++] = renumbered(&draft->channel[draft->statement[i].channel], place, f->nodes);
}

void generate_fabric(struct fabric *f, struct rng *r, bool spoiled)
{
	struct fabric *draft = malloc(sizeof *draft);

	if (draft == NULL)
		abort();
	f->channels = 0;
	int switches = draw_nodes(f, r);
	draw_cables(f, switches, r);
	draw_speeds(f, r);
	draw_tables(f, r);
	draw_stars(f, r);
	sprinkle_names(f, r);
	if (spoiled)
		spoil(f, r);
	draw_statements(f, r);
	renumber(f, draft);
	free(draft);
}
