/* The formats of dumps. To add one, write its file and add it here. A line goes to the first format that accepts it. */
#include "infiniband/dump.h"

#define DUMP_FORMS(X) \
	X(sl2vl) \
	X(smpquery) \
	X(saquery) \
	X(path_records) \
	X(ibnetdiscover) \
	X(iblinkinfo) \
	X(lst) \
	X(port_list) \
	X(db_csv) \
	X(dump_fts) \
	X(far) \
	X(fdbs) \
	X(torus) \
	X(sls)

#define X(name) extern const struct dump_form dump_form_##name;
DUMP_FORMS(X)
#undef X

const struct dump_form *const dump_forms[] = {
#define X(name) &dump_form_##name,
	DUMP_FORMS(X)
#undef X
		NULL,
};
