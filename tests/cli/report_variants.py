"""Broken pages: each fails a check of report.py."""

import re

from report_look import digest

# name, the check that must fail, texts and what replaces them (a function: of the whole page)
BROKEN = [
    ("sampled loads", "counted", [lambda t: re.sub(r'("ab":\[[^\]]*?)(\d\d+)', lambda m: m.group(1) + str(int(m.group(2)) + 1), t, count=1)]),
    ("lost pages", "paged", [("Math.ceil(state.list.length / pageSize)", "Math.floor(state.list.length / pageSize) - 1 + 1 * 0")]),
    ("a wrong verdict", "verdict", [lambda t: re.sub(r'(above their share</p><p class="value">)(\d+)', r"\g<1>9\2", t)]),
    ("the worse direction is not the first", "rows", [("> excess[0][i] * (1 + 1e-9) ? 1 : 0", "> excess[0][i] * (1 + 1e-9) ? 0 : 1")]),
    ("relative classes", "rows", [("[0, 0.5, 1.05, 1.5, 2, 4, Infinity]", "[0, 1, 2, 3, 4, 6, Infinity]")]),
    ("wrong order", "sorts", [("const value = values[state.key], key", "const value = values.load, key")]),
    ("names sorted by letters", "sorts", [("{numeric: true}", "{numeric: false}")]),
    ("dead search", "searches", [("waiting = setTimeout(refresh, 60);", "")]),
    ("the tip tells another cable", "mouse", [("const at = row * block.columns.length + column, cell",
                                              "const at = row * block.columns.length + block.columns.length - 1 - column, cell")]),
    ("the tip tells the worse direction", "mouse", [("tip.textContent = tell(told.cable, told.way);\n\t} else",
                                                    "tip.textContent = tell(told.cable, worse[told.cable]);\n\t} else")]),
    ("dead keys", "keys", [("event.key.startsWith('Arrow')", "event.key.startsWith('Pfeil')")]),
    ("Enter goes nowhere", "keys", [("row.focus({preventScroll: true});", ""), ("row.scrollIntoView({block: 'center'});", "")]),
    ("no focus to be seen", "keys", [("outline: 3px solid var(--focus)", "outline: none")]),
    ("a network request", "quiet", [("'use strict';", "'use strict';\nfetch('http://localhost:9/');")]),
    ("a script that ends", "quiet", [("'use strict';", "'use strict';\nthrow new Error('x');")]),
    ("no policy", "strict", [lambda t: re.sub(r"<meta http-equiv=[^>]*>\n", "", t)]),
    ("a policy that allows all", "strict", [("script-src '", "script-src 'unsafe-inline' '")]),
    ("a policy behind the style", "strict", [lambda t: re.sub(r"(<meta http-equiv=[^>]*>\n)(.*?</style>)", r"\2\1", t, flags=re.S)]),
    ("another script than the policy has", "strict", [lambda t: t.replace("'use strict';", "'use strict'; ")]),
    ("an attribute that acts", "strict", [("<h1>", "<h1 onclick=\"x()\">")]),
    ("an attribute style", "strict", [("<h1>", "<h1 style=\"color:red\">")]),
    ("red and green", "light", [("--c2: #a7c4da", "--c2: #3fa34d"), ("--c3: #eda02f", "--c3: #c0392b")]),
    ("a pale text", "light", [("--muted: #57606a", "--muted: #b0b8c0")]),
    ("tiny text", "light", [lambda t: t.replace('font-size="9.5"', 'font-size="5"')]),
    ("too wide", "light", [("max-width: 1340px", "width: 1500px")]),
    ("dark on dark", "dark", [("--text: #e6edf3", "--text: #30363d")]),
    ("the dark has the colours of the light", "dark", [("--c3: #96690f; --c4: #e0861a", "--c3: #eda02f; --c4: #d4601a")]),
    ("labels alike", "labels", [lambda t: re.sub(r'("label":\[)(?:null|"[^"]*"),(?:null|"[^"]*")', r'\1"x","x"', t)]),
    ("controls in print", "print", [("nav, .tools, #tip, #say, .keys { display: none !important; }", "")]),
    ("dark paper", "print", [lambda t: re.sub(r"@media print \{\s*:root \{.*?\}", "@media print {", t, flags=re.S)]),
    ("heads on the first sheet only", "print", [("th button { display: contents; }", "")]),
    ("pictures taller than a sheet", "print", [("max-height: 155mm;", "")]),
    ("dead controls without a script", "plain", [('class="tools" data-script hidden', 'class="tools"')]),
    ("no rows without a script", "plain", [lambda t: re.sub(r'<tr data-cable.*?</tr>\n', "", t)]),
    ("no caption", "structure", [lambda t: re.sub(r"<caption>.*?</caption>", "", t, flags=re.S)]),
    ("two headings", "structure", [("</h1>", "</h1><h1>x</h1>")]),
    ("advice below the first screen", "first", [('<section id="verdict"', '<p>' + "x<br>" * 40 + '</p><section id="verdict"')]),
]


def variant(path, to, changes):
    """Writes a page with changes; its policy allows the style and script that it then has, unless the change is to the policy."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for change in changes:
        if callable(change):
            changed = change(text)
        else:
            changed = text.replace(*change)
            for part in ("style", "script"):
                before = re.search(rf"<{part}>(.*?)</{part}>", text, re.S).group(1)
                after = re.search(rf"<{part}>(.*?)</{part}>", changed, re.S).group(1)
                changed = changed.replace(digest(before), digest(after))
        assert changed != text, f"nothing to be changed: {change}"
        text = changed
    with open(to, "w", encoding="utf-8") as file:
        file.write(text)
    return to
