/*
 * Any words as the command line of orcs, a line each: options_parse() takes it, or ends the program with the status 2 and one line on
 * standard error, or with 0 for --help and --version. The linker puts __wrap_exit() in the place of exit().
 */
#include "target.h"
#include "engines/flow/flow_options.h"
#include "engines/packet/packet_options.h"
#include "orcs/options.h"

#include <setjmp.h>

/* Present in programs that look for leaks: argp's memory is the program's until it ends, which it does not do here. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static jmp_buf ended;
static bool reading;
static int status;

void __real_exit(int with) __attribute__((noreturn));
void __wrap_exit(int with) __attribute__((noreturn));
void __wrap_exit(int with)
{
	if (!reading) /* the fuzzer itself */
		__real_exit(with);
	status = with;
	longjmp(ended, 1);
}

/* Standard output and error, while the words are read. */
struct told {
	FILE *out, *err, *was_out, *was_err;
	char *text[2];
	size_t size[2];
};

static void listen(struct told *told)
{
	told->was_out = stdout;
	told->was_err = stderr;
	CHECK((told->out = open_memstream(&told->text[0], &told->size[0])));
	CHECK((told->err = open_memstream(&told->text[1], &told->size[1])));
	stdout = told->out;
	stderr = told->err;
}

static void stop_listening(struct told *told)
{
	stdout = told->was_out;
	stderr = told->was_err;
	CHECK(!fclose(told->out) && !fclose(told->err));
}

static void check_packets(const struct packet_options *o)
{
	CHECK(o->loads <= SWEEP_MAX && o->mtu > 0 && o->control > 0);
	for (uint32_t i = 0; i < o->loads; i++)
		CHECK(o->load[i] > 0 && o->load[i] <= 10);
}

static void check_flows(const struct flow_options *o)
{
	for (unsigned i = 0; i < o->classes.classes && o->classes.policy == CLASSES_SHARE; i++)
		CHECK(o->classes.share[i] > 0);
}

static void check_taken(const struct options *o)
{
	CHECK((o->fabric.name || o->list >= 0) && o->output && o->pattern.spec && o->metrics && o->palette && o->runs > 0 &&
		o->runs <= UINT64_C(1) << 40);
	CHECK(o->thresholds <= THRESHOLDS_MAX && o->engine && o->terms.load_points > 0 && (!o->terms.open || o->terms.sent));
	CHECK(o->bytes > 0 && o->precision >= 0 && o->capacity >= 0 && o->failing.failures <= FAILURES_MAX);
	if (!strcmp(o->engine->name, "packet"))
		check_packets(options_own(o));
	if (!strcmp(o->engine->name, "flow"))
		check_flows(options_own(o));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	char *argv[LINES_MAX + 2] = {"orcs"};
	static struct options options;
	struct told told;
	for (size_t i = 0; i < lines.count; i++)
		argv[i + 1] = (char *)lines.line[i];
	listen(&told);
	status = -1;
	if (__lsan_disable)
		__lsan_disable();
	reading = true;
	if (!setjmp(ended))
		options_parse(&options, (int)lines.count + 1, argv);
	reading = false;
	if (__lsan_enable)
		__lsan_enable();
	stop_listening(&told);
	if (status < 0) {
		check_taken(&options);
		options_clear(&options);
	} else {
		CHECK(status == STATUS_OK || status == STATUS_USAGE);
	}
	CHECK(status == STATUS_OK ? told.size[0] > 0 && !told.size[1] : !told.size[0]);
	CHECK(status == STATUS_USAGE ? told.size[1] > 0 && strchr(told.text[1], '\n') == told.text[1] + told.size[1] - 1 : !told.size[1]);
	free(told.text[0]);
	free(told.text[1]);
	lines_free(&lines);
	return 0;
}
