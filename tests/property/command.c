/*
 * Starts the program without a shell and reads what it wrote. Both streams go to files, so that a
 * failed case leaves them behind.
 */
#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_ALLOWED = 60 };

static void give_up(const char *what)
{
	perror(what);
	exit(2);
}

void command_init(struct command *c, const char *program)
{
	c->count = 0;
	command_add(c, "%s", program);
}

void command_clear(struct command *c)
{
	for (int i = 0; i < c->count; i++)
		free(c->argument[i]);
	c->count = 0;
}

void command_add(struct command *c, const char *format, ...)
{
	char text[4096];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (c->count == MAX_ARGUMENTS || (c->argument[c->count++] = strdup(text)) == NULL)
		give_up("arguments");
	c->argument[c->count] = NULL;
}

void command_copy(struct command *to, const struct command *from)
{
	command_init(to, from->argument[0]);
	for (int i = 1; i < from->count; i++)
		command_add(to, "%s", from->argument[i]);
}

void command_print(const struct command *c, char *text, size_t size)
{
	size_t used = 0;

	for (int i = 0; i < c->count && used < size; i++) {
		const char *quote = strpbrk(c->argument[i], " *,:") != NULL ? "'" : "";
		used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", i > 0 ? " " : "", quote, c->argument[i], quote);
	}
}

static void redirect(const char *path, int to)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || dup2(fd, to) < 0)
		give_up(path);
	close(fd);
}

static char *read_all(const char *path)
{
	struct stat about;
	FILE *in = fopen(path, "rb");

	if (in == NULL || fstat(fileno(in), &about) != 0)
		give_up(path);
	char *text = calloc((size_t)about.st_size + 1, 1);
	if (text == NULL || fread(text, 1, (size_t)about.st_size, in) != (size_t)about.st_size)
		give_up(path);
	fclose(in);
	return text;
}

struct output command_run(const struct command *c, const char *folder, const char *stem)
{
	char out[4096], err[4096];
	int status;

	snprintf(out, sizeof out, "%s/%s.out", folder, stem);
	snprintf(err, sizeof err, "%s/%s.err", folder, stem);
	pid_t child = fork();
	if (child < 0)
		give_up("fork");
	if (child == 0) {
		redirect("/dev/null", STDIN_FILENO);
		redirect(out, STDOUT_FILENO);
		redirect(err, STDERR_FILENO);
		alarm(SECONDS_ALLOWED);
		execv(c->argument[0], c->argument);
		_exit(127);
	}
	if (waitpid(child, &status, 0) != child)
		give_up("waitpid");
	return (struct output){
		.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
		.out = read_all(out),
		.err = read_all(err),
	};
}

void output_clear(struct output *o)
{
	free(o->out);
	free(o->err);
	*o = (struct output){0};
}
