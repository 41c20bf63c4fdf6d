"""How large the project is: `./run python benchmarks/size.py [FOLDER ...]`, checkouts side by side.

Lines are those of text files, by what they are. Tokens are Python's, without comments and
docstrings: joining lines does not lower them. Settings are the keys of a configuration, without
catalogues; those of an analysis that has none are none.
"""

import ast
import io
import os
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

TEXT = {".py", ".yaml", ".j2", ".rst", ".csv", ".html", ".css", ".js", ".json", ".tsv", ".smk"}
SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
SETTINGS = """
from pydantic import BaseModel
from rankassay.config.sections import configuration
def count(model):
    for name, field in model.model_fields.items():
        kinds = [field.annotation, *getattr(field.annotation, "__args__", ())]
        inner = [k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)]
        if name.endswith("catalogue") or name in ("variants", "tuning"): continue
        yield from count(inner[0]) if inner and len(kinds) < 4 else [name]
print(len([*count(configuration())]))
"""


def docstrings(tree):
    """Yield the docstrings of a syntax tree, as nodes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first


def measured(root):
    """Return what is counted of a checkout, by name."""
    found, package = Counter(), root / "src/rankassay"
    listed = subprocess.run(["git", "ls-files", "src"], cwd=root, capture_output=True, text=True)
    for path in (root / name for name in listed.stdout.splitlines()):
        if path.suffix in TEXT:
            lines = path.read_text(encoding="utf-8").splitlines()
            found["lines of all text in src"] += len(lines)
            found[f"  {path.suffix} lines"] += len(lines)
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        lines, tree = text.splitlines(), ast.parse(text)
        said = sum(node.end_lineno - node.lineno + 1 for node in docstrings(tree))
        blank = sum(not line.strip() for line in lines)
        found["modules"] += 1
        found["modules above 450 lines"] += len(lines) > 450
        found["docstring lines"] += said
        found["blank lines"] += blank
        strings = {node.lineno for node in docstrings(tree)}
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            doc = token.type == tokenize.STRING and token.start[0] in strings
            found["tokens"] += token.type not in SKIPPED and not doc
        part = path.relative_to(package).parts[0]
        found[f"lines of {part.removesuffix('.py')}"] += len(lines)
    for study in sorted(path.parent for path in package.glob("studies/*/study.py")):
        listed = [p for p in study.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
        found["files of studies"] += len(listed)
        found["files of the largest study"] = max(found["files of the largest study"], len(listed))
    tests = [path for path in (root / "tests").rglob("*.py") if "__pycache__" not in path.parts]
    found["lines of tests"] = sum(len(path.read_text().splitlines()) for path in tests)
    code = [sys.executable, "-c", SETTINGS]
    environment = os.environ | {"PYTHONPATH": str(root / "src")}
    told = subprocess.run(code, env=environment, capture_output=True, text=True, check=True)
    found["settings"] = int(told.stdout)
    return found


def main(folders):
    """Print a column of counts for each checkout, and the last one's change against the first."""
    columns = [measured(Path(folder).resolve()) for folder in folders]
    for name in dict.fromkeys(name for column in columns for name in column):
        first, last = columns[0][name], columns[-1][name]
        change = f"{100 * (last / first - 1):+7.1f}%" if len(columns) > 1 and first else ""
        print(f"{name:32}", *(f"{column[name]:9,}" for column in columns), change)


if __name__ == "__main__":
    main(sys.argv[1:] or ["."])
