/* The script of the page, last part: controls, which are not there without it. */
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
