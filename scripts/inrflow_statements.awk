# Judges the 26 statements of the INRFlow paper's case study from results.csv of inrflow_case_study.sh: prints a row of the table for each.
# A comparison is judged only where the 95% intervals of the two means part; otherwise, and where a run has no result, the verdict is open.
BEGIN { FS = ","; split("0 12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262", student, " ") }
FNR > 1 {
	# workloads have commas: seven fields from the left, the last four from the right
	line = $0
	split(line, quoted, "\"")
	workload = quoted[2]
	split(quoted[1], left, ",")
	count = split(quoted[3], right, ",")
	key = left[1] SUBSEP left[2] SUBSEP left[3] SUBSEP workload SUBSEP right[2] SUBSEP right[5]
	short = left[1] SUBSEP left[2] SUBSEP left[3] SUBSEP workload SUBSEP right[5]
	add(key, right[6])
	if (left[1] != 9) add(short, right[6])
	if (left[1] == 8 && !(workload in known)) { known[workload]; apps[++applications] = workload }
	if (left[1] == 7 && !(left[3] in seen)) { seen[left[3]]; size[++sizes] = left[3] }
}
function add(key, value) { number[key]++; sum[key] += value; square[key] += value * value }
function mean(key) { return key in number ? sum[key] / number[key] : 0 }
function half(key,	n, v) { # half of the 95% interval of the mean
	n = number[key]
	if (n < 2) return 0
	v = (square[key] - sum[key] * sum[key] / n) / (n - 1)
	return v > 0 ? student[n > 10 ? 10 : n] * sqrt(v / n) : 0
}
# 1 if a is above b, -1 if below, 0 if unknown or not parted
function compare(a, b) {
	if (!(a in number) || !(b in number)) return 0
	if (mean(a) - half(a) > mean(b) + half(b)) return 1
	return mean(a) + half(a) < mean(b) - half(b) ? -1 : 0
}
function key7(family, n, metric,	traffic) { return 7 SUBSEP family SUBSEP n SUBSEP "random:" (10 * n) SUBSEP metric }
function key8(family, workload) { return 8 SUBSEP family SUBSEP big SUBSEP workload SUBSEP "makespan" }
function gbit(key) { return key in number ? sprintf("%.3g", mean(key) / 1e9) : "-" }
function time(key) { return key in number ? sprintf("%.4g", mean(key)) : "-" }
function verdict(yes, no) { return yes ? "confirmed" : no ? "not confirmed" : "open" }
function row(id, text, where, paper, ours, decision, why) {
	printf "| %d | %s | %s | %s | %s | %s | %s |\n", id, text, where, paper, ours, decision, why
}
# Whether the family is above all others of the list in a metric of Figure 7: 1, -1 if one is above it, else 0.
function highest(family, n, metric, others,	list, k, i, c, result) {
	k = split(others, list, " ")
	result = 1
	for (i = 1; i <= k; i++) {
		c = compare(key7(family, n, metric), key7(list[i], n, metric))
		if (c < 0) return -1
		if (!c) result = 0
	}
	return result
}
# The slope of log throughput by log hosts, between the smallest and the largest size that has a result.
function slope(family, metric,	a, b, i, first) {
	for (i = 1; i <= sizes; i++)
		if (key7(family, size[i], metric) in number) { if (first == "") first = i; b = i }
	if (first == "" || first == b) return "none"
	return log(mean(key7(family, size[b], metric)) / mean(key7(family, size[first], metric))) / log(size[b] / size[first])
}
# The family with the smallest (direction 1) or largest time of a workload among the list; times within 1% of it are as good.
function extreme(workload, families, direction,	list, k, i, t, best, names) {
	k = split(families, list, " ")
	best = 0
	for (i = 1; i <= k; i++) {
		t = mean(key8(list[i], workload))
		if (t && (!best || direction * t < direction * best)) best = t
	}
	for (i = 1; i <= k; i++) {
		t = mean(key8(list[i], workload))
		if (t && direction * t <= direction * best + 0.01 * best) names = names " " list[i]
	}
	return names " "
}
# How often one of the families is an extreme of a workload of the list; shown and total are set.
function times_extreme(workloads, among, families, direction,	list, k, i, j, f, m, names, hits) {
	k = split(workloads, list, " ")
	m = split(families, f, " ")
	shown = ""
	total = 0
	for (i = 1; i <= k; i++) {
		names = extreme(list[i], among, direction)
		if (names == " ") continue
		total++
		shown = shown (shown ? "; " : "") list[i] ":" substr(names, 1, length(names) - 1)
		for (j = 1; j <= m; j++)
			if (index(names, " " f[j] " ")) { hits++; break }
	}
	return hits + 0
}
# All of a list of workloads must have it.
function always(hits) { return total ? verdict(hits == total, hits < total) : "open" }
function speedup(family, workload, scheme,	a, b) {
	a = mean(8 SUBSEP family SUBSEP big SUBSEP workload SUBSEP "makespan")
	b = mean(9 SUBSEP family SUBSEP big SUBSEP workload SUBSEP scheme SUBSEP "makespan")
	return a && b ? a / b : 0
}
# The smallest, middle and largest speed-up of a family with some schemes: low, with slowest, mid, high, with fastest, and count9.
function speedups(family, schemes,	i, j, k, m, n, x, list, scheme) {
	m = split(schemes, scheme, " ")
	n = 0
	for (k = 1; k <= m; k++)
		for (i = 1; i <= applications; i++)
			if ((x = speedup(family, apps[i], scheme[k])) > 0) {
				for (j = ++n; j > 1 && list[j - 1] > x; j--) list[j] = list[j - 1]
				list[j] = x
				if (j == 1) slowest = apps[i] " with " scheme[k]
				if (j == n) fastest = apps[i] " with " scheme[k]
			}
	count9 = n
	low = list[1]
	high = list[n]
	mid = n ? list[int((n + 1) / 2)] : 0
	return n ? sprintf("%.2f to %.2f, median %.2f", low, high, mid) : "no result"
}
END {
	first = size[1]
	last = size[sizes]
	R = "restricted_per_host"
	NR = "non_restricted_per_host"
	I = "non_restricted_inrflow_per_host"
	all = "torus3 torus6 fattree thin2 thin4 dragonfly11valiant dragonfly12valiant jellyfish"
	rest = "torus3 fattree thin2 thin4 dragonfly11 dragonfly12 dragonfly11valiant dragonfly12valiant jellyfish"
	small = 4096
	a = highest("torus6", small, NR, rest)
	b = highest("torus6", small, R, rest)
	row(1, "small networks: the 6-D torus has the highest throughput, both definitions", "Fig. 7", "highest", sprintf("NR %s, fat tree %s; R %s, fat tree %s Gb/s per host", gbit(key7("torus6", small, NR)),
		gbit(key7("fattree", small, NR)), gbit(key7("torus6", small, R)), gbit(key7("fattree", small, R))), verdict(a > 0 && b > 0, a < 0 || b < 0), "at 4,096 hosts")
	a = compare(key7("fattree", last, R), key7("torus6", last, R))
	b = compare(key7("fattree", last, NR), key7("torus6", last, NR))
	c = compare(key7("fattree", last, I), key7("torus6", last, I))
	twin = ""
	if (key7("fattree", 46656, R) in number)
		twin = sprintf("; at 46656 (6^6): R %s, %s; NR %s, %s; INRFlow's NR %s, %s", gbit(key7("fattree", 46656, R)), gbit(key7("torus6", 46656, R)),
			gbit(key7("fattree", 46656, NR)), gbit(key7("torus6", 46656, NR)), gbit(key7("fattree", 46656, I)), gbit(key7("torus6", 46656, I)))
	row(2, "the fat tree overtakes the 6-D torus as the network grows", "Fig. 7", "overtakes", sprintf("at %d: R %s, 6-D torus %s; NR %s, %s; INRFlow's NR %s, %s", last, gbit(key7("fattree", last, R)), gbit(key7("torus6", last, R)),
		gbit(key7("fattree", last, NR)), gbit(key7("torus6", last, NR)), gbit(key7("fattree", last, I)), gbit(key7("torus6", last, I))) twin,
		last > small ? verdict(a > 0 && b > 0, a < 0 || b < 0) : "open", last > small ? "depends on the shape of the 6-D torus and on the definition" : "needs larger networks")
	a = compare(key7("dragonfly12", last, NR), key7("torus6", last, NR))
	row(3, "the best dragonfly (1:2) would overtake the 6-D torus only beyond a million", "Fig. 7", "below at 1M", sprintf("at %d: 1:2 minimal %s, Valiant %s, 1:1 minimal %s, 6-D torus %s", last, gbit(key7("dragonfly12", last, NR)),
		gbit(key7("dragonfly12valiant", last, NR)), gbit(key7("dragonfly11", last, NR)), gbit(key7("torus6", last, NR))), a > 0 ? "not confirmed" : last > 1e6 ? verdict(a < 0, 0) : "open", "NR; 1:2 is read as half as many hosts as global links")
	t3 = slope("torus3", NR); t6 = slope("torus6", NR); ft = slope("fattree", NR); df = slope("dragonfly12", NR); th = slope("thin2", NR); jn = slope("jellyfish", NR); jr = slope("jellyfish", R); t3r = slope("torus3", R)
	row(4, "tori have the lowest slopes, dragonflies slightly above trees", "Fig. 7", "order", sprintf("NR: 3-D torus %.3f, 6-D %.3f, fat tree %.3f, thin tree %.3f, dragonfly %.3f", t3, t6, ft, th, df),
		verdict(t3 < ft && t6 < ft && df > ft, !(t3 < ft && t6 < ft && df > ft)), "exponents of the throughput of a host by hosts")
	row(5, "jellyfish: slope of NR as trees, of R as tori", "Fig. 7", "alike", sprintf("NR %.3f (fat tree %.3f), R %.3f (3-D torus %.3f)", jn, ft, jr, t3r),
		verdict((jn - ft) ^ 2 < 0.01 && (jr - t3r) ^ 2 < 0.01, !((jn - ft) ^ 2 < 0.01 && (jr - t3r) ^ 2 < 0.01)), "within 0.1 is taken for alike")
	P = "non_restricted_inrflow_per_port"
	Q = "non_restricted_per_port"
	pt = slope("torus3", P); pf = slope("fattree", P); pd = slope("dragonfly12", P); pj = slope("jellyfish", P)
	row(6, "throughput per port: all but tori nearly flat", "Fig. 7c", "flat", sprintf("exponents: 3-D torus %.3f, fat tree %.3f, dragonfly %.3f, jellyfish %.3f", pt, pf, pd, pj),
		verdict(pt < -0.1 && pf > -0.1 && pd > -0.1 && pj > -0.1, !(pt < -0.1 && pf > -0.1 && pd > -0.1 && pj > -0.1)), "above -0.1 is taken for flat")
	others = "torus3 torus6 fattree thin2 thin4 dragonfly11 dragonfly12 dragonfly11valiant dragonfly12valiant"
	a = highest("jellyfish", small, P, others)
	b = highest("jellyfish", small, Q, others)
	row(7, "throughput per port: jellyfish is best", "Fig. 7c", "best", sprintf("INRFlow's NR %s, dragonfly %s; NR %s, dragonfly %s Gb/s", gbit(key7("jellyfish", small, P)), gbit(key7("dragonfly12", small, P)),
		gbit(key7("jellyfish", small, Q)), gbit(key7("dragonfly12", small, Q))), verdict(a > 0 && b > 0, a < 0 || b < 0), "at 4,096 hosts, both definitions of the mean; must hold for both")
	h = 7 SUBSEP "torus6" SUBSEP small SUBSEP "hotregion:" (10 * small) SUBSEP NR
	g = 7 SUBSEP "fattree" SUBSEP small SUBSEP "hotregion:" (10 * small) SUBSEP NR
	row(8, "the same under hotregion", "Fig. 7", "no separate statement", "NR: 6-D torus " gbit(h) ", fat tree " gbit(g), "open", "reported only")
	split("", w)
	for (i = 1; i <= applications; i++) {
		if (apps[i] ~ /^stencil/) stencils = stencils " " apps[i]
		every = every " " apps[i]
		if (apps[i] ~ /^unstructured/) unstructured = apps[i]
		if (apps[i] ~ /^mapreduce/) mapreduce = apps[i]
		if (apps[i] ~ /^dcn/) dcn = apps[i]
		if (apps[i] ~ /^(shift|phases|bisect|allreduce|bitrev|transpose)/) group3 = group3 " " apps[i]
		if (apps[i] ~ /^(phases|bisect|allreduce|bitrev|transpose)/) unshifted = unshifted " " apps[i]
	}
	n = times_extreme(stencils, all, "torus3 torus6", 1)
	for (i = 1; i <= applications; i++)
		if (apps[i] ~ /^stencil:[0-9]+x[0-9]+x[0-9]+$/ && (t = mean(key8("torus3", apps[i]))) > 0)
			idle = sprintf(". %s takes %.4g times one message of 1 MB on the 3-D torus: %s contention", apps[i], t / 8e-4, t < 8.001e-4 ? "no" : "some")
	row(9, "stencils are fastest on tori, without contention", "Fig. 8", "fastest", shown idle, always(n), "the fastest of each, ties within 1%")
	n = times_extreme(stencils, "fattree thin2 thin4 dragonfly11valiant dragonfly12valiant jellyfish", "fattree thin2", 1)
	row(10, "of the others, fat tree and thin tree 1:2 are best for stencils", "Fig. 8", "best", shown, always(n), "")
	n = times_extreme(stencils, all, "jellyfish", -1)
	row(11, "jellyfish is worst for stencils", "Fig. 8", "worst", shown, always(n), "")
	lo = hi = 0
	k = split(all, list, " ")
	for (i = 1; i <= k; i++) { t = mean(key8(list[i], "nbody")); if (t && (!lo || t < lo)) lo = t; if (t > hi) hi = t }
	row(12, "n-body: small differences", "Fig. 8", "small", lo ? sprintf("slowest/fastest %.2f", hi / lo) : "-", lo ? verdict(hi < 1.5 * lo, hi >= 1.5 * lo) : "open", "below 1.5 is taken for small")
	n = times_extreme(unstructured, all, "torus6", 1)
	one = shown
	m = times_extreme(unstructured, all, "thin4", -1)
	row(13, "unstructured: 6-D torus best, thin tree 1:4 worst", "Fig. 8", "", "best" substr(one, index(one, ": ") + 1) ", worst" substr(shown, index(shown, ": ") + 1), total ? verdict(n && m, !n || !m) : "open", "")
	a = mean(key8("jellyfish", unstructured)); b = mean(key8("dragonfly12valiant", unstructured)); c = mean(key8("thin4", unstructured)); d = mean(key8("thin2", unstructured))
	row(14, "unstructured: dragonflies and jellyfish are good", "Fig. 8", "good", sprintf("jellyfish %.4g, dragonfly %.4g, thin trees %.4g and %.4g s", a, b, d, c), !a ? "open" : verdict(a < d && b < d, a >= d || b >= d), "better than both thin trees is taken for good")
	n = times_extreme(mapreduce, all, "torus3 torus6", 1)
	row(15, "MapReduce: tori are best", "Fig. 8", "best", shown, always(n), "32 partners for each task are chosen: all pairs of so many tasks cannot have been run")
	n = times_extreme(dcn, all, "torus6 fattree", 1); one = shown
	m = times_extreme(dcn, all, "thin4", -1)
	row(16, "data-centre traffic: 6-D torus and fat tree best, thin tree 1:4 worst", "Fig. 8", "", "best" substr(one, index(one, ": ") + 1) ", worst" substr(shown, index(shown, ": ") + 1), total ? verdict(n && m, !n || !m) : "open", "")
	n = times_extreme(group3, all, "torus6 fattree", 1)
	row(17, "patterns in phases: 6-D torus and fat tree are fastest", "Fig. 8", "fastest", shown, always(n), "")
	n = times_extreme(unshifted, all, "thin4", -1)
	row(18, "patterns in phases: thin tree 1:4 is worst, but for shift", "Fig. 8", "worst", shown, always(n), "")
	worst = 0
	for (i = 1; i <= applications; i++) {
		lo = hi = 0
		for (j = 1; j <= k; j++) { t = mean(key8(list[j], apps[i])); if (t && (!lo || t < lo)) lo = t; if (t > hi) hi = t }
		if (lo && hi / lo > worst) { worst = hi / lo; which = apps[i] }
	}
	row(19, "up to about ten times between networks", "Fig. 8", "10", sprintf("%.1f (%s)", worst, which), worst ? verdict(worst >= 5 && worst <= 20, worst < 5 || worst > 20) : "open", "5 to 20 is taken for about ten")
	trees = "ecmp updown:random updown:roundrobin"
	s = speedups("fattree", trees)
	row(20, "fat tree: several paths hardly help", "Fig. 9", "hardly", s, count9 ? verdict(mid < 1.2, mid >= 1.2) : "open",
		"median below 1.2; messages split over all shortest paths (ecmp), and a random port up for each pair, or the ports in turn")
	row(21, "fat tree: several paths can harm", "Fig. 9", "can", count9 ? sprintf("%.2f times as fast: %s", low, slowest) : "no result", count9 ? verdict(low < 0.9, low >= 0.9) : "open",
		"below 0.9; " (count9 ? sprintf("a split over all paths at least %.2f", (speedups("fattree", "ecmp") != "") * low) : ""))
	s = speedups("jellyfish", "ecmp"); e = mid; eh = high; ec = count9; ef = fastest
	ks = speedups("jellyfish", "ksp:8")
	row(22, "jellyfish: several paths make it up to 2 to 3 times as fast", "Fig. 9", "2 to 3", "ecmp " s "; ksp:8 " ks, ec ? verdict((eh > high ? eh : high) >= 2, (eh > high ? eh : high) < 2) : "open",
		ec ? "at least 2; most: " (eh > high ? ef : fastest) : "")
	row(23, "jellyfish: KSP is better than ECMP", "Fig. 9", "better", sprintf("medians %.2f and %.2f", mid, e), ec && count9 ? verdict(mid > e, mid <= e) : "open", "by the medians")
	s = speedups("thin2", trees)
	row(24, "thin tree 2:1: 2 to 4 times", "Fig. 9", "2 to 4", s, count9 ? verdict(high >= 2, high < 2) : "open", count9 ? "at least 2 for a workload; most: " fastest : "")
	s = speedups("thin4", trees)
	row(25, "thin tree 4:1: little", "Fig. 9", "little", s, count9 ? verdict(mid < 1.5, mid >= 1.5) : "open", count9 ? "median below 1.5; most: " fastest : "")
	n = times_extreme(every, all, "torus6", 1)
	row(26, "the 6-D torus has the best raw performance and the shortest times, up to a million", "conclusions", "best", sprintf("shortest in %d of %d workloads", n, total), total ? verdict(n == total, n < total) : "open", "contradicts statement 2")
}
