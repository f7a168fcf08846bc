#include "fabric/node_list.h"

#include "base/args.h"
#include "base/input.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct reading {
	struct node_list *list;
	const struct fabric *fabric;
	struct node_names names;
	bool *seen; /* [nodes] */
	enum node_choice choice;
	const char *option;
	bool alone; /* the option is a single name, or else would be a file */
	struct error *error;
};

static bool is_found(uint32_t node)
{
	return node != NAME_NONE && node != NODE_AMBIGUOUS;
}

static void add(struct reading *r, uint32_t node, uint64_t guid)
{
	struct node_list *list = r->list;
	bool found = is_found(node);
	if ((found && r->seen[node]) || array_grow(&list->listed, &list->capacity, list->count + 1, sizeof *list->listed, r->error))
		return;
	list->listed[list->count++] = (struct listed_node){found ? node : NONE, guid};
	list->known += found;
	if (found)
		r->seen[node] = true;
}

static const char *kind_of(const struct reading *r, bool several)
{
	static const char *const names[][2] = {
		[NODES_ALL] = {"node", "nodes"}, [NODES_HOSTS] = {"host", "hosts"}, [NODES_SWITCHES] = {"switch", "switches"}};
	return names[r->choice][several];
}

static void add_named(struct reading *r, const char *text, size_t length, const char *path, unsigned long line)
{
	char hint[NODE_HINT_SIZE];
	uint32_t node = node_names_find(&r->names, text, length);
	enum status status = path ? STATUS_FABRIC : STATUS_USAGE;
	const char *source = path ? path : r->fabric->labels->source;
	if (is_found(node))
		add(r, node, 0);
	else if (node == NODE_AMBIGUOUS)
		error_at(r->error, status, source, line, "%s: '%.*s' is the description of several %s%s", r->option, (int)length, text,
			kind_of(r, true), node_names_hint(&r->names, text, length, hint));
	else
		error_at(r->error, status, source, line, "%s: no %s%s is named '%.*s'%s", r->option, kind_of(r, false),
			r->alone ? " and no file" : "", (int)length, text, node_names_hint(&r->names, text, length, hint));
}

static void read_file(struct reading *r, const char *path)
{
	struct line_reader reader;
	uint64_t guid;
	char *line;
	if (!line_reader_open(&reader, path, LIST_LINE_LONGEST, r->error))
		while (!r->error->status && (line = line_reader_list(&reader, r->error))) {
			if (!*line)
				continue;
			if ((!strncmp(line, "0x", 2) || strlen(line) == 16) && read_guid(line, &guid))
				add(r, node_names_find(&r->names, line, strlen(line)), guid);
			else
				add_named(r, line, strlen(line), path, reader.number);
		}
	line_reader_close(&reader);
	if (!r->error->status && !r->list->known)
		error_at(r->error, STATUS_FABRIC, path, 0, "%s: the fabric has none of these %s", r->option, kind_of(r, true));
}

/* Adds the names between commas, or where a part is no name those between '+' in it. */
static void read_names(struct reading *r, const char *text)
{
	r->alone = *text && !text[strcspn(text, "+,")];
	for (const char *part = text; (part == text || *part) && !r->error->status;) {
		size_t length = strcspn(part, ",");
		bool whole = node_names_find(&r->names, part, length) != NAME_NONE;
		for (const char *name = part; (name == part || name < part + length) && !r->error->status;) {
			size_t inner = whole ? length : strcspn(name, "+,");
			add_named(r, name, inner, NULL, 0);
			name += inner + 1;
		}
		part += length + (part[length] == ',');
	}
}

/* Whether the text can only be a path: a file has it, and no node. */
static bool is_file(const struct reading *r, const char *text)
{
	return *text && !access(text, F_OK) && node_names_find(&r->names, text, strlen(text)) == NAME_NONE;
}

int node_list_read(struct node_list *list, const char *text, enum node_choice choice, const char *option, const struct fabric *fabric,
	struct files *files, struct error *error)
{
	struct reading r = {.list = list, .fabric = fabric, .choice = choice, .option = option, .error = error};
	*list = (struct node_list){0};
	r.seen = array_create(fabric->nodes, sizeof *r.seen, error);
	if (!node_names_init(&r.names, fabric, choice, error) && !error->status) {
		if (!is_file(&r, text))
			read_names(&r, text);
		else if (!files || !files_read(files, text, error))
			read_file(&r, text);
	}
	node_names_clear(&r.names);
	free(r.seen);
	return error->status ? -1 : 0;
}

void node_list_clear(struct node_list *list)
{
	free(list->listed);
	*list = (struct node_list){0};
}
