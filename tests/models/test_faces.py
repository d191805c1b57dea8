"""Every public formula reaches a face, or is named as a building block with what it serves."""

import ast
import importlib
import inspect
import pkgutil
from functools import cache
from pathlib import Path

import models
from tests.models.building_blocks import BUILDING_BLOCKS

MOST = 40  # building blocks
ROOT = Path(__file__).parents[2]


def modules():
    """List the modules of the formulas, private ones too."""
    for info in pkgutil.walk_packages(models.__path__, "models."):
        if not info.name.startswith("models.simulator"):
            yield importlib.import_module(info.name)


def public_formulas():
    """Return each public formula under the name of its module."""
    return {
        f"{module.__name__.removeprefix('models.')}.{name}": getattr(module, name)
        for module in modules()
        if "._" not in module.__name__ and not hasattr(module, "__path__")
        for name in getattr(module, "__all__", ())
        if inspect.isfunction(getattr(module, name))
    }


def referred(tree, space):
    """Return the functions that code names, by itself or as attribute of a module or a class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in space:
            yield space[node.id]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield getattr(space.get(node.value.id), node.attr, None)


def is_code(part):
    return inspect.isfunction(part) or inspect.isclass(part)


@cache
def calls():
    """Return the functions of `models` that each of them names."""
    graph = {}
    for module in modules():
        space = vars(module)
        for node in ast.parse(Path(module.__file__).read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                graph[space[node.name]] = {part for part in referred(node, space) if is_code(part)}
    return graph


def named_by_the_planner():
    """Return what the modules of the planner name of `models`."""
    for path in (ROOT / "planner").rglob("*.py"):
        tree = ast.parse(path.read_text())
        space = {}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.ImportFrom)
                and (node.module or "").partition(".")[0] == "models"
            ):
                home = importlib.import_module(node.module)
                for alias in node.names:
                    part = getattr(home, alias.name, None)
                    space[alias.asname or alias.name] = part or importlib.import_module(
                        f"{node.module}.{alias.name}"
                    )
        yield from referred(tree, space)


def reaching():
    """Return every function that a face reaches, directly or through another formula."""
    known = {part for part in named_by_the_planner() if is_code(part)}
    waiting = list(known)
    while waiting:
        for part in calls().get(waiting.pop(), ()):
            if part not in known:
                known.add(part)
                waiting.append(part)
    return known


def test_every_public_formula_reaches_a_face_or_says_what_it_serves():
    known = reaching()
    apart = {name for name, formula in public_formulas().items() if formula not in known}
    assert apart == set(BUILDING_BLOCKS)
    assert all(line.strip() for line in BUILDING_BLOCKS.values())
    assert len(BUILDING_BLOCKS) <= MOST
