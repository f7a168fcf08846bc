/* agread FILE - reads a dot graph with cgraph's agread and does nothing else: what bench/read.sh holds orcs against. */
#include <cgraph.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!file) {
		fprintf(stderr, "agread: cannot open %s\n", argc == 2 ? argv[1] : "(a file is needed)");
		return 1;
	}
	return !agread(file, NULL);
}
