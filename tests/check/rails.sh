#!/bin/sh
# Rails against their definition (rails.py): rails.sh BIN_DIR. Random dumps with swapped cables, and the real ones of $ORCS_TEST_DATA.
set -u

bin=$(cd "$1" && pwd) || exit 1
data=${ORCS_TEST_DATA:-../shared/data}/ib/real
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/lib.sh

found=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
	python3 tests/check/rails.py --make $seed >"$work/dump"
	check "rails of random dump $seed" python3 tests/check/rails.py "$bin" "$work/dump"
	found=$((found + $(grep -c . "$work/said") * $(grep -xE "[0-9]+" "$work/said" || echo 0)))
done
check "the random dumps have ports on leaves of other rails" [ $found -gt 10 ]
# Boards of directors: two of 2 leaf and 1 spine boards, with two chips on a leaf board, and a switch of another name.
chassis() { # TEXT FILE
	"$bin/orcs-check" --quiet --require none "$2" >"$work/out" && grep -qx -e "$1" "$work/out"
}
not_chassis() { # FILE
	"$bin/orcs-check" --quiet --require none "$1" >"$work/out" && ! grep -q ^chassis "$work/out"
}
{
	echo 'digraph {'
	for name in a b; do
		for board in L01/U1 L01/U2 L02/U1 S01/U1; do
			printf '"%s%s" [type="switch", desc="MF0;core-%s:CS7500/%s"];\n"%s%s" -> "x";\n"x" -> "%s%s";\n' \
				$name $board $name $board $name $board $name $board
		done
	done
	printf '"x" [type="switch", desc="MF0;x:MQM8700/U1"];\nH1 -> x;\nx -> H1;\nH2 -> x;\nx -> H2;\n}\n'
} >"$work/boards.dot"
check "boards of directors" chassis 'chassis   2 directors of 2 leaf and 1 spine board, 4 switches each: MF0;core-a:CS7500, MF0;core-b:CS7500' "$work/boards.dot"
# The same by a system image GUID that three switches have, as ibnetdiscover prints it without and with -g, and where a host has it, too.
net() { # HEADING SYSTEM-GUID-OF-HOST NAME-OF-SWITCHES
	printf '%s\n\n' "$1"
	for i in 1 2 3; do
		printf 'sysimgguid=0x900\t\t# Chassis 1\nswitchguid=0x1%s(1%s)\t# \nSwitch\t4 "S-000000000000001%s"\t\t# "%s" base port 0 lid %s lmc 0\n' \
			$i $i $i "$3" $i
		printf '[1]\t"S-0000000000000020"[%s]\t\t# "d" lid 4 4xEDR\n\n' $i
	done
	printf 'Non-Chassis Nodes\n\nsysimgguid=0x20\nswitchguid=0x20(20)\nSwitch\t4 "S-0000000000000020"\t\t# "d" base port 0 lid 4 lmc 0\n'
	for i in 1 2 3; do
		printf '[%s]\t"S-000000000000001%s"[1]\t\t# "%s" lid %s 4xEDR\n' $i $i "$3" $i
	done
	printf '[4]\t"H-0000000000000030"[1](31) \t\t# "n HCA-1" lid 5 4xEDR\n\nsysimgguid=%s\ncaguid=0x30\nCa\t1 "H-0000000000000030"\t\t# "n HCA-1"\n' "$2"
	printf '[1](31) \t"S-0000000000000020"[4]\t\t# lid 5 lmc 0 "d" lid 4 4xEDR\n'
}
net '' 0x30 "MF0;x:Q3400/U1" >"$work/system.net"
check "a chassis by its system image GUID" chassis 'chassis   1 of 3 switches: MF0;x:Q3400' "$work/system.net"
net '' 0x900 s >"$work/all.net"
check "no chassis by a GUID that a host has" not_chassis "$work/all.net"
net 'Chassis 1 (guid 0x900)' 0x30 s >"$work/heading.net"
check "a chassis of ibnetdiscover -g" chassis 'chassis   1 of 3 switches: 0x0000000000000900' "$work/heading.net"
sed 's/^sysimgguid=0x900.*/sysimgguid=0/' "$work/heading.net" >"$work/headings.net"
"$bin/orcs-import" --quiet -o "$work/headings.dot" "$work/headings.net"
for form in net dot; do
	check "a chassis of ibnetdiscover -g alone: $form" chassis 'chassis   1 of 3 switches: 0x0000000000000900' "$work/headings.$form"
done
if [ -d "$data" ]; then
	check "the directors of a real fabric" chassis 'chassis   1 director of 15 leaf and 18 spine boards, 48 switches: MF0;lassen-ibcore1-mgt1:CS7500' \
		"$data/HyungKwang/Topo6_CS7500.txt.xz"
	for dump in ufm_sdk/selene.storage.txt.xz HyungKwang/Topo.5.txt.xz HyungKwang/Topo6_CS7500.txt.xz psmn/X5.topofile.xz; do
		[ -f "$data/$dump" ] || continue
		check "rails of $dump" python3 tests/check/rails.py "$bin" "$data/$dump"
		case $dump in *Topo.5*) check "two swapped adapters in $dump" [ "$(tail -n 1 "$work/said")" = 2 ] ;; esac
	done
else
	skip "real fabrics, in $data"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
