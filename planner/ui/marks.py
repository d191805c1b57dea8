"""The parts that charts consist of, as plain Vega-Lite."""

from typing import Any

Spec = dict[str, Any]

BLUE, ORANGE, GREEN, DARK, GREY = "#1f5fa8", "#c2500a", "#1a7f37", "#333333", "#666666"
AXIS: Spec = {"labelColor": GREY, "titleColor": GREY, "labelFontSize": 12, "titleFontSize": 13}
LABEL: Spec = {"text": {"field": "label"}}


def number(field: str, title: str | None = "", **more: Any) -> Spec:
    """Return the encoding of a number; without its title where that is empty."""
    titled = {} if title == "" else {"title": title}
    return {"field": field, "type": "quantitative"} | titled | more


def word(field: str, title: str | None = None, **more: Any) -> Spec:
    """Return the encoding of a word."""
    return {"field": field, "type": "nominal", "title": title} | more


def tip(field: str, title: str, format_: str = ".3~g") -> Spec:
    """Return a line of what is shown on hovering: a number, with the unit in its title."""
    return number(field, title, format=format_)


def only(*kinds: str) -> list[Spec]:
    """Return the filter of the rows of some kinds."""
    return [{"filter": {"field": "kind", "oneOf": list(kinds)}}]


def layer(kind: str | tuple[str, ...], mark: Spec, **encoding: Any) -> Spec:
    """Return a layer of marks for the rows of a kind, or of several."""
    kinds = (kind,) if isinstance(kind, str) else kind
    marks: Spec = {"transform": only(*kinds), "mark": mark}
    return marks | ({"encoding": encoding} if encoding else {})


def dot(size: int, **more: Any) -> Spec:
    """Return the mark of a filled point."""
    return {"type": "point", "filled": True, "size": size, "opacity": 1} | more


def rule(color: str, width: float, *dash: int) -> Spec:
    """Return the mark of a straight line, dashed if `dash` is given."""
    dashed = {"strokeDash": list(dash)} if dash else {}
    return {"type": "rule", "color": color, "strokeWidth": width} | dashed


def label(align: str, dx: int, dy: int = 0, **more: Any) -> Spec:
    """Return the mark of a text beside its place."""
    return {"type": "text", "align": align, "dx": dx} | ({"dy": dy} if dy else {}) | more


def halo(mark: Spec, encoding: Spec) -> list[Spec]:
    """Return the layers of a label on a pale ground, so that lines do not cross it."""
    text = {"type": "text", "fontSize": 13, "fontWeight": "bold"} | mark
    ground = {"stroke": "white", "strokeWidth": 4, "strokeOpacity": 0.85, "opacity": 0.85}
    plain = {name: part for name, part in encoding.items() if name != "color"}
    return [{"mark": text | ground, "encoding": plain}, {"mark": text, "encoding": encoding}]
