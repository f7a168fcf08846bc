#include "tools/check/plan_names.h"

#include "base/arena.h"
#include "base/memory.h"
#include "infiniband/dump.h"
#include "infiniband/subnet_rails.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 7 /* of a node, at most */, KEY_LONGEST = 1000 };

struct key_entry {
	uint32_t node, next; /* next entry of the same key, NONE */
};

/* A place in a system: board L01 or S02, chip U1, port P3; 0: not stated. */
struct place {
	char kind; /* l or s */
	uint32_t board, chip, port;
};

/* ---- labels */

/* Skips a word and then, if asked, a number behind blanks. Returns whether both were there. */
static bool scan_part(char **text, const char *word, uint32_t *number)
{
	char *at = *text;
	if (!scan_text(&at, word) || !scan_blanks(&at) || !scan_number(&at, UINT16_MAX, number) || !*number)
		return false;
	*text = at;
	return true;
}

static bool scan_board(char **text, struct place *place)
{
	static const char *const words[] = {"blade", "leaf", "l", "spine", "s"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (scan_part(text, words[i], &place->board)) {
			place->kind = *words[i] == 's' ? 's' : 'l';
			return true;
		}
	return false;
}

/*
 * Reads a label in lower case: "port 5", "p5", "5", "u1/p5", "l01/u2/p5", "l01/p5", "blade 16_port 2/20", "1/2" or "1/1/2". Returns whether
 * it is one.
 */
static bool read_label(char *text, struct place *place)
{
	uint32_t number[3], numbers = 0;
	*place = (struct place){0};
	if (scan_board(&text, place))
		text += strspn(text, "/_ ");
	if (scan_part(&text, "u", &place->chip))
		text += strspn(text, "/_ ");
	if (!*text)
		return place->kind || place->chip;
	if (!scan_text(&text, "port"))
		scan_char(&text, 'p');
	for (text += strspn(text, " #"); numbers < 3; numbers++)
		if ((numbers && !scan_char(&text, '/')) || !scan_number(&text, UINT16_MAX, &number[numbers]) || !number[numbers])
			break;
	if (*text || !numbers || (place->chip && numbers > 1) || (place->kind && numbers > 2))
		return false;
	place->port = number[numbers - 1];
	if (place->kind && numbers == 2) {
		place->chip = number[0];
	} else if (numbers > 1 && (number[numbers - 2] > 1 || numbers == 3)) { /* cages of two ports */
		place->port = 2 * (number[numbers - 2] - 1) + number[numbers - 1];
		return number[numbers - 1] <= 2 && (numbers == 2 || number[0] == 1);
	}
	return true;
}

/* Copies a text in lower case without surrounding blanks. Returns whether it fits. */
static bool lower(char *to, const char *text, size_t length)
{
	while (length && isspace((unsigned char)*text)) {
		text++;
		length--;
	}
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	if (length >= KEY_LONGEST)
		return false;
	for (size_t i = 0; i < length; i++)
		to[i] = (char)tolower((unsigned char)text[i]);
	to[length] = '\0';
	return true;
}

uint32_t plan_port_number(const char *label)
{
	char text[KEY_LONGEST];
	struct place place;
	return lower(text, label, strlen(label)) && read_label(text, &place) && !place.kind && place.chip <= 1 ? place.port : 0;
}

/* Reads a GUID as tools write them: 0x1234, S-<16 digits>, H<16 digits> or 16 digits. Text in lower case. */
static bool read_guid(const char *text, uint64_t *guid)
{
	const char *digits = text + (*text && strchr("shr", *text) ? 1 + (text[1] == '-') : 0);
	size_t length = strspn(digits, "0123456789abcdef");
	if (digits == text && !strncmp(text, "0x", 2)) {
		digits += 2;
		length = strspn(digits, "0123456789abcdef");
		length = length && length <= 16 ? 16 : 0;
	}
	if (length != 16 || digits[strspn(digits, "0123456789abcdef")])
		return false;
	*guid = strtoull(digits, NULL, 16);
	return *guid;
}

/* ---- systems */

/* Returns the place that a description ends with, such as /L01/U2 or /U1; "" if none. */
static const char *place_of(const char *desc)
{
	struct place place;
	char text[KEY_LONGEST];
	for (const char *slash = strchr(desc, '/'); slash; slash = strchr(slash + 1, '/'))
		if (lower(text, slash + 1, strlen(slash + 1)) && read_label(text, &place) && !place.port)
			return slash + 1;
	return "";
}

size_t system_name(const char *desc, const char **from)
{
	const char *semicolon = strchr(desc, ';'), *end = semicolon ? strchr(semicolon, ':') : NULL, *place;
	*from = semicolon && end ? semicolon + 1 : desc;
	if (semicolon && end)
		return (size_t)(end - *from);
	place = place_of(desc);
	return *place ? (size_t)(place - 1 - desc) : 0;
}

/* ---- keys */

static int add_key(struct plan_names *n, uint32_t node, const char *key)
{
	uint32_t id = (uint32_t)n->entries, first = name_table_find(&n->keys, key, strlen(key));
	if (!*key || (first != NAME_NONE && n->entry[first].node == node))
		return 0;
	if (first == NAME_NONE) {
		char *copy = arena_alloc(n->arena, strlen(key) + 1);
		if (!copy)
			return -1;
		name_table_add(&n->keys, strcpy(copy, key), id);
	} else {
		name_table_set(&n->keys, key, id);
	}
	n->entry[n->entries++] = (struct key_entry){node, first == NAME_NONE ? NONE : first};
	return 0;
}

static int add_text_key(struct plan_names *n, uint32_t node, const char *text, size_t length)
{
	char key[KEY_LONGEST];
	return lower(key, text, length) ? add_key(n, node, key) : 0;
}

static uint32_t only_port(const struct fabric *f, uint32_t node)
{
	uint32_t k = f->first_channel[node];
	return f->node_host[node] != NONE && f->first_channel[node + 1] == k + 1 ? f->labels->port[k] : 0;
}

/* Adds the GUID of a host's port, and what is then the GUID of the adapter if ports are counted from it. */
static int add_guid(struct plan_names *n, uint32_t node)
{
	char key[32];
	uint64_t guid = n->fabric->labels->guid[node];
	snprintf(key, sizeof key, "%016" PRIx64, guid);
	if (guid && add_key(n, node, key))
		return -1;
	snprintf(key, sizeof key, "~%016" PRIx64, guid - only_port(n->fabric, node));
	return guid && only_port(n->fabric, node) ? add_key(n, node, key) : 0;
}

static int add_node(struct plan_names *n, uint32_t node)
{
	const struct fabric_labels *labels = n->fabric->labels;
	const char *name = labels->name[node], *desc = labels->desc[node], *from;
	size_t length = system_name(desc, &from);
	char path[2 * KEY_LONGEST];
	if (add_text_key(n, node, name, strlen(name)) || add_text_key(n, node, desc, strlen(desc)) || add_guid(n, node))
		return -1;
	if (n->fabric->node_host[node] != NONE && add_text_key(n, node, desc, machine_length(desc)))
		return -1;
	if (!length || length >= KEY_LONGEST)
		return 0;
	snprintf(path, sizeof path, "%.*s/%s", (int)length, from, place_of(desc));
	return add_text_key(n, node, from, length) || add_text_key(n, node, path, strlen(path)) ? -1 : 0;
}

int plan_names_init(struct plan_names *names, const struct fabric *fabric, struct error *error)
{
	size_t most = (size_t)fabric->nodes * KEYS;
	*names = (struct plan_names){.fabric = fabric, .arena = arena_create()};
	names->entry = array_create(most, sizeof *names->entry, error);
	int failed = !names->arena || name_table_init(&names->keys, most, error);
	for (uint32_t v = 0; v < fabric->nodes && !failed && !error->status; v++)
		failed = add_node(names, v);
	return failed || error->status ? error_set(error, STATUS_IO, "out of memory") : 0;
}

void plan_names_clear(struct plan_names *names)
{
	if (names->arena)
		arena_destroy(names->arena);
	name_table_clear(&names->keys);
	free(names->entry);
	*names = (struct plan_names){0};
}

/* ---- look-up */

static bool fits(const struct plan_names *n, uint32_t node, const struct place *wanted)
{
	char text[KEY_LONGEST];
	struct place here;
	const char *place = place_of(n->fabric->labels->desc[node]);
	if (!*place || !lower(text, place, strlen(place)) || !read_label(text, &here))
		return !wanted->kind && wanted->chip <= 1;
	return (!wanted->kind || (wanted->kind == here.kind && wanted->board == here.board)) &&
	       (!wanted->chip || wanted->chip == here.chip);
}

/*
 * Selects the node of a key that fits the place. Of several rails of an adapter, the one with that port, or with that number. Returns
 * NAME_FOUND, NAME_AMBIGUOUS or NAME_UNKNOWN.
 */
static enum name_found select_node(const struct plan_names *n, const char *key, const struct place *place, uint32_t *node)
{
	uint32_t fitting = 0, ported = 0, last = NONE;
	uint32_t id = name_table_find(&n->keys, key, strlen(key));
	for (; id != NAME_NONE && id != NONE; id = n->entry[id].next) {
		uint32_t v = n->entry[id].node;
		if (!fits(n, v, place))
			continue;
		fitting++;
		if (place->port && only_port(n->fabric, v) == place->port) {
			ported++;
			*node = v;
		}
		last = v;
	}
	if (fitting == 1)
		*node = last;
	return !fitting ? NAME_UNKNOWN : fitting == 1 || ported == 1 ? NAME_FOUND : NAME_AMBIGUOUS;
}

/* Finds the node of a device, by the text itself, or as a GUID. */
static enum name_found select_device(const struct plan_names *n, const char *device, const struct place *place, uint32_t *node)
{
	char key[32];
	uint64_t guid;
	enum name_found found = select_node(n, device, place, node);
	if (found != NAME_UNKNOWN || !read_guid(device, &guid))
		return found;
	snprintf(key, sizeof key, "%016" PRIx64, guid);
	found = select_node(n, key, place, node);
	if (found != NAME_UNKNOWN)
		return found;
	snprintf(key, sizeof key, "~%016" PRIx64, guid);
	return select_node(n, key, place, node);
}

/* Splits "mlx5_0/1" or "hca-1 port 1" into the adapter and its port. Returns whether there is one. */
static bool split_port(char *text, struct place *place)
{
	*place = (struct place){0};
	for (char *at = text; *at; at++)
		if (*at == '/' || *at == ' ') {
			char rest[KEY_LONGEST];
			strcpy(rest, at + 1);
			if (read_label(rest, place) && place->port && !place->kind && !place->chip) {
				*at = '\0';
				return true;
			}
		}
	return false;
}

/* Finds a host by the name of its adapter in the column of the port: a whole description, or what follows the device's name in it. */
static enum name_found select_adapter(const struct plan_names *n, const char *device, char *port, struct place *place, uint32_t *node)
{
	char whole[2 * KEY_LONGEST + 2];
	uint32_t series, number;
	for (int parts = 0; parts < 2; parts++) {
		if (parts ? !split_port(port, place) : (*place = (struct place){0}, false))
			break;
		enum name_found found = select_node(n, port, place, node);
		snprintf(whole, sizeof whole, "%s %s", device, port);
		if (found == NAME_UNKNOWN)
			found = select_node(n, whole, place, node);
		char *at = port;
		if (found == NAME_UNKNOWN && scan_text(&at, "mlx") && scan_number(&at, UINT8_MAX, &series) && scan_char(&at, '_') &&
			scan_number(&at, UINT8_MAX, &number) && !*at) {
			snprintf(whole, sizeof whole, "%s hca-%" PRIu32, device, number + 1); /* OpenFabrics counts HCAs from 1 */
			found = select_node(n, whole, place, node);
		}
		if (found != NAME_UNKNOWN)
			return found;
	}
	return NAME_UNKNOWN;
}

enum name_found plan_names_find(const struct plan_names *names, const struct plan_end *planned, struct cable_end *end)
{
	char device[KEY_LONGEST], guid[KEY_LONGEST], port[KEY_LONGEST], label[KEY_LONGEST];
	struct place place = {0};
	if (!lower(device, planned->device, strlen(planned->device)) || !lower(guid, planned->guid, strlen(planned->guid)) ||
		!lower(port, planned->port, strlen(planned->port)))
		return NAME_UNKNOWN;
	strcpy(label, port);
	bool labelled = !*port || read_label(label, &place);
	enum name_found found = labelled && *guid ? select_device(names, guid, &place, &end->node) : NAME_UNKNOWN;
	if (found == NAME_UNKNOWN && labelled)
		found = select_device(names, device, &place, &end->node);
	if (found == NAME_UNKNOWN && *port && !labelled) {
		found = select_adapter(names, device, port, &place, &end->node);
		if (found == NAME_UNKNOWN) {
			place = (struct place){0};
			found = select_device(names, *guid ? guid : device, &place, &end->node);
			found = found == NAME_FOUND ? NAME_OF_NO_PORT : found == NAME_AMBIGUOUS ? NAME_UNKNOWN : found;
		}
	}
	if (found == NAME_FOUND || found == NAME_OF_NO_PORT)
		end->port = place.port ? place.port : only_port(names->fabric, end->node);
	return found;
}
