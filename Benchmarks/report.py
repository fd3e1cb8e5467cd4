#!/usr/bin/python3
"""Turns stage-bench's JSON into a page.

    report.py REPORT.json REPORT.html
"""

import html
import json
import sys

OURS = "Proscenium"
#: Column: (name of the contender, head turns, heading).
COLUMNS = [
    (OURS, False, "ours, still"), ("FFTW baseline", False, "FFTW baseline"), ("zita-convolver 4", False, "zita-convolver 4"),
    (OURS, True, "ours, turning"), ("of which interpolating responses", True, "of which interpolating"),
    ("FFTW baseline", True, "FFTW baseline, same work"),
    ("FFTW baseline, table of filters", True, "FFTW baseline, filters from a table"),
]
STYLE = """
body { font: 15px/1.5 'Inter', 'Segoe UI', 'DejaVu Sans', sans-serif; color: #202124; max-width: 1180px; margin: 28px auto;
       padding: 0 20px; }
h1 { font-size: 26px; margin-bottom: 4px; } h2 { font-size: 18px; margin-top: 30px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 11px; text-align: right; border-bottom: 1px solid #dadce0; } thead th { border-bottom: 2px solid #202124; }
.ours { color: #1668c7; font-weight: 600; } .ratio { color: #5f6368; font-size: 13px; } .edge { border-left: 2px solid #dadce0; }
.note { color: #5f6368; max-width: 860px; }
"""


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: report.py REPORT.json REPORT.html")
    with open(sys.argv[1]) as file:
        report = json.load(file)
    with open(sys.argv[2], "w") as file:
        file.write(page(report))


def page(report):
    machine, cells = report["machine"], report["cells"]
    facts = (
        f'{machine["processor"]}, {machine["cores"]} cores, kernels for {machine["instructionSet"]}; load average '
        f'{machine["loadAverage"]:g} at the start; revision {machine["revision"]}; {machine["date"]}')
    worst = [(a["decibels"], a["name"], a["moving"]) for c in cells for a in c["agreements"]]
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Proscenium: speed of the stage</title><style>{STYLE}</style>",
        f'<h1>Speed of the stage</h1><p class="note">{html.escape(facts)}</p>', headline(cells)]
    if worst:
        level, name, moving = max(worst)
        parts.append(
            f'<p>All outputs were compared with ours in this run: the largest difference is {level:.0f} dB '
            f'({html.escape(name)}, {"turning" if moving else "still"}) relative to the signal.</p>')
    for field in dict.fromkeys(c["field"] for c in cells):
        parts.append(table(field, [c for c in cells if c["field"] == field]))
    parts.append(
        '<p class="note">Nanoseconds per output frame and source, both ears, median block; in grey how many times ours '
        "takes that. All contenders of a row take turns of 2.5 ms in one process. Ours is the whole stage: poses, "
        "interpolation of responses, their transforms, convolution, fades, guard and meters. The baseline with the same "
        "work interpolates and transforms its filters each block as ours does; the one with a table finds 256 filters "
        "ready, and its work is less. zita-convolver 4 runs with partitions of one block, its filters fixed.</p>")
    return "\n".join(parts) + "</html>\n"


def timing(cell, name, moving):
    return next((t for t in cell["timings"] if t["name"] == name and t["moving"] == moving), None)


def headline(cells):
    """7.1.4 with the head turning at slice 64: what it takes of a core."""
    cell = next((c for c in cells if c["sources"] == 12 and c["slice"] == 64), None)
    if cell is None:
        return ""
    lines = []
    for moving, words in ((True, "the head turning"), (False, "the head still")):
        t = timing(cell, OURS, moving)
        lines.append(
            f'{words}: <b>{t["shareOfCore"] * 100:.2f} %</b> of one core ({t["medianMicroseconds"]:.1f} µs per slice, 99 % below '
            f'{t["p99Microseconds"]:.1f} µs)')
    return (
        f'<p>12 sources (7.1.4), slice 64 at {cell["sampleRate"] / 1000:g} kHz, {cell["taps"]} taps ({html.escape(cell["field"])}): '
        f'{"; ".join(lines)}.</p>')


def table(field, cells):
    present = [c for c in COLUMNS if timing(cells[0], c[0], c[1])]
    head = "".join(
        f'<th class="{css(name, moving)}">{html.escape(title)}</th>' for name, moving, title in present)
    rows = []
    for cell in cells:
        columns = []
        for name, moving, _ in present:
            t, ours = timing(cell, name, moving), timing(cell, OURS, moving)
            value = t["nanosecondsPerFrameAndSource"]
            ratio = ""
            if name != OURS and not name.startswith("of which"):
                ratio = f' <span class="ratio">×{value / ours["nanosecondsPerFrameAndSource"]:.2f}</span>'
            columns.append(f'<td class="{css(name, moving)}">{value:.2f}{ratio}</td>')
        share = timing(cell, OURS, True)["shareOfCore"] * 100
        rows.append(f'<tr><td>{cell["sources"]}</td><td>{cell["slice"]}</td>{"".join(columns)}<td class="edge">{share:.2f} %</td></tr>')
    return (
        f'<h2>{html.escape(field)}: {cells[0]["taps"]} taps</h2><table><thead><tr><th>sources</th><th>slice</th>{head}'
        f'<th class="edge">ours, turning: of a core</th></tr></thead><tbody>{"".join(rows)}</tbody></table>')


def css(name, moving):
    return ("ours" if name == OURS else "") + (" edge" if name == OURS else "")


if __name__ == "__main__":
    main()
