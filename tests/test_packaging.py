"""Installed from a wheel, in any folder, the library and its data are all there."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("models", "planner", "validation")
SOURCES = (*PACKAGES, "data", "pyproject.toml", "README.md", "LICENSE")
DRIVES = len((ROOT / "data" / "drives.csv").read_text().splitlines()) - 1
ASK = "from planner.catalogue import load; print(len(load().drives), load().problems)"


def run(*arguments, **options):
    return subprocess.run(
        [str(argument) for argument in arguments], check=True, capture_output=True, text=True,
        timeout=300, **options,
    )  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    source = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        run("cp", "-r", ROOT / name, source)
    out = tmp_path_factory.mktemp("wheel")
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--quiet",
        "-w",
        out,
        source,
    )
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """An environment that borrows the libraries of this one, but not the checkout."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin"


def test_the_wheel_holds_every_package_and_the_data(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    modules = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    assert modules <= held
    assert {"models/py.typed", "planner/py.typed"} <= held
    assert {"models/nomenclature.csv", "models/simulator/stored_runs.npz"} <= held
    tables = {f"planner/data/{path.name}" for path in (ROOT / "data").glob("*.csv")}
    assert tables <= held


def install(environment, *arguments):
    run(environment / "python", "-m", "pip", "install", "--no-deps", "--quiet", *arguments)


def test_the_catalogue_is_found_from_an_installed_wheel(wheel, environment, tmp_path):
    install(environment, wheel)
    got = run(environment / "python", "-c", ASK, cwd=tmp_path).stdout
    assert got == f"{DRIVES} ()\n"
    told = run(environment / "ssd-planner", "plan", "--drive", "840 EVO 250", cwd=tmp_path).stdout
    assert told.startswith("Samsung 840 EVO 250 GB")


def test_the_catalogue_is_found_from_an_editable_install(environment, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for name in SOURCES:
        run("cp", "-r", ROOT / name, source)
    install(environment, "--no-build-isolation", "-e", source)
    got = run(environment / "python", "-c", ASK, cwd="/").stdout
    assert got == f"{DRIVES} ()\n"


def test_importing_the_formulas_pulls_in_no_faces():
    code = "import sys, models.endurance; print({'pandas', 'streamlit'} & set(sys.modules))"
    assert run(sys.executable, "-c", code, cwd=ROOT).stdout == "set()\n"
