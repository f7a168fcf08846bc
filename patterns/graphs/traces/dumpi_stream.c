/*
 * The binary format of DUMPI (SST): big-endian records without a length, so that the arguments of every call must be known. Those of calls
 * that do not matter here are skipped: the next record begins where one fits, with the same fields and clocks that go on.
 */
#include "patterns/graphs/traces/dumpi_forms.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint8_t magic[8] = {0xff, 0xaa, 0xdd, 'D', 'U', 'M', 'P', 'I'};

static inline uint16_t short_at(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t word_at(const uint8_t *p)
{
	uint32_t word;
	memcpy(&word, p, sizeof word);
	return be32toh(word);
}

static uint64_t long_at(const uint8_t *p)
{
	return (uint64_t)word_at(p) << 32 | word_at(p + 4);
}

/* ---- opening */

static int refuse(const struct dumpi_stream *s, const uint8_t *at, const char *text, struct error *error)
{
	return error_set(error, STATUS_FABRIC, "%s: byte %zu: %s", s->path, (size_t)(at - s->data), text);
}

/* Returns the place of a section of at least that many bytes; NULL if it is not in the file. */
static const uint8_t *section(const struct dumpi_stream *s, const uint8_t *entry, size_t bytes)
{
	uint64_t offset = entry ? long_at(entry) : 0;
	return offset >= 8 && offset <= s->bytes && s->bytes - offset >= bytes ? s->data + offset : NULL;
}

/* Finds the sections by the index at the end of the file. */
static int find_sections(struct dumpi_stream *s, struct error *error)
{
	const uint8_t *end = s->data + s->bytes, *index = NULL;
	size_t entries = 0;
	for (size_t n = 4; n <= 7 && !index && s->bytes >= 8 * (n + 2); n++)
		if (!memcmp(end - 8 * (n + 1), magic, 8)) {
			index = end - 8 * n;
			entries = n;
		}
	if (!index)
		return refuse(s, end, "the index at the end of the file is missing: the file is cut off", error);
	const uint8_t *header = section(s, end - 32, 3), *body = section(s, end - 24, 8);
	const uint8_t *footer = section(s, end - 16, 8 + 8 * DUMPI_CALLS), *sizes = section(s, entries == 7 ? index : NULL, 4);
	if (!header || !body || header < body + 8)
		return refuse(s, index, "the index points outside the file", error);
	s->tags = header[0] > 0 || header[1] > 6 || (header[1] == 6 && header[2] >= 3);
	s->at = body + 8;
	s->body_end = header;
	if (footer && long_at(footer) == 0xf007fee7)
		s->footer = footer + 8;
	if (sizes && word_at(sizes) <= (size_t)(end - sizes) / 4 - 1) {
		s->size_count = word_at(sizes);
		s->sizes = sizes + 4;
	}
	return 0;
}

int dumpi_open(struct dumpi_stream *s, const char *path, uint32_t ranks, uint8_t alternative[DUMPI_CALLS], struct error *error)
{
	struct stat about;
	*s = (struct dumpi_stream){.path = path, .ranks = ranks, .cpu = s->cpu, .alternative = alternative};
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0 || fstat(file, &about)) {
		error_at(error, STATUS_IO, path, 0, "%s", strerror(errno));
	} else if (!S_ISREG(about.st_mode) || about.st_size < 56) {
		error_at(error, STATUS_FABRIC, path, 0, "the file is not a DUMPI trace");
	} else {
		s->bytes = (size_t)about.st_size;
		void *data = mmap(NULL, s->bytes, PROT_READ, MAP_PRIVATE, file, 0);
		if (data == MAP_FAILED)
			error_at(error, STATUS_IO, path, 0, "%s", strerror(errno));
		else
			s->data = data;
	}
	if (file >= 0)
		close(file);
	if (error->status)
		return -1;
	if (memcmp(s->data, magic, 8))
		return error_at(error, STATUS_FABRIC, path, 0, "the file is not a DUMPI trace, which begins with FF AA DD 'DUMPI'");
	return find_sections(s, error);
}

void dumpi_close(struct dumpi_stream *s)
{
	if (s->data)
		munmap((void *)s->data, s->bytes);
	s->data = NULL;
}

/* Gives back the memory of what has been read, so that a long file is not kept. */
static void drop_behind(struct dumpi_stream *s)
{
	enum { STEP = 1 << 24 };
	size_t read = (size_t)(s->at - s->data);
	if (read - s->dropped < 2 * (size_t)STEP)
		return;
	size_t bytes = (read - s->dropped) / STEP * STEP;
	madvise((void *)(s->data + s->dropped), bytes, MADV_DONTNEED);
	s->dropped += bytes;
}

/* ---- records */

enum { MASK_STATUS = 3, MASK_CPU = 4, MASK_WALL = 8, MASK_THREAD = 64, MASK_COUNTERS = 128 };

/* Reads entry and exit of a clock. Returns whether it can be one. */
static bool read_clock(const uint8_t *p, int64_t *entry, int64_t *exit)
{
	uint32_t in = word_at(p + 2), out = word_at(p + 8);
	*entry = short_at(p) * INT64_C(1000000000) + in;
	*exit = short_at(p + 6) * INT64_C(1000000000) + out;
	return in < 1000000000 && out < 1000000000;
}

/* Reads the head of the record at p: number, thread, clocks; mask is its fields. Returns the end of the head; NULL if there is no such. */
static const uint8_t *read_head(const struct dumpi_stream *s, const uint8_t *p, struct dumpi_call *call, unsigned *mask)
{
	enum { HEAD = 3 + 2 + 24 + 1 };
	if (s->body_end - p < 2)
		return NULL;
	call->number = short_at(p);
	call->thread = 0;
	call->entry = call->exit = -1;
	*mask = 0;
	if (call->number == DUMPI_END)
		return p + 2;
	if (s->body_end - p < 3 || call->number >= DUMPI_CALLS)
		return NULL;
	*mask = p[2];
	p += 3;
	size_t bytes = (*mask & MASK_THREAD ? 2 : 0) + (*mask & MASK_CPU ? 12 : 0) + (*mask & MASK_WALL ? 12 : 0) +
		       (*mask & MASK_COUNTERS ? 1 : 0);
	if ((size_t)(s->body_end - p) < bytes || *mask & 0x30)
		return NULL;
	if (*mask & MASK_THREAD) {
		call->thread = short_at(p);
		p += 2;
	}
	/* the processor's clock comes first; only one of them is wanted */
	unsigned wanted = *mask & (s->cpu || !(*mask & MASK_WALL) ? MASK_CPU : MASK_WALL);
	if (wanted && !read_clock(wanted == MASK_WALL && *mask & MASK_CPU ? p + 12 : p, &call->entry, &call->exit))
		return NULL;
	p += (*mask & MASK_CPU ? 12 : 0) + (*mask & MASK_WALL ? 12 : 0);
	if (*mask & MASK_COUNTERS) {
		size_t counters = *p++;
		if ((size_t)(s->body_end - p) < 16 * counters)
			return NULL;
		p += 16 * counters;
	}
	return p;
}

/* Returns whether a record can begin at p, with the fields of the one before, whose exit is known. */
static bool fits(const struct dumpi_stream *s, const uint8_t *p, const struct dumpi_call *before, unsigned mask)
{
	struct dumpi_call next;
	unsigned other;
	if (!read_head(s, p, &next, &other))
		return false;
	if (next.number == DUMPI_END)
		return p + 2 == s->body_end;
	if (other != mask || !dumpi_forms[next.number].name)
		return other == mask && next.entry >= before->exit && before->exit >= 0 && next.exit >= next.entry;
	return before->exit < 0 || next.thread != before->thread || next.entry < before->exit - INT64_C(60000000000000) ||
	       (next.entry >= before->exit && next.exit >= next.entry);
}

/* Returns the end of an array of count elements; NULL if it is not within the body. */
static const uint8_t *read_array(const struct dumpi_stream *s, const uint8_t *p, size_t width, struct dumpi_array *array)
{
	if (s->body_end - p < 4)
		return NULL;
	*array = (struct dumpi_array){p + 4, word_at(p)};
	return (size_t)(s->body_end - p - 4) / width >= array->length ? p + 4 + width * array->length : NULL;
}

/* Returns the end of strings; NULL if they are not within the body. */
static const uint8_t *skip_strings(const struct dumpi_stream *s, const uint8_t *p)
{
	struct dumpi_array string;
	if (s->body_end - p < 4)
		return NULL;
	uint32_t count = word_at(p);
	p += 4;
	for (uint32_t i = 0; p && i < count; i++)
		p = read_array(s, p, 1, &string);
	return p;
}

/* Returns where a named argument belongs; NULL: to the values. */
static int32_t *named(struct dumpi_rooted *rooted, char letter)
{
	switch (letter) {
	case 'R': return &rooted->rank;
	case 'r': return &rooted->root;
	case 'k': return &rooted->count;
	case 't': return &rooted->type;
	case 'n': return &rooted->count_at_root;
	case 'y': return &rooted->type_at_root;
	case 'c': return &rooted->communicator;
	default: return NULL;
	}
}

/* Reads the arguments "ihiihi", those of most calls. Returns their end; NULL if the form is another, or they do not fit. */
static const uint8_t *read_message(const struct dumpi_stream *s, const uint8_t *p, const char *form, struct dumpi_call *call)
{
	enum { BYTES = 16 };
	int32_t *value = call->value;
	if (strcmp(form, "ihiihi") != 0 || s->body_end - p < BYTES + 4)
		return NULL;
	value[0] = (int32_t)word_at(p);
	value[1] = short_at(p + 4);
	value[2] = (int32_t)word_at(p + 6);
	value[3] = (int32_t)word_at(p + 10);
	value[4] = short_at(p + 14);
	value[5] = (int32_t)word_at(p + BYTES);
	return p + BYTES + 4;
}

/* Reads the arguments of one form. Returns their end; NULL if they do not fit. */
static const uint8_t *read_form(const struct dumpi_stream *s, const uint8_t *p, const char *form, unsigned mask, struct dumpi_call *call)
{
	static const uint8_t widths[128] = {
		['i'] = 4, ['R'] = 4, ['r'] = 4, ['k'] = 4, ['n'] = 4, ['h'] = 2, ['t'] = 2, ['y'] = 2, ['c'] = 2, ['b'] = 1, ['l'] = 8};
	struct dumpi_rooted *rooted = &call->rooted;
	unsigned values = 0, arrays = 0;
	call->status = (struct dumpi_array){NULL, 0};
	const uint8_t *end = read_message(s, p, form, call);
	if (end)
		return end;
	for (; p && *form && *form != '|'; form++) {
		size_t width = widths[(unsigned char)*form];
		if (width) {
			if ((size_t)(s->body_end - p) < width)
				return NULL;
			int32_t value = width == 4   ? (int32_t)word_at(p)
					: width == 2 ? short_at(p)
					: width == 1 ? *p
						     : (int32_t)word_at(p + 4);
			p += width;
			if (*form == 'i' || *form == 'h' || !named(rooted, *form))
				call->value[values++] = value;
			else
				*named(rooted, *form) = value;
			if ((*form == 'r' || *form == 'R') && value >= (int64_t)s->ranks)
				return NULL;
			continue;
		}
		switch (*form) {
		case 'A': p = read_array(s, p, 4, &call->array[arrays++]); break;
		case 'L': p = read_array(s, p, 8, &call->array[arrays++]); break;
		case 'H': p = read_array(s, p, 2, &call->array[arrays++]); break;
		case 'T': p = read_array(s, p, 12, &call->array[arrays++]); break;
		case 'S': p = mask & MASK_STATUS ? read_array(s, p, s->tags ? 14 : 10, &call->status) : p; break;
		case 'Z': p = skip_strings(s, p); break;
		case '(':
			if (rooted->rank != rooted->root)
				form = strchr(form, ')');
			break;
		}
	}
	return p;
}

/* Reads arguments in the form that the file has: that after which a record fits. Returns their end; NULL: none does. */
static const uint8_t *read_one_form(struct dumpi_stream *s, const uint8_t *p, const char *arguments, unsigned mask, struct dumpi_call *call)
{
	const char *form[10];
	unsigned count = 0, first = s->alternative[call->number];
	for (const char *bar = arguments; bar; bar = strchr(bar + 1, '|'))
		form[count++] = bar + 1;
	for (unsigned i = 0; i < count; i++) {
		unsigned choice = (first + i) % count;
		const uint8_t *end = read_form(s, p, form[choice], mask, call);
		if (end && fits(s, end, call, mask)) {
			s->alternative[call->number] = (uint8_t)choice;
			return end;
		}
	}
	return NULL;
}

/* Returns where the next record begins, behind arguments that are not known; NULL if there is no telling. */
static const uint8_t *skip_arguments(const struct dumpi_stream *s, const uint8_t *p, unsigned mask, const struct dumpi_call *call)
{
	enum { FURTHEST = 1 << 20 };
	if (call->exit < 0)
		return NULL;
	for (size_t i = 0; i < FURTHEST && p + i < s->body_end; i++)
		if (fits(s, p + i, call, mask))
			return p + i;
	return NULL;
}

int dumpi_next(struct dumpi_stream *s, struct dumpi_call *call, struct error *error)
{
	unsigned mask;
	const uint8_t *begin = s->at, *p = read_head(s, begin, call, &mask);
	if (!p)
		return refuse(
			s, begin, begin == s->body_end ? "the calls end without an end mark" : "this is not the record of a call", error);
	if (call->number == DUMPI_END)
		return 0;
	const char *arguments = dumpi_forms[call->number].arguments;
	if (!arguments)
		p = skip_arguments(s, p, mask, call);
	else if (*arguments == '|')
		p = read_one_form(s, p, arguments, mask, call);
	else
		p = read_form(s, p, arguments, mask, call);
	if (!p) {
		char text[120];
		snprintf(text, sizeof text, "the arguments of %s (call %u) do not end before another record", dumpi_name(call->number),
			call->number);
		return refuse(s, begin, text, error);
	}
	s->at = p;
	drop_behind(s);
	return 1;
}
