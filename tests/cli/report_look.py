"""What can be seen of a page: policy, colours, contrast, sizes, structure."""

import base64
import hashlib
import html.parser
import re


def natural(text):
    """The order of names with the numbers in them by value; letters regardless of case first, as the browser's collation has it."""
    return [(1, int(part), "") if part.isdigit() else (2 if part.isalpha() else 0, 0, part.lower()) for part in re.findall(r"\d+|\D", text)]


def digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_policy(text):
    head = text[text.index("<head>"):]
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', head)
    assert policy, "no policy"
    assert policy.start() < min(head.index("<style"), head.index("<title")), "the policy stands behind something"
    style = re.search(r"<style>(.*?)</style>", text, re.S).group(1)
    script = re.search(r"<script>(.*?)</script>", text, re.S).group(1)
    wanted = (f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; img-src data:; base-uri 'none'; "
              "form-action 'none'")
    assert policy.group(1) == wanted, policy.group(1)
    assert len(re.findall(r"<script", text)) == 2 and len(re.findall(r"<style", text)) == 1, "further scripts or styles"

    class Look(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            for name, value in attributes:
                assert name != "style" and not name.startswith("on"), f"<{tag} {name}>"
                if name in ("src", "href", "xlink:href", "action", "data"):
                    assert re.match(r"#|data:,$", value or ""), f"<{tag} {name}={value}>"

    Look().feed(text)


# ---- without a script: what of the page is hidden then

class Plain(html.parser.HTMLParser):
    VOID = {"meta", "link", "input", "br", "img", "rect", "path", "line"}

    def __init__(self):
        super().__init__()
        self.stack, self.rows, self.pictures, self.controls = [], 0, 0, 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        hidden = "hidden" in attributes or any(entry[1] for entry in self.stack)
        if tag == "tr" and "data-cable" in attributes:
            self.rows += 1
        if tag == "svg" and not hidden:
            self.pictures += 1
        if tag in ("button", "input", "select") and not hidden:
            self.controls += 1
        if tag not in self.VOID:
            self.stack.append((tag, hidden))

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop()[0] != tag:
            pass


def without_script(path):
    plain = Plain()
    with open(path, encoding="utf-8") as file:
        plain.feed(file.read())
    return {"rows": plain.rows, "pictures": plain.pictures, "controls": plain.controls}


# ---- colours

def linear(channel):
    channel /= 255
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def luminance(colour):
    r, g, b = (linear(c) for c in colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one, other):
    a, b = sorted((luminance(one), luminance(other)))
    return (b + 0.05) / (a + 0.05)


# Machado, Oliveira, Fernandes 2009, severity 1
EYES = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def lab(colour, eye="normal"):
    rgb = [linear(c) for c in colour]
    rgb = [min(1, max(0, sum(m * c for m, c in zip(row, rgb)))) for row in EYES[eye]]
    x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047
    y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
    z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def check_classes(colours, dark):
    """Classes 1 to 6: no two alike for four kinds of eyes, and each darker than the one before, in the dark lighter."""
    for eye in EYES:
        for i in range(1, 7):
            for k in range(1, i):
                distance = sum((a - b) ** 2 for a, b in zip(lab(colours[i], eye), lab(colours[k], eye))) ** 0.5
                assert distance >= 12, f"classes {k} and {i} differ by {distance:.1f} ({eye})"
    light = [lab(colour)[0] for colour in colours]
    for i in range(2, 7):
        step = light[i] - light[i - 1] if dark else light[i - 1] - light[i]
        assert step >= 5, f"class {i} is not {'lighter' if dark else 'darker'} than the one before: {step:.1f}"


TEXTS = """(() => {
    const found = [], numbers = (c) => c.match(/[\\d.]+/g).map(Number);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement, style = getComputedStyle(element), svg = element.closest('svg');
        if (!node.data.trim() || element.closest('script, style, #say, option') || style.visibility === 'hidden')
            continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (!box.width || !box.height)
            continue;
        let ground = element;
        while (ground && (numbers(getComputedStyle(ground).backgroundColor)[3] === 0))
            ground = ground.parentElement;
        found.push([node.data.trim().slice(0, 30), numbers(svg ? style.fill : style.color).slice(0, 3),
            numbers(getComputedStyle(ground || document.documentElement).backgroundColor).slice(0, 3), parseFloat(style.fontSize)]);
    }
    return found;
})()"""


def check_page(page, dark):
    seen = page.run(TEXTS)
    assert len(seen) > 50, "no texts"
    for text, colour, ground, size in seen:
        assert contrast(colour, ground) >= 4.5, f"contrast {contrast(colour, ground):.2f} of '{text}': {colour} on {ground}"
        assert size >= 8.5, f"{size} px: '{text}'"
    wide = page.run("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide[0] <= wide[1], f"{wide[0]} px wide"
    colours = page.run("[0, 1, 2, 3, 4, 5, 6].map(i => getComputedStyle(document.querySelector(`.swatch[data-class=\"${i}\"]`)).backgroundColor"
                       ".match(/\\d+/g).slice(0, 3).map(Number))")
    check_classes(colours, dark)
    shapes = page.run("[1, 2, 3, 4, 5, 6].map(i => { const e = document.querySelector('figure .c' + i); return e && [i, getComputedStyle(e).fill"
                      ".match(/\\d+/g).slice(0, 3).map(Number)]; }).filter(e => e)")
    for number, colour in shapes:
        assert colour == colours[number], f"class {number} has another colour in pictures"


def check_structure(page):
    wrong = page.run("""(() => {
        const wrong = [], all = (s) => [...document.querySelectorAll(s)];
        if (all('h1').length !== 1) wrong.push('h1');
        for (const id of ['verdict', 'advice', 'search', 'level', 'class', 'prev', 'next', 'count', 'tip', 'say', 'cables', 'orcs-data'])
            if (all('#' + id).length !== 1) wrong.push('#' + id);
        for (const t of all('table')) {
            if (!t.caption || !t.caption.textContent) wrong.push('caption');
            for (const th of t.querySelectorAll('th')) if (!th.scope) wrong.push('scope of ' + th.textContent);
        }
        for (const th of all('#cables th')) if (!th.dataset.key || th.querySelectorAll('button').length !== 1) wrong.push('head ' + th.textContent);
        for (const s of all('figure svg')) if (s.getAttribute('role') !== 'img' || !s.getAttribute('aria-label')) wrong.push('a picture without a name');
        for (const f of all('figure[data-matrix]')) if (f.tabIndex !== 0 || !f.getAttribute('aria-label')) wrong.push('a matrix without a name');
        for (const e of all('input, select')) if (!e.closest('label') && !e.getAttribute('aria-label')) wrong.push('a control without a label');
        for (const s of all('section')) if (!s.getAttribute('aria-label') && !document.getElementById(s.getAttribute('aria-labelledby')))
            wrong.push('section ' + s.id);
        if (!document.documentElement.lang) wrong.push('lang');
        const ids = all('[id]').map(e => e.id);
        if (new Set(ids).size !== ids.length) wrong.push('an id is there twice');
        for (const n of [0, 1, 2, 3, 4, 5, 6]) if (!all(`.swatch[data-class="${n}"]`).length) wrong.push('swatch ' + n);
        return wrong;
    })()""")
    assert not wrong, wrong
