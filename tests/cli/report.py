"""The pages of orcs-report in a headless Chromium: report.py BIN_DIR WORK_DIR [DATA_DIR]. Each check has a page that fails it.

SMALL=1: small fabrics only."""

import json
import os
import re
import subprocess
import sys

import browser
import report_look as look
import report_reference as reference
from report_variants import BROKEN, variant

BIN, WORK = sys.argv[1], sys.argv[2]
DATA = sys.argv[3] if len(sys.argv) > 3 else None
SMALL = bool(os.environ.get("SMALL"))
passed = failed = 0


def check(name, function, *arguments):
    global passed, failed
    try:
        function(*arguments)
        passed += 1
    except (AssertionError, RuntimeError, TimeoutError, KeyError, IndexError) as error:
        failed += 1
        print(f"FAILED: {name}: {type(error).__name__}: {str(error)[:600]}")


def fails(name, function, *arguments):
    """A broken page must fail the check."""
    global passed, failed
    try:
        function(*arguments)
        failed += 1
        print(f"FAILED: {name}: the check does not notice it")
    except (AssertionError, RuntimeError, TimeoutError, KeyError, IndexError):
        passed += 1


def report(name, *arguments, data=None):
    path = f"{WORK}/{name}.html"
    with open(f"{WORK}/input", "w", encoding="utf-8") as file:
        file.write(data or "")
    with open(f"{WORK}/input", encoding="utf-8") as file:
        subprocess.run([f"{BIN}/orcs-report", "--quiet", "-n", "20", "-o", path, *arguments], check=True, stdin=file)
    return path


def rows(page):
    """The rows that are shown: cable, and the texts of their cells."""
    return page.run("[...document.querySelectorAll('#cables tbody tr')].map(r => [Number(r.dataset.cable), ...[...r.cells].map(c => c.textContent)])")


def column(page, key):
    return page.run(f"[...document.querySelectorAll('#cables th')].findIndex(t => t.dataset.key === '{key}')")


def count_text(page):
    found = re.match(r"Cables (\d+) to (\d+) of (\d+)", page.run("document.getElementById('count').textContent"))
    assert found, "the count reads otherwise"
    return [int(number) for number in found.groups()]


def embedded(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return json.loads(re.search(r'<script type="application/json" id="orcs-data">(.*?)</script>', text, re.S).group(1))


def ends(data, by_name):
    """The end of a cable in the reference: a name in the graph, or a GUID."""
    return data["nodes"]["name"] if by_name else [g[2:] if g else None for g in data["nodes"]["guid"]]


# ---- the numbers

def counted(path, fabric, by_name):
    """All cables have exactly the routes that were counted."""
    data = embedded(path)
    name, cables = ends(data, by_name), data["cables"]
    index = {(c[0], c[1], c[2], c[3]): i for i, c in enumerate(fabric.channels)}
    assert 2 * len(cables["a"]) == len(fabric.channels), "number of cables"
    for i in range(len(cables["a"])):
        a, b, port, peer = name[cables["a"][i]], name[cables["b"][i]], cables["a_port"][i], cables["b_port"][i]
        for key, at in (("ab", (a, b, port, peer)), ("ba", (b, a, peer, port))):
            assert cables[key][i] == fabric.routes[index[at]], f"routes of {at}: {cables[key][i]}, counted {fabric.routes[index[at]]}"


def all_paged(page, total):
    """Every cable is reached by paging, once."""
    seen = []
    while True:
        here = [row[0] for row in rows(page)]
        first, last, count = count_text(page)
        assert count == total and last - first + 1 == len(here) and first == len(seen) + 1, "the count is not that of the rows"
        seen += here
        if page.run("document.getElementById('next').disabled"):
            break
        page.run("document.getElementById('next').click()")
    assert sorted(seen) == list(range(total)), f"{len(set(seen))} of {total} cables are reached"
    page.run("while (!document.getElementById('prev').disabled) document.getElementById('prev').click()")


def right_rows(page, path, fabric, by_name):
    """The rows that are shown first: names, direction, load, share, word."""
    data, (load, _, excess) = embedded(path), fabric.loads()
    name = ends(data, by_name)
    index = {(c[0], c[1], c[2], c[3]): i for i, c in enumerate(fabric.channels)}
    words, checked = data["classes"], 0
    order = []
    for _ in range(2):
        for row in rows(page):
            cable = row[0]
            a, b = data["cables"]["a"][cable], data["cables"]["b"][cable]
            ports = data["cables"]["a_port"][cable], data["cables"]["b_port"][cable]
            way = {data["nodes"]["name"][a]: (name[a], name[b], *ports), data["nodes"]["name"][b]: (name[b], name[a], *ports[::-1])}[row[1]]
            i, back = index[way], index[way[1], way[0], way[3], way[2]]
            shown = [row[1 + column(page, key)] for key in ("fp", "tp", "load", "back", "x", "cls")]
            word = words[reference.class_of(fabric.routes[i], excess[i])]
            wanted = [str(way[2] or ""), str(way[3] or ""), f"{load[i]:.2f}", f"{load[back]:.2f}", f"\u00d7{excess[i]:.2f}", word]
            near = all(x == y or (x[:1] in "\u00d70123456789" and abs(float(x.strip("\u00d7")) - float(y.strip("\u00d7"))) < 0.0101)
                       for x, y in zip(shown, wanted))
            assert near and shown[-1] == wanted[-1], f"row {row}, expected {wanted}"
            assert excess[i] >= excess[back] - 1e-9, "from is not the end of the busier direction"
            order.append(excess[i])
            checked += 1
        if page.run("document.getElementById('next').disabled"):
            break
        page.run("document.getElementById('next').click()")
    assert order == sorted(order, reverse=True) or all(x >= y - 1e-9 for x, y in zip(order, order[1:])), "not hottest first"
    assert checked >= min(200, len(data["cables"]["a"])), f"{checked} rows"
    page.run("while (!document.getElementById('prev').disabled) document.getElementById('prev').click()")


def right_verdict(page, fabric):
    """The cards have the number of channels above their share, the worst excess, and what is unused."""
    _, _, excess = fabric.loads()
    text = page.run("document.getElementById('verdict').innerText").replace(",", "")
    above = sum(e > 1.05 * (1 + 1e-6) for e in excess)
    assert re.search(rf"\b{above} of {len(excess)}\b", text), f"{above} of {len(excess)} are above: {text}"
    assert f"\u00d7{max(excess):.2f}" in text, f"worst {max(excess)}: {text}"
    assert re.search(rf"no route uses\s+{sum(not r for r in fabric.routes)}\s", text), text


# ---- answers

def sorts(page):
    """Every head sorts both ways; names by the numbers in them; one head says so."""
    keys = page.run("[...document.querySelectorAll('#cables th')].map(t => t.dataset.key)")
    for key in ("from", "fp", "to", "tp", "level", "load", "back", "x", "cls"):
        assert key in keys, key
    for key in keys:
        at, orders = column(page, key), []
        for _ in range(2):
            page.run(f"document.querySelector('#cables th[data-key={key}] button').click()")
            state = page.run("[...document.querySelectorAll('#cables th')].map(t => t.getAttribute('aria-sort'))")
            assert [s for s in state if s] == [state[at]] and state[at] in ("ascending", "descending"), f"aria-sort: {state}"
            texts = [row[1 + at] for row in rows(page)]
            values = [look.natural(t) if key in ("from", "to", "level") else float(t.strip("\u00d7") or -1) for t in texts] \
                if key != "cls" else [["unused", "light", "fine", "warm", "hot", "very hot", "severe"].index(t) for t in texts]
            assert values == sorted(values, reverse=state[at] == "descending"), f"{key} {state[at]}: {texts[:8]}"
            orders.append(state[at])
        assert sorted(orders) == ["ascending", "descending"], f"{key}: {orders}"
    page.run("document.querySelector('#cables th[data-key=x] button').click()")


def search(page, text):
    page.run(f"""(() => {{ const s = document.getElementById('search'); s.value = {json.dumps(text)};
        s.dispatchEvent(new Event('input', {{bubbles: true}})); return new Promise(r => setTimeout(r, 150)); }})()""")
    return count_text(page)[2]


def searches(page, path):
    data = embedded(path)
    a, b, names, guids = data["cables"]["a"], data["cables"]["b"], data["nodes"]["name"], data["nodes"]["guid"]
    node = a[len(a) // 2]
    wanted = sum(names[node].lower() in names[x].lower() or names[node].lower() in names[y].lower() for x, y in zip(a, b))
    assert search(page, names[node]) == wanted, f"by name: {wanted}"
    if guids[node]:
        assert search(page, guids[node]) == sum(node in ends for ends in zip(a, b)), "by GUID"
    assert search(page, "no such switch") == 0 and not rows(page), "nothing"
    assert search(page, "") == len(a), "emptied"
    page.run("(() => { const c = document.getElementById('class'); c.value = '2'; c.dispatchEvent(new Event('change')); })()")
    assert {row[1 + column(page, "cls")] for row in rows(page)} <= {"fine"}, "by verdict"
    page.run("(() => { const c = document.getElementById('class'); c.value = ''; c.dispatchEvent(new Event('change')); })()")


def mouse(page, path, least):
    """Cells under the mouse tell cables that are there, the direction of the half first."""
    data = embedded(path)
    cables, names, found = data["cables"], data["nodes"]["name"], set()
    for figure in data["figures"]:
        page.run(f"document.querySelector('figure[data-matrix=\"{figure['matrix']}\"]').scrollIntoView({{block: 'start'}})")
        for block in figure["blocks"][:4]:
            for half in range(1 if block["square"] else 2):
                for row in range(0, len(block["rows"]), max(1, len(block["rows"]) // 5)):
                    for at in range(0, len(block["columns"]), max(1, len(block["columns"]) // 5)):
                        box = page.run(f"(() => {{ const r = document.querySelector('figure[data-matrix=\"{figure['matrix']}\"] svg')"
                                       ".getBoundingClientRect(); return [r.left, r.top]; })()")
                        x = box[0] + block["x"][half] + (at + 0.1) * block["cell"]
                        y = box[1] + block["y"] + (row + 0.5) * block["cell"]
                        if not (0 < x < 1366 and 0 < y < 768):
                            continue
                        page.mouse(x, y)
                        cable, text = page.run("[document.getElementById('tip').dataset.cable, document.getElementById('tip').textContent]")
                        if cable is None:
                            continue
                        cable = int(cable)
                        low, high = block["rows"][row], block["columns"][at]
                        assert {cables["a"][cable], cables["b"][cable]} == {low, high}, f"another cable: {text}"
                        tail = high if half and not block["square"] else low
                        assert text.startswith(names[tail]), f"the other direction first: {text}"
                        found.add(cable)
    assert len(found) >= least, f"{len(found)} cables told"


def overview_cells(page, path, shape):
    """Cells of the overview tell a cable from the row to the column: switches are S1_2, of the group (dragonfly) or at the coordinates 1, 2."""
    data, told = embedded(path), 0
    [figure] = [f for f in data["figures"] if f["matrix"] == "where"]
    page.run("document.querySelector('figure[data-matrix=where]').scrollIntoView()")
    box = page.run("(r => [r.left, r.top, r.width])(document.querySelector('figure[data-matrix=where] svg').getBoundingClientRect())")
    scale = box[2] / page.run("document.querySelector('figure[data-matrix=where] svg').viewBox.baseVal.width")
    for index, block in enumerate(figure["blocks"]):
        for cell in block["ways"][:: max(1, len(block["ways"]) // 12)]:
            row, column = divmod(cell[0], block["columns"])
            page.mouse(box[0] + scale * (block["x"][0] + (column + 0.5) * block["cell"]), box[1] + scale * (block["y"] + (row + 0.5) * block["cell"]))
            if not page.run("!document.getElementById('tip').hidden"):
                continue
            cable = int(page.run("document.getElementById('tip').dataset.cable"))
            text = page.run("document.getElementById('tip').textContent").split("\n")[0]
            tail, head = [[int(n) for n in end.split(" ")[0][1:].split("_")] for end in text.split(" \u2192 ")]
            assert {text.split(" ")[0], text.split(" \u2192 ")[1].split(" ")[0]} == {data["nodes"]["name"][data["cables"][k][cable]] for k in "ab"}, text
            if shape == "dragonfly" and index == 0:
                assert (tail[0], head[0]) == (row, column), (text, row, column)
            elif shape == "dragonfly":
                assert tail[0] == head[0] == index - 1 and (tail[1], head[1]) == (row, column), (text, index)
            else:
                size, back = block["columns"], index % 2
                dimension = (5, 4, 3).index(size)  # of torus:5x4x3
                at = (head if back else tail)[dimension]
                assert at == column and (tail[dimension] + (-1 if back else 1)) % size == head[dimension], (text, index, column)
            told += 1
    assert told >= 20, f"only {told} cells tell a cable"


def keys(page, least):
    """Tab reaches search, matrices and heads, with a visible focus; arrows tell cables; Enter goes to the row, and sorts."""
    page.run("window.scrollTo(0, 0); document.activeElement.blur()")
    reached = set()
    for _ in range(60):
        page.key("Tab")
        tag, ring = page.run("(() => { const e = document.activeElement, s = getComputedStyle(e); return [e.id || e.dataset.matrix && 'matrix' || "
                             "e.closest('th') && 'head' || e.tagName, s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2]; })()")
        reached.add(tag)
        assert ring or tag == "BODY", f"no focus to be seen at {tag}"
    assert {"search", "matrix", "head", "level", "class", "csv"} <= reached, str(reached)
    page.run("document.querySelector('figure[data-matrix]').focus()")
    told = set()
    for i in range(50):
        page.key(("ArrowRight", "ArrowDown")[i % 5 == 4])
        told.add(page.run("document.getElementById('say').dataset.cable + document.getElementById('say').textContent"))
    assert len(told) >= least, f"{len(told)} cables told"
    cable = page.run("document.getElementById('say').dataset.cable")
    page.key("Enter")
    row = page.run("(() => { const r = document.activeElement, b = r.getBoundingClientRect(); return [r.dataset.cable, b.top, b.bottom, "
                   "r.classList.contains('marked')]; })()")
    assert row[0] == cable and 0 <= row[1] and row[2] <= 768 and row[3], f"Enter: {row}, cable {cable}"
    page.run("document.querySelector('#cables th[data-key=load] button').focus()")
    page.key("Enter")
    assert page.run("document.querySelector('#cables th[data-key=load]').getAttribute('aria-sort')"), "Enter does not sort"
    page.run("document.activeElement.blur()")
    page.key("/")
    assert page.run("document.activeElement.id === 'search' && document.activeElement.value === ''"), "/"
    page.run("document.activeElement.blur()")
    page.run("document.querySelector('#cables th[data-key=x] button').click()")


def opens(browser_, path):
    """A block that is not drawn can be opened, and its cells tell their cables."""
    closed = variant(path, f"{WORK}/closed.html", [lambda t: re.sub(r'("blocks":\[\{)"x":[^"]*"y":[^"]*"cell":[^"]*', r"\1", t, count=1)])
    data = embedded(closed)
    block = data["figures"][0]["blocks"][0]
    assert "x" not in block, "the first block has a place"
    with browser.Page(browser_, closed) as page:
        quiet(page)
        page.run("""(() => { const s = document.querySelector('figure[data-matrix] + .tools select'); s.value = s.options[1].value;
            s.dispatchEvent(new Event('change')); document.querySelector('.tools + figure').focus(); })()""")
        told = set()
        for _ in range(4):
            page.key("ArrowRight")
            cable = int(page.run("document.getElementById('say').dataset.cable"))
            assert data["cables"]["a"][cable] in block["rows"] and data["cables"]["b"][cable] in block["columns"], cable
            told.add(cable)
        shapes = page.run("document.querySelectorAll('.tools + figure rect:not(.mark)').length")
        wanted = sum(2 for a, b in zip(data["cables"]["a"], data["cables"]["b"]) if a in block["rows"] and b in block["columns"])
        assert len(told) > 2 and shapes == wanted, f"{len(told)} cables told, {shapes} cells of {wanted}"


def links(browser_, path):
    """#cable=K shows the row."""
    last = len(embedded(path)["cables"]["a"]) - 1
    with browser.Page(browser_, path) as page:
        page.run(f"location.hash = '#cable={last}'; new Promise(r => setTimeout(r, 200))")
        row = page.run(f"(() => {{ const r = document.querySelector('tr[data-cable=\"{last}\"]'), b = r.getBoundingClientRect(); "
                       "return [b.top, b.bottom, r.classList.contains('marked')]; })()")
        assert 0 <= row[0] and row[1] <= 768 and row[2], f"{row}"


# ---- safety

def quiet(page):
    """No error, and no request but for the file."""
    assert page.ready, "the script does not end"
    assert not page.own_events("Runtime.exceptionThrown"), page.own_events("Runtime.exceptionThrown")
    wrong = [e for e in page.own_events("Log.entryAdded") if e["entry"]["level"] == "error"]
    assert not wrong, wrong
    asked = {e["request"]["url"].split("#")[0] for e in page.own_events("Network.requestWillBeSent")}
    assert all(url == page.url or url == "data:," for url in asked), asked


def strict(path):
    """The policy stands first, allows nothing but this style and script, and nothing in the page needs more."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    look.check_policy(text)


HOSTILE = ["<img src=x onerror=window.hit=1>", "</script><script>window.hit=1</script>", "<!--<script>", "\"><svg onload=window.hit=1>",
           "' onmouseover='window.hit=1", "&lt;b&gt; &amp; &quot;", "=HYPERLINK(1)", "a\u202eb\u2066c", "\u2028line\u2029", "{{x}}${window.hit=1}",
           "]]></style><style>*{display:none}"]


def hostile_graph():
    with open("examples/fattree16.dot", encoding="utf-8") as file:
        text = file.read()
    for i, name in enumerate(HOSTILE):
        quoted = name.replace('"', '\\"')
        text = re.sub(rf'("H{i}" \[[^\]]*desc=)"H{i}"', lambda m, q=quoted: f'{m.group(1)}"{q}"', text)
    for i, name in enumerate(HOSTILE[:4]):
        quoted = name.replace('"', '\\"')
        text = re.sub(rf'("leaf{i}" \[[^\]]*desc=)"[^"]*"', lambda m, q=quoted: f'{m.group(1)}"sw {q}"', text)
    return text


def inert(browser_, path):
    """Names are shown as they are, and nothing of them runs, without the policy, too."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"<meta http-equiv=[^>]*>", "", file.read())
    bare = path.replace(".html", "_bare.html")
    with open(bare, "w", encoding="utf-8") as file:
        file.write(text)
    for name in (path, bare):
        with browser.Page(browser_, name) as page:
            quiet(page)
            assert page.run("window.hit === undefined && !document.querySelector('img, [onload], [onerror], [onmouseover]')"), "something ran"
            shown = page.run("[...document.querySelectorAll('#cables td')].map(t => t.textContent).join('\\n')")
            for wanted in HOSTILE[:7] + [HOSTILE[9], HOSTILE[10]]:
                assert wanted in shown, f"{wanted} is not shown as it is"
            assert not re.search("[\u202a-\u202e\u2066-\u2069\u2028\u2029]", page.run("document.body.innerText")), "directions change"
    data = embedded(path)
    assert not set("\u202e\u2066\u2028\u2029") & set(json.dumps(data, ensure_ascii=False)), "in the data"


def spreadsheet(page):
    """Cells of the CSV that spreadsheets would evaluate begin with an apostrophe."""
    page.run("""(() => { window.saved = null; const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.saved = blob; return make(blob); };
        HTMLAnchorElement.prototype.click = () => {}; document.getElementById('csv').click(); })()""")
    text = page.run("window.saved.text()")
    assert text.count("\r\n") == 1 + count_text(page)[2], "rows"
    assert "'=HYPERLINK" in text and not re.search(r"(^|,)[=+@-]", text, re.M), "an evaluated cell"


# ---- other ways to read

def without_script(browser_, path):
    with browser.Page(browser_, path, script=False) as page:
        counts = look.without_script(path)
        assert counts["rows"] >= min(60, len(embedded(path)["cables"]["a"])), counts
        assert counts["pictures"] >= 2 and not counts["controls"], counts
        picture = f"{WORK}/plain.png"
        page.picture(picture)
        assert os.path.getsize(picture) > 5000, "nothing is drawn"


def in_print(browser_, path):
    with browser.Page(browser_, path, media="print", dark=True) as page:
        state = page.run("[getComputedStyle(document.documentElement).backgroundColor, [...document.querySelectorAll('button, input, select, nav')]"
                         ".filter(e => e.offsetParent && !e.closest('th')).length]")
        assert state == ["rgb(255, 255, 255)", 0], state
        # Chromium repeats a head on the next sheet unless something in it has a box that cannot be divided.
        paper = page.run("[[...new Set([...document.querySelectorAll('thead button')].map(e => getComputedStyle(e).display))],"
                         "[...document.querySelectorAll('figure svg')].filter(e => getComputedStyle(e).maxHeight == 'none').length,"
                         "[...document.querySelectorAll('figure.long')].length]")
        assert paper[0] == ["contents"] and paper[1] == paper[2], paper


def looks(browser_, path, dark):
    with browser.Page(browser_, path, dark=dark) as page:
        look.check_page(page, dark)


def structure(page):
    look.check_structure(page)


def first_screen(page):
    bottom = page.run("window.scrollTo(0, 0); Math.max(...['verdict', 'advice'].map(i => document.getElementById(i).getBoundingClientRect().bottom))")
    assert bottom <= 768, f"verdict and advice end at {bottom}"


def healthy(page, path):
    """Nothing is above its share, no figure has a hot colour, and the advice blames nothing."""
    data = embedded(path)
    assert data["verdict"]["above"] == 0, data["verdict"]
    hot = page.run("[...document.querySelectorAll('figure .c3, figure .c4, figure .c5, figure .c6')].filter(e => e.getBoundingClientRect().width).length")
    assert not hot, f"{hot} hot shapes"
    kinds = {line["kind"] for line in data["advice"]}
    assert not kinds & {"Balance", "Reach", "Deadlock", "Capacity", "Cabling"}, kinds


def labels(path):
    nodes = embedded(path)["nodes"]
    shown = [label or name for label, name in zip(nodes["label"], nodes["name"])]
    assert len(set(shown)) == len(shown), "two nodes have the same label"


# ---- the pages

def numbers(browser_, path, fabric, by_name):
    check("routes of all cables", counted, path, fabric, by_name)
    with browser.Page(browser_, path) as page:
        check("no error, no request", quiet, page)
        check("paging", all_paged, page, len(fabric.channels) // 2)
        check("rows", right_rows, page, path, fabric, by_name)
        check("verdict", right_verdict, page, fabric)
        check("first screen", first_screen, page)
        check("sorting", sorts, page)
        check("searching", searches, page, path)
    check("labels", labels, path)


def answers(browser_, path):
    with browser.Page(browser_, path) as page:
        check("mouse", mouse, page, path, 20)
        check("keys", keys, page, 25)
        check("structure", structure, page)
    check("#cable=", links, browser_, path)
    check("opening a block", opens, browser_, path)
    check("policy", strict, path)
    check("without a script", without_script, browser_, path)
    check("print", in_print, browser_, path)
    for dark in (False, True):
        check(f"look, dark {dark}", looks, browser_, path, dark)


def broken(browser_, path, fabric, by_name):
    """Each broken page must fail its check."""

    def on_page(function, *arguments):
        def call(name):
            with browser.Page(browser_, name) as page:
                assert page.ready, "the script does not end"
                function(page, *[a(name) if callable(a) else a for a in arguments])
        return call

    def same(name):
        return name

    total = len(fabric.channels) // 2
    checks = {
        "counted": lambda name: counted(name, fabric, by_name), "paged": on_page(all_paged, total), "verdict": on_page(right_verdict, fabric),
        "rows": on_page(right_rows, same, fabric, by_name), "sorts": on_page(sorts), "searches": on_page(searches, same),
        "mouse": on_page(mouse, same, 20), "keys": on_page(keys, 25), "quiet": on_page(quiet), "strict": strict,
        "light": lambda name: looks(browser_, name, False), "dark": lambda name: looks(browser_, name, True), "labels": labels,
        "print": lambda name: in_print(browser_, name), "plain": lambda name: without_script(browser_, name),
        "structure": on_page(structure), "first": on_page(first_screen),
    }
    for name, kind, changes in BROKEN:
        fails(f"broken page: {name}", checks[kind], variant(path, f"{WORK}/broken.html", changes))


def small_shapes(browser_):
    for spec, engine in (("star:4", "minhop"), ("tree:2,3", "updn"), ("torus:4x4,hosts=2", "dor"), ("hyperx:4x4,hosts=2", "minhop"),
                         ("dragonfly:a=4,h=2,p=2", "minhop")):
        path = report("shape", "-R", engine, spec)
        with browser.Page(browser_, path) as page:
            check(f"{spec}: no error", quiet, page)
            check(f"{spec}: structure", structure, page)
        check(f"{spec}: policy", strict, path)
    for spec, engine in (("torus:5x4x3,hosts=1", "dor"), ("dragonfly:a=4,h=2,p=2", "minhop")):
        path = report("shape", "-R", engine, spec)
        with browser.Page(browser_, path) as page:
            check(f"{spec}: cells of the overview", overview_cells, page, path, spec.split(":")[0])
        turned = variant(path, f"{WORK}/sick.html", [("[cell[0], cell.slice(1)", "[cell[0] + 1, cell.slice(1)")])
        fails(f"broken page: other cells of {spec}", on_overview, browser_, turned, spec.split(":")[0])


def on_overview(browser_, path, shape):
    with browser.Page(browser_, path) as page:
        overview_cells(page, path, shape)


def other_counts():
    """Routes of fabrics that are no trees, without a browser."""
    for name, spec, engine in (("torus", "torus:4x4,hosts=2", "dor"), ("dragonfly", "dragonfly:p=2,a=4,h=2", "dfsssp"), ("random", "jellyfish:16,6,4", "sssp")):
        graph = f"{WORK}/{name}.dot"
        with open(graph, "w", encoding="utf-8") as file:
            made = subprocess.run([f"{BIN}/orcs-topology", spec], check=True, stdout=subprocess.PIPE)
            subprocess.run([f"{BIN}/orcs-route", engine], check=True, input=made.stdout, stdout=file)
        check(f"{spec}: routes of all cables", counted, report(name, graph), reference.of_graph(graph), True)


def main():
    work = browser.Browser(f"{WORK}/profile")
    try:
        example = report("dor36", "examples/fattree36_dor.dot")
        fabric = reference.of_graph("examples/fattree36_dor.dot")
        numbers(work, example, fabric, True)
        graph = f"{WORK}/uneven.dot"
        with open(graph, "w", encoding="utf-8") as file:
            made = subprocess.run([f"{BIN}/orcs-topology", "xgft:6:1/6:4/6:6"], check=True, stdout=subprocess.PIPE)
            subprocess.run([f"{BIN}/orcs-route", "minhop"], check=True, input=made.stdout, stdout=file)
        uneven, fabric = report("uneven", graph), reference.of_graph(graph)
        numbers(work, uneven, fabric, True)
        answers(work, uneven)
        broken(work, uneven, fabric, True)
        check("hostile names", inert, work, report("hostile", "-", data=hostile_graph()))
        with browser.Page(work, f"{WORK}/hostile.html") as page:
            check("CSV", spreadsheet, page)
        sick = variant(f"{WORK}/hostile.html", f"{WORK}/sick.html", [("\\u003cimg", "<img"), ("&lt;img", "<img")])
        fails("broken page: names are not escaped", inert, work, sick)
        well = report("well", "-R", "dmodk", "xgft:4:1/4:4/8:4" if SMALL else "xgft:12:1/12:12/24:12")
        with browser.Page(work, well) as page:
            check("healthy tree", healthy, page, well)
            check("healthy tree: no error", quiet, page)
            elements = page.run("document.querySelectorAll('*').length")
            check("healthy tree: few elements", lambda: (_ for _ in ()).throw(AssertionError(elements)) if elements > 15000 else None)
        fails("broken page: a hot colour", lambda: healthy_variant(work, well))
        small_shapes(work)
        other_counts()
        lassen = DATA and f"{DATA}/real-routed/hk_Topo6_CS7500.minhop"
        if SMALL or not lassen or not os.path.isdir(lassen):
            print("SKIPPED: Lassen" + (" (small fabrics only)" if SMALL else ": its dumps are not there"))
        else:
            dumps = [f"{lassen}/ibnetdiscover.txt.xz", f"{lassen}/dump_fts.txt.xz"]
            path = report("lassen", *dumps)
            numbers(work, path, reference.of_dumps(*dumps), False)
            answers(work, path)
    finally:
        work.close()
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


def healthy_variant(work, path):
    sick = variant(path, f"{WORK}/sick.html", [('class="c2"', 'class="c4"')])
    with browser.Page(work, sick) as page:
        healthy(page, sick)


sys.exit(main())
