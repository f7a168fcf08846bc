/*
 * The text is read in place. Names and values remain where they are; only when the whole text is known to be plain, each gets a NUL behind
 * it, over a quote or over the character that ended it.
 */
#include "formats/dot_plain.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/name_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A name or a value; text is NULL for "". */
struct token {
	char *text;
	size_t length;
};

/* An attribute of a kind. */
struct symbol {
	struct token name, fallback;
};

/* A value of an object, or of all objects from that number on. */
struct setting {
	struct token value;
	uint32_t symbol, object;
};

/* The attributes of a kind, and the values that objects have and begin with. */
struct symbols {
	struct symbol *symbol;
	struct setting *initial, *own;
	size_t symbols, initials, owns, symbol_room, initial_room, own_room;
	size_t last; /* the symbol found last */
};

struct plain {
	char *at, *end;
	void *arena; /* of strings with escaped quotes; NULL: there are none */
	struct token graph;
	struct name_table names;
	struct token *node; /* [nodes] */
	struct edge {
		uint32_t tail, head;
	} * edge; /* [edges] */
	size_t nodes, edges, node_room, edge_room;
	struct symbols of[ATTRIBUTE_KINDS];
	struct error *error;
};

enum { INITIALS_MOST = 64 }; /* with more, objects times changes of defaults would take long */

/* ---- tokens */

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

/* Moves behind white space and comments. Returns the next character, '\0' at the end. */
static char look(struct plain *p)
{
	for (;;) {
		const char *end = NULL;
		char c = *p->at;
		if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
			end = p->at + 1;
		else if (c == '/' && p->at[1] == '/')
			end = p->at + strcspn(p->at, "\n");
		else if (c == '/' && p->at[1] == '*' && (end = strstr(p->at + 2, "*/")))
			end += 2;
		if (!end)
			return c;
		p->at += end - p->at;
	}
}

/* Returns whether the character is next, and then moves behind it. */
static bool take(struct plain *p, char c)
{
	if (look(p) != c)
		return false;
	p->at++;
	return true;
}

static bool is_keyword(const struct token *token)
{
	static const char *const keywords[] = {"node", "edge", "graph", "digraph", "subgraph", "strict"};
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (strlen(keywords[i]) == token->length && !strncasecmp(keywords[i], token->text, token->length))
			return true;
	return false;
}

/* Reads a name or a number without quotes. The NUL behind it needs a character that begins no other. */
static bool read_bare(struct plain *p, struct token *token)
{
	char *at = p->at;
	bool number = !is_letter(*at);
	token->text = at;
	if (number) {
		at += *at == '-';
		size_t before = strspn(at, "0123456789"), after;
		at += before;
		after = *at == '.' ? strspn(at + 1, "0123456789") : 0;
		at += *at == '.' ? 1 + after : 0;
		if (!before && !after)
			return false;
	} else {
		while (is_letter(*at) || isdigit((unsigned char)*at))
			at++;
	}
	if ((unsigned char)*at >= 128 || is_letter(*at) || *at == '.' || (*at == '-' && at[1] != '>'))
		return false;
	token->length = (size_t)(at - p->at);
	p->at = at;
	return true;
}

/* Copies a string between from and the end of the text, in which quotes are escaped, up to its end. */
static bool read_escaped(struct plain *p, struct token *token, char *from)
{
	char *at = from;
	size_t length = 0;
	for (; at < p->end && *at != '"'; at++) {
		if (*at == '\n' || (*at == '\\' && (at[1] == '\n' || at[1] == '\r')))
			return false;
		at += *at == '\\' && (at[1] == '"' || at[1] == '\\');
	}
	if (at == p->end || (!p->arena && !(p->arena = arena_create())))
		return false;
	if (!(token->text = arena_alloc(p->arena, (size_t)(at - from) + 1)))
		return false;
	for (const char *c = from; c < at; c++) {
		bool pair = *c == '\\' && (c[1] == '"' || c[1] == '\\');
		if (!pair || c[1] == '\\')
			token->text[length++] = *c;
		if (pair)
			token->text[length++] = *++c;
	}
	token->length = length;
	p->at = at + 1;
	return true;
}

static bool read_quoted(struct plain *p, struct token *token)
{
	char *from = p->at + 1, *quote = memchr(from, '"', (size_t)(p->end - from));
	if (!quote)
		return false;
	size_t length = (size_t)(quote - from);
	if (memchr(from, '\\', length)) {
		if (!read_escaped(p, token, from))
			return false;
	} else if (memchr(from, '\n', length)) {
		return false;
	} else {
		*token = (struct token){from, length};
		p->at = quote + 1;
	}
	return look(p) != '+';
}

/* Reads a string. keyword: whether it is one; NULL: then the text is not plain. */
static bool read_string(struct plain *p, struct token *token, bool *keyword)
{
	bool quoted = look(p) == '"', reserved;
	if (quoted ? !read_quoted(p, token) : !read_bare(p, token))
		return false;
	reserved = !quoted && is_keyword(token);
	if (keyword)
		*keyword = reserved;
	return keyword || !reserved;
}

/* Reads the name of a graph or a node: cgraph keeps those with '%' for itself. */
static bool is_name(const struct token *token)
{
	return token->length && *token->text != '%';
}

/* ---- objects and their attributes */

/* Adds a value from an object on. */
static bool set(struct plain *p, struct setting **list, size_t *count, size_t *room, struct setting setting)
{
	if (array_grow(list, room, *count + 1, sizeof **list, p->error))
		return false;
	(*list)[(*count)++] = setting;
	return true;
}

static bool set_initial(struct plain *p, struct symbols *s, uint32_t symbol, uint32_t object, struct token value)
{
	s->symbol[symbol].fallback = value;
	return s->initials < INITIALS_MOST && set(p, &s->initial, &s->initials, &s->initial_room, (struct setting){value, symbol, object});
}

/* Returns the number of a symbol, which is added unless it exists; NONE if that fails. */
static uint32_t find_symbol(struct plain *p, struct symbols *s, const struct token *name)
{
	for (size_t i = 0, at = s->last; i < s->symbols; i++) {
		at = at + 1 < s->symbols ? at + 1 : 0;
		if (s->symbol[at].name.length == name->length && !memcmp(s->symbol[at].name.text, name->text, name->length)) {
			s->last = at;
			return (uint32_t)at;
		}
	}
	if (array_grow(&s->symbol, &s->symbol_room, s->symbols + 1, sizeof *s->symbol, p->error))
		return NONE;
	s->symbol[s->symbols] = (struct symbol){*name, {0}};
	return (uint32_t)s->symbols++;
}

/* Reads a list of attributes between brackets, if one follows. object: the one that it belongs to; NONE: all that follow. */
static bool read_attributes(struct plain *p, enum attribute_kind kind, uint32_t object)
{
	struct symbols *s = &p->of[kind];
	const uint32_t count = (uint32_t)(kind == ATTRIBUTE_NODE ? p->nodes : kind == ATTRIBUTE_CHANNEL ? p->edges : 0);
	struct token name, value;
	if (!take(p, '['))
		return true;
	while (!take(p, ']')) {
		if (!read_string(p, &name, NULL) || !take(p, '=') || !read_string(p, &value, NULL))
			return false;
		if (kind == ATTRIBUTE_CHANNEL && name.length == 3 && !memcmp(name.text, "key", 3))
			return false;
		uint32_t symbol = find_symbol(p, s, &name);
		if (symbol == NONE)
			return false;
		if (object == NONE ? !set_initial(p, s, symbol, count, value)
				   : !set(p, &s->own, &s->owns, &s->own_room, (struct setting){value, symbol, object}))
			return false;
		if (look(p) == ',' || look(p) == ';')
			p->at++;
	}
	return true;
}

/* Returns the number of a node, which is added unless it exists; NONE if that fails. */
static uint32_t find_node(struct plain *p, const struct token *name)
{
	if (name_table_reserve(&p->names, p->nodes + 1, p->error) ||
		array_grow(&p->node, &p->node_room, p->nodes + 1, sizeof *p->node, p->error))
		return NONE;
	uint32_t node = name_table_put(&p->names, name->text, name->length, (uint32_t)p->nodes);
	if (node == p->nodes)
		p->node[p->nodes++] = *name;
	return node;
}

/* Reads the rest of an edge, behind its tail. */
static bool read_edge(struct plain *p, uint32_t tail)
{
	struct token name;
	p->at += 2;
	if (!read_string(p, &name, NULL) || !is_name(&name) || look(p) == '-')
		return false;
	uint32_t head = find_node(p, &name);
	if (head == NONE || array_grow(&p->edge, &p->edge_room, p->edges + 1, sizeof *p->edge, p->error))
		return false;
	p->edge[p->edges++] = (struct edge){tail, head};
	return read_attributes(p, ATTRIBUTE_CHANNEL, (uint32_t)p->edges - 1);
}

/* Reads the rest of NAME=VALUE, an attribute of the graph. */
static bool read_graph_attribute(struct plain *p, const struct token *name)
{
	struct token value;
	p->at++;
	uint32_t symbol = find_symbol(p, &p->of[ATTRIBUTE_GRAPH], name);
	return read_string(p, &value, NULL) && symbol != NONE && set_initial(p, &p->of[ATTRIBUTE_GRAPH], symbol, 0, value);
}

/* Reads a list of defaults behind its keyword. */
static bool read_defaults(struct plain *p, const struct token *keyword)
{
	static const char kinds[] = {[ATTRIBUTE_GRAPH] = 'g', [ATTRIBUTE_NODE] = 'n', [ATTRIBUTE_CHANNEL] = 'e'};
	for (int kind = 0; kind < ATTRIBUTE_KINDS; kind++)
		if (tolower((unsigned char)*keyword->text) == kinds[kind])
			return look(p) == '[' && read_attributes(p, (enum attribute_kind)kind, NONE);
	return false;
}

static bool read_statement(struct plain *p)
{
	struct token name;
	bool keyword;
	if (!read_string(p, &name, &keyword))
		return false;
	if (keyword)
		return read_defaults(p, &name);
	if (look(p) == '=')
		return read_graph_attribute(p, &name);
	uint32_t node = is_name(&name) ? find_node(p, &name) : NONE;
	if (node == NONE)
		return false;
	return look(p) == '-' && p->at[1] == '>' ? read_edge(p, node) : read_attributes(p, ATTRIBUTE_NODE, node);
}

/* Reads the whole text. Returns whether it is plain, and memory sufficed. */
static bool read_graph(struct plain *p)
{
	struct token word;
	bool keyword;
	if (!dot_plain_begins(p->at) || !read_string(p, &word, &keyword) || !keyword || word.length != strlen("digraph"))
		return false;
	if (look(p) != '{' && (!read_string(p, &p->graph, NULL) || !is_name(&p->graph)))
		return false;
	if (!take(p, '{'))
		return false;
	while (!take(p, '}')) {
		if (!read_statement(p))
			return false;
		take(p, ';');
	}
	return !look(p) && p->at == p->end && p->nodes < NONE && p->edges < NONE;
}

bool dot_plain_begins(const char *text)
{
	struct plain p = {.at = (char *)text};
	return !look(&p) || !strncasecmp(p.at, "digraph", strlen("digraph"));
}

/* ---- results */

/* Ends the string, and returns it. */
static const char *end(const struct token *token)
{
	if (!token->text)
		return "";
	token->text[token->length] = '\0';
	return token->text;
}

static int compare_names(const void *left, const void *right, void *symbols)
{
	const struct symbol *symbol = symbols, *a = &symbol[*(const uint32_t *)left], *b = &symbol[*(const uint32_t *)right];
	return strcmp(a->name.text ? a->name.text : "", b->name.text ? b->name.text : "");
}

/* Makes the columns of a kind, by name; those of the graph have no values but the fallback. place: [count] of the objects. */
static void make_columns(
	struct attributes *a, enum attribute_kind kind, struct symbols *s, const uint32_t *place, uint32_t count, struct error *error)
{
	uint32_t *order = array_create(s->symbols, sizeof *order, error);
	const char ***value = array_create(s->symbols, sizeof *value, error);
	for (uint32_t i = 0; order && i < s->symbols; i++) {
		order[i] = i;
		end(&s->symbol[i].name);
	}
	if (order && s->symbols)
		qsort_r(order, s->symbols, sizeof *order, compare_names, s->symbol);
	for (size_t i = 0; i < s->symbols && !error->status; i++) {
		struct symbol *symbol = &s->symbol[order[i]];
		struct attribute *column = attributes_add(a, kind, symbol->name.text, end(&symbol->fallback), error);
		if (column && count && (column->value = array_create(count, sizeof *column->value, error)))
			for (uint32_t o = 0; o < count; o++)
				column->value[o] = "";
		if (!error->status)
			value[order[i]] = column->value;
	}
	for (size_t i = 0; i < s->initials && !error->status; i++)
		for (uint32_t o = s->initial[i].object; o < count; o++)
			value[s->initial[i].symbol][place ? place[o] : o] = end(&s->initial[i].value);
	for (size_t i = 0; i < s->owns && !error->status; i++)
		value[s->own[i].symbol][place ? place[s->own[i].object] : s->own[i].object] = end(&s->own[i].value);
	free(order);
	free(value);
}

/* Sorts the numbers of edges by one end, those with the same in the order that they have. first: [nodes + 1] becomes the first of each. */
static void sort_edges(const struct plain *p, bool by_tail, const uint32_t *from, uint32_t *to, uint32_t *first)
{
	memset(first, 0, (p->nodes + 1) * sizeof *first);
	for (size_t e = 0; e < p->edges; e++)
		first[(by_tail ? p->edge[e].tail : p->edge[e].head) + 1]++;
	for (size_t v = 0; v < p->nodes; v++)
		first[v + 1] += first[v];
	for (size_t i = 0; i < p->edges; i++) {
		uint32_t e = from ? from[i] : (uint32_t)i;
		to[first[by_tail ? p->edge[e].tail : p->edge[e].head]++] = e;
	}
	for (size_t v = p->nodes; v; v--)
		first[v] = first[v - 1];
	first[0] = 0;
}

/* Numbers the channels: by tail, by head, as the file has them. number: [edges] */
static void number_channels(const struct plain *p, struct dot_graph *graph, uint32_t *place, uint32_t *number, struct error *error)
{
	uint32_t *one = array_create(p->edges, sizeof *one, error), *other = array_create(p->edges, sizeof *other, error);
	graph->first_channel = array_create(p->nodes + 1, sizeof *graph->first_channel, error);
	graph->head = array_create(p->edges, sizeof *graph->head, error);
	if (!error->status) {
		sort_edges(p, false, NULL, one, graph->first_channel);
		sort_edges(p, true, one, other, graph->first_channel);
		for (uint32_t c = 0; c < p->edges; c++) {
			number[other[c]] = c;
			graph->head[c] = p->edge[other[c]].head;
		}
		sort_edges(p, true, NULL, one, graph->first_channel);
		for (size_t i = 0; i < p->edges; i++)
			place[i] = number[one[i]];
	}
	free(one);
	free(other);
}

/* Owner of the texts of attributes. */
struct owner {
	char *text;
	void *arena;
	const char **name;
};

static void release(void *data)
{
	struct owner *owner = data;
	free(owner->text);
	if (owner->arena)
		arena_destroy(owner->arena);
	free(owner->name);
	free(owner);
}

/* Makes the graph of a plain text. Returns 0, or -1 if out of memory; then the text is still the caller's. */
static int make_graph(struct plain *p, struct dot_graph *graph, char *text, struct error *error)
{
	uint32_t *number = array_create(p->edges, sizeof *number, error);
	struct attributes *a = graph->attributes = attributes_create((uint32_t)p->nodes, (uint32_t)p->edges, error);
	struct owner *owner = array_create(1, sizeof *owner, error);
	const char **name = array_create(p->nodes, sizeof *name, error);
	if (!error->status && (a->place = array_create(p->edges, sizeof *a->place, error)))
		number_channels(p, graph, a->place, number, error);
	for (size_t v = 0; v < p->nodes && !error->status; v++)
		name[v] = end(&p->node[v]);
	for (int kind = 0; kind < ATTRIBUTE_KINDS && !error->status; kind++)
		make_columns(a, (enum attribute_kind)kind, &p->of[kind], kind == ATTRIBUTE_CHANNEL ? number : NULL,
			kind == ATTRIBUTE_NODE      ? a->nodes
			: kind == ATTRIBUTE_CHANNEL ? a->channels
						    : 0,
			error);
	free(number);
	if (error->status) {
		free(owner);
		free(name);
		return -1;
	}
	a->name = name;
	if (p->graph.text)
		a->graph = end(&p->graph);
	*owner = (struct owner){text, p->arena, name};
	p->arena = NULL;
	a->owner = owner;
	a->release = release;
	return 0;
}

int dot_plain_read(struct dot_graph *graph, char *text, size_t length, struct error *error)
{
	struct plain p = {.at = text, .end = text + length, .error = error};
	bool plain = !name_table_init(&p.names, 16, error) && read_graph(&p);
	if (plain)
		make_graph(&p, graph, text, error);
	name_table_clear(&p.names);
	free(p.node);
	free(p.edge);
	for (int kind = 0; kind < ATTRIBUTE_KINDS; kind++) {
		free(p.of[kind].symbol);
		free(p.of[kind].initial);
		free(p.of[kind].own);
	}
	if (p.arena)
		arena_destroy(p.arena);
	return error->status ? -1 : plain;
}
