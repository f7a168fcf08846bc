#include "tools/record/preload/log.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
	FIRST_WINDOW = 1 << 18,
	LARGEST_WINDOW = 1 << 24,
	LONGEST_NUMBER = 10, /* bytes */
	USUAL_NUMBERS = 16,
	/* nanoseconds: shorter times between calls are the processor's; the processor's clock is not read again within the second */
	SHORT = 5000,
	FRESH = 20000,
	POLLING = 2000
};

/* The file is mapped window by window: what has been written remains if the program is killed. */
static struct {
	atomic_flag lock;
	_Atomic bool open;
	struct record_header *header;
	int file;
	uint8_t *window, *end;
	uint8_t *kind_at; /* of the record that is being written */
	uint8_t kind;
	uint64_t offset; /* of the window in the file */
	size_t size;     /* of the next window */
	int32_t thread;  /* that of the last record */
	_Atomic int32_t threads;
} book = {.lock = ATOMIC_FLAG_INIT, .file = -1};

struct log_place log_place;

static __thread struct thread self __attribute__((tls_model("initial-exec")));

static uint64_t clock_of(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- the file */

/* Maps the part of the file from the offset on, with at least this number of bytes. Returns 0, or an errno. */
static int map_window(uint64_t offset, size_t need)
{
	uint64_t from = offset & ~(uint64_t)4095;
	size_t length = book.size;
	while (length < need + 4096)
		length *= 2;
	int failed = posix_fallocate(book.file, (off_t)from, (off_t)length);
	if (failed)
		return failed;
	void *window = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, book.file, (off_t)from);
	if (window == MAP_FAILED)
		return errno;
	if (book.window)
		munmap(book.window, (size_t)(book.end - book.window));
	book.window = window;
	log_place.next = book.window + (offset - from);
	book.end = book.window + length;
	book.offset = from;
	if (book.size < LARGEST_WINDOW)
		book.size *= 2;
	return 0;
}

static uint64_t length_now(void)
{
	return book.offset + (uint64_t)(log_place.next - book.window);
}

/* Creates the first file of the rank that is not there: a script can run one program after another. */
static int create(const char *directory, uint32_t rank)
{
	char path[4096];
	for (int program = 1; program < 10000; program++) {
		if (snprintf(path, sizeof path, "%s/rank-%u.%d.record", directory, rank, program) >= (int)sizeof path)
			errno = ENAMETOOLONG;
		else
			book.file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (book.file >= 0 || errno != EEXIST)
			break;
	}
	return book.file < 0 ? errno : 0;
}

static int open_file(const char *directory, const struct record_header *header)
{
	int failed = create(directory, header->rank);
	if (failed)
		return failed;
	if ((failed = posix_fallocate(book.file, 0, RECORD_HEADER)))
		return failed;
	book.header = mmap(NULL, RECORD_HEADER, PROT_READ | PROT_WRITE, MAP_SHARED, book.file, 0);
	if (book.header == MAP_FAILED)
		return errno;
	*book.header = *header;
	book.size = FIRST_WINDOW;
	failed = map_window(RECORD_HEADER, 1);
	if (failed)
		book.header->full = (uint32_t)failed;
	return failed;
}

bool log_open(const char *directory, const struct record_header *header)
{
	int failed = open_file(directory, header);
	if (failed) {
		fprintf(stderr, "orcs-record: rank %u is not recorded: %s: %s\n", header->rank, directory, strerror(failed));
		return false;
	}
	self.left = self.read = clock_of(CLOCK_MONOTONIC);
	self.left_cpu = self.read_cpu = clock_of(CLOCK_THREAD_CPUTIME_ID);
	self.number = atomic_fetch_add(&book.threads, 1) + 1;
	atomic_store(&book.open, true);
	return true;
}

bool log_is_open(void)
{
	return atomic_load_explicit(&book.open, memory_order_relaxed);
}

static void lock(void)
{
	while (atomic_flag_test_and_set_explicit(&book.lock, memory_order_acquire))
		sched_yield();
}

static void unlock(void)
{
	atomic_flag_clear_explicit(&book.lock, memory_order_release);
}

void log_close(enum record_state state, uint32_t status)
{
	lock();
	if (log_is_open()) {
		atomic_store(&book.open, false);
		book.header->status = status;
		book.header->state = state;
		if (ftruncate(book.file, (off_t)length_now() + 1))
			book.header->full = (uint32_t)errno;
		close(book.file);
	}
	unlock();
}

void log_left_out(enum record_left_out what)
{
	if (log_is_open())
		book.header->left_out |= UINT64_C(1) << what;
}

/* ---- threads and clocks */

/* The first call of a thread: it has computed since it began, or since the log did. */
static void meet(uint64_t now)
{
	self.number = atomic_fetch_add(&book.threads, 1) + 1;
	self.left = now;
	self.left_cpu = 0;
	self.read = 0;
}

struct thread *log_enter(void)
{
	if (self.inside || !log_is_open())
		return NULL;
	self.inside = true;
	uint64_t now = clock_of(CLOCK_MONOTONIC);
	if (!self.number)
		meet(now);
	self.gap = self.gap_cpu = now - self.left;
	if (self.gap >= SHORT || !self.read) {
		self.read = now;
		self.read_cpu = clock_of(CLOCK_THREAD_CPUTIME_ID);
		uint64_t spent = self.read_cpu > self.left_cpu ? self.read_cpu - self.left_cpu : 0;
		if (!self.gap)
			self.gap = spent; /* of a new thread */
		self.gap_cpu = spent < self.gap ? spent : self.gap;
	}
	self.wall += self.gap;
	self.cpu += self.gap_cpu;
	return &self;
}

void log_leave(struct thread *thread)
{
	thread->left = clock_of(CLOCK_MONOTONIC);
	if (thread->left - thread->read > FRESH) {
		thread->read = thread->left;
		thread->read_cpu = clock_of(CLOCK_THREAD_CPUTIME_ID);
	}
	thread->left_cpu = thread->read_cpu + (thread->left - thread->read);
	thread->inside = false;
}

void log_ignore(struct thread *thread, const struct thread *kept)
{
	uint64_t now = clock_of(CLOCK_MONOTONIC), cpu = clock_of(CLOCK_THREAD_CPUTIME_ID);
	uint64_t begun = kept->left + kept->gap, begun_cpu = kept->left_cpu + kept->gap_cpu;
	thread->wall += now - begun;
	thread->cpu += cpu > begun_cpu ? cpu - begun_cpu : 0;
	if (thread->cpu > thread->wall)
		thread->cpu = thread->wall;
}

void log_polled(struct thread *thread)
{
	if (thread->polls && thread->gap < POLLING) {
		thread->wall -= thread->gap;
		thread->cpu -= thread->gap_cpu;
	}
	thread->polls = true;
}

/* ---- records */

/* Writes that another thread goes on. */
static void change_thread(int32_t number)
{
	uint8_t *at = log_place.next++;
	log_number((uint64_t)number - 1);
	atomic_signal_fence(memory_order_release);
	*at = RECORD_THREAD;
	book.thread = number;
}

static bool has_room(size_t need)
{
	if ((size_t)(book.end - log_place.next) > need)
		return true;
	int failed = map_window(length_now(), need);
	if (!failed)
		return true;
	book.header->full = (uint32_t)failed;
	atomic_store(&book.open, false);
	return false;
}

bool log_begin(struct thread *thread, enum record_kind kind, size_t numbers)
{
	lock();
	if (!log_is_open() || !has_room((numbers + USUAL_NUMBERS) * LONGEST_NUMBER)) {
		unlock();
		return false;
	}
	if (book.thread != thread->number)
		change_thread(thread->number);
	book.kind = (uint8_t)kind;
	book.kind_at = log_place.next++;
	log_number(thread->wall);
	log_number(thread->wall - thread->cpu);
	thread->wall = thread->cpu = 0;
	thread->polls = false;
	return true;
}

void log_end(void)
{
	atomic_signal_fence(memory_order_release);
	*book.kind_at = book.kind;
	unlock();
}
