"""What of the tables on a page is cut: columns beyond an edge, and texts beyond their cell."""

from itertools import pairwise

# A table of the page knows its cells; one that is drawn on a canvas knows its columns alone, and
# its texts are those that `DRAWN` has noted.
CUT = """() => {
    const cut = [];
    const wide = part => part.scrollWidth > part.clientWidth + 1;
    for (const table of document.querySelectorAll('[data-testid=stTable]')) {
        if (!table.checkVisibility()) continue;
        for (const part of [table, ...table.querySelectorAll('div')])
            if (wide(part)) cut.push(['table', part.innerText.slice(0, 80)]);
        for (const cell of table.querySelectorAll('th, td'))
            if (wide(cell)) cut.push(['cell', cell.innerText.slice(0, 80)]);
    }
    for (const grid of document.querySelectorAll('[data-testid=stDataFrame] .dvn-scroller'))
        if (grid.checkVisibility() && wide(grid))
            cut.push(['grid', [...grid.querySelectorAll('th')].map(head => head.innerText).join()]);
    for (const part of document.querySelectorAll(
            '[data-testid=stMetricValue], [data-testid=stMetricDelta]'))
        for (const text of [part, ...part.querySelectorAll('*')])
            if (text.checkVisibility() && wide(text)) cut.push(['figure', part.innerText]);
    return cut;
}"""
DRAWN = """(() => {
    const draw = CanvasRenderingContext2D.prototype.fillText;
    window.drawn = [];
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
        const width = this.measureText(text).width;
        const left = this.textAlign === 'right' ? x - width : x;
        window.drawn.push([text, Math.round(y), left, left + width]);
        return draw.call(this, text, x, y, ...rest);
    };
})()"""


def cut(page):
    """List the tables, and cells of tables, that are cut on a page."""
    return page.evaluate(CUT)


def overlapping(page):
    """List pairs of texts of one line of a canvas of which the first runs into the second."""
    lines = {}
    for text, y, left, right in page.evaluate("window.drawn"):
        if text.strip():
            lines.setdefault(y, set()).add((left, right, text))
    ordered = [sorted(line) for line in lines.values()]
    return [
        (one[2], other[2])
        for line in ordered
        for one, other in pairwise(line)
        if one[1] > other[0] and one[2] != other[2]
    ]
