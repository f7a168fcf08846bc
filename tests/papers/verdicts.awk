# Compares the verdicts of two tables of statements, the page's and those of a run, which may have fewer rows; "open" in the run is accepted
# if tools=none. Usage: awk -f verdicts.awk [-v tools=none] PAGE RUN; prints what differs, and fails if anything does or the run has no rows.
BEGIN { FS = " [|] " }
/^\| [0-9]+ \|/ {
	number = $1
	sub(/^\| /, "", number)
	if (FNR == NR)
		verdict[number] = $6
	else {
		rows++
		if ($6 != verdict[number] && !(tools == "none" && $6 == "open")) {
			printf "statement %s: %s, on the page %s\n", number, $6, verdict[number] == "" ? "missing" : verdict[number]
			bad = 1
		}
	}
}
END { exit bad || !rows }
