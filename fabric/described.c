#include "fabric/described.h"

#include "base/shown.h"
#include "fabric/host_distances.h"

#include <inttypes.h>

struct node *add_fabric(struct node *to, const struct fabric *fabric)
{
	struct node *json = add_object(to, "fabric");
	add_text(json, "file", fabric->labels->source);
	add_text(json, "hash", document_print(document_of(to), "%016" PRIx64, fabric->labels->hash));
	add_count(json, "hosts", fabric->hosts);
	add_count(json, "switches", fabric->nodes - fabric->hosts);
	add_count(json, "channels", fabric->channels);
	return json;
}

void row_channel(struct row *row, const struct fabric *fabric, uint32_t channel)
{
	const struct fabric_labels *labels = fabric->labels;
	row_text(row, labels->name[fabric_tail(fabric, channel)]);
	row_put(row, value_of_some(labels->port[channel]));
	row_text(row, labels->name[fabric->head[channel]]);
	row_put(row, value_of_some(labels->peer_port[channel]));
}

void add_channel(struct node *to, const struct fabric *fabric, uint32_t channel)
{
	static const char *const key[] = {"from", "from_port", "to", "to_port"};
	struct row row = {.cells = 0};
	row_channel(&row, fabric, channel);
	for (unsigned i = 0; i < row.cells; i++)
		add_value(to, key[i], row.cell[i]);
}

void write_port(FILE *file, const struct fabric *fabric, uint32_t node, uint32_t port)
{
	write_shown(file, fabric->labels->name[node]);
	if (port)
		fprintf(file, "[%" PRIu32 "]", port);
}

void write_channel(FILE *file, const struct fabric *fabric, uint32_t channel)
{
	write_port(file, fabric, fabric_tail(fabric, channel), fabric->labels->port[channel]);
	fputs(" -> ", file);
	write_port(file, fabric, fabric->head[channel], fabric->labels->peer_port[channel]);
}

const char *channel_text(const struct fabric *fabric, uint32_t channel, char *text, size_t size)
{
	FILE *file = fmemopen(text, size, "w");
	*text = '\0';
	if (file) {
		write_channel(file, fabric, channel);
		fclose(file);
	}
	return text;
}

void add_guids(struct node *to, uint64_t from, uint64_t head)
{
	struct document *d = document_of(to);
	add_text(to, "from_guid", from ? document_print(d, "0x%016" PRIx64, from) : NULL);
	add_text(to, "to_guid", head ? document_print(d, "0x%016" PRIx64, head) : NULL);
}

const char *guids_text(uint64_t from, uint64_t head, char text[GUIDS_TEXT])
{
	char ends[2][24] = {"?", "?"};
	*text = '\0';
	if (from)
		snprintf(ends[0], sizeof ends[0], "0x%016" PRIx64, from);
	if (head)
		snprintf(ends[1], sizeof ends[1], "0x%016" PRIx64, head);
	if (from || head)
		snprintf(text, GUIDS_TEXT, ", GUIDs %s -> %s", ends[0], ends[1]);
	return text;
}

struct value level_value(uint32_t level)
{
	return level == LEVEL_HOST ? value_of_text("hosts") : value_of_count(level);
}

const char *level_name(uint32_t level, char *text, size_t size)
{
	if (level == LEVEL_HOST)
		snprintf(text, size, "hosts");
	else
		snprintf(text, size, "level %" PRIu32, level);
	return text;
}
