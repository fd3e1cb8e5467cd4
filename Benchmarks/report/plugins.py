"""Plugins in the report: the host's cost beyond a plugin's own run, and the cost of a separate process."""

import charts
import runs

#: Greatest cost of a chain beyond the same plugin run alone, nanoseconds per slice.
BEYOND = 1000
#: Greatest time of 99 of 100 slices with one isolated plugin on the audio thread, microseconds.
LATE = 20

PARTS = {
    "chain": "In a chain, and run alone", "lv2bench": "Beside lv2bench", "paced": "Once a period, with a sleep between",
    "insertion": "Coming and going", "memory": "Memory of an instance"}
#: Colours of slices of 64, 128 and 256 frames.
SLICES = {64: charts.COLOURS["ours"], 128: charts.COLOURS["other"], 256: charts.COLOURS["peer"]}


def part(run, name):
    return [cell for cell in run["cells"] if cell["id"].startswith(f"plugins/{name}/")]


def beyond(cell):
    """Returns the chain's time beyond that of the plugin run alone, nanoseconds per slice; None unless both were
    measured."""
    ours, peer = runs.best(runs.ours(cell)), runs.best(runs.peers(cell))
    if cell.get("void") or ours is None or peer is None:
        return None
    return runs.number(ours["value"]) - runs.number(peer["value"])


def isolated(run):
    """Returns (99 % slice in microseconds, id) of cells with one isolated plugin."""
    return [(runs.number(c["p99Microseconds"]), cell["id"]) for cell in part(run, "paced")
            if cell["facts"].get("instances") == 1 and not cell.get("void")
            for c in cell["contenders"] if c["name"].endswith("isolated")]


def held_to(run):
    """Returns the rows of the table of targets."""
    rows = []
    found = [(beyond(cell), cell["id"]) for cell in part(run, "chain")]
    for words, wanted, unit, values in (
            ("plugins in chains: beyond the same plugin run alone, all channels", BEYOND, "ns",
             [pair for pair in found if pair[0] is not None]),
            ("one isolated plugin: 99 of 100 slices on the audio thread", LATE, "µs", isolated(run))):
        if values:
            kept = sum(value <= wanted for value, _ in values)
            worst, where = max(values)
            rows.append(
                f'<tr><td>{words}</td><td>≤ {wanted} {unit}</td><td class="{"good" if kept == len(values) else "bad"}">'
                f'{kept} of {len(values)}; worst {charts.written(worst)} {unit} in {charts.escape(where)}</td>'
                "<td></td><td></td></tr>")
    return rows


def panels(run):
    """Draws a chart per plugin: the host's cost over the number of channels, for each slice."""
    cells = part(run, "chain")
    found = []
    for name in dict.fromkeys(cell["id"].split("/")[2] for cell in cells):
        own = [cell for cell in cells if cell["id"].split("/")[2] == name]
        channels = sorted({cell["facts"]["sources"] for cell in own})
        at = {(cell["facts"]["sources"], cell["facts"]["slice"]): beyond(cell) for cell in own}
        series = [(f"slice {slice}", colour, [at.get((count, slice)) for count in channels])
                  for slice, colour in SLICES.items()]
        found.append(charts.lines(f"{name}: host alone, ns per slice", channels, series, "ns"))
    return (charts.legend((f"slice {slice}", colour) for slice, colour in SLICES.items())
            + f'<div class="charts">{"".join(found)}</div>')


def section(run, rows):
    """Returns the group's part of the page; `rows` makes the table of some cells."""
    text = ""
    for name, title in PARTS.items():
        cells = part(run, name)
        if cells:
            units = ", ".join(dict.fromkeys(cell["unit"] for cell in cells))
            words = "; ".join(dict.fromkeys(cell["title"] for cell in cells))
            text += (f'<h3>{title}</h3><p class="note">{charts.escape(words)}. {charts.escape(units)}.</p>'
                     + (panels(run) if name == "chain" else "")
                     + f"<details><summary>figures</summary>{rows(run, cells)}</details>")
    return f"<h2>Plugins</h2>{text}" if text else ""
