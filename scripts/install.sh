#!/bin/sh
# Installs the Debian packages that orcs needs and that are missing: install.sh build|test ...
# As root, or with sudo; where neither or no apt-get is there, it says what to install and fails.
set -eu

build="gcc libc6-dev make pkg-config libgraphviz-dev libopenmpi-dev openmpi-bin librandom123-dev libcjson-dev zlib1g-dev liblzma-dev libzstd-dev"
run="graphviz gnuplot-nox"
tests="procps jq libcmocka-dev opensm ibsim-utils infiniband-diags man-db groff-base xz-utils zstd gzip"

usage() {
	echo "usage: install.sh build|test" >&2
	exit 2
}

[ $# -eq 1 ] || usage
case $1 in
build) wanted="$build $run" ;;
test) wanted="$build $run $tests" ;;
*) usage ;;
esac

# Elsewhere than on Debian and its kin: look for what the packages hold.
if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
	missing=
	for tool in cc make pkg-config mpirun dot gnuplot; do
		command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
	done
	for library in libcgraph libcjson zlib liblzma libzstd ompi-c; do
		pkg-config --exists "$library" 2>/dev/null || missing="$missing $library"
	done
	[ -f /usr/include/Random123/philox.h ] || [ -f /usr/local/include/Random123/philox.h ] || missing="$missing Random123"
	if [ "$1" = test ]; then
		pkg-config --exists cmocka 2>/dev/null || missing="$missing cmocka"
		for tool in opensm ibsim ibnetdiscover; do
			command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
		done
	fi
	[ -z "$missing" ] && exit 0
	echo "install.sh: there is no apt-get here, and these are missing:$missing" >&2
	echo "install.sh: on Debian 12 the packages are called: $wanted" >&2
	exit 1
fi

missing=
for package in $wanted; do
	dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

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
