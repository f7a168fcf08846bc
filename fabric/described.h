/* A fabric in reports: its members in JSON, and channels as text. All fabrics must have labels. */
#ifndef FABRIC_DESCRIBED_H
#define FABRIC_DESCRIBED_H

#include "base/document.h"
#include "fabric/fabric.h"

/* Adds the object fabric: file, hash and sizes. */
struct node *add_fabric(struct node *to, const struct fabric *fabric);

/* Adds the members from, from_port, to and to_port. */
void add_channel(struct node *to, const struct fabric *fabric, uint32_t channel);

/* Adds the same as four cells of a row. */
void row_channel(struct row *row, const struct fabric *fabric, uint32_t channel);

/* Writes "NAME[PORT]", or "NAME" if the port is 0 (unknown). */
void write_port(FILE *file, const struct fabric *fabric, uint32_t node, uint32_t port);

/* Writes "FROM[PORT] -> TO[PORT]". */
void write_channel(FILE *file, const struct fabric *fabric, uint32_t channel);

/* Writes the same to text, truncated if it does not fit, and returns text. */
const char *channel_text(const struct fabric *fabric, uint32_t channel, char *text, size_t size);

/* Returns a level (fabric/host_distances.h) as a member, "hosts" or its number, and writes it to text, "hosts" or "level 1". */
struct value level_value(uint32_t level);
const char *level_name(uint32_t level, char *text, size_t size);

/* Adds the members from_guid and to_guid: the GUIDs of both ends, null for 0. */
void add_guids(struct node *to, uint64_t from, uint64_t head);

/* Formats them as ", GUIDs 0x.. -> 0x..", with "?" for 0, or as "" if both are 0. Returns text. */
enum { GUIDS_TEXT = 60 };
const char *guids_text(uint64_t from, uint64_t head, char text[GUIDS_TEXT]);

#endif
