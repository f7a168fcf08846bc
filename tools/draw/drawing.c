#include "tools/draw/drawing.h"

#include "base/memory.h"
#include "base/shown.h"
#include "pictures/labels.h"
#include "pictures/lettering.h"

#include <stdlib.h>
#include <string.h>

/* Sizes of boxes in points. */
static const double switch_font = 11, host_font = 10, box_margin = 8, switch_height = 20, host_height = 16, narrowest = 30;
static const double plain_switch = 14, plain_host = 8;

void drawing_free(struct drawing *drawing)
{
	if (!drawing)
		return;
	free(drawing->box);
	free(drawing->box_of);
	free(drawing->title);
	free(drawing->cable);
	free(drawing->line);
	free(drawing->place);
	chassis_clear(&drawing->chassis);
	free(drawing);
}

int cable_worse(const struct drawn_cable *cable)
{
	return cable->channel[0] == NONE || (cable->channel[1] != NONE && cable->heat[1] > cable->heat[0]);
}

int line_only_way(const struct drawing *drawing, const struct line *line)
{
	const struct drawn_cable *cable = &drawing->cable[line->first];
	int way = cable->channel[0] == NONE;
	for (uint32_t i = 0; i < line->count; i++)
		if (cable[i].channel[way] == NONE || cable[i].channel[!way] != NONE)
			return -1;
	return way;
}

/* ---- boxes */

/* Finds the switch to which each host is attached; NONE for hosts without one, and for switches. */
static void find_switches(const struct fabric *fabric, uint32_t *switch_of)
{
	for (uint32_t v = 0; v < fabric->nodes; v++)
		switch_of[v] = NONE;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			uint32_t w = fabric->head[c];
			bool host = fabric->node_host[v] != NONE, other = fabric->node_host[w] != NONE;
			if (host && !other && switch_of[v] == NONE)
				switch_of[v] = w;
			else if (!host && other && switch_of[w] == NONE)
				switch_of[w] = v;
		}
}

static uint32_t add_box(struct drawing *drawing, enum box_kind kind, uint32_t node, uint32_t head)
{
	uint32_t index = drawing->boxes++;
	drawing->box[index] = (struct box){.kind = kind, .node = node, .head = head == NONE ? index : head};
	drawing->box_of[node] = index;
	return index;
}

/* Counts a host at the switch to which it is attached, and at all others to which it has cables. */
static void count_host(struct drawing *drawing, uint32_t host, uint32_t its_switch)
{
	const struct fabric *fabric = drawing->fabric;
	uint32_t begin = fabric->first_channel[host], end = fabric->first_channel[host + 1];
	drawing->box[drawing->box_of[its_switch]].fabric_hosts++;
	for (uint32_t c = begin; c < end; c++) {
		uint32_t other = fabric->head[c];
		bool counted = fabric->node_host[other] != NONE || other == its_switch;
		for (uint32_t earlier = begin; earlier < c; earlier++)
			counted |= fabric->head[earlier] == other;
		if (!counted)
			drawing->box[drawing->box_of[other]].fabric_hosts++;
	}
}

static void add_heads(struct drawing *drawing, const uint32_t *switch_of, enum hosts_shown hosts)
{
	const struct fabric *fabric = drawing->fabric;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		bool host = fabric->node_host[v] != NONE;
		drawing->box_of[v] = NONE;
		if (!host || (switch_of[v] == NONE && hosts != HOSTS_NONE))
			add_box(drawing, host ? BOX_HOST : BOX_SWITCH, v, NONE);
	}
	drawing->heads = drawing->boxes;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (switch_of[v] != NONE)
			count_host(drawing, v, switch_of[v]);
}

/* Adds the hosts of each head, one box per host or one for all. next: scratch space for a list of them. */
static void add_hosts(struct drawing *drawing, const uint32_t *switch_of, bool fold, uint32_t *first, uint32_t *next)
{
	const struct fabric *fabric = drawing->fabric;
	for (uint32_t h = 0; h < drawing->heads; h++)
		first[h] = NONE;
	for (uint32_t v = fabric->nodes; v--;)
		if (switch_of[v] != NONE) {
			uint32_t head = drawing->box_of[switch_of[v]];
			next[v] = first[head];
			first[head] = v;
		}
	for (uint32_t h = 0; h < drawing->heads; h++) {
		drawing->box[h].first = drawing->boxes;
		for (uint32_t v = first[h]; v != NONE; v = next[v]) {
			if (!fold || v == first[h])
				add_box(drawing, fold ? BOX_HOSTS : BOX_HOST, v, h);
			drawing->box_of[v] = drawing->boxes - 1;
			drawing->box[drawing->boxes - 1].hosts++;
		}
		drawing->box[h].hung = drawing->boxes - drawing->box[h].first;
	}
}

/* Sets the label, shortened after the first kept characters. */
static void write_label(struct box *box, const char *title, size_t kept)
{
	char whole[512];
	if (box->kind == BOX_HOSTS)
		snprintf(whole, sizeof whole, "%u host%s", box->hosts, box->hosts == 1 ? "" : "s");
	else
		show_text(whole, sizeof whole, title);
	text_shorten(whole, LABEL_CHARACTERS, kept);
	memcpy(box->label, whole, strlen(whole) + 1);
}

/* Numbers the boxes whose label another box has. */
static void number_label(struct box *box, const char *title, uint32_t number)
{
	char whole[512], end[16];
	int length = snprintf(end, sizeof end, " #%u", number);
	show_text(whole, sizeof whole, title);
	text_shorten(whole, (size_t)(LABEL_CHARACTERS - length), (size_t)(LABEL_CHARACTERS - length) / 2);
	memcpy(whole + strlen(whole), end, (size_t)length + 1);
	memcpy(box->label, whole, strlen(whole) + 1);
}

/* Sets all labels, and returns the number of those that an earlier box has, which are numbered if wanted. */
static uint32_t write_labels(struct drawing *drawing, size_t kept, bool numbered, struct error *error)
{
	struct name_table names;
	uint32_t twice = 0;
	if (name_table_init(&names, drawing->boxes, error))
		return 0;
	for (uint32_t b = 0; b < drawing->boxes; b++) {
		struct box *box = &drawing->box[b];
		write_label(box, drawing->title[box->node], kept);
		if (box->kind == BOX_HOSTS || name_table_add(&names, box->label, b) == b)
			continue;
		twice++;
		if (numbered)
			number_label(box, drawing->title[box->node], b + 1);
	}
	name_table_clear(&names);
	return twice;
}

/* Labels the boxes: of long names the part nearest to the middle is left out without which all of them differ. */
static int label_boxes(struct drawing *drawing, struct error *error)
{
	uint32_t best = UINT32_MAX;
	size_t kept = LABEL_CHARACTERS / 2;
	for (size_t i = 0; i < 2 * (LABEL_CHARACTERS / 2) && best && !error->status; i++) { /* the middle, before it, after it, ... */
		size_t at = i % 2 ? LABEL_CHARACTERS / 2 - (i + 1) / 2 : LABEL_CHARACTERS / 2 + i / 2;
		uint32_t twice = write_labels(drawing, at, false, error);
		if (twice < best) {
			best = twice;
			kept = at;
		}
	}
	if (best && !error->status)
		write_labels(drawing, kept, true, error);
	for (uint32_t b = 0; b < drawing->boxes; b++) {
		struct box *box = &drawing->box[b];
		bool is_switch = box->kind == BOX_SWITCH;
		double width = text_width(box->label, is_switch ? switch_font : host_font) + box_margin;
		box->width = width > narrowest ? width : narrowest;
		box->height = is_switch ? switch_height : host_height;
	}
	return error->status ? -1 : 0;
}

static void make_plain(struct box *box)
{
	*box->label = '\0';
	box->width = box->height = box->kind == BOX_SWITCH ? plain_switch : plain_host;
}

static int make_boxes(struct drawing *drawing, enum hosts_shown hosts, struct error *error)
{
	const struct fabric *fabric = drawing->fabric;
	uint32_t *switch_of = array_create(fabric->nodes, sizeof *switch_of, error),
		 *first = array_create(fabric->nodes, sizeof *first, error);
	uint32_t *next = array_create(fabric->nodes, sizeof *next, error);
	drawing->box = array_create(fabric->nodes, sizeof *drawing->box, error);
	drawing->box_of = array_create(fabric->nodes, sizeof *drawing->box_of, error);
	drawing->title = array_create(fabric->nodes, sizeof *drawing->title, error);
	if (!error->status && !titles_find(fabric, drawing->title, error)) {
		find_switches(fabric, switch_of);
		add_heads(drawing, switch_of, hosts);
		if (hosts != HOSTS_NONE)
			add_hosts(drawing, switch_of, hosts == HOSTS_FOLD, first, next);
		for (uint32_t b = 0; b < drawing->boxes && drawing->plain; b++)
			make_plain(&drawing->box[b]);
		if (!drawing->plain)
			label_boxes(drawing, error);
	}
	free(switch_of);
	free(first);
	free(next);
	return error->status ? -1 : 0;
}

/* ---- lines */

static double worst(const struct drawn_cable *cable)
{
	return cable->heat[cable_worse(cable)];
}

/* Compares by boxes, then by the order of the file. */
static int compare_cables(const void *left, const void *right)
{
	const struct drawn_cable *a = left, *b = right;
	for (int end = 0; end < 2; end++)
		if (a->box[end] != b->box[end])
			return a->box[end] < b->box[end] ? -1 : 1;
	uint32_t first = a->channel[a->channel[0] == NONE], other = b->channel[b->channel[0] == NONE];
	return first < other ? -1 : first > other;
}

static struct drawn_cable make_cable(const struct drawing *drawing, uint32_t forth, uint32_t back)
{
	const struct fabric *fabric = drawing->fabric;
	const double *heat = drawing->heat->value;
	uint32_t from = drawing->box_of[fabric_tail(fabric, forth)], to = drawing->box_of[fabric->head[forth]];
	struct drawn_cable cable = {.channel = {forth, back}, .box = {from, to}, .heat = {heat[forth], back == NONE ? 0 : heat[back]}};
	if (from <= to)
		return cable;
	return (struct drawn_cable){.channel = {back, forth}, .box = {to, from}, .heat = {cable.heat[1], cable.heat[0]}};
}

static int make_cables(struct drawing *drawing, struct error *error)
{
	const struct fabric *fabric = drawing->fabric;
	uint32_t *reverse = fabric_reverse(fabric, error);
	drawing->cable = array_create(fabric->channels, sizeof *drawing->cable, error);
	for (uint32_t c = 0; c < fabric->channels && !error->status; c++) {
		if (reverse[c] < c)
			continue;
		drawing->fabric_cables += reverse[c] != NONE;
		drawing->fabric_one_way += reverse[c] == NONE;
		struct drawn_cable cable = make_cable(drawing, c, reverse[c]);
		if (cable.box[0] != NONE && cable.box[1] != NONE)
			drawing->cable[drawing->cables++] = cable;
	}
	free(reverse);
	if (error->status)
		return -1;
	qsort(drawing->cable, drawing->cables, sizeof *drawing->cable, compare_cables);
	return 0;
}

/* Adds a line for cables first .. first + count - 1. */
static void add_line(struct drawing *drawing, uint32_t first, uint32_t count, uint32_t lane, uint32_t lanes)
{
	const struct drawn_cable *cable = &drawing->cable[first];
	struct line *line = &drawing->line[drawing->lines++];
	*line = (struct line){.first = first, .count = count, .box = {cable->box[0], cable->box[1]}, .lane = lane, .lanes = lanes};
	for (uint32_t i = 0; i < count; i++)
		if (worst(&cable[i]) > line->heat)
			line->heat = worst(&cable[i]);
}

static int make_lines(struct drawing *drawing, struct error *error)
{
	drawing->line = array_create(drawing->cables, sizeof *drawing->line, error);
	if (!drawing->line)
		return -1;
	for (uint32_t first = 0, end; first < drawing->cables; first = end) {
		const struct drawn_cable *cable = &drawing->cable[first];
		end = first + 1;
		while (end < drawing->cables && drawing->cable[end].box[0] == cable->box[0] && drawing->cable[end].box[1] == cable->box[1])
			end++;
		bool folded = drawing->box[cable->box[0]].kind == BOX_HOSTS || drawing->box[cable->box[1]].kind == BOX_HOSTS;
		if (folded || end - first > PARALLEL_MAX)
			add_line(drawing, first, end - first, 0, 1);
		else
			for (uint32_t i = first; i < end; i++)
				add_line(drawing, i, 1, i - first, end - first);
	}
	return 0;
}

struct drawing *drawing_create(
	const struct fabric *fabric, const struct heat *heat, enum hosts_shown hosts, bool plain, struct error *error)
{
	struct drawing *drawing = array_create(1, sizeof *drawing, error);
	if (!drawing)
		return NULL;
	drawing->fabric = fabric;
	drawing->heat = heat;
	drawing->plain = plain;
	if (hosts == HOSTS_AUTO)
		hosts = fabric->hosts > HOSTS_SHOWN_MAX ? HOSTS_FOLD : HOSTS_ALL;
	if (make_boxes(drawing, hosts, error) || make_cables(drawing, error) || make_lines(drawing, error)) {
		drawing_free(drawing);
		return NULL;
	}
	return drawing;
}

uint32_t drawing_bundle(const struct drawing *drawing)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < drawing->lines; i++) {
		const struct line *line = &drawing->line[i];
		if (line->box[0] >= drawing->heads || line->box[1] >= drawing->heads)
			continue;
		if (count && count != line->count)
			return 0;
		count = line->count;
	}
	return count;
}

/* ---- neighbours */

/* Sets the heads that a line connects; returns false if it does not connect two heads. */
static bool connects_heads(const struct drawing *drawing, const struct line *line, uint32_t *a, uint32_t *b)
{
	*a = line->box[0];
	*b = line->box[1];
	return *a < drawing->heads && *b < drawing->heads && *a != *b && line->lane == 0;
}

static int compare_ids(const void *left, const void *right)
{
	uint32_t a, b;
	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	return a < b ? -1 : a > b;
}

int neighbours_init(struct neighbours *neighbours, const struct drawing *drawing, struct error *error)
{
	uint32_t heads = drawing->heads, a, b;
	neighbours->first = array_create((size_t)heads + 2, sizeof *neighbours->first, error);
	neighbours->neighbour = array_create(2 * (size_t)drawing->lines, sizeof *neighbours->neighbour, error);
	if (!neighbours->first || !neighbours->neighbour) {
		neighbours_clear(neighbours);
		return -1;
	}
	/* first[h + 2] counts, then first[h + 1] is the beginning of h's list and, once filled, its end */
	for (uint32_t i = 0; i < drawing->lines; i++)
		if (connects_heads(drawing, &drawing->line[i], &a, &b)) {
			neighbours->first[a + 2]++;
			neighbours->first[b + 2]++;
		}
	for (uint32_t h = 0; h < heads; h++)
		neighbours->first[h + 2] += neighbours->first[h + 1];
	for (uint32_t i = 0; i < drawing->lines; i++)
		if (connects_heads(drawing, &drawing->line[i], &a, &b)) {
			neighbours->neighbour[neighbours->first[a + 1]++] = b;
			neighbours->neighbour[neighbours->first[b + 1]++] = a;
		}
	for (uint32_t h = 0; h < heads; h++)
		qsort(neighbours->neighbour + neighbours->first[h], neighbours->first[h + 1] - neighbours->first[h], sizeof a, compare_ids);
	return 0;
}

void neighbours_clear(struct neighbours *neighbours)
{
	free(neighbours->first);
	free(neighbours->neighbour);
	*neighbours = (struct neighbours){0};
}

bool neighbours_are(const struct neighbours *neighbours, uint32_t a, uint32_t b)
{
	uint32_t begin = neighbours->first[a], end = neighbours->first[a + 1];
	return bsearch(&b, neighbours->neighbour + begin, end - begin, sizeof b, compare_ids);
}
