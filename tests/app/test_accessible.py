"""What axe-core says of every place: light, dark, and on a phone."""

import pytest

from tests.app.cut_columns import cut

axe = pytest.importorskip(
    "axe_playwright_python.base", reason="axe is a development requirement (make check)"
)
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1440, "height": 900}
# Of each place, what is on it last.
PLACES = {
    "": "What would be needed?",
    "?part=Array&drives=6&raid=5&drive=PM9A3+3.84&writes=4TB/day": "Drives to replace",
    "choose": "Download plans as CSV",
    "compare": "the better figure",
    "compare?drive=PM9A3+3.84&drives=6&with=drives%3D8&with=870+EVO+1TB&with=raid%3D6":
        "the better figure",
    "?part=Speed&heat=true&drive=845DC+PRO+400": "Assumed of energy and heat",
    "?part=Protocols": "Protocols are fitted",
    "?part=Cost": "Assumed: Discount rate",
    "?part=Every+number": "Download workbook",
    "choose?front_open=true&like=PM9A3": "no other gives more for less",
    "measure": "No file is read yet",
    "measure?what=A+fleet": "No drive is read yet",
    "?app=postgres-oltp": "What would be needed?",
    "drives": "Facts of",
    "how_right": "cases",
}  # fmt: skip
CONTRAST = {"runOnly": ["color-contrast"]}
ALL_ELSE = {"rules": {"color-contrast": {"enabled": False}}}  # a phone has the colours of a desk
NARROW = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def screen(browser, server):
    """One page for all places; it goes from one to the next."""
    page = browser.new_page()
    yield lambda place: _open(page, f"{server}/{place}")
    page.close()


def _open(page, url):
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="light")
    page.goto(url)
    return page


def _settled(page):
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=60_000)
    page.wait_for_timeout(300)


# What passes is as long as the page itself, and stays in the browser.
SERIOUS = """async options => {
    const found = await axe.run(document, {...options, resultTypes: ["violations"]});
    return found.violations
        .filter(one => ["serious", "critical"].includes(one.impact))
        .flatMap(one => one.nodes.map(node => [one.id, node.html.slice(0, 200)]));
}"""


def violations(page, options):
    """Return what is a serious violation, and where, once colours have come to rest."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.AXE_SCRIPT)
    for _ in range(3):
        found = page.evaluate(SERIOUS, options)
        if not found:
            break
        page.wait_for_timeout(500)
    return found


def test_a_serious_violation_is_noticed(browser):
    page = browser.new_page()
    page.set_content("<html lang=en><title>A page</title><main><img src=data:,></main></html>")
    assert violations(page, {}) == [["image-alt", '<img src="data:,">']]
    assert violations(page, CONTRAST) == []
    page.close()


@pytest.mark.parametrize("place", PLACES)
def test_no_place_has_a_serious_violation(screen, place):
    page = screen(place)
    page.get_by_text(PLACES[place]).last.wait_for(timeout=60_000, state="attached")
    _settled(page)
    assert violations(page, {}) == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(300)
    assert violations(page, CONTRAST) == []
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(300)
    assert violations(page, ALL_ELSE) == []
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth") <= PHONE["width"]
    page.set_viewport_size(NARROW)
    page.wait_for_timeout(300)
    assert cut(page) == []


def test_an_open_explanation_has_no_serious_violation(screen):
    page = screen("?drive=PM9A3+3.84&drives=4&raid=5&writes=2+TB/day")
    word = page.locator(".st-key-verdict .stHorizontalBlock").filter(has_text="SAFE")
    word.get_by_text("Explain").click()
    body = page.get_by_test_id("stPopoverBody")
    body.locator("summary").filter(has_text="1 of 4 drives failed").click()
    body.locator("summary").filter(has_text="If MTBF").click()
    body.get_by_role("slider").wait_for(timeout=60_000)
    _settled(page)
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        page.wait_for_timeout(300)
        assert violations(page, {}) == []
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(300)
    assert violations(page, ALL_ELSE) == []
    assert body.evaluate("each => each.scrollWidth <= each.clientWidth")
