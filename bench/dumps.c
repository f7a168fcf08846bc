/*
 * dumps K TOPOLOGY TABLES - writes what ibnetdiscover and dump_fts -n print of a fat tree of three levels of switches of 2K ports (2K^3
 * hosts, 5K^2 switches), routed by D-mod-K: what bench/import.sh reads. The entries for the LIDs of switches lead to some host.
 */
#include <stdio.h>
#include <stdlib.h>

static unsigned k, hosts, leaves; /* as many switches in the middle as leaves */

/* Switches: leaves, those in the middle pod by pod, then the top; ports 1..K of the former two lead down. */
static unsigned port_to(unsigned from, unsigned host)
{
	unsigned pod = host / (k * k), leaf = host / k;
	if (from < leaves)
		return from == leaf ? host % k + 1 : k + 1 + host % k;
	if (from < 2 * leaves)
		return (from - leaves) / k == pod ? leaf % k + 1 : k + 1 + host / k % k;
	return pod + 1;
}

/* The switch (*far) and port at the other end of a port; where a host is, *far is ~0 and the result the host. */
static unsigned peer(unsigned from, unsigned port, unsigned *far)
{
	unsigned pod = (from % leaves) / k, place = from % k;
	if (from >= 2 * leaves) {
		unsigned top = from - 2 * leaves;
		*far = leaves + (port - 1) * k + top / k;
		return k + 1 + top % k;
	}
	if (from < leaves && port <= k) {
		*far = ~0U;
		return from * k + port - 1;
	}
	if (port <= k) {
		*far = pod * k + port - 1;
		return k + 1 + place;
	}
	*far = from < leaves ? leaves + pod * k + port - k - 1 : 2 * leaves + place * k + port - k - 1;
	return from < leaves ? place + 1 : pod + 1;
}

static void write_topology(FILE *file, unsigned switches)
{
	fputs("# Topology file: generated for bench/import.sh\n", file);
	for (unsigned s = 0; s < switches; s++) {
		fprintf(file,
			"\nvendid=0x2c9\ndevid=0xc738\nsysimgguid=0x%x\nswitchguid=0x%x(%x)\nSwitch\t%u \"S-%016x\"\t\t# \"switch %u\" base port 0 lid %u lmc 0\n",
			0x200000 + s, 0x200000 + s, 0x200000 + s, 2 * k, 0x200000 + s, s, hosts + 1 + s);
		for (unsigned port = 1; port <= 2 * k; port++) {
			unsigned far, there = peer(s, port, &far);
			if (far == ~0U)
				fprintf(file, "[%u]\t\"H-%016x\"[1](%x) \t\t# \"node %u HCA-1\" lid %u 4xHDR\n", port,
					0x1000000 + 2 * there, 0x1000001 + 2 * there, there, there + 1);
			else
				fprintf(file, "[%u]\t\"S-%016x\"[%u]\t\t# \"switch %u\" lid %u 4xHDR\n", port, 0x200000 + far, there, far,
					hosts + 1 + far);
		}
	}
	for (unsigned h = 0; h < hosts; h++)
		fprintf(file,
			"\nvendid=0x2c9\ndevid=0x101b\nsysimgguid=0x%x\ncaguid=0x%x\nCa\t1 \"H-%016x\"\t\t# \"node %u HCA-1\"\n"
			"[1](%x) \t\"S-%016x\"[%u]\t\t# lid %u lmc 0 \"switch %u\" lid %u 4xHDR\n",
			0x1000000 + 2 * h, 0x1000000 + 2 * h, 0x1000000 + 2 * h, h, 0x1000001 + 2 * h, 0x200000 + h / k, h % k + 1, h + 1,
			h / k, hosts + 1 + h / k);
}

static void write_tables(FILE *file, unsigned switches)
{
	for (unsigned s = 0; s < switches; s++) {
		unsigned lids = hosts + switches;
		fprintf(file,
			"Unicast lids [0x0-0x%x] of switch DR path slid 0; dlid 0; 0,1 guid 0x%016x (switch %u):\n  Lid  Out   Destination\n       Port     Info \n",
			lids, 0x200000 + s, s);
		for (unsigned lid = 1; lid <= lids; lid++)
			fprintf(file, "0x%04x %03u \n", lid, lid == hosts + 1 + s ? 0 : port_to(s, (lid - 1) % hosts));
		fprintf(file, "%u valid lids dumped \n", lids);
	}
}

static int write_file(const char *path, void (*write)(FILE *, unsigned), unsigned switches)
{
	FILE *file = fopen(path, "w");
	if (file)
		write(file, switches);
	if (file && !ferror(file) && !fclose(file))
		return 0;
	fprintf(stderr, "dumps: cannot write %s\n", path);
	return 1;
}

int main(int argc, char **argv)
{
	k = argc == 4 ? (unsigned)atoi(argv[1]) : 0;
	if (k < 1 || k > 25) {
		fputs("Usage: dumps K TOPOLOGY TABLES (K from 1 to 25)\n", stderr);
		return 2;
	}
	hosts = 2 * k * k * k;
	leaves = 2 * k * k;
	return write_file(argv[2], write_topology, 5 * k * k) || write_file(argv[3], write_tables, 5 * k * k);
}
