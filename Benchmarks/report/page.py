#!/usr/bin/python3
"""Joins the parts of a run and makes the page: page.py REPORT.json REPORT.html PART.json..."""

import json
import os
import pathlib
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import charts
import plugins
import runs
import sections

#: The panel's colours, light and dark, so that the pages of the project look alike.
COLOURS = pathlib.Path(__file__).resolve().parents[2] / "Sources/CPanel/site/colours.css"
STYLE = """
body { font: 15px/1.5 system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; color: var(--ink); background: var(--page); max-width: 1240px; margin: 28px auto;
       padding: 0 20px; }
h1 { font-size: 26px; margin-bottom: 4px; } h2 { font-size: 19px; margin-top: 38px; } h3 { font-size: 15px; margin-bottom: 4px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; margin: 8px 0; }
th, td { padding: 3px 10px; text-align: right; border-bottom: 1px solid var(--line); } th { vertical-align: bottom; }
td:first-child, th:first-child { text-align: left; } thead th { border-bottom: 2px solid var(--ink); }
.ours { color: var(--accent); font-weight: 600; } .ratio, .note { color: var(--soft); } .ratio { font-size: 12px; }
.note { max-width: 900px; } .bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); }
.chart { background: var(--card); border: 1px solid var(--line); border-radius: 10px; max-width: 100%; height: auto; }
.chart text { font: 11px system-ui, 'DejaVu Sans', sans-serif; fill: var(--ink); } .chart .axis { fill: var(--soft); } .chart .head { font-weight: 600; font-size: 12px; }
.chart .grid { stroke: var(--line); } .charts { display: flex; flex-wrap: wrap; gap: 6px; }
.legend span { margin-right: 18px; } .legend i { display: inline-block; width: 14px; height: 4px; margin: 0 6px 3px 0; }
details { margin: 8px 0; } summary { cursor: pointer; color: var(--accent); }
"""


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: page.py REPORT.json REPORT.html PART.json...")
    target, page = sys.argv[1:3]
    try:
        run = join([runs.read(path) for path in sys.argv[3:]])
        older = runs.history()
    except runs.Unusable as error:
        sys.exit(f"bench: {error}")
    with open(target, "w") as file:
        json.dump(run, file, indent=1, ensure_ascii=False)
    with open(page, "w") as file:
        file.write(whole(run, older))


def join(parts):
    """Joins several runs to one: machine and conditions of the first part, cells of all parts."""
    run = dict(parts[0])
    run["cells"] = [cell for part in parts for cell in part["cells"]]
    run["absent"] = [absence for part in parts for absence in part["absent"]]
    return run


def whole(run, older):
    """Returns the whole page."""
    machine, how = run["machine"], run["run"]
    caches = ", ".join(f"{size >> 10} KiB L{level}" for level, size in enumerate(machine["caches"], 1) if size)
    facts = (
        f'{machine["processor"]}, {machine["cores"]} cores, {caches}; kernels for {machine["instructionSet"]}; '
        f'{machine["system"]}; {machine["compiler"]}; beside {", ".join(machine.get("peers", []))}; revision {how["revision"]}, {how["date"]}; load average '
        f'{how["loadBefore"]:g} before and {how["loadAfter"]:g} after, {100 * how["stealShare"]:.1f} % of the processors '
        f'given to others by a hypervisor')
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Proscenium: speed</title>",
        f"<style>{COLOURS.read_text(encoding='utf-8')}{STYLE}</style><h1>Speed of Proscenium</h1><p class=note>{charts.escape(facts)}.</p>",
        sections.verdicts(run), sections.held_to(run), sections.grid(run, "moving"), sections.grid(run, "static"),
        sections.engine(run)]
    for group in ("fft", "rooms", "ambisonics", "upmix", "update", "load", "fusion", "programs", "start", "telemetry", "silence", "isa"):
        parts.append(sections.table(run, group))
    parts.append(plugins.section(run, sections.rows))
    parts += [sections.memory(run), sections.trend(run, older), sections.absent(run), sections.method()]
    return "\n".join(parts) + "</html>\n"


if __name__ == "__main__":
    main()
