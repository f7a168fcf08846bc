#include "tools/trace/trace_report.h"

#include "base/document.h"
#include "base/shown.h"
#include "fabric/described.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {[WHOLE_CA] = "ca", [WHOLE_SWITCH] = "switch", [WHOLE_IS_ROUTER] = "router"};
static const char *const end_names[] = {
	[ROUTE_ENDS_THERE] = NULL,
	[ROUTE_ENDS_WITHOUT_ENTRY] = "has no entry for it",
	[ROUTE_ENDS_IN_LOOP] = "is entered twice: the packets circle",
	[ROUTE_ENDS_WITHOUT_CABLE] = "has an entry that leads to a port without a cable",
};

static const struct channel_use *use_of(const struct pair_trace *trace, uint32_t channel)
{
	for (uint32_t i = 0; i < trace->uses; i++)
		if (trace->use[i].channel == channel)
			return &trace->use[i];
	return NULL;
}

/* ---- as ibtracert writes it: what is unknown is left out */

/* Writes a GUID; without one nothing or, if it alone identifies the node, the name. */
static void write_guid(FILE *file, uint64_t guid, const char *name)
{
	if (guid)
		fprintf(file, " {0x%016" PRIx64 "}", guid);
	if (guid || !name)
		return;
	fputs(" \"", file);
	write_shown(file, name);
	fputc('"', file);
}

/* Writes the number of a port in brackets; "?" if the graph has none. */
static void write_number(FILE *file, uint32_t number, const char *end)
{
	if (number)
		fprintf(file, "[%" PRIu32 "]%s", number, end);
	else
		fprintf(file, "[?]%s", end);
}

static void write_identity(FILE *file, const struct trace_node *node)
{
	if (node->lid)
		fprintf(file, " lid %u-%u", node->lid, node->lid + (1U << node->lmc) - 1);
	fputs(" \"", file);
	write_shown(file, node->desc);
	fputs("\"\n", file);
}

static void write_end(const struct trace_options *o, FILE *file, const char *word, const struct trace_node *node, uint32_t port)
{
	uint32_t number = node->kind == WHOLE_SWITCH ? 0 : port;
	fputs(word, file);
	if (o->brief) {
		write_guid(file, node->guid, node->name);
		if (node->kind == WHOLE_SWITCH)
			fputs("[0]\n", file);
		else
			write_number(file, number, "\n");
		return;
	}
	fprintf(file, " %s", kind_names[node->kind]);
	write_guid(file, node->guid, NULL);
	if (number || node->kind == WHOLE_SWITCH)
		fprintf(file, " portnum %" PRIu32, number);
	write_identity(file, node);
}

static void write_hop(const struct trace_options *o, FILE *file, const struct trace_hop *hop)
{
	const struct trace_node *node = &hop->node;
	write_number(file, hop->out_port, " ->");
	if (!o->brief)
		fprintf(file, " %s port", kind_names[node->kind]);
	uint64_t guid = node->kind == WHOLE_SWITCH ? node->guid : node->port_guid;
	write_guid(file, guid, o->brief ? node->name : NULL);
	fputs(guid || o->brief ? "" : " ", file);
	write_number(file, hop->in_port, "");
	if (o->brief)
		fputc('\n', file);
	else
		write_identity(file, node);
}

static void write_names(FILE *file, const struct pair_routes *r)
{
	write_shown(file, r->from.name);
	fputs(" -> ", file);
	write_shown(file, r->to.name);
}

/* Writes the comment above a route: which it is, its LID, share, service level and lanes. */
static void write_title(FILE *file, const struct pair_routes *r, uint32_t i)
{
	const struct trace_route *route = &r->route[i];
	fputs("# ", file);
	write_names(file, r);
	if (r->total > 1)
		fprintf(file, ", route %" PRIu32 " of %.15g", i + 1, r->total);
	if (r->to.lmc && route->lid)
		fprintf(file, ", LID %" PRIu32, route->lid);
	fprintf(file, ": %zu channel%s", route->hops, route->hops == 1 ? "" : "s");
	if (r->total > 1)
		fprintf(file, ", share %.4g", route->share);
	if (r->level >= 0)
		fprintf(file, ", SL %d", r->level);
	for (size_t h = 0; h < route->hops; h++)
		if (r->hop[route->first + h].lane != LANE_UNKNOWN)
			fprintf(file, "%s%u", h ? " " : ", VLs ", r->hop[route->first + h].lane);
	fputc('\n', file);
}

static void write_gap(FILE *file, const struct pair_routes *r, const struct trace_route *route)
{
	fputs("# no route: ", file);
	write_shown(file, route->hops ? r->hop[route->first + route->hops - 1].node.name : r->from.name);
	fprintf(file, " %s\n", end_names[route->end]);
}

static void write_use(FILE *file, const struct trace_network *n, const struct pair_trace *trace, const struct pair_routes *r,
	const struct trace_route *route)
{
	fputs("# pairs of hosts that use its channels, senders, receivers\n", file);
	for (size_t h = 0; h < route->hops; h++) {
		const struct channel_use *use = use_of(trace, r->hop[route->first + h].channel);
		if (!use)
			continue;
		fprintf(file, "# %9" PRIu64 " %7" PRIu32 " %7" PRIu32 "  ", use->pairs, use->senders, use->receivers);
		write_channel(file, n->fabric, use->channel);
		fputc('\n', file);
	}
}

static void write_direction(const struct trace_options *o, FILE *file, const struct trace_network *n, const struct pair_trace *trace,
	const struct pair_routes *r)
{
	for (uint32_t i = 0; i < r->routes; i++) {
		const struct trace_route *route = &r->route[i];
		write_title(file, r, i);
		write_end(o, file, "From", &r->from, r->from_port);
		for (size_t h = 0; h < route->hops; h++)
			write_hop(o, file, &r->hop[route->first + h]);
		if (route->end == ROUTE_ENDS_THERE)
			write_end(o, file, "To", &r->to, r->to_port);
		else
			write_gap(file, r, route);
		if (trace->uses)
			write_use(file, n, trace, r, route);
	}
	if (r->total > r->routes)
		fprintf(file, "# %.15g more routes: --top 0 lists all\n", r->total - r->routes);
}

/* ---- JSON */

static void add_guid(struct node *to, const char *key, uint64_t guid)
{
	add_text(to, key, guid ? document_print(document_of(to), "0x%016" PRIx64, guid) : NULL);
}

static void add_node(struct node *to, const char *key, const struct trace_node *node, uint32_t port)
{
	struct node *object = add_object(to, key);
	add_text(object, "name", node->name);
	add_text(object, "desc", node->desc);
	add_text(object, "kind", kind_names[node->kind]);
	add_guid(object, "guid", node->guid);
	add_guid(object, "port_guid", node->port_guid);
	add_value(object, "lid", value_of_some(node->lid));
	add_count(object, "lmc", node->lmc);
	add_value(object, "port", value_of_some(port));
}

static void add_use(struct node *to, const struct channel_use *use)
{
	add_count(to, "pairs", use->pairs);
	add_number(to, "load", use->load);
	add_count(to, "senders", use->senders);
	add_count(to, "receivers", use->receivers);
}

static void add_hops(struct node *to, const struct pair_trace *trace, const struct pair_routes *r, const struct trace_route *route)
{
	struct node *list = add_list(to, "hops");
	for (size_t h = 0; h < route->hops; h++) {
		const struct trace_hop *hop = &r->hop[route->first + h];
		struct node *object = add_object(list, NULL);
		add_value(object, "channel", hop->channel == NONE ? NO_VALUE : value_of_count(hop->channel));
		add_value(object, "from_port", value_of_some(hop->out_port));
		add_node(object, "to", &hop->node, hop->in_port);
		add_value(object, "vl", hop->lane == LANE_UNKNOWN ? NO_VALUE : value_of_count(hop->lane));
		const struct channel_use *use = use_of(trace, hop->channel);
		if (use)
			add_use(object, use);
	}
}

static void add_direction(struct node *list, const struct pair_trace *trace, const struct pair_routes *r)
{
	for (uint32_t i = 0; i < r->routes; i++) {
		const struct trace_route *route = &r->route[i];
		struct node *object = add_object(list, NULL);
		add_node(object, "from", &r->from, r->from_port);
		add_node(object, "to", &r->to, r->to_port);
		add_value(object, "lid", value_of_some(route->lid));
		add_value(object, "sl", r->level < 0 ? NO_VALUE : value_of_count((uint64_t)r->level));
		add_number(object, "share", route->share);
		add_number(object, "routes", r->total);
		add_text(object, "fault", end_names[route->end]);
		add_hops(object, trace, r, route);
	}
}

int pair_trace_report(const struct trace_options *options, const struct trace_network *network, const struct pair_trace *trace, FILE *file,
	struct error *error)
{
	struct document document;
	if (!document_begin(&document, options->format, file, error)) {
		add_head(&document, "orcs-trace/1", options->argc, options->argv);
		add_fabric(document.root, network->fabric);
		struct node *list = add_list(document.root, "routes");
		for (int i = 0; i < 2; i++) {
			add_direction(list, trace, &trace->direction[i]);
			write_direction(options, document.text, network, trace, &trace->direction[i]);
			if (!i)
				fputc('\n', document.text);
		}
	}
	return document_end(&document, error);
}

/* ---- a channel */

/* Rows of a channel, for a table. */
struct use_rows {
	const struct channel_use *use;
	const char *const *group;
};

static void make_row(struct row *row, size_t index, const void *data)
{
	const struct use_rows *rows = data;
	const struct use_row *use = &rows->use->row[index];
	row_count(row, use->pairs);
	row_text(row, rows->group[use->from]);
	row_text(row, use->from == use->to && row->format == FORMAT_TEXT ? "" : rows->group[use->to]);
}

static const struct column use_columns[] = {
	{.key = "pairs", .title = "pairs", .width = 9},
	{.key = "from", .title = "from", .left = true, .before = "  "},
	{.key = "to", .title = "to", .left = true, .before = "  "},
};

static void report_channel(const struct trace_options *o, struct document *d, struct node *list, const struct fabric *f,
	const struct channel_trace *trace, const struct channel_use *use)
{
	const uint64_t *guid = f->labels->guid;
	uint64_t tail = guid[fabric_tail(f, use->channel)], head = guid[f->head[use->channel]];
	char guids[GUIDS_TEXT];
	struct node *object = add_object(list, NULL);
	add_count(object, "channel", use->channel);
	add_channel(object, f, use->channel);
	add_guids(object, tail, head);
	add_use(object, use);
	write_channel(d->text, f, use->channel);
	fprintf(d->text, "%s\n", guids_text(tail, head, guids));
	fprintf(d->text, "  %" PRIu64 " pair%s of hosts, %" PRIu32 " sender%s, %" PRIu32 " receiver%s", use->pairs,
		use->pairs == 1 ? "" : "s", use->senders, use->senders == 1 ? "" : "s", use->receivers, use->receivers == 1 ? "" : "s");
	if (use->load < (double)use->pairs * (1 - 1e-9))
		fprintf(d->text, ", %.6g by their shares", use->load);
	fputc('\n', d->text);
	struct use_rows *rows = document_alloc(d, sizeof *rows);
	size_t listed = use->rows < o->most ? use->rows : o->most;
	if (!rows)
		return;
	*rows = (struct use_rows){use, trace->group};
	struct table table = {use_columns, sizeof use_columns / sizeof *use_columns, listed, make_row, rows};
	add_count(object, "groups", use->rows);
	add_table(object, "by", table);
	if (listed)
		say_table(d, table);
	if (listed < use->rows)
		fprintf(d->text, "  and %zu more: --top 0 lists all\n", use->rows - listed);
}

int channel_trace_report(const struct trace_options *options, const struct trace_network *network, const struct channel_trace *trace,
	FILE *file, struct error *error)
{
	struct document document;
	if (!document_begin(&document, options->format, file, error)) {
		add_head(&document, "orcs-trace/1", options->argc, options->argv);
		add_fabric(document.root, network->fabric);
		struct node *list = add_list(document.root, "channels");
		for (uint32_t i = 0; i < trace->channels; i++) {
			if (i)
				fputc('\n', document.text);
			report_channel(options, &document, list, network->fabric, trace, &trace->use[i]);
		}
	}
	return document_end(&document, error);
}
