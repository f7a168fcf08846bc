"""Runs the cells of a notebook in their order, without Jupyter, and compares what they print with what it shows: notebook.py [--update] FILE"""

import ast
import contextlib
import io
import json
import os
import sys

path = sys.argv[-1]
with open(path) as file:
    text = file.read()
notebook = json.loads(text)
os.chdir(os.path.dirname(os.path.abspath(path)))


def run(source, names):
    """Returns what a cell prints, and the value of its last expression."""
    printed = io.StringIO()
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    return printed.getvalue(), None if value is None else repr(value)


names, different, count = {}, 0, 0
for cell in notebook["cells"]:
    if cell["cell_type"] != "code":
        continue
    count += 1
    printed, value = run("".join(cell["source"]), names)
    outputs = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(True)})
    if value is not None:
        outputs.append({"data": {"text/plain": value.splitlines(True)}, "execution_count": count, "metadata": {},
                        "output_type": "execute_result"})
    if outputs != cell["outputs"]:
        different += 1
        print(f"cell {count} shows {cell['outputs']}, and is {outputs}")
    cell["outputs"], cell["execution_count"] = outputs, count
if "--update" in sys.argv:
    with open(os.path.basename(path), "w") as file:
        json.dump(notebook, file, indent=1, ensure_ascii=False)
        file.write("\n")
    sys.exit(0)
sys.exit(different > 0 or not count)
