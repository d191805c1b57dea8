"""Searches of the app: by other processes, shared by sessions, and ended where nobody waits."""

import time

import pytest

from planner.catalogue import load, search
from planner.export.choice_tables import needs_line, ranked_rows, rejected_rows, saving_rows
from planner.export.decision_text import decision_lines
from planner.export.shown_choice import ChoiceQuestion, shown_choice
from planner.quantity.door import SEARCHES, aside
from planner.search.choose import Axis, choose
from planner.search.choose.request import choice_request
from planner.ui.job import Job, SharedJobs
from tests.app.test_reading import OF_LINUX, readers, waited
from tests.busy import busy

TEXTS = {"writes": "300 GB/day", "usable": "6 TB", "raid": "5,6", "drives": "3-9"}
QUESTIONS = [
    ChoiceQuestion(TEXTS, "PM9A3", "cost", axis=Axis.USABLE),
    ChoiceQuestion(TEXTS | {"usable": "900 TB"}, "870 EVO", "price"),
]


def asked(question):
    return SEARCHED.answer(repr(question), lambda: started(shown_choice, question), 60)


def started(function, *arguments):
    return Job("search", function, *arguments, limits=SEARCHES, is_shared=True)


SEARCHED = SharedJobs()


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_search_in_another_process_is_that_of_the_optimiser(question):
    request = choice_request(
        search(load(), question.words), minimise=question.minimise, **question.texts
    )
    expected = choose(**request)
    found = asked(question)
    assert found == shown_choice(question)
    assert found.ranked == ranked_rows(expected)
    assert found.rejected == rejected_rows(expected, most=len(found.rejected))
    assert found.savings == saving_rows(expected)
    assert found.decision == tuple(decision_lines(expected))
    assert found.needs == needs_line(expected)
    assert len(found.plans) == len(expected.candidates)
    assert bool(found.front.rows) == bool(question.axis and expected.candidates)


def test_a_question_that_cannot_be_is_answered_by_its_sentence():
    refused = asked(ChoiceQuestion(TEXTS | {"usable": "0 TB"}, "PM9A3", "cost"))
    assert isinstance(refused, ValueError)
    assert "usable" in str(refused).lower()
    refused = asked(ChoiceQuestion(TEXTS, "no such drive", "cost"))
    assert str(refused) == "No drive's name holds 'no such drive'."


def is_running(path):
    """Whether the processor is used for it."""
    before = path.stat().st_size
    time.sleep(0.3)
    return path.stat().st_size > before


@OF_LINUX
def test_a_search_that_nobody_waits_for_ends_and_its_process_goes_on(tmp_path):
    shared, path = SharedJobs(), tmp_path / "told"

    def ask(seconds):
        return shared.answer("busy", lambda: started(busy, str(path), seconds), 0.05)

    waited(lambda: ask(600) is None and path.exists())
    for _ in range(40):  # a session that waits, longer than one that went on
        assert ask(600) is None
        time.sleep(0.05)
    assert is_running(path)
    process = readers()
    waited(lambda: not is_running(path))
    waited(lambda: ask(0.1) == 0.1)  # asked again, it begins again
    assert readers() == process  # which is still there


def test_sessions_that_ask_alike_share_one_search_and_the_latest_answers_are_kept():
    shared, begun = SharedJobs(most=2), []

    def ask(key):
        def start():
            begun.append(key)
            return started(str, key)

        return shared.answer(key, start, 30)

    assert [ask(key) for key in "aabab"] == [*"aabab"]
    assert begun == [*"ab"]
    assert [ask(key) for key in "ca"] == [*"ca"]
    assert begun == [*"abca"]


def test_a_search_waits_for_no_file():
    hold = Job("file", time.sleep, 600), Job("file", time.sleep, 600)
    waited(lambda: all(job.readings_before is None for job in hold))
    assert aside(len, b"abc", size_bytes=0, limits=SEARCHES) == 3
    for job in hold:
        job.end()
