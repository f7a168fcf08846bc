#!/bin/sh
# report.sh - puts what bench/run.sh found into a text: tables between marks, and the pictures.

set -u
export LC_ALL=C

case ${1-} in
-h | --help)
	cat <<'EOT'
Usage: bench/report.sh [RESULTS.json [TEXT.md]]

Replaces what stands between the lines <!-- bench NAME --> and <!-- end --> of
TEXT.md (by default doc/performance.md) by the table NAME made of RESULTS.json (by
default build/bench/results.json, which bench/run.sh writes), and puts the
pictures beside it, into its folder pictures. Needs jq, and gnuplot for the
pictures. The names: machine read import pairs hosts patterns processes
instructions flow packet share route opensm.
EOT
	exit ;;
esac
results=${1-build/bench/results.json}
text=${2-doc/performance.md}
for file in "$results" "$text"; do
	[ -f "$file" ] || {
		echo "report.sh: $file is missing (--help tells more)" >&2
		exit 1
	}
done
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Writes the table of that name. In heads a trailing > means numbers.
table() { # NAME
	jq -r --arg name "$1" '
		def cell: if . == null then "" else tostring end;
		def line: "| " + (map(cell) | join(" | ")) + " |";
		def table(head): (head | map(rtrimstr(">")) | line), (head | map(if endswith(">") then "---:" else "---" end) | line), (.[] | line);
		def grouped: if length > 3 then (.[:-3] | grouped) + "," + .[-3:] else . end;
		def whole: if . == null then null else round | tostring | grouped end;
		def fixed(n): if . == null then null else
			(pow(10; n) | round) as $one | (. * $one | round) as $i
			| (($i / $one | floor | tostring | grouped) + "." + ($i % $one + $one | tostring | .[1:])) end;
		.results as $all | def of($case): $all | map(select(.case == $case));
		if $name == "machine" then
			"\(.date[:10]), \(.version)" + (if .commit != "" then " (" + .commit + ")" else "" end)
			+ ", \(.compiler); \(.machine.processor), \(.machine.cores) cores, \(.machine.memory_gb) GB, \(.machine.kernel), "
			+ "huge pages: \(.machine.huge_pages); all in \(.seconds) s."
		elif $name == "read" then
			of("read") | map([.program, (.bytes / 1e6 | fixed(1)), (.min_s | fixed(2)), (.median_s | fixed(2)), (.ratio | fixed(2)), .bar, .verdict])
			| table(["program", "file, MB>", "minimum, s>", "median, s>", "ratio>", "bar, less than>", ""])
		elif $name == "import" then
			of("import") | map([(.hosts | whole), (.bytes / 1e6 | whole), (.median_s | fixed(2)), (.cpu_s | fixed(2)), .bar, .verdict,
				.memory_mb, (.memory_bar | whole), .memory_verdict])
			| table(["hosts>", "dumps, MB>", "time, s>", "CPU time, s>", "bar, less than>", "", "memory, MB>", "bar, less than>", ""])
		elif $name == "pairs" then
			of("pairs") | map(select(.limit_ns) | [(.hosts | whole), .way, (.ns | fixed(1)), (.min_ns | fixed(1)), .bar, .verdict,
				(.table_mb | whole), (.read_ns | fixed(1)), (.huge_ns | fixed(1)), (if .huge_ns then 1e3 / .huge_ns else null end | whole),
				(.limit_ns | fixed(1)),
				(.share * 100 | whole) + "%"])
			| table(["hosts>", "routes", "ns per pair>", "minimum>", "bar>", "", "table, MB>", "one read, ns>", "on huge pages>",
				"million reads/s>", "limit, ns>", "limit / ns>"])
		elif $name == "hosts" then
			of("pairs") | map([(.hosts | whole), .way, (.ns | fixed(1)), (.graph_s | fixed(2)), (.graph_mb | whole), (.open_s | fixed(2)),
				(.table_s | fixed(2)), (.memory_mb | whole), (.memory_bar | whole), .memory_verdict])
			| table(["hosts>", "routes", "ns per pair>", "reading the graph, s>", "MB>", "opening the cache, s>", "making the table, s>",
				"memory, MB>", "bar>", ""])
		elif $name == "patterns" then
			of("patterns") | map(["`" + .pattern + "`", "`" + .metric + "`", (.ns | fixed(1)), (.ratio | fixed(2)), .bar, .verdict])
			| table(["pattern", "metric", "ns per pair>", "to the cheapest>", "bar>", ""])
		elif $name == "processes" then
			of("processes") | map([(.hosts | whole), (if .launcher == "none" then "1, without mpirun" else .processes end),
				(.pairs_per_s / 1e6 | fixed(1)), (.speedup | fixed(2)), (.machine | fixed(2)), .bar, .verdict, .memory_mb,
				(.memory_ratio | fixed(2)), .memory_bar, .memory_verdict])
			| table(["hosts>", "processes>", "million pairs/s>", "speedup>", "of the machine>", "bar>", "", "memory, MB>", "ratio>",
				"bar, less than>", ""])
		elif $name == "flow" then
			of("flow") | map(["`" + .pattern + "`", "`" + .fabric + "`", .mapping, (.messages | whole), .metric, (.user_s | fixed(3)), .bar, .verdict,
				(.memory_mb | whole), (.memory_bar | whole), .memory_verdict, (.simgrid_s | fixed(2)), (.ratio | whole), .difference])
			| table(["pattern", "topology", "mapping", "messages>", "metric", "time, s>", "bar>", "", "memory, MB>", "bar>", "", "SimGrid, s>", "ratio>",
				"difference>"])
		elif $name == "packet" then
			of("packet") | map(select(."hops M/s") | [.work, (."hops M/s" | fixed(2)), (."visits M/s" | fixed(2)), .instructions, .bar, .verdict,
				(.memory_mb | whole), (.bar_mb | whole), "`" + .command + "`"])
			| table(["work", "million channels/s>", "million switches/s>", "instructions per channel>", "bar>", "", "memory, MB>", "bar>", "command"])
		elif $name == "share" then
			of("packet") | map(select(.processes) | [.work, .processes, (.ratio | fixed(2)), .bar, .verdict, "`" + .command + "`"])
			| table(["work", "processes>", "times as fast>", "bar>", "", "command"])
		elif $name == "route" then
			of("route") | map(select(.fabric) | [.fabric, (.hosts | whole), "`" + .engine + "`", (.median_s | fixed(3)), .bar, .verdict, .lanes,
				(.memory_mb | whole)])
			| table(["fabric", "hosts>", "engine", "median, s>", "bar, less than>", "", "lanes>", "memory, MB>"])
		elif $name == "opensm" then
			of("route") | map(select(.opensm_s) | [(.hosts | whole), "`" + .engine + "`", (.median_s | fixed(4)), (.opensm_s | fixed(4)),
				(.ratio | fixed(4))])
			| table(["hosts>", "engine", "orcs-route, s>", "OpenSM, s>", "ratio>"])
		else
			of("instructions") | map([(.hosts | whole), .way, "`" + .function + "`", (.instructions | fixed(1))])
			| table(["hosts>", "routes", "function", "instructions per pair>"])
		end' "$results"
}

for name in machine read import pairs hosts patterns processes instructions flow packet share route opensm; do
	table "$name" >"$tmp/$name" || {
		echo "report.sh: $results does not hold what is wanted for the table '$name'" >&2
		exit 1
	}
done
awk -v tmp="$tmp" '
	/^<!-- bench [a-z]+ -->$/ {
		print
		while ((getline row <(tmp "/" $3)) > 0)
			print row
		inside = 1
	}
	/^<!-- end -->$/ { inside = 0 }
	!inside && !/^<!-- bench /
' "$text" >"$tmp/text" || exit 1
case $text in
*/*) folder=${text%/*} ;;
*) folder=. ;;
esac
mkdir -p "$folder/pictures" && bench/pictures.sh "$results" "$folder/pictures" && cp "$tmp/text" "$text"
