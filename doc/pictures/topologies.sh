#!/bin/sh
# topologies.sh - draws the topologies that the README shows.

set -u

case ${1-} in
-h | --help)
	cat <<'EOT'
Usage: doc/pictures/topologies.sh [FOLDER]

Draws eight topologies to FOLDER/topology_NAME.svg with orcs-draw and Graphviz;
the default is the folder of this script. ORCS_BIN names the folder of orcs-draw,
if it is not build/ of the source tree.
EOT
	exit ;;
esac
here=$(cd "$(dirname "$0")" && pwd) || exit 1
bin=${ORCS_BIN:-$here/../../build}
folder=${1:-$here}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

for spec in leafspine:leaves=4,spines=3,hosts=4,rails=2 fattree:k=3,n=3 torus:6x6 dragonfly:p=2,a=4,h=1 \
	hyperx:4x4 slimfly:q=5 jellyfish:16,6,4 dcell:n=4,k=1; do
	picture=topology_${spec%%:*}.svg
	"$bin/orcs-draw" --quiet --plain --layout pos "$spec" -o "$tmp/$picture" || exit
	# the comments of Graphviz tell nothing here, and are a third of the file
	sed -e '/^<!--.*-->$/d' -e '/^<!--/,/-->/d' "$tmp/$picture" >"$tmp/short" || exit 1
	chmod 644 "$tmp/short" && mv "$tmp/short" "$folder/$picture" || exit 1
done
