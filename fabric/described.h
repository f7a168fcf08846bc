/* A fabric in reports: its members in JSON, and channels as people read them. All fabrics have labels. */
#ifndef FABRIC_DESCRIBED_H
#define FABRIC_DESCRIBED_H

#include "base/document.h"
#include "fabric/fabric.h"

/* Adds the object fabric: file, hash and sizes. */
struct node *add_fabric(struct node *to, const struct fabric *fabric);

/* Adds the members from, from_port, to and to_port. */
void add_channel(struct node *to, const struct fabric *fabric, uint32_t channel);

/* The same as the next four cells of a row. */
void row_channel(struct row *row, const struct fabric *fabric, uint32_t channel);

/* Writes "NAME[PORT]", without the port where it is 0, unknown. */
void write_port(FILE *file, const struct fabric *fabric, uint32_t node, uint32_t port);

/* Writes "FROM[PORT] -> TO[PORT]". */
void write_channel(FILE *file, const struct fabric *fabric, uint32_t channel);

/* The same in a text, cut off where there is no room, which it returns. */
const char *channel_text(const struct fabric *fabric, uint32_t channel, char *text, size_t size);

#endif
