#!/bin/sh
# Installs what orcs needs; see the usage below. Packages as root, or with sudo; where neither or no apt-get is there, it says what to
# install and fails.
set -eu

build="gcc libc6-dev make pkg-config libgraphviz-dev libopenmpi-dev openmpi-bin librandom123-dev zlib1g-dev liblzma-dev libzstd-dev libmetis-dev libcjson-dev libotf2-trace-dev"
run="graphviz gnuplot-nox librsvg2-bin"
simulated="opensm ibsim-utils infiniband-diags ibutils"
bench="g++ libsimgrid-dev" # for SimGrid beside the flow engine; not needed otherwise
tests="procps time valgrind glpk-utils jq python3 libcmocka-dev $simulated man-db groff-base clang-format xz-utils zstd gzip python3-numpy python3-networkx python3-pip python3-setuptools python3-wheel chromium slurmctld slurmd slurm-client munge mpich libmpich-dev gfortran"

usage() {
	cat <<'EOF'
Usage: install.sh [build | test | bench | --prefix DIR | --user]

Without an argument, or with --prefix: installs the Debian packages that are
missing, builds orcs, builds the library that ibdiagnet needs under the simulator
(ibsim-patches) and installs it to DIR/lib/orcs, by default ~/.local/lib/orcs,
routes a fabric of four nodes with OpenSM under ibsim, and says in one line what
works.

  build  installs the packages to build and run orcs, and nothing else
  test   those and the ones of the tests
  bench  those to build and run, and SimGrid, which make bench runs beside orcs
         where it is there
  --user needs no root: downloads the packages of OpenSM, ibsim and
         infiniband-diags, with the libraries that are missing, unpacks them
         to ~/.local/lib/orcs/debian, where the scripts find them, and routes
         a fabric of four nodes. Compilers and libraries to build orcs must be
         there; ibdiagnet needs the package ibutils, which is not unpacked
EOF
}

fail() { # STATUS TEXT
	echo "install.sh: $2" >&2
	exit "$1"
}

prefix=
user=
case $#,${1-} in
1,build) wanted="$build $run" ;;
1,test) wanted="$build $run $tests" ;;
1,bench) wanted="$build $run $bench" ;;
1,--user) user=yes ;;
1,-h | 1,--help)
	usage
	exit 0 ;;
0,) prefix=${HOME:?}/.local ;;
2,--prefix)
	prefix=$2
	case $prefix in
	'' | *[!A-Za-z0-9_./+,:=@%~-]*) fail 2 "--prefix: '$prefix' has characters that make would take for its own" ;;
	-*) prefix=./$prefix ;;
	esac ;;
*) fail 2 "the arguments are one of: build, test, bench, --prefix DIR, --user (--help tells more)" ;;
esac
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
[ -z "$prefix" ] || wanted="$build $run $simulated"

# Installs the packages $wanted that are missing.
install_packages() {
	# elsewhere than on Debian and its kin: look for what the packages hold
	if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
		missing=
		for tool in cc make pkg-config mpirun dot gnuplot rsvg-convert; do
			command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
		done
		for library in libcgraph zlib liblzma libzstd libcjson ompi-c; do
			pkg-config --exists "$library" 2>/dev/null || missing="$missing $library"
		done
		[ -f /usr/include/Random123/philox.h ] || [ -f /usr/local/include/Random123/philox.h ] || missing="$missing Random123"
		[ -f /usr/include/metis.h ] || [ -f /usr/local/include/metis.h ] || missing="$missing METIS"
		case $wanted in
		*opensm*)
			for tool in opensm ibsim ibnetdiscover ibdiagnet; do
				command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
			done ;;
		esac
		case $wanted in
		*simgrid*)
			command -v g++ >/dev/null 2>&1 || missing="$missing g++"
			[ -f /usr/include/simgrid/s4u.hpp ] || [ -f /usr/local/include/simgrid/s4u.hpp ] || missing="$missing SimGrid" ;;
		esac
		case $wanted in
		*cmocka*)
			pkg-config --exists cmocka 2>/dev/null || missing="$missing cmocka" ;;
		esac
		[ -n "$missing" ] || return 0
		echo "install.sh: there is no apt-get here, and these are missing:$missing" >&2
		echo "install.sh: on Debian 12 the packages are called: $wanted" >&2
		exit 1
	fi

	missing=
	for package in $wanted; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0

	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null 2>&1; then
			echo "install.sh: these packages are missing; ask an administrator to run: apt-get install$missing" >&2
			exit 1
		fi
		as_root="sudo"
	fi
	echo "installing:$missing" >&2
	$as_root apt-get update -qq >&2
	# shellcheck disable=SC2086 # the lists are words
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
}

# Downloads the packages of the tools and of the libraries that they lack, and unpacks them below the home folder; needs no root.
unpack_packages() {
	unpacked=${HOME:?}/.local/lib/orcs/debian
	for program in apt-get dpkg; do
		command -v $program >/dev/null 2>&1 || fail 1 "--user unpacks packages of Debian: $program is missing"
	done
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	# what apt-get would install is what is missing: the tools and their libraries
	apt-get install -o Debug::NoLocking=1 --print-uris -y --no-install-recommends opensm ibsim-utils infiniband-diags >"$work/plan" 2>"$work/why" ||
		fail 1 "apt-get does not know the packages: $(tail -n 1 "$work/why")"
	packages=$(sed -n "s/^'[^']*' \([a-z0-9][a-z0-9.+-]*\)_[^ ]*\.deb .*/\1/p" "$work/plan")
	if [ -z "$packages" ]; then
		echo "install.sh: opensm, ibsim-utils and infiniband-diags are installed already" >&2
		return
	fi
	# shellcheck disable=SC2086 # a list
	(cd "$work" && apt-get download $packages >/dev/null 2>why) || fail 1 "cannot download: $(tail -n 1 "$work/why")"
	mkdir -p "$unpacked" || fail 1 "cannot write to $unpacked"
	for package in "$work"/*.deb; do
		dpkg -x "$package" "$unpacked" || fail 1 "cannot unpack ${package##*/}"
	done
	echo "install.sh: unpacked to $unpacked:" $packages >&2
}

# Starts a simulated fabric of three hosts at one switch and routes it.
prove_chain() {
	work=$(mktemp -d)
	trap 'kill "$simulator" 2>/dev/null || :; wait "$simulator" 2>/dev/null || :; rm -rf "$work"' EXIT
	trap 'exit 143' HUP INT TERM
	export ORCS_RUN="$work/run"
	scripts/fattree_topology.sh 1:2:3 >"$work/net"
	scripts/start_ibsim.sh "$@" "$work/net" >"$work/ready" 2>"$work/why" &
	simulator=$!
	until grep -q '^Network simulator ready' "$work/ready"; do
		kill -0 "$simulator" 2>/dev/null || fail 1 "ibsim does not work: $(cat "$work/why")"
		sleep 0.1
	done
	scripts/start_osm.sh minhop >"$work/up" 2>"$work/why" || fail 1 "OpenSM does not work: $(cat "$work/why")"
	scripts/dump_routes.sh >"$work/lfts" 2>"$work/why" || fail 1 "dump_routes.sh does not work: $(cat "$work/why")"
}

# Diagnoses it too, and analyses it.
prove() {
	export ORCS_SIBLINGS="$prefix/lib/orcs/libumad_siblings.so"
	prove_chain
	(cd "$work" && "$OLDPWD/scripts/under_ibsim.sh" ibdiagnet -o . >"$work/why" 2>&1 && test -s ibdiagnet.fdbs) ||
		fail 1 "ibdiagnet does not work under ibsim: $(tail -n 1 "$work/why")"
	build/orcs-import --quiet --topology "$work/net" --lft "$work/lfts" -o "$work/fabric.dot" && build/orcs -n 1 -o "$work/result" "$work/fabric.dot" ||
		fail 1 "orcs does not work on the fabric that OpenSM has routed"
}

if [ -n "$user" ]; then
	unpack_packages
	cd "$here/.."
	prove_chain --as-is # a net that ibsim takes: orcs need not be built yet
	echo "ibsim, $(sed -n 's/.*(\(OpenSM [^)]*\)).*/\1/p' "$work/up") and infiniband-diags work together: a fabric of 4 nodes was routed"
	exit 0
fi
install_packages
if [ -n "$prefix" ]; then
	mkdir -p "$prefix" 2>/dev/null && [ -w "$prefix" ] || fail 1 "cannot write to $prefix"
	prefix=$(cd "$prefix" && pwd)
	cd "$here/.."
	make -s all >&2
	make -s -C ibsim-patches install PREFIX="$prefix" >&2
	prove
	echo "orcs, ibsim, $(sed -n 's/.*(\(OpenSM [^)]*\)).*/\1/p' "$work/up") and ibdiagnet (with $ORCS_SIBLINGS) work together: a fabric of 4 nodes was routed, diagnosed and analysed"
fi
