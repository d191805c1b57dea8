"""The house keeps its shape: rooms, arrows between them, words, one way to describe an input."""

import ast
import json
import re
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests import dialect

ROOT = Path(__file__).parents[1]
PLANNER = ROOT / "planner"
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
LAYERS = next(c["layers"] for c in CONTRACTS["contracts"] if c["type"] == "layers")
FLOOR = {room: level for level, line in enumerate(LAYERS) for room in line.split(" | ")}


def modules():
    """Return every module of the planner by its dotted name."""
    paths = (path.relative_to(ROOT).with_suffix("") for path in PLANNER.rglob("*.py"))
    return {".".join(path.parts).removesuffix(".__init__"): ROOT / path for path in paths}


def room_of(module):
    return module.split(".")[1] if module.count(".") else ""


def imported(path, known):
    """List the known modules that a module imports, at the top or within a function."""
    for node in ast.walk(ast.parse(path.with_suffix(".py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from (inner & known.keys()) | (
                {node.module} & known.keys() if inner - known.keys() else set()
            )
        elif isinstance(node, ast.Import):
            yield from {alias.name for alias in node.names} & known.keys()


@pytest.fixture(scope="module")
def imports():
    known = modules()
    return {module: set(imported(path, known)) for module, path in known.items()}


@pytest.fixture(scope="module")
def arrows(imports):
    pairs = {
        (room_of(module), room_of(other)) for module, others in imports.items() for other in others
    }
    return {(here, there) for here, there in pairs if here in FLOOR and there in FLOOR} - {
        (room, room) for room in FLOOR
    }


def sources(*folders):
    return {
        path.relative_to(ROOT): path.read_text()
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
    }


def lines_with(pattern, *folders):
    return [
        f"{path}:{number}"
        for path, text in sources(*folders).items()
        for number, line in enumerate(text.splitlines(), start=1)
        if re.search(pattern, line)
    ]


def test_the_planner_is_rooms_and_two_modules():
    flat = {path.name for path in PLANNER.glob("*.py")}
    assert flat == {"__init__.py", "__main__.py"}
    rooms = {path.parent.name for path in PLANNER.glob("*/__init__.py")}
    assert rooms == set(FLOOR)
    assert len(rooms) <= 14


def test_few_arrows_between_rooms_and_none_upwards(arrows):
    assert len(arrows) <= 100
    assert not [(here, there) for here, there in arrows if FLOOR[here] >= FLOOR[there]]


def test_a_class_name_of_the_planner_is_one_thing():
    names = re.findall(r"^class (\w+)", "\n".join(sources("planner").values()), re.MULTILINE)
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_a_plan_is_called_plan():
    """A parameter that is a plan says so; where there are two, they say which."""
    others = []
    for path, text in sources("planner").items():
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef):
                listed = (
                    *function.args.posonlyargs,
                    *function.args.args,
                    *function.args.kwonlyargs,
                )
                plans = [
                    each.arg
                    for each in listed
                    if each.annotation is not None
                    and ast.unparse(each.annotation) in ("PlanReading", "'PlanReading'")
                ]
                others += [
                    f"{path}:{function.lineno}: {name}"
                    for name in plans
                    if len(plans) == 1 and name.lstrip("_") not in ("plan", "other")
                ]
    assert others == []


OPENS_VAGUELY = re.compile(r"(Return|Say|Give|List) (what|how|which|whether)\b")


def vague_docstrings(text):
    """Yield the functions whose docstring names no object; the help of a command is a face's."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            calls = " ".join(map(ast.unparse, node.decorator_list))
            is_command = re.search(r"\b(command|group)\(", calls)
            if OPENS_VAGUELY.match(ast.get_docstring(node) or "") and not is_command:
                yield node.lineno


def test_a_docstring_names_its_object():
    places = [
        f"{path}:{line}"
        for path, text in sources("planner", "models").items()
        for line in vague_docstrings(text)
    ]
    assert places == []


@pytest.mark.parametrize(
    ("decorator", "opening", "found"),
    [("", "Return what is left.", [1]), ("", "Return the rest.", []),
     ("@click.command('x')\n", "Say how much is left.", []),
     ("@cache\n", "Say whether any is left.", [2])],
)  # fmt: skip
def test_a_docstring_without_an_object_is_noticed(decorator, opening, found):
    text = f'{decorator}def f():\n    """{opening}"""\n'
    assert [*vague_docstrings(text)] == found


@pytest.mark.parametrize(
    ("text", "patterns"),
    [('"""Return what is left of it."""', ["opens-what"]), ('"""Return the rest."""', []),
     ('print("Writes are taken to be uniform.")', ["taken-to"]),
     ('print("Writes are taken to be uniform.")  # voice: taken-to', [])],
)  # fmt: skip
def test_dialect_is_noticed(text, patterns):
    assert [hit.pattern for hit in dialect.hits_in(Path("a.py"), text)] == patterns


def test_dialect_may_only_become_rarer(tmp_path):
    (tmp_path / "a.py").write_text('"""Return what is left of it."""')
    allowed = tmp_path / "allowed.json"
    allowed.write_text("{}")
    command = [str(tmp_path), "--baseline", str(allowed)]
    assert dialect.main(command) == 1
    assert dialect.main([*command, "--write"]) == 1  # does not raise a count
    assert allowed.read_text() == "{}"
    allowed.write_text('{"opens-what a.py": 2}')
    assert dialect.main(command) == 0
    assert dialect.main([*command, "--write"]) == 0
    assert json.loads(allowed.read_text()) == {"opens-what a.py": 1}


def test_no_module_imports_itself_by_way_of_others(imports):
    TopologicalSorter(imports).prepare()  # raises with the names of a circle


@pytest.mark.parametrize("pattern", [r"\bcomposed\(", r"isinstance\([^)]*Missing", r"\.inputs\[\""])
def test_what_was_mended_does_not_come_back(pattern):
    assert not lines_with(pattern, "planner", "models")


# Whatever can change a file on the disk.
WRITES = {"write_text", "write_bytes", "touch", "savefig", "mkstemp", "NamedTemporaryFile"}
OF_SHUTIL = {"copy", "copy2", "copyfile", "copytree", "move", "rmtree"}
WRITER = Path("planner/export/files.py")
CACHE = Path("planner/catalogue/user_cache.py")  # of results that may be lost, asked for by nobody
UPLOADS = Path("planner/ui/upload_store.py")  # files given to the app, until their tab is gone


def writing(text):
    """Yield the lines of a module that can open a file for writing."""
    if not re.search(rf"\bopen\(|shutil|{'|'.join(WRITES)}", text):
        return
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        owner = getattr(getattr(node.func, "value", None), "id", "")
        if name in WRITES or (owner == "shutil" and name in OF_SHUTIL):
            yield node.lineno
        statement = [*node.args, *(word.value for word in node.keywords)] if name == "open" else []
        given = ", ".join(map(ast.unparse, statement))
        if name == "open" and owner == "os":
            if re.search(r"O_(WRONLY|RDWR|CREAT)", given) and "os.devnull" not in given:
                yield node.lineno
        elif name == "open" and re.search(r"'[rbt]*[wax+][rbt+]*'", given):
            yield node.lineno


@pytest.mark.parametrize(
    "text",
    [
        "open(name, 'w')", "path.open('xb')", "path.open(mode='r+')", "path.write_text(text)",
        "path.write_bytes(b'')", "os.open(name, os.O_WRONLY)", "shutil.copyfile(one, other)",
    ],
)  # fmt: skip
def test_what_opens_a_file_for_writing_is_noticed(text):
    assert [*writing(text)] == [1]


def test_one_module_opens_files_for_writing_and_one_those_of_the_cache():
    code = sources("planner", "models", "validation")
    assert {path for path, text in code.items() if [*writing(text)]} == {WRITER, CACHE, UPLOADS}


# Modules that read tables of this package, or files that this program wrote; nothing from outside.
OWN_FILES = {
    "models/nomenclature.py", "models/simulator/driver.py", "models/simulator/small_drive.py",
    "planner/catalogue/classes.py", "planner/catalogue/model_error.py",
    "planner/catalogue/stored.py", "planner/catalogue/user_cache.py", "planner/cli/kept_runs.py",
    "planner/catalogue/price_curve.py", "planner/catalogue/priors.py",
    "planner/catalogue/priors_flash.py", "planner/catalogue/rows.py", "planner/export/files.py",
    "planner/scenario/terms.py", "planner/search/choose/rules.py",
    "planner/sections/read_error.py", "planner/ui/guard.py", "planner/ui/how_right.py",
    "planner/ui/reports.py", "planner/ui/theme.py", "planner/ui/upload_store.py",
}  # fmt: skip
DOOR = "planner/quantity/door/"
# Modules of fleets, which compute with Arrow's arrays of the rows that the door has read.
FLEETS = {f"planner/forecast/fleet/{name}.py" for name in ("buckets", "files", "tables")}
# Modules that exchange pickles with the reader processes.
EXCHANGE = {"planner/ui/job.py"}
OPENS = {
    "FileIO", "FileInput", "fdopen", "fromfile", "genfromtxt", "getlines", "loadtxt", "memmap",
    "mmap", "open", "open_code", "opened", "read_bytes", "read_text",
}  # fmt: skip
# Libraries that read files or unpack and parse their bytes; nobody else imports them.
LIBRARIES = {
    "bz2", "configparser", "dbm", "defusedxml", "duckdb", "fileinput", "gzip", "h5py", "linecache",
    "lxml", "lzma", "marshal", "openpyxl", "pickle", "plistlib", "polars", "pyarrow", "shelve",
    "sqlite3", "tarfile", "tomllib", "xlrd", "xml", "yaml", "zipfile", "zstandard",
}  # fmt: skip
PARSES = {
    "csv": {"reader", "DictReader"}, "json": {"load", "loads", "JSONDecoder"},
    "zlib": {"decompress", "decompressobj"}, "np": {"load"}, "numpy": {"load"},
    "": {"ZipFile", "GzipFile", "load_workbook", "CompressedInputStream", "ParquetFile", "loads",
         "DictReader", "JSONDecoder", "raw_decode", "unpack_archive"},
}  # fmt: skip


def libraries(node):
    """Return the packages that a statement imports, by name or by a constant."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = [node.module or ""] if not node.level else []
    elif isinstance(node, ast.Call) and node.args:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        is_import = name in ("import_module", "__import__")
        constant = getattr(node.args[0], "value", "") if is_import else ""
        names = [constant] if isinstance(constant, str) else []
    else:
        names = []
    return {name.partition(".")[0] for name in names}


def entering(text):
    """Yield the lines of a module that open a file, and those that unpack or parse one."""
    for node in ast.walk(ast.parse(text)):
        if libraries(node) & LIBRARIES:
            yield node.lineno, "parses"
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        owner = getattr(node.func, "value", None)
        of = getattr(owner, "attr", getattr(owner, "id", ""))
        is_table = name.startswith("read_") and of in ("pd", "pandas", "csv", "pq", "parquet")
        if is_table or name in PARSES.get(of, set()) | PARSES[""]:
            yield node.lineno, "parses"
        elif name in OPENS and not (name == "open" and of == "os" and "O_WRONLY" in ast.dump(node)):
            yield node.lineno, "opens"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("open(name)", "opens"), ("path.open('rb')", "opens"), ("path.read_text()", "opens"),
        ("Path(name).read_bytes()", "opens"), ("os.open(name, os.O_RDONLY)", "opens"),
        ("io.FileIO(name)", "opens"), ("door.opened(name)", "opens"), ("io.open(name)", "opens"),
        ("codecs.open(name)", "opens"), ("np.fromfile(name)", "opens"),
        ("np.loadtxt(name)", "opens"), ("mmap.mmap(number, 0)", "opens"),
        ("json.loads(text)", "parses"), ("json.JSONDecoder().decode(text)", "parses"),
        ("csv.DictReader(lines)", "parses"), ("csv.reader(lines)", "parses"),
        ("zlib.decompress(data)", "parses"), ("np.load(path)", "parses"),
        ("ZipFile(path)", "parses"), ("shutil.unpack_archive(path)", "parses"),
        ("load_workbook(path)", "parses"), ("pd.read_csv(path)", "parses"),
        ("pd.read_excel(path)", "parses"), ("pandas.read_parquet(path)", "parses"),
        ("pyarrow.csv.read_csv(path)", "parses"), ("pq.read_table(path)", "parses"),
        ("pyarrow.parquet.ParquetFile(path)", "parses"),
        ("import duckdb", "parses"), ("import pyarrow.parquet as pq", "parses"),
        ("from pyarrow import csv", "parses"), ("from openpyxl import load_workbook", "parses"),
        ("import gzip", "parses"), ("from lzma import LZMAFile", "parses"),
        ("from zipfile import ZipFile", "parses"), ("import xml.etree.ElementTree", "parses"),
        ("import pickle", "parses"), ("importlib.import_module('polars')", "parses"),
        ("__import__('yaml')", "parses"),
    ],
)  # fmt: skip
def test_what_opens_or_parses_a_file_is_noticed(text, what):
    assert what in {found for _, found in entering(text)}


@pytest.mark.parametrize(
    "text",
    ["parsed(function, path)", "json.dumps(value)", "csv.writer(stream)", "zlib.crc32(data)",
     "import zlib", "from html import escape", "csv_rows(lines)", "os.open(name, os.O_WRONLY)",
     "read_quotes(tables)", "from planner.quantity.door.tables import parquet"],
)  # fmt: skip
def test_what_writes_or_asks_the_door_is_not(text):
    assert [*entering(text)] == []


def strangers(code):
    """Return the modules that open, unpack or parse files and are not of the door."""
    found = {path.as_posix() for path, text in code.items() if [*entering(text)]}
    return {path for path in found if not path.startswith(DOOR)} - EXCHANGE - FLEETS - OWN_FILES


def test_files_from_outside_pass_one_door():
    """A module that opens, unpacks or parses files is of the door, or is named here."""
    code = sources("planner", "models")
    assert strangers(code) == set()
    named = EXCHANGE | FLEETS | OWN_FILES
    assert {path for path in named if not [*entering(code[Path(path)])]} == set()


def test_modules_of_fleets_compute_with_arrow_and_read_nothing_by_it():
    code = sources("planner")
    imported = set(re.findall(r"import (pyarrow[\w.]*)", "".join(code[Path(at)] for at in FLEETS)))
    assert imported == {"pyarrow", "pyarrow.compute"}


@pytest.mark.parametrize(
    "text",
    [
        "from pathlib import Path\n\ndef read(path):\n    return Path(path).read_text()\n",
        "def read(path):\n    import gzip\n    return gzip.open(path).read()\n",
        "import json\n\ndef read(text):\n    return json.loads(text)\n",
        "import pandas as pd\n\ndef read(path):\n    return pd.read_excel(path)\n",
        "from planner.quantity import door\n\ndef read(path):\n    return door.opened(path)\n",
    ],
)
def test_a_new_module_that_reads_files_is_noticed(text):
    code = sources("planner", "models")
    new = Path("planner/telemetry/new_format.py")
    assert strangers(code | {new: text}) == {new.as_posix()}
