/*
 * The memory that is available: what the machine, the control groups (v1 and v2) and the limits of the process leave. Sizes come from
 * outside, and Linux grants more memory than it has and kills the process that uses it; therefore large allocations are checked first.
 */
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reserves for small allocations of libraries: a constant of a limited address space, a share of other memory. */
static const double little = 16e6, kept_address_space = 32e6, kept_share = 1 / 32.0;

/*
 * Returns the number behind a word at the beginning of a line of a file, or the file's first number if the word is empty; none if there is
 * no such number.
 */
static double number_in(const char *path, const char *word, double none)
{
	FILE *file = fopen(path, "re");
	char line[200];
	uint64_t number;
	size_t length = strlen(word);
	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, word, length) && sscanf(line + length, " %" SCNu64, &number) == 1) {
			none = (double)number;
			break;
		}
	if (file)
		fclose(file);
	return none;
}

/* Returns what a control group leaves: its limit minus what it uses and cannot reclaim. */
static double left_in_group(const char *folder, const char *limit_name, const char *usage_name, const char *cache_name)
{
	char path[4200];
	snprintf(path, sizeof path, "%s/%s", folder, limit_name);
	double limit = number_in(path, "", INFINITY); /* "max" is not a number */
	if (limit > 1e18)
		return INFINITY;
	snprintf(path, sizeof path, "%s/%s", folder, usage_name);
	double usage = number_in(path, "", 0);
	snprintf(path, sizeof path, "%s/memory.stat", folder);
	return limit - usage + number_in(path, cache_name, 0);
}

/* Returns the minimum that a group and its ancestors leave. In a container the outer part of the name may not exist. */
static double left_in_groups(const char *root, char *name, bool second)
{
	double left = INFINITY;
	char folder[4100];
	for (char *end = name + strlen(name);; end = strrchr(name, '/')) {
		if (end)
			*end = '\0';
		snprintf(folder, sizeof folder, "%s%s", root, end ? name : "");
		left = fmin(left, second ? left_in_group(folder, "memory.max", "memory.current", "inactive_file ")
					 : left_in_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "));
		if (!end || !*name)
			return left;
	}
}

/* Returns the minimum over all control groups of this process; lines are "NUMBER:CONTROLLERS:/NAME". */
static double left_in_control_groups(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[4000];
	double left = INFINITY;
	while (file && fgets(line, sizeof line, file)) {
		char *controllers = strchr(line, ':'), *name = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!name)
			continue;
		*controllers++ = *name++ = '\0';
		name[strcspn(name, "\n")] = '\0';
		if (!*controllers)
			left = fmin(left, left_in_groups("/sys/fs/cgroup", name, true));
		else if (!strcmp(controllers, "memory"))
			left = fmin(left, left_in_groups("/sys/fs/cgroup/memory", name, false));
	}
	if (file)
		fclose(file);
	return left;
}

/* Bytes of the process: its address space, the data in it, and the part of the data that was never touched. */
struct used {
	double space, data, untouched;
};

static struct used use_of_process(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	double size = 0, resident = 0, shared = 0, data = 0, page = (double)sysconf(_SC_PAGESIZE);
	if (file && fscanf(file, "%lf %lf %lf %*s %*s %lf", &size, &resident, &shared, &data) != 4)
		size = data = 0;
	if (file)
		fclose(file);
	return (struct used){size * page, data * page, fmax(0, data - (resident - shared)) * page};
}

static double left_of(int resource, double used)
{
	struct rlimit limit;
	return getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY ? INFINITY : (double)limit.rlim_cur - used;
}

uint64_t memory_available(void)
{
	struct used used = use_of_process();
	double machine = fmin(number_in("/proc/meminfo", "MemAvailable:", INFINITY) * 1024, left_in_control_groups());
	if (used.untouched < 1024 * number_in("/proc/meminfo", "MemTotal:", 0)) /* sanitizers reserve more than exists */
		machine -= used.untouched;
	machine -= fabs(machine) < INFINITY ? machine * kept_share : 0;
	double left = fmin(
		machine, fmin(left_of(RLIMIT_AS, used.space + kept_address_space), left_of(RLIMIT_DATA, used.data + kept_address_space)));
	return left >= (double)UINT64_MAX ? UINT64_MAX : left > 0 ? (uint64_t)left : 0;
}

bool memory_fits(double bytes, double *available)
{
	*available = INFINITY;
	if (bytes >= little)
		*available = (double)memory_available();
	return bytes <= *available;
}

int memory_check(double bytes, double count, const char *what, unsigned processes, struct error *error)
{
	double available;
	char each[60] = "";
	if (memory_fits(bytes * fmax(1, processes), &available))
		return 0;
	if (processes > 1)
		snprintf(each, sizeof each, " in each of %u processes", processes);
	return error_set(error, STATUS_IO, "out of memory: %.0f %s take about %.3g GB%s, and %.3g GB are available", count, what,
		bytes / 1e9, each, available / 1e9);
}
