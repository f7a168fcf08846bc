/*
 * One random case: a fabric, a pattern, a placement, and the command that asks for them.
 */
#ifndef TESTS_PROPERTY_QUESTION_H
#define TESTS_PROPERTY_QUESTION_H

#include "command.h"
#include "random.h"
#include "reference.h"

/* KNOWN   the test knows the pattern and the mapping
 * DRAWN   the pattern draws random numbers: what it drew is taken from --printptrn
 * MAPPED  the mapping is random: what one more run adds is taken from two results */
enum question_kind { KNOWN, DRAWN, MAPPED };

struct question {
	uint64_t seed;
	enum question_kind kind;
	char folder[512]; /* holds the files of the case */
	struct fabric fabric;
	int n, runs;
	char spec[600];               /* the pattern's name, "ptrnvsptrn" among them */
	char first[600], second[600]; /* the two patterns side by side, and the size of the first */
	int part;
	struct pattern pattern; /* empty when DRAWN */
	int host[MAX_NODES];    /* the node of rank i, or the subset in order when MAPPED */
	struct rules rules;
	long program_seed;
	struct command command; /* lacks the metric, the format and the number of runs */
};

/* Draws the case from its seed and writes its files into q->folder, which must be set. */
void question_draw(struct question *q, const char *program, uint64_t seed);
void question_clear(struct question *q);

#endif
