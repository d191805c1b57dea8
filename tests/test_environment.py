"""Where the project runs and is checked: versions of Python, and the libraries that it locks."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import audit

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text()
SOUND = {"name": "numpy", "version": "2.0", "vulns": []}
WEAK = {"name": "click", "version": "8.0", "vulns": [{"id": "CVE-1", "fix_versions": ["8.1"]}]}
SKIPPED = {"name": "scipy", "skip_reason": "not on PyPI"}


def make(*arguments):
    """Run make by itself, whatever make runs these tests."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def reported(libraries):
    """Return what `audited` makes of the answer of a program in the place of pip-audit."""
    printed = json.dumps({"dependencies": libraries, "fixes": []})
    return audit.audited([sys.executable, "-S", "-c", f"print({printed!r}); exit(1)"])


def test_a_weak_library_is_named_with_what_mends_it(capsys):
    assert audit.audit("a.txt", reported([SOUND, WEAK, SKIPPED])) == 1
    assert capsys.readouterr().out.splitlines() == [
        "a.txt: click 8.0: CVE-1, mended in 8.1",
        "a.txt: nothing is known of scipy",
        "a.txt: 2 libraries audited, 1 weak",
    ]
    assert audit.audit("a.txt", reported([SOUND])) == 0


@pytest.mark.parametrize("libraries", [None, [SKIPPED, SKIPPED]])
def test_an_audit_without_data_says_so(capsys, libraries):
    """pip-audit ends with 0 where it can look nothing up."""
    silent = [sys.executable, "-S", "-c", "exit('no network')"]
    got = audit.audited(silent) if libraries is None else reported(libraries)
    assert audit.audit("a.txt", got) == 0
    statement = "a.txt: not audited: the data of pip-audit cannot be reached from here\n"
    assert capsys.readouterr().out == statement


def test_the_matrix_begins_with_the_oldest_python_that_is_accepted():
    pythons = re.search(r"^PYTHONS \?= (.+)$", MAKEFILE, re.MULTILINE)[1].split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={pythons[0]}"
    assert pythons == ["3.11", "3.12", "3.13"]


def matrix(script, *pythons):
    """Run the rule of the matrix with a program in the place of uv."""
    rule = make("--dry-run", "--always-make", "matrix", f"PYTHONS={' '.join(pythons)}").stdout
    lines = rule[rule.index("failed=;") :].replace(".venv/bin/uv", str(script))
    return subprocess.run(["sh", "-c", lines], cwd=script.parent, capture_output=True, text=True,
                          check=False)  # fmt: skip


@pytest.fixture
def uv(tmp_path):
    """A program that has Python 3.11 and 3.12, of which the second fails its tests."""
    script = tmp_path / "uv"
    script.write_text("""#!/bin/sh
for last; do :; done
case "$1 $last" in
  venv*3.13) exit 2;;
  venv*) mkdir -p $last/bin; echo '#!/bin/sh' > $last/bin/python
    case $last in *3.12) echo 'exit 1' >> $last/bin/python;; esac
    chmod +x $last/bin/python;;
esac
""")
    script.chmod(0o755)
    return script


def test_a_python_that_is_not_to_be_had_is_skipped_with_its_reason(uv):
    run = matrix(uv, "3.11", "3.13")
    assert run.returncode == 0
    assert "Python 3.13: skipped: it is not here and cannot be fetched" in run.stdout


def test_a_python_on_which_tests_fail_fails_the_matrix_at_its_end(uv):
    run = matrix(uv, "3.12", "3.11")
    assert run.returncode != 0
    assert run.stdout.splitlines()[-1] == "failed on: 3.12"
    assert "Python 3.11: passed" in run.stdout


def test_a_python_that_is_too_old_is_named(tmp_path):
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\ncase $* in *version_info*) exit 1;; esac\necho 3.9.2\n")
    old.chmod(0o755)
    run = make("setup", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}")
    assert run.returncode != 0
    assert f"{old} is older than Python 3.11; name another: make PYTHON=..." in run.stdout
