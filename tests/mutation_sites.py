"""Where a fault may be put at random: the operators of `tests/mutation.py --random`.

A change replaces a few bytes of a module: a number, a sign, a comparison, the name of a column, an
end of a range or of an interval, `and` or `or`, a function or its opposite, True or False, the
direction of an axis. Its place is found in the syntax tree, so that a change never touches what
does not compute: docstrings, annotations, decorators, `__all__`, what is raised (error messages),
and `strict=` of zip, which guards against mistakes of programmers. Modules that draw keep their
numbers and signs, which are sizes and places on paper; no operator touches other texts than names
of columns, hence no colours.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Eq: ("==", [">=", "!="]),
    ast.NotEq: ("!=", ["=="]),
    ast.Lt: ("<", ["<=", ">"]),
    ast.LtE: ("<=", ["<"]),
    ast.Gt: (">", [">=", "<"]),
    ast.GtE: (">=", [">"]),
    ast.In: ("in", ["not in"]),
    ast.NotIn: ("not in", ["in"]),
    ast.Is: ("is", ["is not"]),
    ast.IsNot: ("is not", ["is"]),
}
SIGNS = {
    ast.Add: ("+", ["-"]),
    ast.Sub: ("-", ["+"]),
    ast.Mult: ("*", ["/"]),
    ast.Div: ("/", ["*"]),
    ast.FloorDiv: ("//", ["*"]),
    ast.Mod: ("%", ["*"]),
    ast.Pow: ("**", ["*"]),
}
LOGIC = {ast.BitAnd: ("&", ["|"]), ast.BitOr: ("|", ["&"])}
OPPOSITES = [
    *(("min", "max"), ("any", "all"), ("minimum", "maximum"), ("idxmin", "idxmax")),
    *(("argmin", "argmax"), ("nanmin", "nanmax"), ("floor", "ceil"), ("head", "tail")),
    *(("first", "last"), ("triu", "tril"), ("cummin", "cummax"), ("isna", "notna")),
]
OPPOSITE = {a: b for pair in OPPOSITES for a, b in (pair, pair[::-1])}
# Words of the ends of an interval, alone or last in the name of a column or variable.
END = {"low": "high", "high": "low", "least": "greatest", "greatest": "least"}
# Methods of figures that say which way an axis runs.
LIMITS, TURNS = {"set_xlim", "set_ylim"}, {"invert_xaxis", "invert_yaxis"}
# Functions of numbers that say where something ends.
COUNTED = {"range", "arange", "integers", "permutation", "zeros", "ones", "full", "linspace"}
# Methods whose texts are names of columns, as those in brackets are.
OF_COLUMNS = {
    *("groupby", "sort_values", "set_index", "merge", "pivot", "dropna", "drop_duplicates"),
    *("isin", "get", "nlargest", "nsmallest", "reset_index", "drop", "assign", "removeprefix"),
}


@dataclass(frozen=True)
class Change:
    """A small change of a module: bytes `start` to `end` become `new`.

    Attributes
    ----------
    file : str
        The module, from the project's folder on.
    kind : str
        The operator: "constant", "sign", "comparison", "column", "off by one", "logic",
        "opposite", "truth value", "end" or "direction".
    start, end : int
        Offsets in the module's UTF-8 bytes.
    new : str
        What replaces them.
    """

    file: str
    kind: str
    start: int
    end: int
    new: str

    def put_into(self, code: str) -> str:
        """Return the code with the change."""
        data = code.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()

    def line(self, code: str) -> int:
        """Return the number of the line, from 1 on."""
        return code.encode()[: self.start].count(b"\n") + 1

    def shown(self, code: str) -> tuple[str, str]:
        """Return the line without and with the change, without the blanks around it."""
        k = self.line(code) - 1
        spanned = code.encode()[self.start : self.end].count(b"\n") + 1
        before, after = code.splitlines(), self.put_into(code).splitlines()
        kept = len(after) - len(before) + spanned
        return _joined(before[k : k + spanned]), _joined(after[k : k + kept])


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


def changes(file: str, code: str) -> list[list[Change]]:
    """Return the places where a module can be changed, each with the changes that fit there."""
    tree = ast.parse(code)
    finder = _Finder(file, code, tree)
    finder.visit(tree)
    places: dict[int, list[Change]] = {}
    for change in finder.found:
        places.setdefault(change.start, []).append(change)
    return [places[start] for start in sorted(places)]


def sound(change: Change, code: str) -> bool:
    """Whether a change is one: within f-strings, Python 3.11 locates some expressions wrongly."""
    try:
        return ast.dump(ast.parse(change.put_into(code))) != ast.dump(ast.parse(code))
    except SyntaxError:
        return False


class _Finder(ast.NodeVisitor):
    """Collects the changes of one module."""

    def __init__(self, file: str, code: str, tree: ast.Module) -> None:
        self.file, self.data = file, code.encode()
        self.lines = [0]
        for line in code.encode().splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.found: list[Change] = []
        self.draws = "figure" in file.rsplit("/", 1)[-1]
        named = {name.value for node in ast.walk(tree) for name in _columns(node)}
        self.columns = sorted(named)
        self.names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}

    def visit(self, node: ast.AST) -> None:
        """Note the changes of a node and of what it holds, but for what does not compute."""
        for change in self.of_node(node):
            self.found.append(change)
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "type_comment"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _says_nothing(child):
                    self.visit(child)

    def of_node(self, node: ast.AST) -> Iterator[Change]:
        """Yield the changes of one node."""
        if isinstance(node, ast.Constant):
            yield from self.of_constant(node)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for k, operator in enumerate(node.ops):
                yield from self.between(
                    *("comparison", sides[k], sides[k + 1]), *COMPARISONS[type(operator)]
                )
        elif isinstance(node, ast.BinOp):
            yield from self.of_operation(node, node.left, node.right)
        elif isinstance(node, ast.AugAssign) and type(node.op) in SIGNS and not _text(node.value):
            symbol, others = SIGNS[type(node.op)]
            others = [f"{other}=" for other in others]
            yield from self.between("sign", node.target, node.value, f"{symbol}=", others)
        elif isinstance(node, ast.BoolOp):
            symbol, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            for left, right in zip(node.values[:-1], node.values[1:], strict=True):
                yield from self.between("logic", left, right, symbol, [other])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield self.change("logic", self.start(node), self.start(node.operand), "")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not self.draws:
            yield self.change("sign", self.start(node), self.start(node) + 1, "")
        elif isinstance(node, ast.Call):
            yield from self.of_call(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if (other := _other_end(node.id)) in self.names:
                yield self.instead("end", node, other)
        elif isinstance(node, ast.JoinedStr):
            yield from self.of_formatted(node)
        elif isinstance(node, ast.Slice):
            for side in (node.lower, node.upper):
                if side is not None and not _number(side):
                    yield self.around("off by one", side, "{} + 1")
        for name in _columns(node):
            others = [other for other in self.columns if other != name.value]
            for other in others:
                yield self.instead("column", name, repr(other))

    def of_constant(self, node: ast.Constant) -> Iterator[Change]:
        value = node.value
        if isinstance(value, bool):
            yield self.instead("truth value", node, str(not value))
        elif isinstance(value, int) and not self.draws:
            for other in {1 - value} if value in (0, 1) else {value - 1, value + 1}:
                yield self.instead("constant", node, str(other))
        elif isinstance(value, str) and (other := _other_end(value)):
            if self.data[self.start(node) : self.end(node)] == f'"{value}"'.encode():
                yield self.instead("end", node, f'"{other}"')
        elif isinstance(value, float) and not self.draws:
            yield self.instead("constant", node, repr(value * 1.1 if value else 1.0))

    def of_formatted(self, node: ast.JoinedStr) -> Iterator[Change]:
        """Yield a change of a name whose last word an f-string gives, as in f"{name}_low"."""
        last, text = node.values[-1], self.data[self.start(node) : self.end(node)].decode()
        word = last.value.removeprefix("_") if isinstance(last, ast.Constant) else ""
        if word in END and text.endswith(f'_{word}"'):
            yield self.instead("end", node, f'{text.removesuffix(f"{word}{chr(34)}")}{END[word]}"')

    def of_operation(self, node: ast.BinOp, left: ast.expr, right: ast.expr) -> Iterator[Change]:
        if _text(left) or _text(right):
            return  # joins texts or lists, or inserts
        if type(node.op) in SIGNS and not self.draws:
            yield from self.between("sign", left, right, *SIGNS[type(node.op)])
        elif type(node.op) in LOGIC:
            yield from self.between("logic", left, right, *LOGIC[type(node.op)])

    def of_call(self, node: ast.Call) -> Iterator[Change]:
        end = self.end(node.func)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        if name in OPPOSITE:
            yield self.change("opposite", end - len(name), end, OPPOSITE[name])
        if name in TURNS:
            yield self.instead("direction", node, "None")
        if name in LIMITS and not node.keywords:
            first, last = node.args[0], node.args[-1]
            text = self.data[self.start(first) : self.end(last)].decode()
            turned = f"*[{text}][::-1]"
            yield self.change("direction", self.start(first), self.end(last), turned)
        if name in COUNTED:
            for argument in node.args:
                if not _number(argument) and not isinstance(argument, ast.Starred | ast.Tuple):
                    yield self.around("off by one", argument, "{} - 1")

    def change(self, kind: str, start: int, end: int, new: str) -> Change:
        return Change(self.file, kind, start, end, new)

    def instead(self, kind: str, node: ast.expr, new: str) -> Change:
        return self.change(kind, self.start(node), self.end(node), new)

    def around(self, kind: str, node: ast.expr, form: str) -> Change:
        text = self.data[self.start(node) : self.end(node)].decode()
        simple = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        return self.instead(kind, node, form.format(text if simple else f"({text})"))

    def between(
        self, kind: str, left: ast.expr, right: ast.expr, symbol: str, others: list[str]
    ) -> Iterator[Change]:
        """Yield changes of the operator that stands between two expressions."""
        start, end = self.end(left), self.start(right)
        pattern = re.escape(symbol).replace(r"\ ", r"\s+").encode()
        if place := re.search(pattern, self.data[start:end]):
            for other in others:
                yield self.change(kind, start + place.start(), start + place.end(), other)

    def start(self, node: ast.expr) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr) -> int:
        return self.lines[node.end_lineno - 1] + node.end_col_offset


def _says_nothing(node: ast.AST) -> bool:
    """Whether a node is no part of what is computed."""
    if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    if isinstance(node, ast.Assign):
        return any(isinstance(name, ast.Name) and name.id == "__all__" for name in node.targets)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _other_end(name: str) -> str:
    """Return a name with the other end of an interval in it; nothing if it has none."""
    found = re.fullmatch(r"(\w+_)?([a-z]+)", name)
    return f"{found[1] or ''}{END[found[2]]}" if found and found[2] in END else ""


def _number(node: ast.expr) -> bool:
    """Whether an expression is a number, which is changed as a constant."""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant)


def _text(node: ast.expr) -> bool:
    """Whether an expression is plainly a text or a collection."""
    kinds = (ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp)
    return isinstance(node, kinds) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _columns(node: ast.AST) -> list[ast.Constant]:
    """Return the texts in brackets, or given to a method of tables, that can name a column."""
    inside: list[ast.expr] = []
    if isinstance(node, ast.Subscript):
        inside = [node.slice]
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in OF_COLUMNS:
        inside = [*node.args, *(word.value for word in node.keywords if word.arg != "how")]
    flat = [
        part
        for value in inside
        for part in (value.elts if isinstance(value, ast.List | ast.Tuple) else [value])
    ]
    return [
        part
        for part in flat
        if isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        and re.fullmatch(r"[A-Za-z]\w*", part.value)
    ]
