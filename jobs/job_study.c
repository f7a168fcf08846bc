#include "jobs/job_study.h"

#include "base/memory.h"
#include "base/shown.h"

#include <inttypes.h>
#include <stdlib.h>

int job_study_read(struct job_study *study, const char *path, const char *machine_name, const char *ports, struct error *error)
{
	*study = (struct job_study){.loads = {0}};
	return machine_rules_init(&study->rules, machine_name, ports, error) || job_list_read(&study->list, path, error) ? -1 : 0;
}

int job_study_find(struct job_study *study, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct pattern_request *pattern, uint32_t top, struct error *error)
{
	const char **name = array_create(study->list.jobs, sizeof *name, error);
	for (uint32_t j = 0; j < study->list.jobs && name; j++)
		name[j] = study->list.job[j].id;
	if (name && !job_hosts_find(&study->hosts, &study->list, fabric, &study->rules, error) &&
		!machine_loads_find(&study->loads, fabric, forwarding, &study->hosts, pattern, name, error))
		job_result_find(&study->result, &study->loads, top, error);
	free(name);
	return error->status ? -1 : 0;
}

void job_study_warn(const struct job_study *study, const struct fabric *fabric, const char *program, FILE *file)
{
	const struct job_hosts *h = &study->hosts;
	if (h->missing)
		fprintf(file, "%s: warning: machines that the fabric does not have, left out: %" PRIu64 " (the first: '%s')", program,
			h->missing, SHOWN(h->first_missing));
	if (h->missing && !h->first[h->jobs] && h->machines)
		fprintf(file, ", which is all; the fabric's are called such as '%s': see --machine-name and --ports", SHOWN(h->name[0]));
	else if (h->missing && !h->first[h->jobs])
		fputs(", which is all: no host of the fabric counts, see --ports", file);
	fputs(h->missing ? "\n" : "", file);
	if (h->shared)
		fprintf(file, "%s: note: hosts that are in several jobs: %" PRIu32 " (the first: '%s', in '%s' and '%s')\n", program,
			h->shared, SHOWN(fabric->labels->name[fabric->host_node[h->first_shared]]),
			SHOWN(study->list.job[h->sharers[0]].id), SHOWN(study->list.job[h->sharers[1]].id));
}

void job_study_clear(struct job_study *study)
{
	job_result_clear(&study->result);
	machine_loads_clear(&study->loads);
	job_hosts_clear(&study->hosts);
	job_list_clear(&study->list);
	machine_rules_clear(&study->rules);
}
