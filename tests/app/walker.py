"""Random walks over the app: a control of any kind at each step, and what must hold after it."""

import random
from typing import Any, NamedTuple

from streamlit.testing.v1 import AppTest

from planner.quantity.link import KEYS
from planner.ui import application as load_of
from planner.ui import state
from planner.ui.verdict import GREYED
from tests import synthetic_drives as made
from tests import synthetic_fio as fio
from tests.app.conftest import APP

PLACES = {
    "plan": "Plan", "choose": "Choose", "compare": "Compare", "measure": "My drive",
    "drives": "Drives", "how_right": "Accuracy",
}  # fmt: skip
# Controls that each place has, whatever was typed; other places have their own at least.
ALWAYS = {
    "Plan": {"drives", "drive", "years", "box", "undo", "redo", "part"},
    "Compare": {"drives", "drive", "years", "box", "undo", "redo"},
    "Choose": {"years", "like", "least", "undo", "redo"},
    "Drives": {"drive", "search", "undo", "redo"},
    "My drive": {"what"}, "Accuracy": {"report"},
}  # fmt: skip
SENTENCES = ("LASTS", "WORST SECOND", "SAFE", "COST", "NEXT")
DRIVES = (
    "Samsung 870 EVO 1 TB", "Samsung PM9A3 3.84 TB", "Samsung 870 QVO 4 TB",
    "Samsung 845DC PRO 400 GB", "Micron 7450 PRO 3.84 TB", "Intel Optane 905P 480 GB",
    "Samsung 840 EVO 250 GB", "Intel DC S3500 480 GB", state.OWN, "870 evo 2tb", "no such drive",
    "pm9a3",
)  # fmt: skip
BAD = ("4 apples", "-1", "nan", "1e400", "0", "", "<b>x</b>", "1,234")
TEXTS = {
    "drives": ("1", "2", "3", "4", "6", "12", "0", "1000000"),
    "writes": ("4TB", "30 GB", "1 TB/day", "0.3 DWPD", "100 MB/s 8 h a day", "0 GB/day", "40 Gb",
               "35 TB in 270 days"),
    "years": ("3 years", "5", "10 years", "6 months", "0"),
    "capacity": ("2 TB", "500 GB"), "spare": ("0%", "7%", "28%", "99%"),
    "search": ("7450", "870 evo", "nothing"), "like": ("870 EVO", "PM9A3", "nothing"),
    "box": (
        "two Samsung 870 EVO 4 TB in a mirror, 40 GB a day, five years",
        "4x pm9a3 3.84tb raid10, 2 TB a day", "990 pro 1tb 35 TB in 270 days",
        "PostgreSQL, 2.5 TB a day on 2x 7450 PRO 1.92", "870 EVO 1TB, 40 Gb a day", "12 drives",
        "colourless green ideas", "",
    ),
}  # fmt: skip
LINKS = (
    {}, {"writes": "4TB"}, {"growth": "20%"}, {"drives": "12", "raid": "10"},
    {"drives": "3", "raid": "10"}, {"app": "postgres-oltp"}, {"app": "etcd; video"},
    {"drive": "PM9A3 3.84", "drives": "4", "raid": "5", "writes": "2 TB/day"},
    {"drive": "foo", "writes": "4", "raid": "9", "colour": "red"},
    {"q": TEXTS["box"][0]}, {"q": TEXTS["box"][4]}, {"keep": "3 copies on 5 hosts"},
    {"afr": "40%", "uber": "1e-12"}, {"written": "100 TB", "age": "2 years"},
    {"years": "3 years", "reads": "30.5 %", "hot_spares": "1"},
)  # fmt: skip
FILES = {
    "smart.json": made.encoded(made.nvme_json(log=made.nvme_log(used=40, units=300_000_000))),
    "fio.json": fio.encoded(fio.run(fio.reads(1, 9_500))),
    "notes.txt": b"nothing that is read",
}
OPENED = ("advanced", "how_sure", "needed", "placements", "courses", "heat", "beside", "share",
          "terms", "front_open", "tested")  # fmt: skip
SLOW = ("simulate_speed", "run ")  # buttons of simulations that take minutes
SELDOM = 0.1  # of the steps at most go to Choose, where a step takes seconds


class Step(NamedTuple):
    """What is done, to which control, with which value."""

    act: str
    key: str
    value: Any = None

    def __str__(self):
        return f"{self.act} {self.key}" + ("" if self.value is None else f": {self.value!r}")


class Walk:
    """An app under test, and the figures that it showed of each scenario."""

    def __init__(self, figures):
        self._figures, self.seen, self.compared = figures, {}, 0
        self.app = AppTest.from_file(APP, default_timeout=600)
        figures.drawn.clear()
        self.app.run()

    @property
    def _state(self):
        return self.app.session_state._state._state.filtered_state

    # What can be done ---------------------------------------------------------------------------

    def offered(self, chance):
        """Return steps that the screen offers, of each kind of control one at least."""
        steps = [
            *self._texts(chance), *self._boxes(chance), *self._values(chance),
            *self._buttons(chance), *self._drawers(chance), *self._files(chance),
            Step("link", "", tuple(chance.choice(LINKS).items())),
        ]  # fmt: skip
        away = [name for name in PLACES if name != "choose"]
        goes = [Step("go", chance.choice(away))]
        if chance.random() < SELDOM:
            goes.append(Step("go", "choose"))
        return steps + goes * (len(steps) if self._state["place"] == "Choose" else 1)

    def _texts(self, chance):
        if fields := _usable(self.app.text_input):
            one = chance.choice(fields)
            pool = TEXTS.get(one.key) or _examples(one.key)
            yield from [Step("text_input", one.key, chance.choice((*pool, chance.choice(BAD))))] * 3

    def _boxes(self, chance):
        if boxes := _usable(self.app.selectbox):
            for one in (chance.choice(boxes), *(each for each in boxes if each.key == "drive")):
                step = Step("selectbox", one.key or one.label, chance.choice(_options(one)))
                yield from [step] * 2

    def _values(self, chance):
        kinds = ("button_group", "radio", "multiselect", "select_slider", "slider", "toggle",
                 "checkbox")  # fmt: skip
        for kind in kinds:
            if those := [each for each in _usable(self.app.get(kind)) if each.key]:
                one = chance.choice(those)
                yield Step(kind, one.key, _value(kind, one, chance))

    def _buttons(self, chance):
        if buttons := [
            each for each in _usable(self.app.button) if not str(each.key).startswith(SLOW)
        ]:
            one = chance.choice(buttons)
            yield from [Step("button", one.key or one.label)] * 2

    def _drawers(self, chance):
        opened = [key for key in map(str, self._state) if key in OPENED
                  or key.startswith(("explain ", "drawer "))]  # fmt: skip
        if opened:
            key = chance.choice(sorted(opened))
            yield from [Step("open", key, not self._state[key])] * 2

    def _files(self, chance):
        if any(each.key == "files" for each in self.app.file_uploader):
            yield from [Step("file", "files", chance.choice([*FILES]))] * 2

    # Doing it -----------------------------------------------------------------------------------

    def do(self, step):
        """Do a step, unless the screen does not offer it."""
        self._figures.drawn.clear()
        for box in self.app.selectbox:  # an app under test knows no new option of a box
            _offer(box, box.value)
        act, key, value = step
        if act == "go":
            self.app.switch_page(f"planner/ui/{key}.py").run()
        elif act == "link":
            self.app.query_params.clear()
            self.app.query_params.update(dict(value))
            self.app.run()
        elif act == "open":
            if key in self._state:
                self.app.session_state[key] = value
                self.app.run()
        elif act == "file":
            for box in (each for each in self.app.file_uploader if each.key == key):
                box.set_value([(value, FILES[value], "text/plain")]).run()
                break
        else:
            self._use(act, key, value)

    def _use(self, kind, key, value):
        found = [each for each in _usable(self.app.get(kind)) if key in (each.key, each.label)]
        if not found:
            return
        if kind == "button":
            found[0].click().run()
            return
        if kind == "selectbox":
            _offer(found[0], value)
        found[0].set_value(value).run()

    # What must hold -----------------------------------------------------------------------------

    def faults(self):
        """Return what is wrong with the screen, a sentence each."""
        return [*self._exceptions(), *self._dead(), *self._green(), *self._unequal()]

    def _exceptions(self):
        return [f"exception: {each.message[:60]}" for each in self.app.exception]  # more is logged

    def _dead(self):
        """Name the controls and sentences that are gone."""
        place, app = self._state["place"], self.app
        kinds = ("text_input", "selectbox", "button", "button_group", "radio")
        keys = {each.key for kind in kinds for each in app.get(kind)}
        if gone := ALWAYS[place] - keys:
            yield f"dead: no {', '.join(sorted(gone))} at {place}"
        said = " ".join(each.value for each in app.markdown)
        if gone := [word for word in SENTENCES if place == "Plan" and f"badge[{word}]" not in said]:
            yield f"dead: no {', '.join(gone)}"

    def _green(self):
        """Name a verdict that looks as if all that was typed were in it."""
        if self._state["place"] != "Plan" or any(
            GREYED in h.proto.body for h in self.app.get("html")
        ):
            return
        refused = [each.value for each in self.app.error if "figures are those of" in each.value]
        labels = [KEYS[key].label for key in (*state.SCENARIO, *state.OF_ONE_DRIVE)]
        for why in refused:
            if why.startswith(("Host writes", "Drives ", *labels)):
                yield f"not greyed: {why}"

    def _unequal(self):
        """Name the figures that differ from those of a place that showed them before."""
        held = self.seen.setdefault(self._scenario(), {})
        self.compared += sum(map(len, self._figures.drawn.values()))
        for key, drawn in self._figures.drawn.items():
            first = held.setdefault(key, drawn[0])
            for other in drawn:
                if not other.is_like(first):
                    yield (
                        f"unequal: {key} is {first.value} in {first.place}, "
                        f"{other.value} in {other.place}"
                    )
                    break

    def _scenario(self):
        """Return what decides the figures: the drive, what is typed, and what holds of it."""
        held = self._state
        typed, read = held.get(state._TYPED, {}), held.get(state._READ, {})
        texts = typed | read | held.get(state._HELD, {})
        said = {key: text for key, text in texts.items() if text and text != state.default_of(key)}
        return held.get(state._DRIVE), tuple(sorted(said.items())), tuple(sorted(typed))


def walk(figures, steps):
    """Do steps; return how many were done until one failed, and its faults."""
    walking = Walk(figures)
    for number, step in enumerate(steps, start=1):
        walking.do(step)
        if faults := walking.faults():
            return number, faults
    return len(steps), []


def walk_at_random(figures, seed, length):
    """Walk at random; return the walk, its steps, and the faults of the last one."""
    chance, walking, steps = random.Random(seed), Walk(figures), []  # noqa: S311 - no secret
    while len(steps) < length:
        steps.append(chance.choice(walking.offered(chance)))
        walking.do(steps[-1])
        if faults := walking.faults():
            return walking, steps, faults
    return walking, steps, []


def shrunk(figures, steps, fault, *, most_walks=40):
    """Return fewer steps that end in a fault of the same kind, after some more walks at most."""
    kind, size = fault.partition(" is ")[0][:60], len(steps) // 2
    while size and most_walks:
        for start in range(0, len(steps) - 1, size):
            fewer = steps[:start] + steps[start + size :]
            most_walks -= 1
            number, faults = walk(figures, fewer)
            if any(each.startswith(kind) for each in faults):
                steps = fewer[:number]
                break
            if not most_walks:
                break
        else:
            size //= 2
    return steps


def _usable(widgets):
    return [each for each in widgets if not each.proto.disabled]


def _examples(key):
    """Return texts that a field takes: its default, its example and its choices."""
    row = KEYS.get(key)
    known = () if row is None else (row.default, row.example, *map(str, row.choices or ()))
    return tuple(filter(None, known)) or ("1", "10", "5%")


def _options(box):
    """Return what a box takes, and what nobody offers where it takes any text."""
    if box.key == "drive" or str(box.key).endswith("_drive"):
        return DRIVES
    if "application" in str(box.key):  # its options are written in words
        return [*load_of.presets()]
    return [*box.options, *(BAD[:2] if box.proto.accept_new_options else ())] or [None]


def _offer(box, value):
    if box.proto.accept_new_options and value not in (None, *box.options):
        box.options.append(value)


def _value(kind, one, chance):
    """Return a value that a control takes."""
    if kind in ("toggle", "checkbox"):
        return not one.value
    if kind == "slider":
        return chance.choice((one.min, one.max, (one.min + one.max) // 2))
    value = chance.choice(one.options)
    if kind == "select_slider":  # its options are written with commas
        return float(value.replace(",", ""))
    if kind == "multiselect" or (kind == "button_group" and not one._is_single_select):
        return [value]
    return value
