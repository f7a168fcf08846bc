/* The script of the page, first part: data and table. The page works without it; it adds answers. */
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId('orcs-data').textContent);
const nodes = data.nodes, cables = data.cables, total = cables.a.length;
const pageSize = 100;
const limits = [0, 0.5, 1.05, 1.5, 2, 4, Infinity];

/* ---- both directions of every cable; the worse one counts: 0 is a to b, 1 is b to a */
const load = [new Float64Array(total), new Float64Array(total)], excess = [new Float64Array(total), new Float64Array(total)];
const worse = new Uint8Array(total), classes = [new Uint8Array(total), new Uint8Array(total)], levelOf = new Array(total);
function classOf(routes, times) {
	let number = 1;
	if (!(routes > 0))
		return 0;
	while (times > limits[number] * (1 + 1e-6))
		number++;
	return number;
}
function levelName(level) {
	return level === -1 ? 'hosts' : level === null ? 'none' : String(level);
}
for (let i = 0; i < total; i++) {
	for (let way = 0; way < 2; way++) {
		const routes = (way ? cables.ba : cables.ab)[i] || 0;
		const unit = data.units[(way && cables.speed_ba ? cables.speed_ba : cables.speed)[i]];
		const share = data.shares[(way && cables.share_ba ? cables.share_ba : cables.share)[i]];
		load[way][i] = routes * unit;
		excess[way][i] = routes * unit / share;
		classes[way][i] = classOf(routes, excess[way][i]);
	}
	worse[i] = excess[1][i] > excess[0][i] * (1 + 1e-9) ? 1 : 0;
	levelOf[i] = levelName(nodes.level[cables.a[i]]) + '\u2013' + levelName(nodes.level[cables.b[i]]);
}
const tail = (i, way) => (way ? cables.b : cables.a)[i], head = (i, way) => (way ? cables.a : cables.b)[i];
const tailPort = (i, way) => (way ? cables.b_port : cables.a_port)[i], headPort = (i, way) => (way ? cables.a_port : cables.b_port)[i];

/* ---- the order of names: numbers in them by value */
const collator = new Intl.Collator('en', {numeric: true});
let ranks = null;
function nameRanks() {
	if (ranks)
		return ranks;
	const order = nodes.name.map((name, i) => i).sort((x, y) => collator.compare(nodes.name[x], nodes.name[y]) || x - y);
	ranks = new Uint32Array(order.length);
	order.forEach((node, rank) => { ranks[node] = rank; });
	return ranks;
}
const values = {
	from: (i) => nameRanks()[tail(i, worse[i])],
	fp: (i) => tailPort(i, worse[i]) || 0,
	to: (i) => nameRanks()[head(i, worse[i])],
	tp: (i) => headPort(i, worse[i]) || 0,
	level: (i) => levelOf[i],
	load: (i) => load[worse[i]][i],
	back: (i) => load[1 - worse[i]][i],
	x: (i) => excess[worse[i]][i],
	rivals: (i) => rivals(i, worse[i]),
	cls: (i) => classes[worse[i]][i],
};
function rivals(i, way) {
	const list = cables.rivals_ab ? (way ? cables.rivals_ba : cables.rivals_ab) : null;
	return list && list[i] !== null ? list[i] : -1;
}

/* ---- the table */
const table = byId('cables'), body = table.tBodies[0], search = byId('search'), level = byId('level'), cls = byId('class');
const state = {key: 'x', down: true, page: 0, list: [], marked: -1};

/* The cables of which every word of the search is in the name, label or GUID of an end, or is its LID. */
function matches() {
	const words = search.value.trim().toLowerCase().split(/\s+/).filter((word) => word);
	const found = words.map((word) => {
		const hit = new Uint8Array(nodes.name.length);
		for (let v = 0; v < hit.length; v++)
			hit[v] = nodes.name[v].toLowerCase().includes(word) || (nodes.label[v] || '').toLowerCase().includes(word) ||
				(nodes.guid[v] || '').includes(word) || (nodes.lid[v] && String(nodes.lid[v]) === word) ? 1 : 0;
		return hit;
	});
	const list = [];
	for (let i = 0; i < total; i++)
		if (found.every((hit) => hit[cables.a[i]] || hit[cables.b[i]]) && (!level.value || levelOf[i] === level.value) &&
			(!cls.value || classes[worse[i]][i] === Number(cls.value)))
			list.push(i);
	return list;
}
function sort(list) {
	const value = values[state.key], key = new Array(total), sign = state.down ? -1 : 1, text = state.key === 'level';
	for (const i of list)
		key[i] = value(i);
	list.sort((x, y) => sign * (text ? collator.compare(key[x], key[y]) : key[x] - key[y]) || x - y);
}
function fixed(number) {
	return number.toFixed(2);
}
function guidText(v) {
	return (nodes.guid[v] ? 'GUID ' + nodes.guid[v] : 'no GUID') + (nodes.lid[v] ? ', LID ' + nodes.lid[v] : '');
}
function cell(row, text, kind) {
	const td = row.insertCell();
	td.textContent = text;
	if (kind)
		td.className = kind;
	return td;
}
function addRow(i) {
	const row = body.insertRow(), way = worse[i], share = rivals(i, way);
	row.dataset.cable = i;
	row.tabIndex = -1;
	row.title = nodes.name[tail(i, way)] + ': ' + guidText(tail(i, way)) + '\n' + nodes.name[head(i, way)] + ': ' + guidText(head(i, way));
	cell(row, nodes.name[tail(i, way)]);
	cell(row, tailPort(i, way) || '', 'n');
	cell(row, nodes.name[head(i, way)]);
	cell(row, headPort(i, way) || '', 'n');
	cell(row, levelOf[i], 'w');
	cell(row, fixed(load[way][i]), 'n');
	cell(row, fixed(load[1 - way][i]), 'n');
	cell(row, '\u00d7' + fixed(excess[way][i]), 'n');
	if (cables.rivals_ab)
		cell(row, share < 0 ? '' : fixed(share), 'n');
	const verdict = cell(row, '', 'w'), swatch = document.createElement('span');
	swatch.className = 'swatch';
	swatch.dataset.class = classes[way][i];
	verdict.append(swatch, data.classes[classes[way][i]]);
	row.classList.toggle('marked', i === state.marked);
}
function show() {
	const pages = Math.max(1, Math.ceil(state.list.length / pageSize));
	state.page = Math.min(Math.max(state.page, 0), pages - 1);
	const from = state.page * pageSize, list = state.list.slice(from, from + pageSize);
	body.textContent = '';
	list.forEach(addRow);
	byId('count').textContent = list.length ? 'Cables ' + (from + 1) + ' to ' + (from + list.length) + ' of ' + state.list.length
		: 'Cables 0 to 0 of 0: none matches';
	byId('prev').disabled = !state.page;
	byId('next').disabled = state.page === pages - 1;
	for (const th of table.tHead.rows[0].cells)
		if (th.dataset.key === state.key)
			th.setAttribute('aria-sort', state.down ? 'descending' : 'ascending');
		else
			th.removeAttribute('aria-sort');
}
function refresh() {
	state.list = matches();
	sort(state.list);
	state.page = 0;
	show();
}
function turn(pages) {
	state.page += pages;
	show();
}
function sortBy(key) {
	const numbers = !['from', 'to', 'level', 'fp', 'tp'].includes(key);
	state.down = state.key === key ? !state.down : numbers;
	state.key = key;
	refresh();
}

/* Shows the row of a cable, wherever it is in the list. */
function goTo(i, focus) {
	if (!(i >= 0 && i < total))
		return;
	if (!state.list.includes(i)) {
		search.value = level.value = cls.value = '';
		refresh();
	}
	state.marked = i;
	state.page = Math.floor(state.list.indexOf(i) / pageSize);
	show();
	const row = body.querySelector('[data-cable="' + i + '"]');
	if (focus)
		row.focus({preventScroll: true});
	row.scrollIntoView({block: 'center'});
	markCell(i);
}

/* ---- CSV: spreadsheets must not evaluate a name */
function csvCell(value) {
	let text = String(value === null ? '' : value);
	if (/^[=+\-@\t\r\n']/.test(text))
		text = '\'' + text;
	return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}
function csvText() {
	const lines = ['cable,from,from_port,from_guid,to,to_port,to_guid,levels,load,back,share,verdict'];
	for (const i of state.list) {
		const way = worse[i];
		lines.push([i, nodes.name[tail(i, way)], tailPort(i, way) || '', nodes.guid[tail(i, way)], nodes.name[head(i, way)],
			headPort(i, way) || '', nodes.guid[head(i, way)], levelOf[i], load[way][i], load[1 - way][i], excess[way][i],
			data.classes[classes[way][i]]].map(csvCell).join(','));
	}
	return lines.join('\r\n') + '\r\n';
}
function save() {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(new Blob([csvText()], {type: 'text/csv'}));
	link.download = 'cables.csv';
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
