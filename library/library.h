/* The objects of liborcs; private to library/. */
#ifndef LIBRARY_LIBRARY_H
#define LIBRARY_LIBRARY_H

#include "base/text_file.h"
#include "fabric/node_names.h"
#include "include/orcs/orcs.h"
#include "orcs/job.h"
#include "orcs/reroute.h"

/* Words of a command line, owned. */
struct words {
	char **word; /* [count + 1], ends with NULL */
	size_t count, capacity;
};

/* What would go to standard error. */
struct notes {
	struct text_file text;
};

/* Routes that a network has no more, but experiments and arrays of the user have. */
struct old_routes {
	struct forwarding *forwarding;
	struct source_routes *routes;
	struct virtual_lanes *lanes;
	double *loads;
};

struct orcs_network {
	struct job job;     /* as orcs has it once the fabric is loaded; its options are those of the words */
	struct words words; /* of the command line of orcs: the files, and the options of the fabric */
	struct notes notes;
	char *name;
	orcs_node *node;       /* [nodes] */
	orcs_channel *channel; /* [channels] */
	struct node_names names;
	bool named;    /* names is made */
	double *loads; /* [channels]; NULL: not counted yet */
	uint64_t unreachable;
	char *check;     /* the last result of orcs_check(); NULL: none */
	char *routed_by; /* the engine of orcs_route(), in place of the routes of the words; "": own tables; NULL: not routed since */
	uint64_t seed;   /* of that */
	struct old_routes *old; /* [olds] */
	size_t olds, old_capacity;
	uint32_t experiments; /* that exist */
};

/* A pattern of the user. */
struct own_pattern {
	orcs_pattern pattern; /* name owned */
	struct pattern kind;
	uint64_t run;
};

struct orcs_experiment {
	struct orcs_network *network;
	struct words words;   /* options beside those of the network */
	struct job job;       /* of the last orcs_run() */
	struct words command; /* of that job */
	struct comm *comm;
	struct notes notes;
	struct own_pattern own; /* name NULL: none */
	uint32_t *host;         /* [ranks] of orcs_place(); NULL: none */
	uint32_t ranks;
	orcs_observer *observer; /* NULL: none */
	void *observer_data;
	bool ran;   /* job has results */
	char *text; /* the last result as text; NULL: none */
	volatile sig_atomic_t stop;
};

/* Copies an error to the user's; the result of a function that returns 0 or -1. */
int give_error(const struct error *from, orcs_error *to);

/* Returns a copy with strdup(); NULL: NULL, or out of memory, which is an error. */
char *copy_of(const char *text, struct error *error);

/* Adds the word NAME, or NAME=VALUE unless value is NULL. Returns 0, or -1 if out of memory. */
int words_add(struct words *words, const char *name, const char *value, struct error *error);
int words_append(struct words *words, const char *const *more, struct error *error);
/* Removes NAME and NAME=VALUE. */
void words_remove(struct words *words, const char *name);
void words_clear(struct words *words);

int notes_open(struct notes *notes, struct error *error);
/* Returns what was noted so far. */
const char *notes_text(struct notes *notes);
void notes_close(struct notes *notes);

/* Ends a text_file with a NUL. Returns its text, owned; NULL on errors. */
char *text_end(struct text_file *text, struct error *error);

/* Reads a program's options from words by that program's parser, which must not end the process. Returns 0, or -1. */
typedef void parse_words(void *options, int count, char **words);
int read_words(parse_words *parse, void *options, struct words *words, struct error *error);

/* Reads the options of orcs in words[0..], whose first is the program's name. Refuses those that write or print. Returns 0, or -1. */
int read_options(struct options *options, struct words *words, struct error *error);

/* Fills the arrays of nodes and channels. Returns 0, or -1. */
int network_describe(orcs_network *network, struct error *error);

/* Creates a network of words that are taken over; NULL on errors. */
orcs_network *network_create(struct words *words, struct error *error);

/*
 * Replaces the routes, by an engine ("": by own tables) with a seed; what of them is NULL is none. They are taken over. Returns 0, or -1.
 */
int network_take_routes(orcs_network *network, const struct rerouted *rerouted, const char *engine, uint64_t seed, struct error *error);

/* Frees the routes that no experiment has any more, but not the loads. */
void network_forget_routes(orcs_network *network);

/* Names the user's pattern in the request of a job, if there is one. */
void own_pattern_request(struct own_pattern *own, struct pattern_request *request);
void own_pattern_clear(struct own_pattern *own);

#endif
