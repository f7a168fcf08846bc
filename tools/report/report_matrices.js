/* The script of the page, second part: the cells of matrices under the mouse and by keys. */
const tip = byId('tip'), say = byId('say'), figures = [];

/* Both directions of a cable in words, one of them first. */
function tell(i, way) {
	const lines = [way, 1 - way].map((w, n) => (n ? 'back: load ' : nodes.name[tail(i, w)] + (tailPort(i, w) ? ' port ' + tailPort(i, w) : '') +
		' \u2192 ' + nodes.name[head(i, w)] + (headPort(i, w) ? ' port ' + headPort(i, w) : '') + '\nload ') + fixed(load[w][i]) +
		', \u00d7' + fixed(excess[w][i]) + ' of its share: ' + data.classes[classes[w][i]] +
		(rivals(i, w) < 0 ? '' : ', rivals ' + fixed(rivals(i, w))));
	return lines.join('\n');
}
function makeFigure(element, blocks) {
	const figure = {element, svg: element.querySelector('svg'), blocks, rows: new Map(), marks: []};
	element.tabIndex = 0;
	figure.blocks.forEach((block, index) => {
		if (block.ways) { /* the cells are told as they are drawn: the first number is the cell, the others are channels */
			block.rows = Array(block.rows).fill(-1);
			block.columns = Array(block.columns).fill(-1);
			block.cells = new Map(block.ways.map((cell) => [cell[0], cell.slice(1).map((way) => ({cable: way >> 1, way: way & 1}))]));
			return;
		}
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
	for (const block of figure.blocks.filter((each) => !each.ways))
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
	if (!stop || (stop.slice < 0 && stop.block.ways)) {
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
function addFigure(element, blocks) {
	const figure = makeFigure(element, blocks);
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
	return figure;
}

/* ---- blocks that are too many to be drawn: opened one at a time */
const svgSpace = 'http://www.w3.org/2000/svg';
function labelOf(node) {
	return nodes.label[node] || nodes.name[node];
}
function blockName(block) {
	const ends = (list) => labelOf(list[0]) + (list.length > 1 ? ' \u2026 ' + labelOf(list[list.length - 1]) : '');
	return ends(block.rows) + (block.square ? '' : ' \u00d7 ' + ends(block.columns));
}
function addShape(svg, kind, attributes, text) {
	const shape = document.createElementNS(svgSpace, kind);
	for (const [name, value] of Object.entries(attributes))
		shape.setAttribute(name, value);
	shape.textContent = text || '';
	svg.append(shape);
}
function openBlock(element, block) {
	const cell = 9, left = 190, width = block.columns.length * cell;
	const open = Object.assign({}, block, {x: [left, left + width + 8], y: 24, cell});
	const figure = document.createElement('figure'), svg = document.createElementNS(svgSpace, 'svg');
	const size = [left + (block.square ? 1 : 2) * width + 30, 40 + block.rows.length * cell];
	figure.setAttribute('aria-label', 'Cables of ' + blockName(block));
	for (const [name, value] of Object.entries({width: size[0], height: size[1], viewBox: '0 0 ' + size.join(' '), role: 'img',
		'aria-label': 'Cables of ' + blockName(block)}))
		svg.setAttribute(name, value);
	figure.append(svg);
	element.after(figure);
	addShape(svg, 'text', {x: 10, y: 14, class: 'strong', 'font-size': 12}, blockName(block));
	block.rows.forEach((node, row) => addShape(svg, 'text', {x: left - 6, y: open.y + row * cell + 8, class: 'strong', 'font-size': 9.5,
		'text-anchor': 'end'}, labelOf(node).slice(-28)));
	for (const stop of addFigure(figure, [open]).stops) {
		const told = wayOf(stop), slice = cell / parts(open, stop.at);
		addShape(svg, 'rect', {class: 'c' + classes[told.way][told.cable], width: Math.max(slice - 0.7, 0.7), height: cell - 0.7,
			x: open.x[stop.half] + (stop.at % block.columns.length) * cell + stop.slice * slice,
			y: open.y + Math.floor(stop.at / block.columns.length) * cell});
	}
	return figure;
}

/* Returns the largest excess of each block. */
function worstOf(blocks) {
	const of = new Map(), worst = new Float64Array(blocks.length);
	blocks.forEach((block, index) => block.rows.forEach((node) => of.set(node, index)));
	for (let i = 0; i < total; i++) {
		const index = of.get(cables.a[i]);
		if (index !== undefined && blocks[index].columns.includes(cables.b[i]))
			worst[index] = Math.max(worst[index], excess[worse[i]][i]);
	}
	return worst;
}
function offerBlocks(element, blocks) {
	const label = document.createElement('label'), select = document.createElement('select'), worst = worstOf(blocks);
	let opened = null;
	label.append('Open another block ', select);
	select.append(new Option('none', ''));
	[...blocks.keys()].sort((x, y) => worst[y] - worst[x] || x - y)
		.forEach((index) => select.append(new Option('\u00d7' + fixed(worst[index]) + ': ' + blockName(blocks[index]), index)));
	select.addEventListener('change', () => {
		if (opened)
			opened.remove();
		figures.splice(0, figures.length, ...figures.filter((figure) => figure.element !== opened));
		opened = select.value === '' ? null : openBlock(label.parentElement, blocks[Number(select.value)]);
	});
	const tools = document.createElement('div');
	tools.className = 'tools';
	tools.append(label);
	element.after(tools);
}
document.querySelectorAll('figure[data-matrix]').forEach((element) => {
	const info = data.figures.find((figure) => String(figure.matrix) === element.dataset.matrix);
	const closed = info.blocks.filter((block) => !block.x);
	addFigure(element, info.blocks.filter((block) => block.x));
	if (closed.length)
		offerBlocks(element, closed);
});
