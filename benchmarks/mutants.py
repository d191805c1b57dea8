"""What the tests would not notice: `python -m benchmarks.mutants --sample 300 --seed 1 models`.

One operator, comparison, number or name of a module is changed at a time, in a copy of the tree,
and the tests of its own room run until the first failure: the examples in the module, then the
test files of the room that import it, then the contracts of formulas. A change that all of them
pass is printed with its place; it is either without effect or a test that is missing.

Without effect, by experience, are: the least change of a tolerance, of a number of steps or of a
limit from which a series or another method takes over, all of which give the same to the last
digits; `<` for `<=` where a rounded number never meets the limit; the last element named as the
second of two; what a check returns, where the formula turns it into an array again. A figure that
was measured or fitted, and is in no test but by what follows from it, may be off by its error.
"""

import argparse
import ast
import compileall
import py_compile
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COPIED = ("models", "planner", "validation", "data", "tests", "docs", "benchmarks")
SINGLE = ("pyproject.toml", "conftest.py", "app.py", "README.md", "Makefile")
# Each mutant of a kernel would be compiled for half a minute; twins in plain Python hold them.
LEFT_OUT = "models/simulator"
CONTRACTS = Path("tests/models/test_contracts.py")
SLOWER = 5  # than the unchanged module: then the change never ends
LEAST_S = 60.0

SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div,), ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,), ast.FloorDiv: (ast.Mult,), ast.Mod: (ast.Mult,),
    ast.MatMult: (ast.Mult,), ast.USub: (ast.UAdd,), ast.And: (ast.Or,), ast.Or: (ast.And,),
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,), ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,),
}  # fmt: skip


class Change(NamedTuple):
    """One attribute of one node that gets another value."""

    node: ast.AST
    field: str
    value: object


class Mutant(NamedTuple):
    """A changed module: where, what it said and says, and its whole text."""

    path: Path
    line: int
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before}  ->  {self.after}"


def changes(tree: ast.Module) -> list[Change]:
    """List every change of a module, but for annotations and what only names or documents it."""
    return [
        change
        for function in _outermost(tree)
        for node in _executed(function)
        for change in _of_node(node, _arguments(function))
    ]


def _of_node(node: ast.AST, names: Sequence[str]) -> Iterator[Change]:
    if isinstance(node, ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.AugAssign):
        if isinstance(node.op, ast.Not):
            yield Change(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
        yield from (Change(node, "op", other()) for other in SWAPS.get(type(node.op), ()))
    elif isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in SWAPS[type(operator)]:
                yield Change(node, "ops", [*node.ops[:place], other(), *node.ops[place + 1 :]])
    elif isinstance(node, ast.Constant):
        yield from (Change(node, "value", value) for value in _other_values(node.value))
    elif isinstance(node, ast.Name) and node.id in names[1:]:
        yield Change(node, "id", names[names.index(node.id) - 1])


def _other_values(value: object) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
        if value not in {0, 1}:
            yield value * 1.25


def _outermost(tree: ast.Module) -> Iterator[ast.AST]:
    """Give functions, methods and the statements between them."""
    for node in tree.body:
        yield from node.body if isinstance(node, ast.ClassDef) else [node]


def _arguments(function: ast.AST) -> list[str]:
    if not isinstance(function, ast.FunctionDef):
        return []
    listed = function.args
    return [arg.arg for arg in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs)]


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Walk what runs: no annotations, imports, decorators, or lists of public names."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field not in {"annotation", "returns", "decorator_list", "type_params"}:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _executed(child)


def mutant(path: Path, place: int) -> Mutant:
    """Give the module with one of its changes."""
    tree = ast.parse((ROOT / path).read_text())
    node, field, value = changes(tree)[place]
    before = ast.unparse(node)
    setattr(node, field, value)
    return Mutant(path, node.lineno, before, ast.unparse(node), ast.unparse(tree))


def modules(rooms: Sequence[str]) -> list[Path]:
    """List the modules of rooms, which are folders or single files."""
    paths = [path for room in rooms for path in _python(ROOT / room)]
    return [path for path in paths if not path.is_relative_to(LEFT_OUT)]


def _python(place: Path) -> list[Path]:
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))
    return [path.relative_to(ROOT) for path in files]


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@cache
def _imports(path: Path) -> frozenset[str]:
    """Name what a file imports: modules, and what may be modules or functions of them."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)


def _users(path: Path) -> list[Path]:
    return [user for user in _python(ROOT / path.parent) if _module(path) in _imports(user)]


@cache
def public_names(path: Path) -> frozenset[str]:
    """Name what a module is reached by: what it defines, or what its users do if it is private."""
    if path.name.startswith("_") and path.name != "__init__.py":
        return frozenset().union(*map(public_names, _users(path)))
    names: set[str] = set()
    for node in ast.parse((ROOT / path).read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id == "__all__":
                return frozenset(ast.literal_eval(node.value))
            names.add(node.targets[0].id)
    return frozenset(name for name in names if not name.startswith("_"))


def own_tests(path: Path) -> list[str]:
    """List the test files of its room that import the module, or else those that import its users.

    Without any, those of other rooms, or all. Of several, those that name a part of it, most first.
    """
    folder = next(place for place in (ROOT / "tests" / path).parents if place.is_dir())
    every = [file for file in _python(ROOT / "tests") if file.name.startswith("test_")]
    room = [file for file in every if file.parent == folder.relative_to(ROOT)]
    importing: list[Path] = []
    using, seen = {path}, set()
    while using and not importing:
        importing = _importing(room, using)
        seen |= using
        using = {user for one in using for user in _users(one)} - seen
    importing = importing or _importing(every, {path}) or room
    named = re.compile(rf"\b({'|'.join(public_names(path))})\b")
    counts = {str(file): len(named.findall((ROOT / file).read_text())) for file in importing}
    naming = [file for file in counts if counts[file]] or list(counts)
    return sorted(naming, key=lambda file: -counts[file])


def _importing(files: Sequence[Path], modules: Collection[Path]) -> list[Path]:
    names = {_module(module) for module in modules}
    return [file for file in files if names & _imports(file) and file != CONTRACTS]


def steps(path: Path) -> Iterator[list[str]]:
    """Give the runs of pytest for one module: its examples and own tests, then the contracts."""
    yield [str(path), *own_tests(path)]
    if path.parts[0] == "models":
        yield [str(CONTRACTS), "-k", " or ".join(sorted(public_names(path)))]


class Trial:
    """A copy of the tree in which one module at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        for name in SINGLE:
            shutil.copy(ROOT / name, folder)
        # Compiled once, and again by content: a change and its undoing may share time and size.
        by_content = py_compile.PycInvalidationMode.CHECKED_HASH
        compileall.compile_dir(folder, quiet=1, invalidation_mode=by_content)
        self._limits: dict[str, float] = {}

    def passes(self, step: Sequence[str], limit_s: float | None = None) -> bool:
        """Run tests; those that do not end in time raise `subprocess.TimeoutExpired`."""
        done = subprocess.run(  # noqa: S603 - the project's own tests
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
             "--hypothesis-seed=0", *step],
            cwd=self.folder, capture_output=True, timeout=limit_s, check=False,
        )  # fmt: skip
        return done.returncode in {0, 5}  # 5: nothing to run

    def fate(self, mutant: Mutant) -> str:
        """Say whether the tests notice a mutant."""
        place = self.folder / mutant.path
        original = place.read_text()
        for step in steps(mutant.path):
            limit_s = self._limit_s(step)
            place.write_text(mutant.text)
            try:
                if not self.passes(step, limit_s):
                    return "killed"
            except subprocess.TimeoutExpired:
                return "timed out"
            finally:
                place.write_text(original)
        return "survived"

    def _limit_s(self, step: Sequence[str]) -> float:
        """Return the time that a run may take, from one of the unchanged tree, which must pass."""
        key = " ".join(step)
        if key not in self._limits:
            start = time.monotonic()
            if not self.passes(step):
                raise SystemExit(f"the tests fail without a mutant: pytest {key}")
            self._limits[key] = LEAST_S + SLOWER * (time.monotonic() - start)
        return self._limits[key]


def main() -> int:
    """Print each mutant with its fate, and the share that the tests notice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="+", help="folders or modules, such as models")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    places = [
        (path, place)
        for path in modules(options.rooms)
        for place in range(len(changes(ast.parse((ROOT / path).read_text()))))
    ]
    drawn = random.Random(options.seed).sample(places, min(options.sample, len(places)))
    sample = [mutant(path, place) for path, place in sorted(drawn)]
    fates: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder))
        for changed in sample:
            fate = trial.fate(changed)
            fates[fate] += 1
            print(f"{fate:9} {changed}", flush=True)
    noticed = fates["killed"] + fates["timed out"]
    print(f"noticed: {noticed} of {len(sample)}, {noticed / len(sample):.1%}, "
          f"{fates['timed out']} of them by time; {len(places)} changes are possible")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
