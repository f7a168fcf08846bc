/*
 * Hands files to LLVMFuzzerTestOneInput without libFuzzer.
 *   replay FILE…                                  each file as it is
 *   replay --mutate N SEED [--dict DICT] FILE…    N mutations of them, the same ones for the same SEED
 * An input that breaks the target, or takes more than 10 seconds of processor time or 2 GB, is left as a file in TMPDIR, whose name is
 * printed.
 */
#include "memory_file.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { INPUT_MAX = 1 << 16, STEPS_MAX = 4 };

struct bytes {
	uint8_t *data;
	size_t size;
};

/* Files to begin with, or the words of a dictionary. */
struct list {
	struct bytes *item;
	size_t count;
};

static void add(struct list *list, const void *data, size_t size)
{
	list->item = realloc(list->item, (list->count + 1) * sizeof *list->item);
	CHECK(list->item);
	struct bytes *item = &list->item[list->count++];
	*item = (struct bytes){malloc(size + 1), size};
	CHECK(item->data);
	memcpy(item->data, data, size);
	item->data[size] = '\0';
}

static void clear(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->item[i].data);
	free(list->item);
}

static void add_file(struct list *list, const char *path)
{
	static uint8_t buffer[INPUT_MAX];
	FILE *file = fopen(path, "rb");
	if (!file) {
		perror(path);
		exit(2);
	}
	add(list, buffer, fread(buffer, 1, sizeof buffer, file));
	fclose(file);
}

/* ---- what is being tried, for when it breaks, or takes too much */

/* What an input may take: seconds of processor time, as many again where sanitizers slow all down, and of the clock where it waits for
 * something; and bytes of memory. */
enum { SECONDS_MAX = 10, SECONDS_SANITIZED = 60, SECONDS_WAITING = 300, TICK_MICROSECONDS = 100000 };
#define BYTES_MAX (UINT64_C(2) << 30)

static char left_name[4096];
static const struct bytes *volatile tried;
static struct timespec began[2]; /* processor time, time of the clock */

/* Present in programs with sanitizers, which otherwise end without a signal. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void tell(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(1);
}

static void leave_input(void)
{
	int file = tried ? mkostemp(left_name, O_CLOEXEC) : -1;
	if (file >= 0 && write(file, tried->data, tried->size) == (ssize_t)tried->size) {
		tell("the input is in ");
		tell(left_name);
		tell("\n");
	}
}

static void on_signal(int number)
{
	(void)number;
	leave_input();
}

static time_t seconds_since(clockid_t clock, const struct timespec *then)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return now.tv_sec - then->tv_sec;
}

/* Bytes of memory in use: the second number of statm counts pages. */
static uint64_t memory_used(void)
{
	char text[100] = "";
	int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (file < 0 || read(file, text, sizeof text - 1) <= 0)
		text[0] = '\0';
	close(file);
	const char *second = strchr(text, ' ');
	return second ? strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Many times a second while an input is tried. */
static void on_tick(int number)
{
	(void)number;
	time_t most = __sanitizer_set_death_callback ? SECONDS_SANITIZED : SECONDS_MAX;
	const char *wrong = NULL;
	if (tried &&
		(seconds_since(CLOCK_PROCESS_CPUTIME_ID, &began[0]) > most || seconds_since(CLOCK_MONOTONIC, &began[1]) > SECONDS_WAITING))
		wrong = "the input takes too long\n";
	else if (tried && memory_used() > BYTES_MAX)
		wrong = "the input takes more than 2 GB\n";
	if (wrong) {
		tell(wrong);
		leave_input();
		_exit(1);
	}
}

/* A file of a name that nobody knows before, in TMPDIR. */
static void choose_left_name(void)
{
	const char *folder = getenv("TMPDIR");
	int length = snprintf(left_name, sizeof left_name, "%s/orcs-fuzz-input-XXXXXX", folder && *folder ? folder : "/tmp");
	CHECK(length > 0 && (size_t)length < sizeof left_name);
}

static void watch(void)
{
	static const int numbers[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
	const struct itimerval ticks = {{0, TICK_MICROSECONDS}, {0, TICK_MICROSECONDS}};
	size_t count = sizeof numbers / sizeof *numbers;
	choose_left_name();
	if (__sanitizer_set_death_callback) {
		__sanitizer_set_death_callback(leave_input);
		count = 1;
	}
	for (size_t i = 0; i < count; i++)
		sigaction(numbers[i], &(struct sigaction){.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, NULL);
	sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_tick, .sa_flags = SA_RESTART}, NULL);
	setitimer(ITIMER_REAL, &ticks, NULL);
}

static void try_input(const struct bytes *input)
{
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began[0]);
	clock_gettime(CLOCK_MONOTONIC, &began[1]);
	tried = input;
	LLVMFuzzerTestOneInput(input->data, input->size);
	on_tick(0);
	tried = NULL;
}

/* ---- dictionaries, in the form of libFuzzer: name="text" with \\ \" \xAB in it */

static size_t unescape(const char *from, uint8_t *to)
{
	size_t size = 0;
	for (; *from && *from != '"'; from++) {
		unsigned byte = (unsigned char)*from;
		if (*from == '\\' && from[1] == 'x' && sscanf(from + 2, "%2x", &byte) == 1)
			from += 3;
		else if (*from == '\\' && from[1])
			byte = (unsigned char)*++from;
		to[size++] = (uint8_t)byte;
	}
	return size;
}

static void add_words(struct list *words, const char *path)
{
	struct list file = {0};
	uint8_t word[INPUT_MAX];
	add_file(&file, path);
	char *rest = (char *)file.item[0].data;
	for (char *line; (line = strsep(&rest, "\n"));) {
		const char *quote = *line == '#' ? NULL : strchr(line, '"');
		if (quote)
			add(words, word, unescape(quote + 1, word));
	}
	clear(&file);
}

/* ---- mutations */

/* splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014) */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t bound)
{
	return bound ? next_random(state) % bound : 0;
}

/* Puts data in the place of length bytes of the input; what goes beyond INPUT_MAX is lost. data is none of the input's. */
static void replace(struct bytes *input, size_t from, size_t length, const uint8_t *data, size_t size)
{
	size_t behind = input->size - from - length;
	if (size > INPUT_MAX - from)
		size = INPUT_MAX - from;
	if (behind > INPUT_MAX - from - size)
		behind = INPUT_MAX - from - size;
	memmove(input->data + from + size, input->data + from + length, behind);
	if (size)
		memcpy(input->data + from, data, size);
	input->size = from + size + behind;
}

static bool is_wordy(uint8_t c)
{
	return c > ' ' && !strchr("{}[]\";,=->", c);
}

/* The word at or after a random place, from *from on; its length, 0 at the end. */
static size_t pick_word(const struct bytes *input, uint64_t *state, size_t *from)
{
	size_t length = 0;
	*from = below(state, input->size);
	while (*from < input->size && !is_wordy(input->data[*from]))
		++*from;
	while (*from && *from < input->size && is_wordy(input->data[*from - 1]))
		--*from;
	while (*from + length < input->size && is_wordy(input->data[*from + length]))
		length++;
	return length;
}

static void swap_words(struct bytes *input, uint64_t *state)
{
	uint8_t copy[2][256];
	size_t from[2], length[2];
	for (int i = 0; i < 2; i++) {
		length[i] = pick_word(input, state, &from[i]);
		if (length[i] > sizeof *copy)
			return;
		memcpy(copy[i], input->data + from[i], length[i]);
	}
	int last = from[1] > from[0];
	if (from[!last] + length[!last] > from[last])
		return;
	replace(input, from[last], length[last], copy[!last], length[!last]);
	replace(input, from[!last], length[!last], copy[last], length[last]);
}

/* A piece of any of the files, mostly a short one. */
static struct bytes pick_piece(const struct list *files, uint64_t *state)
{
	const struct bytes *file = &files->item[below(state, files->count)];
	size_t from = below(state, file->size), longest = file->size - from;
	if (longest > 64 && below(state, 4))
		longest = 64;
	return (struct bytes){file->data + from, below(state, longest + 1)};
}

static void mutate_once(struct bytes *input, const struct list *files, const struct list *words, uint64_t *state)
{
	size_t place = below(state, input->size + 1), left = input->size - place, word_at;
	struct bytes piece = pick_piece(files, state), word = words->count ? words->item[below(state, words->count)] : piece;
	uint8_t byte = (uint8_t)next_random(state);
	switch (below(state, 9)) {
	case 0: /* flip a bit */
		if (left)
			input->data[place] ^= (uint8_t)(1 << byte % 8);
		break;
	case 1: replace(input, place, left != 0, &byte, 1); break;
	case 2: replace(input, place, below(state, left < 64 ? left + 1 : 64), NULL, 0); break;
	case 3: replace(input, place, 0, piece.data, piece.size); break; /* of this file, or of another */
	case 4: replace(input, place, 0, word.data, word.size); break;
	case 5: {
		size_t length = pick_word(input, state, &word_at);
		replace(input, word_at, length, word.data, word.size);
		break;
	}
	case 6: swap_words(input, state); break;
	case 7: replace(input, place, left, piece.data, piece.size); break; /* a splice */
	case 8:
		if (!below(state, 4))
			input->size = place;
		break;
	}
}

static void try_mutations(unsigned long count, unsigned long seed, const struct list *files, const struct list *words)
{
	static uint8_t data[INPUT_MAX];
	for (unsigned long i = 0; i < count; i++) {
		uint64_t state = (uint64_t)seed << 32 | i;
		const struct bytes *file = &files->item[below(&state, files->count)];
		struct bytes input = {data, 0};
		replace(&input, 0, 0, file->data, file->size);
		for (size_t steps = 1 + below(&state, 1 + below(&state, STEPS_MAX)); steps; steps--)
			mutate_once(&input, files, words, &state);
		try_input(&input);
	}
}

int main(int argc, char **argv)
{
	struct list files = {0}, words = {0};
	unsigned long count = 0, seed = 0;
	mallopt(M_TRIM_THRESHOLD, 1 << 28); /* memory that an input leaves is for the next one */
	mallopt(M_MMAP_THRESHOLD, 1 << 25);
	bool mutate = argc > 3 && !strcmp(argv[1], "--mutate");
	int next = 1;
	if (mutate) {
		count = strtoul(argv[2], NULL, 10);
		seed = strtoul(argv[3], NULL, 10);
		next = 4;
	}
	if (next + 1 < argc && !strcmp(argv[next], "--dict")) {
		add_words(&words, argv[next + 1]);
		next += 2;
	}
	for (; next < argc; next++)
		add_file(&files, argv[next]);
	watch();
	if (mutate && files.count)
		try_mutations(count, seed, &files, &words);
	for (size_t i = 0; i < files.count && !mutate; i++)
		try_input(&files.item[i]);
	printf("%lu inputs tried\n", mutate ? count : (unsigned long)files.count);
	clear(&files);
	clear(&words);
	return files.count ? 0 : 2;
}
