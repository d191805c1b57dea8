"""Refused under --json: an object on stdout, the sentence on stderr, exit code 2."""

import json

import click
import pytest

from planner.cli import cli, main

EVO = ("--drive", "840 EVO 250")
# Of each command, arguments that it refuses, and the option to blame.
REFUSED = {
    "app": (("etcd", "--writes", "1TB/day"), "--writes"),
    "array": ((*EVO, "--afr", "often"), "--afr"),
    "catalogue check": (("no-such-file.csv",), "--json"),
    "catalogue template": ((), "--json"),
    "choose": (("--usable", "much"), "--usable"),
    "compare": ((*EVO, "--writes", "1,5TB"), "--writes"),
    "cost": ((*EVO, "--years", "long"), "--years"),
    "drives": (("--min-capacity", "large"), "--min-capacity"),
    "export": (EVO, "--json"),
    "fio-job": (EVO, "--json"),
    "fleet": (("docs/examples", "--lead", "long"), "--lead"),
    "forecast": (("no-such-file.json",), None),
    "plan": ((*EVO, "--writes", "1,5TB"), "--writes"),
    "protocol": (("torture", *EVO, "--phase", "scrub"), "--phase"),
    "read": (("no-such-file.json", "--format", "none"), "--format"),
    "simulate": (("--op", "some"), "--op"),
    "size class": ((*EVO, "--years", "long"), "--years"),
    "size drives": ((*EVO, "--usable", "much"), "--usable"),
    "size price": ((*EVO, "--by", "luck"), "--by"),
    "size raw": (("--sister", "3.84TB"), "--sister"),
    "size spare": ((*EVO, "--dwpd", "3", "--years", "long"), "--years"),
    "size writes": ((*EVO, "--years", "long"), "--years"),
    "speed": ((*EVO, "--trimmed", "half"), "--trimmed"),
    "sweep": (("--grid", "no-such-file.json", "--out", "table.parquet"), "--grid"),
    "uncertainty": ((*EVO, "--known-only"), "--uncertain"),
    "validate": (("--quick",), "--json"),
    "wa": ((*EVO, "--trace", "no-such-file.csv"), "--trace"),
    "workloads": (("--size",), "--size"),
}  # fmt: skip
FURTHER = [
    (("plam",), None),
    (("size",), "--json"),
    (("size", "writse"), None),
    (("plan",), "--drive"),
    (("plan", "--drive", "no such drive"), "--drive"),
    (("plan", "--drive", "850 EVO"), "--drive"),
    (("forecast", __file__, "--drive", "no such drive"), None),
    (("size", "raw", "--drive", "no such drive", "--sister", "4TB:1"), "--drive"),
    (("choose", "--usable", "1TB", "--price", "no such drive=9"), "--price"),
    (("plan", *EVO, "--raw", "100GiB"), "--raw"),
    (("plan", *EVO, "--drives", "2", "--raid", "5"), "--drives"),
    (("plan", *EVO, "--scenario", "no-such-file.json"), "--scenario"),
    (("speed", *EVO, "--measured", "no-such-file.json"), "--measured"),
    (("speed", *EVO, "--measured", __file__), "--measured"),
    (("read",), None),
    (("read", __file__, "--save", "scenario.json"), "--save"),
    (("wa", *EVO, "--trace", __file__), None),
    (("wa", *EVO), "--trace"),
]


def commands(group: click.Group, prefix: str = "") -> set[str]:
    """Return the names of all commands that are no groups."""
    names = set()
    for name, command in group.commands.items():
        below = isinstance(command, click.Group)
        names |= commands(command, f"{prefix}{name} ") if below else {f"{prefix}{name}"}
    return names


def refused(capsys, *arguments: str) -> dict[str, object]:
    """Return what stands under "error" where a command is refused under --json."""
    code = main([*arguments, "--json"])
    out, err = capsys.readouterr()
    assert code == 2
    answer = json.loads(out)
    assert list(answer) == ["error"]
    error = answer["error"]
    assert list(error) == ["message", "option"]
    assert err == f"Error: {error['message']}\n"
    return error


def test_a_refusal_of_every_command_is_tried():
    assert set(REFUSED) == commands(cli)


@pytest.mark.parametrize("name", REFUSED)
def test_the_refused_option_is_named(capsys, name):
    arguments, option = REFUSED[name]
    error = refused(capsys, *name.split(), *arguments)
    assert error["option"] == option
    assert error["message"]


@pytest.mark.parametrize("name", REFUSED)
def test_an_unknown_option_is_named(capsys, name):
    error = refused(capsys, *name.split(), "--no-such-option")
    assert error == {"message": "No such option '--no-such-option'.", "option": "--no-such-option"}


def test_names_that_are_offered_are_those_of_today(capsys):
    near_former = refused(capsys, "plan", "--member", "5")
    assert near_former["message"] == "No such option '--member'."  # not `--members`, now `--drives`
    assert "'--reads'" in refused(capsys, "plan", "--reed", "5")["message"]


@pytest.mark.parametrize(
    ("command", "written", "meant"),
    [("choose", "--capacity", "--usable"), ("size class", "--life", "--years")],
)
def test_an_option_of_another_command_leads_to_the_one_of_its_sense(
    command, written, meant, capsys
):
    message = refused(capsys, *command.split(), written, "5")["message"]
    assert message == f"No such option '{written}'. Did you mean '{meant}'?"


@pytest.mark.parametrize(("arguments", "option"), FURTHER, ids=lambda value: str(value)[:60])
def test_whatever_is_refused_is_refused_as_json(capsys, arguments, option):
    assert refused(capsys, *arguments)["option"] == option


def test_an_option_without_its_value_is_named(capsys):
    assert main(["plan", "--json", *EVO, "--writes"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error == {"message": "Option '--writes' requires an argument.", "option": "--writes"}


@pytest.mark.parametrize("arguments", [(), ("--", "--json")])
def test_without_the_option_nothing_is_on_stdout(capsys, arguments):
    assert main(["forecast", "no-such-file.json", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Error: no-such-file.json: cannot be read")


@pytest.mark.parametrize("spare", ["99.9999999%", "99.994%"])
def test_a_partition_that_nothing_fits_is_refused_before_anything_is_printed(spare, capsys):
    assert main(["plan", "870 EVO 1TB", "--spare", spare]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"--spare must be at most 99.9933 % of this drive, got '{spare}'" in told.err
