"""Greedy cleaning from the first write on, slowly: Euler steps over a plain list, by definition.

Independent of `models._fluid`: it starts from the filled or empty drive instead of the distribution
at the cliff, lets every block lose pages and then cleans the emptiest. First order: the error
falls with `steps`.
"""


def flash_fills(op_ratio, pages, filled, end, steps=400):
    """Lists of host and flash writes in user capacities, `steps` for a page lost per full block."""
    width = 1 / (pages * steps)
    held = [0.0] * pages + [filled]  # flash pages by valid pages of their block
    free = 1 + op_ratio - filled
    hosts, flash = [0.0], [0.0]
    while hosts[-1] < end:
        lost = [width * j * part for j, part in enumerate(held)]
        held = [part - gone for part, gone in zip(held, lost, strict=True)]
        for j in range(pages):
            held[j] += lost[j + 1]
        written = width
        if free >= width:
            free -= width
        else:
            written, free = free + clean(held, pages, width - free), 0.0
        held[pages] += written
        hosts.append(hosts[-1] + width)
        flash.append(flash[-1] + written)
    return hosts, flash


def clean(held, pages, need):
    """Take the emptiest blocks until so much is free; the flash pages taken."""
    taken = 0.0
    for j in range(pages):
        gain = 1 - j / pages
        part = min(held[j], need / gain)
        held[j] -= part
        need -= part * gain
        taken += part
        if need <= 0:
            break
    return taken
