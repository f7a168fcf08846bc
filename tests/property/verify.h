/*
 * Holds what the program said against what the reference computed.
 */
#ifndef TESTS_PROPERTY_VERIFY_H
#define TESTS_PROPERTY_VERIFY_H

#include "question.h"
#include "reference.h"

#include <cjson/cJSON.h>

/* What is wrong with one case. Past the first few faults only their number is kept. */
struct report {
	int faults;
	size_t used;
	char text[8192];
};

void complain(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The object at a path such as "metrics.hist_max_cong", or NULL. */
const cJSON *json_find(const cJSON *root, const char *path);

/* Everything in a result of `runs` runs. */
void verify_result(struct report *r, const cJSON *root, const struct question *q, const struct tally *t, int runs);

/* What the result says beside the metrics: the fabric, the sizes, the number of runs. */
void verify_frame(struct report *r, const cJSON *root, const struct question *q, int runs);

/* Single metrics, for the cases in which not everything is known. */
void verify_bandwidths(struct report *r, const cJSON *root, const struct series *s);
void verify_series(struct report *r, const cJSON *root, const char *metric, const struct series *s);

/* Whether histogram and channel sums are those of the tally, said without complaints. */
bool same_traffic(const cJSON *root, const struct fabric *f, const struct tally *t);

/* The text form of hist_max_cong: the form of Listing 3, to the letter, and after it a line with the
 * number of pairs left out if there are any. Something must have been sent. */
void verify_listing(struct report *r, const char *text, const struct tally *t);

/* The messages under "pattern_levels" of a result are those of the pattern, in any order within a
 * level, without those that a rank would send to itself. */
void verify_printed(struct report *r, const cJSON *root, const struct pattern *p);

/* Appends the printed messages to p. False when they are no array of levels. */
bool read_printed(struct pattern *p, const cJSON *root);

#endif
