#include "pictures/labels.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/shown.h"
#include "pictures/lettering.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Names up to this length stay whole; digits of a GUID. */
enum { SHORT_NAME = 12, DIGITS_LEAST = 4, DIGITS = 16 };

struct naming {
	const struct fabric *fabric;
	const struct chassis_list *chassis;
	struct labels *labels;
	const char **title; /* [nodes] */
	char *buffer;       /* [SHOWN_SIZE] */
	struct error *error;
};

/* A part of a name. */
struct span {
	const char *text;
	size_t length;
};

int titles_find(const struct fabric *fabric, const char **title, struct error *error)
{
	const struct fabric_labels *labels = fabric->labels;
	struct name_table names;
	if (name_table_init(&names, fabric->nodes, error))
		return -1;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		uint32_t earlier = *labels->desc[v] ? name_table_add(&names, labels->desc[v], v) : NONE;
		title[v] = earlier == v ? labels->desc[v] : labels->name[v];
		if (earlier != v && earlier != NONE)
			title[earlier] = labels->name[earlier];
	}
	name_table_clear(&names);
	return 0;
}

/* Returns a printable copy of the formatted parts. */
static const char *keep(struct naming *n, struct span a, const char *between, struct span b)
{
	size_t size = a.length + strlen(between) + b.length + 1;
	char *text = arena_alloc(n->labels->pool, size), *shown = text;
	if (text) {
		snprintf(text, size, "%.*s%s%.*s", (int)a.length, a.text, between, (int)b.length, b.text);
		show_text(n->buffer, SHOWN_SIZE, text);
		if (strcmp(n->buffer, text) != 0 && (shown = arena_alloc(n->labels->pool, strlen(n->buffer) + 1)))
			strcpy(shown, n->buffer);
	}
	if (!shown)
		error_set(n->error, STATUS_IO, "out of memory");
	return shown ? shown : "";
}

static const struct span nothing = {"", 0};

static struct span whole(const char *text)
{
	return (struct span){text, strlen(text)};
}

/* ---- what names share */

/* Returns what firmware adds no more to: NAME of "MF0;NAME:MODEL" and of "MF0;NAME:MODEL/U1". */
static struct span bare_name(struct span name)
{
	size_t end = name.length;
	if (name.length < 5 || strncmp(name.text, "MF0;", 4) != 0)
		return name;
	while (end > 4 && name.text[end - 1] != ':')
		end--;
	return end > 5 ? (struct span){name.text + 4, end - 5} : name;
}

static bool is_separator(char c)
{
	return !isalnum((unsigned char)c) && (unsigned char)c < 0x80;
}

/* The beginning and the end that some names share, up to a separator. */
struct affixes {
	const char *first; /* the first name, NULL: none */
	size_t length, prefix, suffix, longest;
};

static void add_affixes(struct affixes *a, struct span name)
{
	a->longest = name.length > a->longest ? name.length : a->longest;
	if (!a->first) {
		a->first = name.text;
		a->length = a->prefix = a->suffix = name.length;
		return;
	}
	size_t prefix = 0, suffix = 0;
	while (prefix < a->prefix && prefix < name.length && a->first[prefix] == name.text[prefix])
		prefix++;
	while (suffix < a->suffix && suffix < name.length && a->first[a->length - 1 - suffix] == name.text[name.length - 1 - suffix])
		suffix++;
	a->prefix = prefix;
	a->suffix = suffix;
}

/* Cuts both at separators, and drops them if the names are short anyway, or only one. */
static void end_affixes(struct affixes *a, uint32_t names)
{
	if (names < 2 || a->longest <= SHORT_NAME)
		a->prefix = a->suffix = 0;
	while (a->prefix && !is_separator(a->first[a->prefix - 1]))
		a->prefix--;
	while (a->suffix && !is_separator(a->first[a->length - a->suffix]))
		a->suffix--;
}

static struct span without_affixes(const struct affixes *a, struct span name)
{
	if (name.length <= a->prefix + a->suffix)
		return name;
	return (struct span){name.text + a->prefix, name.length - a->prefix - a->suffix};
}

/* ---- chassis */

static struct span chassis_name(const struct chassis *chassis)
{
	return bare_name((struct span){chassis->name, (size_t)chassis->length});
}

static void name_chassis(struct naming *n)
{
	const struct chassis_list *list = n->chassis;
	struct affixes affixes = {0};
	struct name_table names;
	if (name_table_init(&names, list->count, n->error))
		return;
	for (uint32_t i = 0; i < list->count; i++)
		add_affixes(&affixes, chassis_name(&list->chassis[i]));
	end_affixes(&affixes, list->count);
	for (uint32_t i = 0; i < list->count; i++)
		n->labels->chassis[i] = keep(n, without_affixes(&affixes, chassis_name(&list->chassis[i])), "", nothing);
	for (uint32_t i = 0; i < list->count && !n->error->status; i++)
		if (name_table_add(&names, n->labels->chassis[i], i) != i)
			n->labels->chassis[i] = keep(n, (struct span){list->chassis[i].name, (size_t)list->chassis[i].length}, "", nothing);
	name_table_clear(&names);
}

/* Returns what follows the name of its chassis in the description of a board: "L05/U1"; NULL for other switches. */
static const char *board_of(const struct naming *n, uint32_t node)
{
	uint32_t index = n->chassis->of ? n->chassis->of[node] : NONE;
	const char *desc = n->fabric->labels->desc[node];
	if (index == NONE)
		return NULL;
	const struct chassis *chassis = &n->chassis->chassis[index];
	bool named = !strncmp(desc, chassis->name, (size_t)chassis->length) && desc[chassis->length] == '/';
	return named && n->title[node] == desc ? desc + chassis->length + 1 : NULL;
}

/* CHASSIS/L05.1 for L05/U1. */
static const char *board_label(struct naming *n, uint32_t node, const char *board)
{
	char text[LABEL_LENGTH * 4];
	const char *chip = strstr(board, "/U");
	if (chip && snprintf(text, sizeof text, "%.*s.%s", (int)(chip - board), board, chip + 2) < (int)sizeof text)
		board = text;
	return keep(n, whole(n->labels->chassis[n->chassis->of[node]]), "/", whole(board));
}

/* ---- GUIDs as names */

/* Returns whether the title ends with the GUID, as "S-0002c90300000001" and the names of nodes whose description is that of their kind. */
static bool says_guid(const struct naming *n, uint32_t node)
{
	char digits[DIGITS + 1];
	const char *title = n->title[node];
	size_t length = strlen(title);
	snprintf(digits, sizeof digits, "%016" PRIx64, n->fabric->labels->guid[node]);
	return n->fabric->labels->guid[node] && length >= DIGITS && !strcasecmp(title + length - DIGITS, digits);
}

static int compare_guids(const void *left, const void *right)
{
	uint64_t a, b;
	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	return (a > b) - (a < b);
}

/* Returns how few last digits tell the GUIDs apart. */
static int digits_needed(uint64_t *guid, size_t count)
{
	for (int digits = DIGITS_LEAST; digits < DIGITS; digits++) {
		uint64_t mask = (UINT64_C(1) << 4 * digits) - 1;
		size_t i = 1;
		uint64_t *last = guid + count;
		for (size_t k = 0; k < count; k++)
			last[k] = guid[k] & mask;
		qsort(last, count, sizeof *last, compare_guids);
		while (i < count && last[i] != last[i - 1])
			i++;
		if (i >= count)
			return digits;
	}
	return DIGITS;
}

/* Returns the digits for all nodes that a GUID names: hosts, or switches. */
static int find_digits(struct naming *n, bool hosts)
{
	uint64_t *guid = array_create(2 * (size_t)n->fabric->nodes, sizeof *guid, n->error);
	size_t count = 0;
	int digits = DIGITS;
	for (uint32_t v = 0; v < n->fabric->nodes && guid; v++)
		if ((n->fabric->node_host[v] != NONE) == hosts && says_guid(n, v))
			guid[count++] = n->fabric->labels->guid[v];
	if (guid)
		digits = digits_needed(guid, count);
	free(guid);
	return digits;
}

/* ---- all nodes */

static struct span other_name(const struct naming *n, uint32_t node)
{
	return bare_name(whole(n->title[node]));
}

/* Returns what a title says before its GUID. */
static struct span before_guid(const struct naming *n, uint32_t node)
{
	struct span name = {n->title[node], strlen(n->title[node]) - DIGITS};
	while (name.length && is_separator(name.text[name.length - 1]))
		name.length--;
	return name;
}

/* The last digits, after what the titles do not share. */
static const char *guid_label(struct naming *n, uint32_t node, int digits, const struct affixes *shared)
{
	struct span own = before_guid(n, node);
	const char *title = n->title[node];
	own = own.length > shared->prefix + shared->suffix ? without_affixes(shared, own) : nothing;
	return keep(n, own.length <= SHORT_NAME ? own : nothing, "…", whole(title + strlen(title) - digits));
}

/* Names the hosts, or the switches. */
static void name_nodes(struct naming *n, bool hosts)
{
	struct affixes affixes = {0}, numbered = {0}; /* numbered: of titles with a GUID */
	uint32_t names = 0, guids = 0;
	int digits = find_digits(n, hosts);
	for (uint32_t v = 0; v < n->fabric->nodes; v++) {
		if ((n->fabric->node_host[v] != NONE) != hosts || board_of(n, v))
			continue;
		bool guid = says_guid(n, v);
		add_affixes(guid ? &numbered : &affixes, guid ? before_guid(n, v) : other_name(n, v));
		names += !guid;
		guids += guid;
	}
	end_affixes(&affixes, names);
	if (guids > 1 && numbered.longest > SHORT_NAME)
		end_affixes(&numbered, guids);
	for (uint32_t v = 0; v < n->fabric->nodes && !n->error->status; v++) {
		const char *board = board_of(n, v);
		if ((n->fabric->node_host[v] != NONE) != hosts)
			continue;
		if (board)
			n->labels->text[v] = board_label(n, v, board);
		else if (says_guid(n, v) && digits < DIGITS)
			n->labels->text[v] = guid_label(n, v, digits, &numbered);
		else
			n->labels->text[v] = keep(n, without_affixes(&affixes, other_name(n, v)), "", nothing);
	}
}

/* ---- no two alike */

/* Marks the nodes whose label another one has. Returns how many do. */
static uint32_t find_alike(struct naming *n, const char **text, bool *alike)
{
	struct name_table names;
	uint32_t count = 0;
	memset(alike, 0, n->fabric->nodes * sizeof *alike);
	if (name_table_init(&names, n->fabric->nodes, n->error))
		return 0;
	for (uint32_t v = 0; v < n->fabric->nodes; v++) {
		uint32_t first = name_table_add(&names, text[v], v);
		if (first != v) {
			alike[first] = alike[v] = true;
			count++;
		}
	}
	name_table_clear(&names);
	return count;
}

static const char *numbered(struct naming *n, const char *text, uint32_t number)
{
	char end[24];
	snprintf(end, sizeof end, "#%" PRIu32, number);
	return keep(n, whole(text), " ", whole(end));
}

/* Labels that several nodes have become their titles; what is still alike gets a number. */
static void tell_apart(struct naming *n, bool *alike)
{
	const char **text = n->labels->text;
	if (!find_alike(n, text, alike))
		return;
	for (uint32_t v = 0; v < n->fabric->nodes && !n->error->status; v++)
		if (alike[v])
			text[v] = keep(n, whole(n->title[v]), "", nothing);
	for (int turn = 0; turn < 3 && !n->error->status && find_alike(n, text, alike); turn++)
		for (uint32_t v = 0; v < n->fabric->nodes && !n->error->status; v++)
			if (alike[v])
				text[v] = numbered(n, text[v], v + 1);
}

/* Writes the shortened forms of long labels, others as they are. Returns how many are alike. */
static uint32_t shorten_at(struct naming *n, const char **text, size_t kept, bool *alike)
{
	for (uint32_t v = 0; v < n->fabric->nodes && !n->error->status; v++) {
		text[v] = n->labels->text[v];
		if (strlen(text[v]) <= LABEL_LENGTH)
			continue;
		snprintf(n->buffer, SHOWN_SIZE, "%s", text[v]);
		text_shorten(n->buffer, LABEL_LENGTH, kept);
		text[v] = keep(n, whole(n->buffer), "", nothing);
	}
	return n->error->status ? 0 : find_alike(n, text, alike);
}

static bool any_long(const struct naming *n)
{
	bool any = false;
	for (uint32_t v = 0; v < n->fabric->nodes; v++)
		any |= strlen(n->labels->text[v]) > LABEL_LENGTH;
	return any;
}

/* Leaves out the middle of long labels: where the fewest become alike, which stay whole. */
static void shorten(struct naming *n, bool *alike)
{
	enum { TURNS = 7 };
	const char **text = array_create(n->fabric->nodes, sizeof *text, n->error);
	uint32_t fewest = UINT32_MAX;
	size_t best = LABEL_LENGTH / 2;
	for (size_t i = 0; i < TURNS && fewest && text && !n->error->status; i++) {
		size_t kept = i % 2 ? LABEL_LENGTH / 2 - (i + 1) : LABEL_LENGTH / 2 + i;
		uint32_t count = shorten_at(n, text, kept, alike);
		best = count < fewest ? kept : best;
		fewest = count < fewest ? count : fewest;
	}
	if (text && !n->error->status) {
		shorten_at(n, text, best, alike);
		for (uint32_t v = 0; v < n->fabric->nodes; v++)
			n->labels->text[v] = alike[v] ? n->labels->text[v] : text[v];
	}
	free(text);
}

int labels_make(struct labels *labels, const struct fabric *fabric, const struct chassis_list *chassis, struct error *error)
{
	bool *alike = array_create(fabric->nodes, sizeof *alike, error);
	struct naming n = {
		.fabric = fabric,
		.chassis = chassis,
		.labels = labels,
		.title = array_create(fabric->nodes, sizeof *n.title, error),
		.buffer = array_create(SHOWN_SIZE, 1, error),
		.error = error,
	};
	*labels = (struct labels){
		.text = array_create(fabric->nodes, sizeof *labels->text, error),
		.chassis = array_create(chassis->count, sizeof *labels->chassis, error),
		.pool = arena_create(),
	};
	if (!labels->pool)
		error_set(error, STATUS_IO, "out of memory");
	if (!error->status && !titles_find(fabric, n.title, error)) {
		name_chassis(&n);
		name_nodes(&n, false);
		name_nodes(&n, true);
		if (!error->status)
			tell_apart(&n, alike);
		if (!error->status && any_long(&n))
			shorten(&n, alike);
	}
	free(alike);
	free(n.title);
	free(n.buffer);
	return error->status ? -1 : 0;
}

void labels_clear(struct labels *labels)
{
	free(labels->text);
	free(labels->chassis);
	if (labels->pool)
		arena_destroy(labels->pool);
	*labels = (struct labels){0};
}
