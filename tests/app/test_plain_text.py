"""Text from outside is drawn as text: every screen, and the one function that sees to it."""

import ast
import re
from dataclasses import replace

import pytest

from planner.catalogue import find, load
from planner.quantity.inputs import INPUTS
from planner.ui import state
from planner.ui.plain import MOST_CHARACTERS, bullets, plain
from planner.ui.plan import PARTS
from tests import synthetic_drives as made
from tests.app.conftest import APP
from tests.app.test_screens import PAGES

MODULES = [APP, *sorted(APP.parent.glob("planner/ui/*.py"))]
SCREENS = [path for path in MODULES if re.search(r"^import streamlit\b", path.read_text(), re.M)]
# What Streamlit draws as markdown: by method, how many of the first arguments.
MARKDOWN = {
    "markdown": 1, "write": 9, "caption": 1, "error": 1, "warning": 1, "info": 1, "success": 1,
    "header": 1, "subheader": 1, "title": 1, "metric": 3, "expander": 1, "progress": 0, "tabs": 1,
    "toast": 1, "status": 1, "spinner": 1, "popover": 1, "button": 1, "download_button": 1,
    "link_button": 1, "toggle": 1, "checkbox": 1, "radio": 1, "selectbox": 1, "multiselect": 1,
    "slider": 1, "select_slider": 1, "text_input": 1, "text_area": 1, "number_input": 1,
    "date_input": 1, "file_uploader": 1, "pills": 2, "segmented_control": 2, "table": 1,
    "latex": 1, "html": 1, "badge": 1,
}  # fmt: skip
NAMED = {"help", "label", "body", "value", "delta", "text", "captions", "unsafe_allow_html"}
SAFE_CALLS = {"plain", "bullets", "cell"}
OWN = {"page.equation", "part.own_markdown"}  # formulas of the program's own source, drawn as LaTeX
HOSTILE = (
    "![a](http://127.0.0.1:9/x) <img src=http://127.0.0.1:9/y> $\\href{javascript:a}{b}$ "
    "[c](javascript:d) :red[e] :smile: www.example.com # *f* `g` ~h~ | i"
)


def is_text(node, names=frozenset()):
    """Whether an argument can only be the program's own text, numbers, or plain text."""
    match node:
        case ast.JoinedStr(values=parts) | ast.BoolOp(values=parts) | ast.Tuple(elts=parts):
            return all(is_text(part, names) for part in parts)
        case ast.FormattedValue():
            spec = "" if node.format_spec is None else ast.unparse(node.format_spec)
            return bool(re.search(r"[,dfg%]'$", spec)) or is_text(node.value, names)
        case ast.IfExp():
            return is_text(node.body, names) and is_text(node.orelse, names)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return name in names or name.isupper()
        case ast.Call():
            return is_made_plain(node, names)
    own = isinstance(node, ast.Constant) or ast.unparse(node) in OWN
    return own or getattr(node, "attr", "").isupper()


def is_made_plain(call, names):
    if isinstance(call.func, ast.Name):
        return call.func.id in SAFE_CALLS
    if isinstance(call.func, ast.Attribute) and call.func.attr == "join":
        return all(
            isinstance(part, ast.GeneratorExp | ast.ListComp) and is_text(part.elt, names)
            for part in call.args
        )
    if isinstance(call.func, ast.Attribute) and call.func.attr == "map":
        return len(call.args) == 1 and ast.unparse(call.args[0]) in SAFE_CALLS
    return False


def plain_names(function):
    """Names that a function gives nothing but such text to."""
    given = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            given.setdefault(node.targets[0].id, []).append(node.value)
    return frozenset(
        name for name, values in given.items() if all(is_text(value) for value in values)
    )


def unescaped(source):
    """List the calls that draw as markdown what may come from outside."""
    tree = ast.parse(source)
    scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = {}
    for scope in scopes:
        inside |= dict.fromkeys(ast.walk(scope), plain_names(scope))
    found = []
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        of = ast.unparse(call.func.value)
        if call.func.attr not in MARKDOWN or of.startswith("self.") or of.endswith("_frames"):
            continue
        first = call.args[: MARKDOWN[call.func.attr]]
        if call.func.attr == "progress" or ast.unparse(call.func) == "bar.progress":
            first = call.args[1:]
        named = [part.value for part in call.keywords if part.arg in NAMED]
        drawn = [part for part in (*first, *named) if not is_text(part, inside.get(call, ()))]
        found += [f"line {part.lineno}: {ast.unparse(part)}" for part in drawn]
    return found


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: path.stem)
def test_screens_draw_nothing_from_outside_as_markdown(path):
    assert unescaped(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    ["st.error(name)", 'st.caption(f"{drive.name}: {1:.3g}")', "a.metric('a', b)",
     "st.info('\\n'.join(f'- {a}' for a in b))", "st.markdown('a', help=b.c)", "st.table(frame)",
     "def f(a):\n    b = a\n    st.caption(b)", "bar.progress(0.1, name)"],
)  # fmt: skip
def test_a_screen_that_does_is_noticed(source):
    assert unescaped(source)


@pytest.mark.parametrize(
    "text",
    ["![a](http://b/c)", "[a](javascript:b)", "<img src=a>", "<script>", "$\\href{a}{b}$", "*a*",
     "**a**", "`a`", "~~a~~", "# a", "> a", "- a", "+ a", "1. a", "1) a", "---", "===", "a|b",
     "&lt;", ":red[a]", ":material/home:", ":smile:", ":+1:", "https://a.b", "www.a.b", "a@b.cd",
     "a -> b", "a -- b", "a <-> b", "    a", "a\n# b", "[a]: http://b", "_a_", "\\", "::a",
     ":100:"],
)  # fmt: skip
def test_every_form_of_markdown_is_taken_apart(text):
    drawn = plain(text)
    assert drawn != text
    read = re.sub(r"\\(?=[^a-z0-9\s])", "", drawn).replace("\u2060", "")
    assert read == re.sub(r"\\(?=[^a-z0-9\s])", "", " ".join(text.split()))


@pytest.mark.parametrize("text", ["4 TB/day", "a.json: line 1: no", "-5 %", "12:30", "1 >= 2"])
def test_what_is_no_markdown_stays(text):
    assert plain(text) == text


def test_control_characters_are_written_out_and_long_texts_are_cut():
    assert plain("a\x1b[2J\u202eb\x00") == "a\\\\u001b\\[2J\\\\u202eb\\\\u0000"
    assert len(plain("x" * 10**7)) < MOST_CHARACTERS + 10


def test_a_line_of_a_list_stays_one():
    assert bullets(["a\n- b\n\n# c"]) == "- a - b # c"


def drawn(app):
    """Everything on a screen that Streamlit draws as markdown."""
    elements = [element for place in (app.main, app.sidebar) for element in walked(place)]
    for element in elements:
        if element.type == "table":
            yield from (cell for row in element.value.itertuples() for cell in row[1:])
        proto = getattr(element, "proto", None)
        for name in ("body", "label", "help", "delta", "text"):
            statement = getattr(proto, name, "")
            if isinstance(statement, str) and statement:
                yield statement


def walked(block):
    for child in getattr(block, "children", {}).values():
        yield child
        yield from walked(child)


# Markdown that Streamlit would act on, beyond what a backslash or a joiner took apart.
ACTS = re.compile(
    r"(?<!\\)(?:!\\?)?\[[^\]]*(?<!\\)\]\(|(?<!\\)<\w|(?<!\\)\$|:(?:red|smile)|http://|(?<!\\)`"
)


def assert_nothing_acts(app):
    assert not app.exception
    acting = [
        statement for statement in drawn(app) if "127.0.0.1" in statement and ACTS.search(statement)
    ]
    assert acting == []


def hostile_smart():
    attributes = [(251, HOSTILE, 100, 5), (241, "Total_LBAs_Written", 99, 5)]
    return made.encoded(made.sata_json(HOSTILE, attributes=attributes))


def test_hostile_files_are_named_and_quoted_as_text(open_app):
    app = open_app().switch_page("planner/ui/measure.py").run()
    parts = [
        (f"{HOSTILE}.json", hostile_smart(), "text/plain"),
        (f"{HOSTILE}.csv", HOSTILE.encode(), "text/plain"),
        (f"{HOSTILE}.trace", b"time_us,op,offset,size\n0,W,0,4096\n1,W,4096,4096\n", "text/plain"),
    ]
    app.file_uploader(key="files").set_value(parts).run()
    assert any("127.0.0.1" in statement for statement in drawn(app))
    assert_nothing_acts(app)


def test_hostile_links_are_refused_as_text_on_every_screen(open_app):
    app = open_app(**dict.fromkeys(INPUTS, HOSTILE), drive=HOSTILE, nonsense=HOSTILE, like=HOSTILE)
    for page in PAGES:
        app.switch_page(str(page)).run()
        assert any("127.0.0.1" in statement for statement in drawn(app))
        assert_nothing_acts(app)


def hostile_drive():
    """An example with its name, and the notes of its facts, from a stranger."""
    drive = find(load(), "845DC PRO 400")
    facts = {
        name: replace(fact, note=HOSTILE, kind="estimate") for name, fact in drive.facts.items()
    }
    return replace(drive, model=HOSTILE, facts=facts)


def test_hostile_names_of_drives_are_text_on_every_screen(open_app, monkeypatch):
    monkeypatch.setattr(state, "chosen", hostile_drive)
    app, quoted = open_app(), 0
    for page in (*PAGES, *PARTS):
        if page in PARTS:
            app = open_app(part=page)
        else:
            app.switch_page(str(page)).run()
        quoted += any("127.0.0.1" in statement for statement in drawn(app))
        assert_nothing_acts(app)
    assert quoted > 1
