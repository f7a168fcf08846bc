#include "patterns/graphs/traces/chakra_nodes.h"

#include "base/memory.h"

#include <string.h>

/* ---- Protocol Buffers: fields behind their numbers and types */

enum { WIRE_VARINT, WIRE_8_BYTES, WIRE_BYTES, WIRE_4_BYTES = 5 };

struct field {
	uint64_t number;
	unsigned wire;
	uint64_t value;
	struct chakra_bytes content; /* WIRE_BYTES */
};

/* Return false if the bytes end first. */
static bool read_varint(struct chakra_bytes *b, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; b->at < b->end && shift < 64; shift += 7) {
		uint8_t byte = *b->at++;
		*value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return true;
	}
	return false;
}

static bool read_fixed(struct chakra_bytes *b, unsigned bytes, uint64_t *value)
{
	*value = 0;
	if (b->end - b->at < bytes)
		return false;
	for (unsigned i = bytes; i-- > 0;)
		*value = *value << 8 | b->at[i];
	b->at += bytes;
	return true;
}

bool chakra_bytes_read(struct chakra_bytes *b, struct chakra_bytes *content)
{
	uint64_t length;
	if (!read_varint(b, &length) || length > (uint64_t)(b->end - b->at))
		return false;
	*content = (struct chakra_bytes){b->at, b->at + length};
	b->at += length;
	return true;
}

static bool read_field(struct chakra_bytes *b, struct field *field)
{
	uint64_t key;
	if (!read_varint(b, &key))
		return false;
	field->number = key >> 3;
	field->wire = key & 7;
	switch (field->wire) {
	case WIRE_VARINT: return read_varint(b, &field->value);
	case WIRE_8_BYTES: return read_fixed(b, 8, &field->value);
	case WIRE_4_BYTES: return read_fixed(b, 4, &field->value);
	case WIRE_BYTES: return chakra_bytes_read(b, &field->content);
	default: return false;
	}
}

/* ---- nodes */

enum { FIELD_ID = 1, FIELD_TYPE = 3, FIELD_CONTROL = 4, FIELD_DATA = 5, FIELD_DURATION = 7, FIELD_ATTRIBUTE = 10 };

static const char *const attribute_names[ATTRIBUTES] = {"comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "root_rank"};

/* Returns a value of an attribute: of any integer type. */
static int64_t value_of(const struct field *field)
{
	enum { SINT32 = 15, SINT64 = 17 };
	bool zigzag = field->number == SINT32 || field->number == SINT64;
	return zigzag ? (int64_t)(field->value >> 1) ^ -(int64_t)(field->value & 1) : (int64_t)field->value;
}

static bool is_text(struct chakra_bytes bytes, const char *text)
{
	size_t length = (size_t)(bytes.end - bytes.at);
	return strlen(text) == length && !memcmp(bytes.at, text, length);
}

static bool read_attribute(struct chakra_bytes bytes, struct chakra_node *node)
{
	enum { NAME = 1, DOUBLE = 3, TEXT = 29 };
	struct chakra_bytes name = {NULL, NULL};
	struct field field, value = {.number = 0};
	while (bytes.at < bytes.end) {
		if (!read_field(&bytes, &field))
			return false;
		if (field.number == NAME && field.wire == WIRE_BYTES)
			name = field.content;
		else if (field.number >= DOUBLE)
			value = field;
	}
	if (!name.at || !value.number)
		return true;
	if (is_text(name, "pg_name") && value.wire == WIRE_BYTES)
		node->group = value.content;
	for (int a = 0; a < ATTRIBUTES; a++)
		if (is_text(name, attribute_names[a]) && value.wire != WIRE_BYTES) {
			node->attribute[a] = value_of(&value);
			node->given[a] = true;
		}
	return true;
}

static bool add_dependency(struct chakra_dependencies *d, uint64_t other, struct error *error)
{
	if (array_grow(&d->list, &d->capacity, d->count + 1, sizeof *d->list, error))
		return false;
	d->list[d->count++].other = other;
	return true;
}

bool chakra_node_read(struct chakra_bytes bytes, struct chakra_node *node, struct chakra_dependencies *dependencies, struct error *error)
{
	struct field field;
	uint64_t other;
	while (bytes.at < bytes.end) {
		if (!read_field(&bytes, &field))
			return false;
		bool depends = field.number == FIELD_CONTROL || field.number == FIELD_DATA;
		if (field.number == FIELD_ID)
			node->id = field.value;
		else if (field.number == FIELD_TYPE)
			node->type = field.value;
		else if (field.number == FIELD_DURATION)
			node->duration = field.value;
		else if (field.number == FIELD_ATTRIBUTE && field.wire == WIRE_BYTES && !read_attribute(field.content, node))
			return false;
		if (depends && field.wire == WIRE_VARINT && !add_dependency(dependencies, field.value, error))
			return false;
		while (depends && field.wire == WIRE_BYTES && field.content.at < field.content.end)
			if (!read_varint(&field.content, &other) || !add_dependency(dependencies, other, error))
				return false;
	}
	return true;
}
