#!/bin/sh
# The engines of OpenSM against tables of the real one, entry by entry, as a table of equal entries: opensm.sh BIN_DIR. OPENSM_ALL=1: all of
# them through the programs, too.
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
PATH=$PATH:/usr/sbin:/sbin

bin=$(cd "$1" && pwd)
compare=$bin/../tests/route/opensm_tables
data=${ORCS_TEST_DATA:-../shared/data}/ib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

# All entries that either side has are equal; the row of the table.
equal() { # LABEL OPTION... ENGINE TOPOLOGY TABLES
	label=$1
	shift
	said=$("$compare" "$@" 2>"$work/time")
	status=$?
	printf '%-44s %s  %s\n' "$label" "$(printf '%s\n' "$said" | tail -n 1)" "$(tail -n 1 "$work/time")" >>"$work/rows"
	[ $status -eq 0 ] && return 0
	printf '%s\n' "$said"
	return 1
}

# The same through the programs: the topology as a graph, routed by orcs-route, and its tables as orcs-export writes them.
through() { # LABEL OPTION... ENGINE TOPOLOGY TABLES
	label=$1
	shift
	set -- "$@" end
	args=
	while [ "$4" != end ]; do
		case $1 in
		-a) args="$args --roots $2" && shift ;;
		-u) args="$args --compute-nodes $2" && shift ;;
		-G) args="$args --io-nodes $2" && shift ;;
		-z) args="$args --connect-roots" ;;
		esac
		shift
	done
	if [ "$2" != "$imported" ]; then
		"$bin/orcs-import" --quiet "$2" -o "$work/imported" || return 1
		imported=$2
	fi
	# shellcheck disable=SC2086 # several options
	"$bin/orcs-route" --quiet --allow-unreachable $args "$1" "$work/imported" 2>"$work/err" | "$bin/orcs-export" --quiet --drop-service-levels --to lfts - -o "$work/lfts" 2>>"$work/err"
	said=$(python3 tests/route/equal_tables.py "$work/lfts" "$3" top)
	status=$?
	printf '%-44s %s\n' "$label" "$(printf '%s\n' "$said" | tail -n 1)" >>"$work/through"
	[ $status -eq 0 ] && return 0
	cat "$work/err"
	printf '%s\n' "$said"
	return 1
}

# Both; of the large fabrics only some engines go through the programs.
agree() { # LABEL OPTION... ENGINE TOPOLOGY TABLES
	check "$1" equal "$@"
	case $1 in
	*_lmc2 | *minhop* | *ftree* | x5* | irreg* | tree2* | torus*) check "$1, through the programs" through "$@" ;;
	*) [ -z "${OPENSM_ALL:-}" ] || check "$1, through the programs" through "$@" ;;
	esac
}

imported=

# ---- dumps that are there
# In opensm/ the options stand behind the engine: a root_guids.txt, u cn_guids.txt, z connect_roots.
for tables in "$data"/opensm/*/opensm-lfts.dump.*.xz; do
	[ -f "$tables" ] || continue
	folder=${tables%/*}
	name=${tables##*dump.}
	name=${name%.xz}
	set --
	case $name in *_a*) set -- -a "$folder/root_guids.txt" ;; esac
	case $name in *_*u*) set -- "$@" -u "$folder/cn_guids.txt" ;; esac
	case $name in *_*z*) set -- "$@" -z ;; esac
	agree "${folder##*/} $name" "$@" "${name%_*}" "$folder/ibnetdiscover.txt.xz" "$tables"
done
# Where there is a dump of OpenSM's own, dump_fts misses the highest LID.
for tables in "$data"/generated/*/opensm-lfts.dump.*.xz "$data"/generated/*/dump_fts.*.xz; do
	[ -f "$tables" ] || continue
	folder=${tables%/*}
	name=${tables##*/}
	name=${name#opensm-lfts.dump.}
	name=${name#dump_fts.}
	name=${name%.xz}
	topology=$folder/ibnetdiscover.txt.xz
	set --
	case $tables in */torus444_4/dump_fts*) continue ;; esac
	case $name in
	nue | torus2qos) continue ;;
	updn_root0) set -- -a "$folder/root_guids.txt" ;;
	*_lmc2) topology=$folder/ibnetdiscover.$name.txt.xz ;;
	esac
	agree "${folder##*/} $name" "$@" "${name%%_*}" "$topology" "$tables"
done
for folder in "$data"/real-routed/*.minhop; do
	[ -d "$folder" ] || continue
	agree "${folder##*/}" minhop "$folder"/ibnetdiscover.txt* "$folder"/dump_fts.txt*
done
if [ -d "$data/generated/traps" ]; then
	agree "traps minhop" minhop "$data/generated/traps/ibnetdiscover.txt" "$data/generated/traps/opensm-lfts.dump"
	agree "traps minhop, LMC 1" minhop "$data/generated/traps/ibnetdiscover_lmc1.txt" \
		"$data/generated/traps/dump_fts_lmc1.minhop"
else
	skip "$data is not there: no tables of OpenSM to compare with"
fi
[ ! -s "$work/rows" ] || cat "$work/rows"
[ ! -s "$work/through" ] || { echo "through orcs-import, orcs-route and orcs-export:" && cat "$work/through"; }

# ---- the real OpenSM under ibsim
if have opensm && have ibsim && have ibnetdiscover && have python3; then
	for fabrics in "${OPENSM_FABRICS:-2}" '1 13'; do
		# shellcheck disable=SC2086 # how many, and the first
		python3 tests/route/opensm_engines.py "$bin" $fabrics >"$work/runs" 2>&1
		status=$?
		cat "$work/runs"
		line=$(tail -n 1 "$work/runs")
		check "the real OpenSM under ibsim" [ $status -eq 0 ]
		case $line in
		[0-9]*' equal, '*) passed=$((passed + ${line%% *})) ;;
		esac
	done
else
	skip "opensm, ibsim, ibnetdiscover or python3 is missing: no run of the real OpenSM"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
