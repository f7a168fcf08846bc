/*
 * The program under test as a command: its arguments, its run, what it said.
 */
#ifndef TESTS_PROPERTY_COMMAND_H
#define TESTS_PROPERTY_COMMAND_H

#include <stddef.h>

enum { MAX_ARGUMENTS = 64 };

struct command {
	int count;
	char *argument[MAX_ARGUMENTS + 1];
};

/* What a run left behind. `status` is the exit status, or 128 plus the signal that ended it. */
struct output {
	int status;
	char *out, *err;
};

void command_init(struct command *c, const char *program);
void command_clear(struct command *c);
void command_add(struct command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void command_copy(struct command *to, const struct command *from);

/* Writes the command as a line for the shell. */
void command_print(const struct command *c, char *text, size_t size);

/* Runs the command with its output in folder/stem.out and folder/stem.err. */
struct output command_run(const struct command *c, const char *folder, const char *stem);
void output_clear(struct output *o);

#endif
