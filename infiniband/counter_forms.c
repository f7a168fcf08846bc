/* The forms of counters. To add one, write its file and add it here. A line goes to the first form that takes it. */
#include "infiniband/counters.h"

#define COUNTER_FORMS(X) \
	X(perfquery) \
	X(ibqueryerrors) \
	X(ibdiagnet) \
	X(db_csv) \
	X(ufm) \
	X(prometheus)

#define X(name) extern const struct counter_form counter_form_##name;
COUNTER_FORMS(X)
#undef X

const struct counter_form *const counter_forms[] = {
#define X(name) &counter_form_##name,
	COUNTER_FORMS(X)
#undef X
		NULL,
};
