#include "infiniband/machines.h"

#include "infiniband/rails.h"

#include <string.h>

static int compile(regex_t *to, bool *is, const char *option, const char *expression, int flags, struct error *error)
{
	char why[200];
	if (!expression)
		return 0;
	int wrong = regcomp(to, expression, REG_EXTENDED | flags);
	*is = !wrong;
	if (!wrong)
		return 0;
	regerror(wrong, to, why, sizeof why);
	return error_set(error, STATUS_USAGE, "%s '%s': no regular expression: %s", option, expression, why);
}

int machine_rules_init(struct machine_rules *rules, const char *name, const char *port, struct error *error)
{
	*rules = (struct machine_rules){0};
	compile(&rules->name, &rules->named, "--machine-name", name, 0, error);
	if (!error->status)
		compile(&rules->port, &rules->chosen, "--ports", port, REG_NOSUB, error);
	return error->status ? -1 : 0;
}

void machine_rules_clear(struct machine_rules *rules)
{
	if (rules->named)
		regfree(&rules->name);
	if (rules->chosen)
		regfree(&rules->port);
	*rules = (struct machine_rules){0};
}

bool machine_port_counts(const struct machine_rules *rules, const char *desc)
{
	return !rules->chosen || !regexec(&rules->port, desc, 0, NULL, 0);
}

size_t machine_find(const struct machine_rules *rules, const char *desc, const char **from)
{
	regmatch_t match[2];
	*from = desc + strspn(desc, " ");
	if (!rules->named)
		return machine_length(*from) ? strcspn(*from, " ") : 0;
	if (regexec(&rules->name, desc, 2, match, 0))
		return 0;
	const regmatch_t *part = &match[rules->name.re_nsub > 0];
	if (part->rm_so < 0)
		return 0;
	*from = desc + part->rm_so;
	return (size_t)(part->rm_eo - part->rm_so);
}
