"""The page of first rows is what the command writes."""

from tests.first_rows import QUESTIONS, ROOT_PAGE, page


def test_the_page_begins_as_the_command_writes_it():
    written = "\n".join(page(QUESTIONS[:3])).rstrip()
    assert ROOT_PAGE.read_text(encoding="utf-8").startswith(written)
