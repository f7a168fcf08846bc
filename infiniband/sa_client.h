/* Asks the subnet administrator (SA) of the fabric that this machine is attached to, by libibumad, which is loaded when it is needed. */
#ifndef INFINIBAND_SA_CLIENT_H
#define INFINIBAND_SA_CLIENT_H

#include "base/error.h"

struct sa_client;

/* Opens the first port that is attached to a fabric. Returns NULL on errors: STATUS_IO. */
struct sa_client *sa_client_open(struct error *error);
void sa_client_close(struct sa_client *client);

/*
 * Sets the service level of the path from one LID to another (PathRecord, InfiniBand Architecture Specification 1, 15.2.5.16), which only
 * reads; LEVEL_UNKNOWN if the SA knows no path. Returns 0, or -1: STATUS_IO if there is no answer.
 */
int sa_client_level(struct sa_client *client, unsigned source, unsigned destination, unsigned *level, struct error *error);

#endif
