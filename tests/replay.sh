# A simulator that runs only once: what the script's folder has been given before is taken from memory. The scripts of the papers are then run again
# with other routings than those they ask for, to see that their verdicts depend on the results. Source this: . tests/replay.sh; needs $work.

# Makes the folder $work/NAME with the programs of $bin, where orcs has its arguments changed by a sed command and remembers its results.
replaying() { # NAME SED
	mkdir -p "$work/memory" "$work/$1" && ln -s "$bin"/* "$work/$1" && rm "$work/$1/orcs" || return 1
	cat >"$work/$1/orcs" <<END
#!/bin/sh
for argument; do
	shift
	set -- "\$@" "\$(printf '%s' "\$argument" | sed '$2')"
done
key="$work/memory/\$(printf '%s\n' "\$@" | sed 's,.*/,,' | cksum | tr ' ' _)"
[ -f "\$key" ] || { "$bin/orcs" "\$@" >"\$key.new" && mv "\$key.new" "\$key"; } || exit
cat "\$key"
END
	chmod +x "$work/$1/orcs"
}
