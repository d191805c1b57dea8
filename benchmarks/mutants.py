"""Mutation tests of modules: `python -m benchmarks.mutants --sample 300 --seed 1 models`.

One operator, comparison, number or name of a module is changed at a time, in a copy of the tree,
and tests run until the first failure: the examples in the module, the test files of its room that
import it, the contracts of its formulas, then `COMPOSITION`, in which whole plans are compared.
Tests that name the changed function come first, then one case of each. A change that all of them
pass is printed with its place; it is either without effect or a test that is missing. It is
undecided if nothing noticed it in 15 s of processor time, or in as long by whole plans, and tests
were left.

Places are judged in random order, so that a run that was interrupted is a fair sample too. With
`--results FILE` it continues where it ended; with `--again` as well, what was not noticed is
judged again, by the tests of now.

Without effect, by experience, are: the least change of a tolerance, of a number of steps or of a
limit from which a series or another method takes over, all of which give the same to the last
digits; `<` for `<=` where a rounded number never meets the limit; the last element named as the
second of two; what a check returns, where the formula turns it into an array again; the `strict` of
a zip whose parts have one length; labels that are only compared with each other. A figure that was
measured or fitted, and is in no test but by what follows from it, may be off by its error.
"""

import argparse
import ast
import compileall
import importlib
import inspect
import multiprocessing
import os
import py_compile
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
COPIED = ("models", "planner", "validation", "data", "tests", "docs", "benchmarks")
SINGLE = ("pyproject.toml", "conftest.py", "app.py", "README.md", "Makefile")
# Each mutant of a kernel would be compiled for half a minute; twins in plain Python hold them.
LEFT_OUT = "models/simulator"
SCREENS, APP_TESTS = Path("planner/ui"), Path("tests/app")
CONTRACTS = Path("tests/models/test_contracts.py")
COMPOSITION = (
    "tests/planner/test_printed.py",
    "tests/test_faces_agree.py::test_the_command_agrees_with_the_formulas",
    "tests/test_pinned.py::test_commands_give_the_json_they_gave",
    "tests/test_pinned.py::test_plans_give_the_numbers_they_gave[3]",
    "tests/planner/test_script.py",
)
LIMIT_S = 15.0  # of processor time, by the own tests of a mutant, and again by whole plans
HANGING = 8  # times as long: then one test never ends
PROGRAMS = {"recalculate_all", "browser", "server"}  # fixtures that start one, for longer than that
# Every process that runs tests begins with them; none of them knows what is changed.
LOADED = (
    "numpy.random", "scipy.stats", "scipy.optimize", "scipy.integrate",
    "scipy.special", "pandas", "click.testing", "openpyxl", "xlsxwriter", "numba", "mpmath",
)  # fmt: skip

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
    """A changed module: where, what it said and says, the function around it, its whole text."""

    path: Path
    line: int
    before: str
    after: str
    function: str
    text: str

    def __str__(self) -> str:
        said = f"{self.path}:{self.line}: {self.before}  ->  {self.after}"
        return " ".join(said.split())


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
    before, function = ast.unparse(node), _around(tree, node)
    setattr(node, field, value)
    return Mutant(path, node.lineno, before, ast.unparse(node), function, ast.unparse(tree))


def _around(tree: ast.Module, node: ast.AST) -> str:
    """Name the function, method or constant in which a node is, or nothing."""
    whole = next(one for one in _outermost(tree) if node in ast.walk(one))
    if isinstance(whole, ast.Assign) and isinstance(whole.targets[0], ast.Name):
        return whole.targets[0].id
    return getattr(whole, "name", "")


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
    """Return the names that a file imports: modules, and names within them."""
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
    """Return the names that reach a module: its own, or those of its users if it is private."""
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

    Its package counts as the module if it has contents.
    Without any, those of other rooms, or all. Those that name most of its parts are first.
    """
    folder = next(place for place in (ROOT / "tests" / path).parents if place.is_dir())
    every = [file for file in _python(ROOT / "tests") if file.name.startswith("test_")]
    room = [file for file in every if (ROOT / file).is_relative_to(folder)]
    importing: list[Path] = []
    package = path.with_name("__init__.py")
    using, seen = {path, *[package] * bool(_imports(package))}, set()
    while using and not importing:
        importing = _importing(room, using)
        seen |= using
        using = {user for one in using for user in _users(one)} - seen
    if path.is_relative_to(SCREENS):  # the app's tests run it, and import little of it
        importing += [file for file in every if file.parent == APP_TESTS]
    importing = importing or _importing(every, {path}) or room
    named = re.compile(rf"\b({'|'.join(public_names(path))})\b")
    counts = {str(file): len(named.findall((ROOT / file).read_text())) for file in importing}
    return sorted(counts, key=lambda file: (-counts[file], file.count("/")))


def _importing(files: Sequence[Path], modules: Collection[Path]) -> list[Path]:
    names = {_module(module) for module in modules}
    return [file for file in files if names & _imports(file) and file != CONTRACTS]


class Runner:
    """The part of pytest that orders and selects tests, stops in time, and sees the outcome.

    What names the changed function is first, then one case of each test.
    """

    def __init__(self, mutant: Mutant, until_s: float) -> None:
        self.outcome, self.by = "passed", ""
        self._public = public_names(mutant.path)
        self._function = re.compile(rf"\b{mutant.function.strip('_') or '$'}\b")
        self._until_s = until_s

    @pytest.hookimpl(trylast=True)  # after the order of the suite
    def pytest_collection_modifyitems(
        self, session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        self._session, files = session, [arg.partition("::")[0] for arg in config.args]
        items[:] = [item for item in items if self._is_run(item)]
        first = {*{item.nodeid.partition("[")[0]: item for item in reversed(items)}.values()}
        items.sort(key=lambda item: (
            not self._is_near(item), item not in first,
            files.index(str(item.path.relative_to(config.rootpath))),
        ))  # fmt: skip

    def _is_run(self, item: pytest.Item) -> bool:
        if PROGRAMS & {*getattr(item, "fixturenames", ())}:
            return False
        is_contract = item.path.name == CONTRACTS.name
        return not is_contract or any(name in item.name for name in self._public)

    def _is_near(self, item: pytest.Item) -> bool:
        if isinstance(item, pytest.DoctestItem):
            return True
        function = getattr(item, "function", None)
        return bool(function and self._function.search(f"{item.name} {_source(function)}"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.outcome, self.by = "killed", report.nodeid
        elif time.process_time() > self._until_s:
            self._session.shouldstop = self.outcome = "undecided"

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.outcome, self.by = "killed", report.nodeid


@cache
def _source(function: object) -> str:
    return inspect.getsource(inspect.unwrap(function))  # type: ignore[arg-type]


def steps(path: Path) -> Iterator[list[str]]:
    """Give the runs of pytest for one module: examples, own tests and contracts, then plans."""
    is_model = path.parts[0] == "models"
    yield [str(path), *own_tests(path), *[str(CONTRACTS)] * is_model]
    yield [*COMPOSITION]


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
        for name in LOADED:
            importlib.import_module(name)

    def fate(self, mutant: Mutant) -> tuple[str, str]:
        """Return the fate of a mutant, and the tests that notice it."""
        place = self.folder / mutant.path
        original = place.read_text()
        place.write_text(mutant.text)
        fates = []
        try:
            for step in steps(mutant.path):
                fate, by = self._run(step, mutant)
                if fate == "killed":
                    return fate, by
                fates.append(fate)
        finally:
            place.write_text(original)
        return ("undecided" if "undecided" in fates else "survived"), ""

    def fails_unchanged(self, tests: Collection[str]) -> list[str]:
        """List those of some tests that fail without a mutant: what they noticed is nothing."""
        nothing = Mutant(Path("models/units.py"), 0, "", "", "", "")
        return [test for test in tests if self._run([test], nothing)[0] != "passed"]

    def _run(self, step: Sequence[str], mutant: Mutant) -> tuple[str, str]:
        shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)
        receiver, sender = multiprocessing.Pipe(duplex=False)
        tests = multiprocessing.get_context("fork").Process(
            target=_tests, args=(self.folder, step, mutant, sender)
        )
        tests.start()
        sender.close()
        try:
            is_over = receiver.poll(HANGING * LIMIT_S)
            return receiver.recv() if is_over else ("undecided", "")
        except EOFError:
            return "undecided", ""
        finally:
            tests.kill()
            tests.join()


def _tests(folder: Path, step: Sequence[str], mutant: Mutant, sender: Connection) -> None:
    """Run tests in a process of their own, and send the outcome and the name of the failed one."""
    os.chdir(folder)
    sys.path[:] = [str(folder), *(entry for entry in sys.path if Path(entry).resolve() != ROOT)]
    runner = Runner(mutant, time.process_time() + LIMIT_S)
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        code = pytest.main(
            ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", *step], [runner]
        )
    is_error = code not in {0, 1, 2, 5} and runner.outcome == "passed"  # 5: nothing to run
    outcome = "killed" if is_error else runner.outcome
    sender.send((outcome, runner.by or str(code) * is_error))


def judged(results: Path | None) -> dict[str, list[str]]:
    """Read what was judged before: the last row of each place."""
    if results is None or not results.exists():
        return {}
    rows = [line.split("\t") for line in results.read_text().splitlines()]
    return {row[1]: row for row in rows}


def main() -> int:
    """Print each mutant with its fate, and the share that the tests notice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="+", help="folders or modules, such as models")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, help="file of fates, continued if it exists")
    parser.add_argument("--again", action="store_true", help="judge again what was not noticed")
    options = parser.parse_args()
    places = [
        (path, place)
        for path in modules(options.rooms)
        for place in range(len(changes(ast.parse((ROOT / path).read_text()))))
    ]
    drawn = random.Random(options.seed).sample(places, min(options.sample, len(places)))
    rows = judged(options.results)
    skipped = {key for key, row in rows.items() if row[0] == "killed" or not options.again}
    if options.again:
        drawn = [one for one in drawn if "{}#{}".format(*one) in rows]
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder))
        for path, place in drawn:
            key = f"{path}#{place}"
            if key in skipped:
                continue
            changed = mutant(path, place)
            fate, by = trial.fate(changed)
            rows[key] = [fate, key, str(changed), by]
            print(*rows[key], sep="\t", flush=True)
            if options.results:
                with options.results.open("a") as file:
                    print(*rows[key], sep="\t", file=file)
        failing = trial.fails_unchanged({row[3] for row in rows.values() if row[3]})
    fates = Counter(row[0] for row in rows.values())
    print(f"noticed: {fates['killed']} of {len(rows)}, {fates['killed'] / len(rows):.1%}; "
          f"{fates['undecided']} undecided; {len(places)} changes are possible")  # fmt: skip
    print(*(f"fails without a mutant: {test}" for test in failing), sep="\n")
    return bool(failing)


if __name__ == "__main__":
    sys.exit(main())
