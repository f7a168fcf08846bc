'use strict';
/* The page of orcs-report works without this; it adds answers: hover, keys, search, sorting, paging, CSV. */
(function () {
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
		const unit = data.units[cables.speed[i]];
		for (let way = 0; way < 2; way++) {
			const routes = (way ? cables.ba : cables.ab)[i] || 0;
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

	/* ---- matrices */
	const tip = byId('tip'), say = byId('say'), figures = [];

	/* Both directions of a cable in words, one of them first. */
	function tell(i, way) {
		const lines = [way, 1 - way].map((w, n) => (n ? 'back: load ' : nodes.name[tail(i, w)] + (tailPort(i, w) ? ' port ' + tailPort(i, w) : '') +
			' \u2192 ' + nodes.name[head(i, w)] + (headPort(i, w) ? ' port ' + headPort(i, w) : '') + '\nload ') + fixed(load[w][i]) +
			', \u00d7' + fixed(excess[w][i]) + ' of its share: ' + data.classes[classes[w][i]] +
			(rivals(i, w) < 0 ? '' : ', rivals ' + fixed(rivals(i, w))));
		return lines.join('\n');
	}
	function makeFigure(element, info) {
		const figure = {element, svg: element.querySelector('svg'), blocks: info.blocks, rows: new Map(), marks: []};
		element.tabIndex = 0;
		figure.blocks.forEach((block, index) => {
			block.row = new Map(block.rows.map((node, k) => [node, k]));
			block.column = new Map(block.columns.map((node, k) => [node, k]));
			block.cells = new Map();
			block.rows.forEach((node) => {
				if (!figure.rows.has(node))
					figure.rows.set(node, []);
				figure.rows.get(node).push(index);
			});
		});
		for (let i = 0; i < total; i++)
			for (let way = 0; way < 2; way++)
				for (const index of figure.rows.get(tail(i, way)) || []) {
					const block = figure.blocks[index], column = block.column.get(head(i, way));
					if (column === undefined || (way && !block.square))
						continue;
					const at = block.row.get(tail(i, way)) * block.columns.length + column;
					if (!block.cells.has(at))
						block.cells.set(at, []);
					block.cells.get(at).push({cable: i, way});
				}
		for (const block of figure.blocks)
			for (const list of block.cells.values())
				list.sort((x, y) => tailPort(x.cable, x.way) - tailPort(y.cable, y.way) || x.cable - y.cable);
		/* the keys go through the slices, then halves, then blocks */
		figure.stops = [];
		figure.blocks.forEach((block) => {
			for (let half = 0; half < (block.square ? 1 : 2); half++)
				for (const at of [...block.cells.keys()].sort((x, y) => x - y))
					block.cells.get(at).forEach((slice, k) => figure.stops.push({block, half, at, slice: k}));
		});
		figure.at = -1;
		return figure;
	}
	function parts(block, at) {
		return Math.max(block.cells.get(at).length, block.bundle);
	}
	function wayOf(stop) {
		const slice = stop.block.cells.get(stop.at)[stop.slice];
		return {cable: slice.cable, way: stop.block.square ? slice.way : stop.half};
	}
	/* Returns what is at a point of the window, or null. */
	function find(figure, x, y) {
		const box = figure.svg.getBoundingClientRect(), scale = figure.svg.viewBox.baseVal.width / box.width;
		const px = (x - box.left) * scale, py = (y - box.top) * scale;
		for (const block of figure.blocks)
			for (let half = 0; half < (block.square ? 1 : 2); half++) {
				const column = Math.floor((px - block.x[half]) / block.cell), row = Math.floor((py - block.y) / block.cell);
				if (px < block.x[half] || py < block.y || column >= block.columns.length || row >= block.rows.length)
					continue;
				const at = row * block.columns.length + column, cell = block.cells.get(at);
				const slice = cell ? Math.floor(((px - block.x[half]) / block.cell - column) * parts(block, at)) : -1;
				return {block, half, at, slice: cell && slice < cell.length ? slice : -1};
			}
		return null;
	}
	function clearMarks() {
		for (const figure of figures) {
			figure.marks.forEach((mark) => mark.remove());
			figure.marks = [];
		}
	}
	function mark(figure, stop) {
		const block = stop.block, columns = block.columns.length, width = block.cell / parts(block, stop.at);
		for (const kind of ['mark under', 'mark']) {
			const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
			rect.setAttribute('class', kind);
			rect.setAttribute('x', block.x[stop.half] + (stop.at % columns) * block.cell + stop.slice * width - 1);
			rect.setAttribute('y', block.y + Math.floor(stop.at / columns) * block.cell - 1);
			rect.setAttribute('width', width + 2);
			rect.setAttribute('height', block.cell + 2);
			figure.svg.append(rect);
			figure.marks.push(rect);
		}
	}
	/* Marks the cell of a cable: of the half of its worse direction. */
	function markCell(i) {
		clearMarks();
		for (const figure of figures) {
			const index = figure.stops.findIndex((stop) => wayOf(stop).cable === i && wayOf(stop).way === worse[i]);
			if (index >= 0) {
				figure.at = index;
				mark(figure, figure.stops[index]);
			}
		}
	}
	function placeTip(x, y) {
		tip.hidden = false;
		tip.style.left = Math.max(4, Math.min(x + 14, window.innerWidth - tip.offsetWidth - 8)) + 'px';
		tip.style.top = (y + 18 + tip.offsetHeight > window.innerHeight ? y - 12 - tip.offsetHeight : y + 18) + 'px';
	}
	function hover(figure, event) {
		const stop = find(figure, event.clientX, event.clientY);
		if (!stop) {
			tip.hidden = true;
			delete tip.dataset.cable;
			return;
		}
		const columns = stop.block.columns.length;
		if (stop.slice >= 0) {
			const told = wayOf(stop);
			tip.dataset.cable = told.cable;
			tip.textContent = tell(told.cable, told.way);
		} else {
			delete tip.dataset.cable;
			tip.textContent = nodes.name[stop.block.rows[Math.floor(stop.at / columns)]] + ' \u2013 ' +
				nodes.name[stop.block.columns[stop.at % columns]] + ': no cable';
		}
		placeTip(event.clientX, event.clientY);
	}
	/* Moves to the next cell in a direction; beyond the last one of the half, to the next in order. */
	function step(figure, key) {
		const stops = figure.stops;
		let next = figure.at < 0 ? 0 : figure.at + (key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0);
		if (figure.at >= 0 && (key === 'ArrowDown' || key === 'ArrowUp')) {
			const here = stops[figure.at], columns = here.block.columns.length, sign = key === 'ArrowDown' ? 1 : -1;
			const same = (stop) => stop.block === here.block && stop.half === here.half && stop.at % columns === here.at % columns &&
				stop.slice === Math.min(here.slice, stop.block.cells.get(stop.at).length - 1);
			for (next = figure.at + sign; next >= 0 && next < stops.length && !same(stops[next]);)
				next += sign;
			if (next < 0 || next >= stops.length)
				next = figure.at + sign;
		}
		figure.at = Math.max(0, Math.min(next, stops.length - 1));
		const stop = stops[figure.at], told = wayOf(stop);
		clearMarks();
		mark(figure, stop);
		tip.dataset.cable = told.cable;
		tip.textContent = tell(told.cable, told.way);
		say.dataset.cable = told.cable;
		say.textContent = tip.textContent;
		const rect = figure.marks[1].getBoundingClientRect();
		if (rect.top < 60 || rect.bottom > window.innerHeight - 20)
			figure.marks[1].scrollIntoView({block: 'center'});
		const place = figure.marks[1].getBoundingClientRect();
		placeTip(place.right, place.bottom);
	}
	function onKey(figure, event) {
		if (event.key.startsWith('Arrow') && figure.stops.length) {
			event.preventDefault();
			step(figure, event.key);
		} else if (event.key === 'Enter' && figure.at >= 0) {
			event.preventDefault();
			tip.hidden = true;
			goTo(wayOf(figure.stops[figure.at]).cable, true);
		} else if (event.key === 'Escape') {
			tip.hidden = true;
		}
	}
	document.querySelectorAll('figure[data-matrix]').forEach((element) => {
		const info = data.figures.find((figure) => String(figure.matrix) === element.dataset.matrix);
		const figure = makeFigure(element, info);
		figures.push(figure);
		element.addEventListener('mousemove', (event) => hover(figure, event));
		element.addEventListener('mouseleave', () => { tip.hidden = true; });
		element.addEventListener('blur', () => { tip.hidden = true; });
		element.addEventListener('keydown', (event) => onKey(figure, event));
		element.addEventListener('click', (event) => {
			const stop = find(figure, event.clientX, event.clientY);
			if (stop && stop.slice >= 0)
				goTo(wayOf(stop).cable, true);
		});
	});

	/* ---- controls, which are not there without this script */
	for (const th of table.tHead.rows[0].cells) {
		const button = document.createElement('button'), key = th.dataset.key;
		button.type = 'button';
		button.textContent = th.textContent;
		button.addEventListener('click', () => sortBy(key));
		th.replaceChildren(button);
	}
	[...new Set(levelOf)].sort(collator.compare).forEach((name) => level.append(new Option(name, name)));
	data.classes.forEach((word, number) => cls.append(new Option(word, number)));
	let waiting = 0;
	search.addEventListener('input', () => {
		clearTimeout(waiting);
		waiting = setTimeout(refresh, 60);
	});
	level.addEventListener('change', refresh);
	cls.addEventListener('change', refresh);
	byId('prev').addEventListener('click', () => turn(-1));
	byId('next').addEventListener('click', () => turn(1));
	byId('csv').addEventListener('click', save);
	body.addEventListener('click', (event) => {
		const row = event.target.closest('tr[data-cable]');
		if (row) {
			state.marked = Number(row.dataset.cable);
			body.querySelectorAll('tr').forEach((other) => other.classList.toggle('marked', other === row));
			markCell(state.marked);
			history.replaceState(null, '', '#cable=' + state.marked);
		}
	});
	document.addEventListener('keydown', (event) => {
		if (event.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
			event.preventDefault();
			search.focus();
			search.scrollIntoView({block: 'center'});
		}
	});
	function followHash() {
		const found = /^#cable=(\d+)$/.exec(location.hash);
		if (found)
			goTo(Number(found[1]), true);
	}
	window.addEventListener('hashchange', followHash);
	document.querySelectorAll('[data-script]').forEach((element) => { element.hidden = false; });
	refresh();
	followHash();
	document.documentElement.dataset.ready = 'yes';
})();
