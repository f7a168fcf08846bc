/*
 * Matrices of traffic: lines 'src,dst,bytes', MatrixMarket (Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935,
 * 1996), and the connection matrices (.cm) of htsim, whose flows have times and triggers. See orcs-traces(5).
 */
#include "base/memory.h"
#include "patterns/graphs/trace_file.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct arg matrix_args[] = {
	{"FILE", ARG_WORD, NULL, 0, 0, "lines 'src,dst,bytes', a MatrixMarket file, or a connection matrix (.cm) of htsim"},
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

enum form { FORM_CSV, FORM_MARKET, FORM_CM };

/* A file that is being read; without a builder only its size is looked for. */
struct matrix {
	struct trace_file file;
	struct task_builder *builder;
	struct error *error;
	enum form form;
	double bytes;  /* of entries without a value */
	int64_t tasks; /* the largest so far, + 1 */
	int64_t most;  /* number of tasks there are */
	struct flow *flow;
	size_t flows, flow_capacity;
	struct trigger *trigger;
	size_t triggers, trigger_capacity;
	int64_t announced; /* connections; < 0: none */
};

static int add(struct matrix *m, int64_t source, int64_t destination, double bytes)
{
	int64_t last = source > destination ? source : destination;
	m->tasks = last >= m->tasks ? last + 1 : m->tasks;
	if (m->builder && last >= m->most)
		return trace_error(&m->file, m->error,
			"rank %" PRId64 ", but only %" PRId64 " ranks: one for each host, or as many as --ranks asks for", last, m->most);
	if (m->builder)
		task_message(m->builder, (uint32_t)source, (uint32_t)destination, bytes);
	return 0;
}

/* ---- lines of values */

static struct word next_value(struct matrix *m)
{
	struct word word = trace_word(&m->file, ",;");
	return word_is(word, ",") || word_is(word, ";") ? trace_word(&m->file, ",;") : word;
}

static int read_rank(struct matrix *m, struct word word, int64_t *rank)
{
	return trace_integer(&m->file, word, "rank", TRACE_TASKS_MAX - 1, rank, m->error);
}

/* Reads "src,dst,bytes"; a first line that does not begin with a number is a heading. */
static int read_row(struct matrix *m, bool first)
{
	int64_t source, destination;
	double bytes;
	struct word word = next_value(m);
	if (first && word.text && (*word.text < '0' || *word.text > '9'))
		return 0;
	if (read_rank(m, word, &source) || read_rank(m, next_value(m), &destination) ||
		trace_decimal(&m->file, next_value(m), "number of bytes", &bytes, m->error) || trace_line_end(&m->file, m->error))
		return -1;
	return add(m, source, destination, bytes);
}

static int read_rows(struct matrix *m)
{
	for (bool first = true; trace_line(&m->file, m->error); first = false)
		if ((m->builder && task_builder_check(m->builder, m->error)) || read_row(m, first))
			return -1;
	return m->error->status ? -1 : 0;
}

/* ---- MatrixMarket */

/* What the first line says. */
struct market {
	bool array, pattern, symmetric;
	int64_t rows, columns, entries;
};

static bool is_word(struct word word, const char *text)
{
	return word.text && strlen(text) == word.length && !strncasecmp(word.text, text, word.length);
}

/* Reads "%%MatrixMarket matrix coordinate integer general". */
static int read_market_head(struct matrix *m, struct market *market)
{
	trace_word(&m->file, "");
	struct word object = trace_word(&m->file, ""), format = trace_word(&m->file, ""), field = trace_word(&m->file, "");
	struct word symmetry = trace_word(&m->file, "");
	market->array = is_word(format, "array");
	market->pattern = is_word(field, "pattern");
	market->symmetric = is_word(symmetry, "symmetric");
	if (!is_word(object, "matrix"))
		return trace_wrong(&m->file, object, "'matrix'", m->error);
	if (!market->array && !is_word(format, "coordinate"))
		return trace_wrong(&m->file, format, "'coordinate' or 'array'", m->error);
	if (!is_word(field, "integer") && !is_word(field, "real") && !is_word(field, "double") && (!market->pattern || market->array))
		return trace_wrong(&m->file, field, market->array ? "'integer' or 'real'" : "'integer', 'real' or 'pattern'", m->error);
	if (!market->symmetric && !is_word(symmetry, "general"))
		return trace_wrong(&m->file, symmetry, "'general' or 'symmetric'", m->error);
	return trace_line_end(&m->file, m->error);
}

/* Advances to the next line that is not a comment. */
static bool market_line(struct matrix *m)
{
	while (trace_line(&m->file, m->error))
		if (*m->file.next != '%')
			return true;
	return false;
}

static int add_entry(struct matrix *m, const struct market *market, int64_t row, int64_t column, double bytes)
{
	if (add(m, row, column, bytes))
		return -1;
	return market->symmetric && row != column ? add(m, column, row, bytes) : 0;
}

/* Reads an entry of a coordinate matrix, or the next value of an array. */
static int read_entry(struct matrix *m, const struct market *market, int64_t *row, int64_t *column)
{
	double bytes = m->bytes;
	if (!market->array) {
		if (trace_integer(&m->file, trace_word(&m->file, ""), "row", market->rows, row, m->error) ||
			trace_integer(&m->file, trace_word(&m->file, ""), "column", market->columns, column, m->error))
			return -1;
		if (!*row || !*column)
			return trace_error(&m->file, m->error, "rows and columns count from 1");
		--*row, --*column;
	}
	if (!market->pattern && trace_decimal(&m->file, trace_word(&m->file, ""), "number of bytes", &bytes, m->error))
		return -1;
	if (trace_line_end(&m->file, m->error) || ((!market->array || bytes > 0) && add_entry(m, market, *row, *column, bytes)))
		return -1;
	if (market->array && ++*row == market->rows) {
		++*column;
		*row = market->symmetric ? *column : 0;
	}
	return 0;
}

static int read_market(struct matrix *m)
{
	struct market market = {.array = false};
	int64_t row = 0, column = 0, entry = 0;
	if (!trace_line(&m->file, m->error) || read_market_head(m, &market))
		return -1;
	if (!market_line(m))
		return m->error->status ? -1 : trace_error(&m->file, m->error, "the file ends before the size of the matrix");
	if (trace_integer(&m->file, trace_word(&m->file, ""), "number of rows", TRACE_TASKS_MAX, &market.rows, m->error) ||
		trace_integer(&m->file, trace_word(&m->file, ""), "number of columns", TRACE_TASKS_MAX, &market.columns, m->error) ||
		(!market.array && trace_integer(&m->file, trace_word(&m->file, ""), "number of entries", INT64_C(1) << 53, &market.entries,
					  m->error)) ||
		trace_line_end(&m->file, m->error))
		return -1;
	if (market.symmetric && market.rows != market.columns)
		return trace_error(&m->file, m->error, "a symmetric matrix has as many rows as columns");
	m->tasks = market.rows > market.columns ? market.rows : market.columns;
	if (market.array)
		market.entries = market.symmetric ? market.rows * (market.rows + 1) / 2 : market.rows * market.columns;
	for (; market_line(m); entry++) {
		if (entry == market.entries)
			return trace_error(&m->file, m->error, "the matrix has more than its %" PRId64 " entries", market.entries);
		if ((m->builder && task_builder_check(m->builder, m->error)) || read_entry(m, &market, &row, &column))
			return -1;
	}
	if (!m->error->status && entry < market.entries)
		trace_error(&m->file, m->error, "the file ends after %" PRId64 " of %" PRId64 " entries", entry, market.entries);
	return m->error->status ? -1 : 0;
}

/* ---- connection matrices of htsim */

enum { NO_TRIGGER = -1 };

struct flow {
	uint32_t operation;
	int64_t waits; /* its trigger; NO_TRIGGER */
	int64_t fires[2];
};

enum trigger_kind { TRIGGER_ONESHOT, TRIGGER_MULTISHOT, TRIGGER_BARRIER };

struct trigger {
	int64_t id;
	enum trigger_kind kind;
};

static int trigger_number(struct matrix *m, int64_t *number)
{
	return trace_integer(&m->file, trace_word(&m->file, ""), "trigger", UINT32_MAX, number, m->error);
}

/* Reads "a->b [id I] [start PS] [trigger T] size B [send_done_trigger T] [recv_done_trigger T]", after its first word. */
static int read_flow(struct matrix *m, struct word pair)
{
	const char *arrow = memmem(pair.text, pair.length, "->", 2);
	int64_t source, destination, number;
	double start = -1, size = -1;
	struct flow flow = {.waits = NO_TRIGGER, .fires = {NO_TRIGGER, NO_TRIGGER}};
	if (!arrow)
		return trace_wrong(&m->file, pair, "flow, such as 3->5", m->error);
	size_t length = (size_t)(arrow - pair.text);
	if (read_rank(m, (struct word){pair.text, length}, &source) ||
		read_rank(m, (struct word){arrow + 2, pair.length - length - 2}, &destination))
		return -1;
	for (struct word word; (word = trace_word(&m->file, "")).text;) {
		int failed = 0;
		if (word_is(word, "id"))
			failed = trace_integer(&m->file, trace_word(&m->file, ""), "id", INT64_C(1) << 53, &number, m->error);
		else if (word_is(word, "start") && start < 0)
			failed = trace_decimal(&m->file, trace_word(&m->file, ""), "time in picoseconds", &start, m->error);
		else if (word_is(word, "size") && size < 0)
			failed = trace_decimal(&m->file, trace_word(&m->file, ""), "number of bytes", &size, m->error);
		else if (word_is(word, "trigger") && flow.waits == NO_TRIGGER)
			failed = trigger_number(m, &flow.waits);
		else if (word_is(word, "send_done_trigger") && flow.fires[0] == NO_TRIGGER)
			failed = trigger_number(m, &flow.fires[0]);
		else if (word_is(word, "recv_done_trigger") && flow.fires[1] == NO_TRIGGER)
			failed = trigger_number(m, &flow.fires[1]);
		else if (!word_is(word, "msg"))
			failed = trace_wrong(&m->file, word, "'id', 'start', 'size' or a trigger, each once", m->error);
		if (failed)
			return -1;
	}
	if (size < 0)
		return trace_error(&m->file, m->error, "'size BYTES' is missing");
	if (m->builder)
		flow.operation = task_builder_graph(m->builder)->operations;
	if (add(m, source, destination, size))
		return -1;
	if (m->builder && start > 0)
		task_after(m->builder, flow.operation, task_pause(m->builder, (uint32_t)source, start / 1e12));
	if (array_grow(&m->flow, &m->flow_capacity, m->flows + 1, sizeof *m->flow, m->error))
		return -1;
	m->flow[m->flows++] = flow;
	return 0;
}

/* Reads "trigger id T oneshot", with [count N] behind. */
static int read_trigger(struct matrix *m)
{
	static const char *const kinds[] = {"oneshot", "multishot", "barrier"};
	struct word word = trace_word(&m->file, "");
	struct trigger trigger = {0};
	int64_t count;
	if (!word_is(word, "id"))
		return trace_wrong(&m->file, word, "'id'", m->error);
	if (trigger_number(m, &trigger.id))
		return -1;
	word = trace_word(&m->file, "");
	while (trigger.kind <= TRIGGER_BARRIER && !word_is(word, kinds[trigger.kind]))
		trigger.kind++;
	if (trigger.kind > TRIGGER_BARRIER)
		return trace_wrong(&m->file, word, "'oneshot', 'multishot' or 'barrier'", m->error);
	if (word_is(word = trace_word(&m->file, ""), "count")) {
		if (trace_integer(&m->file, trace_word(&m->file, ""), "count", UINT32_MAX, &count, m->error))
			return -1;
		word = trace_word(&m->file, "");
	}
	if (word.text)
		return trace_error(&m->file, m->error, "the line has a word too many: '%.*s'", (int)(word.length < 100 ? word.length : 100),
			word.text);
	if (array_grow(&m->trigger, &m->trigger_capacity, m->triggers + 1, sizeof *m->trigger, m->error))
		return -1;
	m->trigger[m->triggers++] = trigger;
	return 0;
}

static int read_cm_line(struct matrix *m)
{
	struct word word = trace_word(&m->file, "");
	int64_t number;
	bool nodes = is_word(word, "Nodes"), connections = is_word(word, "Connections");
	if (nodes || connections || is_word(word, "Triggers")) {
		int64_t most = nodes ? TRACE_TASKS_MAX : INT64_C(1) << 53;
		if (trace_integer(&m->file, trace_word(&m->file, ""), nodes ? "number of nodes" : "number", most, &number, m->error) ||
			trace_line_end(&m->file, m->error))
			return -1;
		m->tasks = nodes && number > m->tasks ? number : m->tasks;
		m->announced = connections ? number : m->announced;
		return 0;
	}
	return word_is(word, "trigger") ? read_trigger(m) : read_flow(m, word);
}

/*
 * Makes the flows of a trigger wait for those that fire it: all for the first (oneshot), each for the one of its number (multishot), or all
 * for all (barrier).
 */
static int apply_trigger(struct matrix *m, const struct trigger *trigger)
{
	struct task_builder *b = m->builder;
	uint32_t join = OPERATION_NONE, *source = array_create(2 * m->flows, sizeof *source, m->error);
	size_t sources = 0, targets = 0;
	for (size_t f = 0; source && f < m->flows; f++)
		for (int k = 0; k < 2; k++)
			if (m->flow[f].fires[k] == trigger->id)
				source[sources++] = m->flow[f].operation;
	for (size_t f = 0; source && f < m->flows; f++) {
		if (m->flow[f].waits != trigger->id)
			continue;
		size_t number = trigger->kind == TRIGGER_MULTISHOT ? targets : 0;
		targets++;
		if (number >= sources) {
			error_at(m->error, STATUS_FABRIC, input_name(m->file.lines.input), 0,
				"trigger %" PRId64 " starts more flows than end for it: %zu", trigger->id, sources);
			break;
		}
		if (trigger->kind == TRIGGER_BARRIER) {
			if (join == OPERATION_NONE) {
				join = task_barrier(b, task_builder_graph(b)->task[source[0]]);
				for (size_t s = 0; s < sources; s++)
					task_after(b, join, source[s]);
			}
			task_after(b, m->flow[f].operation, join);
		} else {
			task_after(b, m->flow[f].operation, source[number]);
		}
	}
	free(source);
	return m->error->status ? -1 : 0;
}

static int compare_triggers(const void *left, const void *right)
{
	const struct trigger *a = left, *b = right;
	return (a->id > b->id) - (a->id < b->id);
}

static bool has_trigger(const struct matrix *m, int64_t id)
{
	const struct trigger wanted = {.id = id};
	return m->triggers && bsearch(&wanted, m->trigger, m->triggers, sizeof wanted, compare_triggers);
}

static int apply_triggers(struct matrix *m)
{
	if (m->triggers)
		qsort(m->trigger, m->triggers, sizeof *m->trigger, compare_triggers);
	for (size_t f = 0; f < m->flows; f++)
		if (m->flow[f].waits != NO_TRIGGER && !has_trigger(m, m->flow[f].waits))
			return error_at(m->error, STATUS_FABRIC, input_name(m->file.lines.input), 0,
				"a flow waits for trigger %" PRId64 ", which the file does not define", m->flow[f].waits);
	for (size_t t = 0; t < m->triggers && !m->error->status; t++)
		apply_trigger(m, &m->trigger[t]);
	return m->error->status ? -1 : 0;
}

static int read_cm(struct matrix *m)
{
	while (trace_line(&m->file, m->error))
		if ((m->builder && task_builder_check(m->builder, m->error)) || read_cm_line(m))
			return -1;
	if (m->error->status || !m->builder || apply_triggers(m))
		return m->error->status ? -1 : 0;
	if (m->announced >= 0 && (size_t)m->announced != m->flows)
		task_note(m->builder, "the file announces %" PRId64 " connections and has %zu", m->announced, m->flows);
	return 0;
}

/* ---- the file */

/* Opens the file and finds its form by its first word. */
static int open_matrix(struct matrix *m, const char *path)
{
	m->announced = -1;
	if (trace_open(&m->file, path, m->error))
		return -1;
	if (!trace_line(&m->file, m->error))
		return m->error->status ? -1
					: error_at(m->error, STATUS_USAGE, input_name(m->file.lines.input), 0, "the file has no entries");
	struct word word = trace_word(&m->file, ",;");
	m->form = is_word(word, "%%MatrixMarket") ? FORM_MARKET : is_word(word, "Nodes") ? FORM_CM : FORM_CSV;
	trace_close(&m->file);
	return trace_open(&m->file, path, m->error);
}

static int read_matrix(struct matrix *m, const char *path)
{
	static int (*const read[])(struct matrix *) = {read_rows, read_market, read_cm};
	if (!open_matrix(m, path))
		read[m->form](m);
	trace_close(&m->file);
	free(m->flow);
	free(m->trigger);
	return m->error->status ? -1 : 0;
}

static int matrix_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct matrix matrix = {.error = error};
	if (!read_matrix(&matrix, args[0].text) && !matrix.tasks)
		error_at(error, STATUS_USAGE, args[0].text, 0, "the file has no entries");
	*tasks = (uint32_t)matrix.tasks;
	return error->status ? -1 : 0;
}

/* The flows of connection matrices have an order; those of others begin together. */
static bool matrix_ordered(const struct arg_value *args)
{
	struct error error = {0};
	struct matrix matrix = {.error = &error};
	open_matrix(&matrix, args[0].text);
	trace_close(&matrix.file);
	return matrix.form == FORM_CM;
}

static int matrix_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct matrix matrix = {.error = error, .builder = builder, .bytes = task->bytes, .most = task->tasks};
	return read_matrix(&matrix, task->args[0].text);
}

const struct pattern pattern_matrix = {
	.name = "matrix",
	.summary = "a message for each entry of a matrix: CSV, MatrixMarket, or the flows of htsim (.cm)",
	.source = "orcs-traces(5)",
	.args = matrix_args,
	.ordered_with = matrix_ordered,
	.phases = true,
	.count = matrix_count,
	.files = trace_files,
	.build = matrix_build,
};
