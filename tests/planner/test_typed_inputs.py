"""A type checker knows the inputs and answers of scripts: 30 calls that are right, 30 wrong."""

from pathlib import Path

import pytest

from tests import typed_inputs

PLAN = 'ssd.plan("PM9A3 1.92"'
RIGHT = (
    'ssd.plan("PM9A3 1.92")',
    f'{PLAN}, writes="1 TB/day")',
    f'{PLAN}, writes=(46, "MB/s"))',
    f'{PLAN}, writes=ssd.app("etcd", puts_per_s=50).writes)',
    f'{PLAN}, reads=0.7, sequential="30%")',
    f'{PLAN}, drives=8, raid=6)',
    f'{PLAN}, raid="ec:4+2", drives="8")',
    f'{PLAN}, spare=0.07, known_only=True)',
    f'{PLAN}, step=["x2 after 1 years"])',
    f'{PLAN}, price=400.0, years=7)',
    'ssd.plan(capacity="1.92TB", raw="2TiB", pe_cycles=3000)',
    'ssd.plan("870 EVO 1TB", app="etcd", app_inputs={"puts_per_s": 50})',
    f'{PLAN}).life.low + 1.0',
    f'{PLAN}).speed().p99_read.high',
    f'{PLAN}).array(depth=32).iops',
    f'{PLAN}).loss(years=5, afr="1%").loss',
    f'{PLAN}).cost_of(years=7, discount_rate="8%").cost',
    'ssd.sweep("PM9A3 1.92", writes=["1 TB/day", "2 TB/day"]).columns',
    'ssd.compare(["PM9A3 1.92", "870 EVO 1TB"], writes="1 TB/day").index',
    'ssd.choose(["PM9A3 1.92"], usable="4 TB")[0].usable',
    'ssd.size("PM9A3 1.92", "spare", life="5 years").value',
    'ssd.read("smart.json", "old.json").drives[0].host_writes.low',
    'ssd.plan(**ssd.read("trace.csv").inputs).wa',
    'ssd.wa("trace.csv", "PM9A3 1.92", simulate=True, spare=0.1).lasting.high',
    'ssd.uncertainty("PM9A3 1.92", {"writes": "1..2..4 TB/day"}, drives=4).life.low',
    'ssd.uncertainty("PM9A3 1.92").chance("life", at_least="5 years").base',
    'ssd.fleet("*.json", lead=(8, "days")).to_frame().index',
    'ssd.app("etcd", puts_per_s=50).writes.base',
    'ssd.least_regret(["PM9A3 1.92", "870 EVO 1TB"], {"writes": "1..2..4 TB/day"}).columns',
    'ssd.fit("PM9A3 1.92", "result.json", spare=0.1).plan.wa',
    'list(ssd.plan("PM9A3 1.92").keys())[0].upper()',
)  # fmt: skip
WRONG = (
    (f'{PLAN}, write="1 TB/day")', 'did you mean "writes"'),
    (f'{PLAN}, read=0.7)', 'did you mean "reads"'),
    (f'{PLAN}, driver=8)', 'did you mean "drives"'),
    (f'{PLAN}, sparse=0.1)', 'did you mean "spare"'),
    (f'{PLAN}, growt="20%")', 'did you mean "growth"'),
    (f'{PLAN}, price_usd=4)', 'Unexpected keyword argument'),
    (f'{PLAN}, writes=46e6)', '"writes" to "plan" has incompatible type "float"'),
    (f'{PLAN}, writes=["1 TB/day", "2 TB/day"])', '"writes" to "plan" has incompatible type'),
    (f'{PLAN}, drives=[4, 8])', '"drives" to "plan" has incompatible type'),
    (f'{PLAN}, raid=5.5)', '"raid" to "plan" has incompatible type "float"'),
    (f'{PLAN}, known_only="yes")', '"known_only" to "plan" has incompatible type "str"'),
    (f'{PLAN}, size=4096)', '"size" to "plan" has incompatible type "int"'),
    (f'{PLAN}, skew=0.9)', '"skew" to "plan" has incompatible type "float"'),
    (f'{PLAN}, phase_in=6)', '"phase_in" to "plan" has incompatible type "int"'),
    ('ssd.plan(12)', 'Argument 1 to "plan" has incompatible type "int"'),
    (f'{PLAN}).life.lowest', '"Number" has no attribute "lowest"'),
    (f'{PLAN}).lfie', '"Plan" has no attribute "lfie"'),
    (f'{PLAN}).loss(year=5)', 'Unexpected keyword argument "year"'),
    ('ssd.size("PM9A3 1.92", "spear", life="5 years")', 'Argument 2 to "size"'),
    ('ssd.choose(["PM9A3 1.92"], minimise="weight")', '"minimise" to "choose" has incompatible'),
    ('ssd.uncertainty("PM9A3 1.92", {"writes": "1..2..4 TB/day"}, drive_s=4)',
     'Unexpected keyword argument "drive_s"'),
    ('ssd.uncertainty("PM9A3 1.92", {"writes": 5})', 'Dict entry 0 has incompatible type'),
    ('ssd.least_regret(["PM9A3 1.92"], seed="none")', '"seed" to "least_regret" has incompatible'),
    ('ssd.fit("PM9A3 1.92", "result.json", write="1 TB/day")', 'did you mean "writes"'),
    ('ssd.read(12)', 'Argument 1 to "read" has incompatible type "int"'),
    ('ssd.fleet("*.json", leads="8 days")', 'did you mean "lead"'),
    ('ssd.app(50)', 'Argument 1 to "app" has incompatible type "int"'),
    ('ssd.wa("trace.csv", "PM9A3 1.92", layout=3)', '"layout" to "wa" has incompatible type "int"'),
    ('ssd.plann("PM9A3 1.92")', 'Module has no attribute "plann"'),
    (f'{PLAN}).cost_of(discount=0.08)', 'did you mean "discount_rate"'),
)  # fmt: skip


def test_the_typed_inputs_are_those_of_the_table():
    path = Path(typed_inputs.__file__).parents[1] / "planner" / "script" / "typed_inputs.py"
    assert path.read_text() == typed_inputs.written(), "run `make typed-inputs`"


def test_a_type_checker_accepts_right_calls_and_names_what_is_wrong(tmp_path):
    api = pytest.importorskip("mypy.api", reason="`make check` installs mypy")
    lines = ["import planner as ssd", *RIGHT, *(call for call, _ in WRONG)]
    script = tmp_path / "calls.py"
    script.write_text("\n".join(lines) + "\n")
    options = ["--no-error-summary", "--hide-error-context", "--follow-imports=silent"]
    told, errors, _ = api.run([str(script), *options, f"--cache-dir={tmp_path / 'cache'}"])
    assert errors == ""
    found = {}
    for line in told.splitlines():
        _, number, kind, text = (line.split(":", 3) + [""] * 4)[:4]
        if kind.strip() == "error":
            found[int(number)] = text
    first_wrong = 2 + len(RIGHT)
    assert min(len(RIGHT), len(WRONG)) >= 20
    assert not [text for number, text in found.items() if number < first_wrong]
    for place, (call, sentence) in enumerate(WRONG):
        assert sentence in found.get(first_wrong + place, ""), call
