"""Parts of the report's page."""

import charts
import plugins
import runs
import targets

TITLES = {
    "moving": "Filters that move, convolution alone", "static": "Filters at rest", "engine": "The whole engine",
    "fft": "Sixteen real transforms", "rooms": "Rooms", "ambisonics": "Ambisonics", "upmix": "Stereo opened into a stage", "update": "Filter updates",
    "load": "From a SOFA file to filters", "fusion": "Orientation filter", "programs": "Whole programs",
    "start": "From the command to the first sound", "telemetry": "Telling all doors", "silence": "Silence behind a sound", "isa": "Instruction sets of the same program",
}


def of(run, group):
    return [cell for cell in run["cells"] if cell["group"] == group]


def verdicts(run):
    """Summarises the comparison with references: number of results, greatest error, void cells."""
    errors = [(c["errorDecibels"], cell["id"], c["name"]) for cell in run["cells"] for c in cell["contenders"]
              if c.get("errorDecibels") is not None]
    void = [cell for cell in run["cells"] if cell.get("void")]
    text = "<p>No results were compared in this run.</p>"
    if errors:
        level, cell, name = max(errors, key=lambda e: runs.number(e[0]))
        text = (f"<p>{len(errors)} results were held to a computation in double precision in this very run: the worst is "
                f"{runs.number(level):.0f} dB ({charts.escape(name)} in {charts.escape(cell)}).</p>")
    if void:
        rows = "".join(f'<li><b>{charts.escape(c["id"])}</b>: {charts.escape(c["void"])}</li>' for c in void)
        text += f'<p class="bad">{len(void)} cells are void: results did not agree.</p><ul>{rows}</ul>'
    wasteful = {c["name"] for cell in run["cells"] for c in runs.ours(cell)
                if c.get("allocations") and cell["group"] in ("moving", "static", "engine", "rooms", "ambisonics", "upmix", "plugins")}
    if wasteful:
        text += f'<p class="bad">Ours allocated while sounding: {charts.escape(", ".join(sorted(wasteful)))}.</p>'
    return text


def held_to(run):
    """Table of targets beside figures."""
    cells = runs.cells(run)
    rows = []
    for target in targets.TARGETS:
        found = targets.outcome(target, cells)
        if found is None:
            continue
        ours, theirs, met = found
        figure = f"{theirs / ours:.2f} ×" if theirs else f"{ours:.2f}"
        wanted = f"≥ {target.ratio:g} × {target.peer or 'peers'}" if target.ratio else f"≤ {target.tail or target.most:g}"
        rows.append(
            f'<tr><td>{charts.escape(target.words)}</td><td>{wanted}</td><td class="{"good" if met else "bad"}">{figure}</td>'
            f'<td>{ours:.2f}</td><td>{"" if theirs is None else f"{theirs:.2f}"}</td></tr>')
    for group, ratio, peer in targets.EVERYWHERE:
        lost, judged = targets.everywhere(group, ratio, peer, cells)
        if judged:
            worst = f"; worst {lost[0][1]:.2f} × in {charts.escape(lost[0][0])}" if lost else ""
            rows.append(
                f"<tr><td>{group}: every cell</td><td>≥ {ratio:g} × {peer}</td>"
                f'<td class="{"bad" if lost else "good"}">{judged - len(lost)} of {judged}{worst}</td><td></td><td></td></tr>')
    rows += plugins.held_to(run)
    errors = [(runs.number(c["errorDecibels"]), cell["id"]) for cell in run["cells"] for c in runs.ours(cell)
              if c.get("errorDecibels") is not None]
    if errors:
        level, where = max(errors)
        rows.append(f'<tr><td>every result of ours against double precision</td><td>≤ {targets.EXACTNESS:g} dB</td>'
                    f'<td class="{"good" if level <= targets.EXACTNESS else "bad"}">{level:.0f} dB</td>'
                    f"<td>{charts.escape(where)}</td><td></td></tr>")
    if not rows:
        return ""
    return ("<h2>Held to</h2><table><thead><tr><th>cell</th><th>wanted</th><th>came out</th><th>ours</th><th>best peer</th>"
            f'</tr></thead><tbody>{"".join(rows)}</tbody></table>')


def kinds(cell):
    """Returns (name, colour, value) of the product, the best FFTW baseline, and zita."""
    found = []
    for name, colour, choice in (
            ("Proscenium", charts.COLOURS["ours"], runs.ours(cell)),
            ("best FFTW baseline", charts.COLOURS["peer"], [c for c in runs.peers(cell) if c["name"].startswith("FFTW,")]),
            ("best FFTW baseline with ready filters", charts.COLOURS["ready"],
             [c for c in runs.peers(cell) if c["name"].startswith("FFTW with")]),
            ("zita-convolver", charts.COLOURS["other"], [c for c in runs.peers(cell) if c["name"].startswith("zita")])):
        best = runs.best(choice)
        found.append((name, colour, None if best is None else best["value"]))
    return found


def grid(run, group, where=lambda cell: True):
    """Draws small charts over sources, one for each filter length and period, followed by their table."""
    cells = [cell for cell in of(run, group) if where(cell)]
    if not cells:
        return ""
    nominal = lambda cell: cell["id"].split("taps")[1].split("/")[0]
    panels, present = [], {}
    for taps in dict.fromkeys(nominal(c) for c in cells):
        for period in dict.fromkeys(c["facts"]["period"] for c in cells):
            row = [c for c in cells if nominal(c) == taps and c["facts"]["period"] == period]
            columns = [kinds(c) for c in row]
            series = []
            for index, (name, colour, _) in enumerate(columns[0] if columns else []):
                values = [column[index][2] for column in columns]
                if any(v is not None for v in values):
                    series.append((name, colour, values))
                    present[name] = colour
            panels.append(charts.lines(f"{taps} taps, period {period}", [c["facts"]["sources"] for c in row], series,
                                       cells[0]["unit"]))
    facts = cells[0]["facts"]
    note = f'{cells[0]["unit"]} over the number of sources. Filters: {facts.get("filters")}; {facts.get("directions")}.'
    return (f'<h2>{TITLES[group]}</h2><p class="note">{charts.escape(note)}</p>{charts.legend(present.items())}'
            f'<div class="charts">{"".join(panels)}</div><details><summary>figures</summary>{rows(run, cells)}</details>')


def engine(run):
    turning = grid(run, "engine", lambda cell: cell["id"].endswith("/turning"))
    own = [cell for cell in of(run, "engine") if cell["id"].endswith("/refresh128")]
    if own:
        turning += ("<details><summary>filters made anew every 128 frames, as the product does at slices of 64</summary>"
                    f"{rows(run, own)}</details>")
    still = [cell for cell in of(run, "engine") if cell["id"].endswith("/still")]
    return turning + (f"<details><summary>the head still</summary>{rows(run, still)}</details>" if still else "")


def rows(run, cells):
    """Table with one line per contender; ratios to the product's fastest."""
    lines = []
    for cell in cells:
        ours = runs.best(runs.ours(cell))
        for index, c in enumerate(cell["contenders"]):
            ratio = ""
            if ours and c["role"] == "peer" and not cell.get("void"):
                ratio = f'×{c["value"] / ours["value"]:.2f}'
            error = "" if c.get("errorDecibels") is None else f'{runs.number(c["errorDecibels"]):.0f}'
            facts = "; ".join(f"{key} {value}" for key, value in cell["facts"].items() if value is not None)
            head = f'<span title="{charts.escape(facts)}">{charts.escape(cell["id"])}</span>' if index == 0 else ""
            lines.append(
                f'<tr class="{c["role"]}"><td>{head}</td><td title="{charts.escape(c.get("remark", ""))}">'
                f'{charts.escape(c["name"])}</td><td>{c["value"]:.2f}</td><td class="ratio">{ratio}</td>'
                f'<td>{c.get("medianMicroseconds", 0):.1f}</td><td>{c.get("p99Microseconds", 0):.1f}</td>'
                f'<td>{c.get("longestMicroseconds", 0):.1f}</td><td>{error}</td>'
                f'<td>{c.get("bytes", 0) / 1024:.0f}</td><td>{place(run, cell)}</td></tr>')
    return ("<table><thead><tr><th>cell</th><th>contender</th><th>figure</th><th>over ours</th><th>step µs</th>"
            "<th>99 % µs</th><th>longest µs</th><th>error dB</th><th>KiB kept</th><th>our table</th></tr></thead><tbody>"
            f'{"".join(lines)}</tbody></table>')


def place(run, cell):
    """Returns the size of the product's filters and the cache that holds them; without a known table size, all memory
    that the product keeps."""
    size, words = cell["facts"].get("tableBytes"), ""
    if not size:
        size, words = max((c.get("bytes", 0) for c in runs.ours(cell)), default=0), " kept in all"
    if size <= 0:
        return ""
    level = next((f"L{level}" for level, bytes in enumerate(run["machine"]["caches"], 1) if size <= bytes), "memory")
    return f"{size / 1024:.0f} KiB{words}, {level}"


def table(run, group):
    """Section of a group without a grid: bars of all contenders where they are few, else the speed relative to the best
    peer."""
    cells = of(run, group)
    if not cells:
        return ""
    named = [(cell["id"].split("/", 1)[1], cell) for cell in cells]
    if sum(len(cell["contenders"]) for cell in cells) <= 24:
        chart = charts.bars([(f'{name}: {c["name"]}', runs.number(c["value"]), c["role"])
                             for name, cell in named for c in cell["contenders"]], cells[0]["unit"])
    else:
        ratios = [(name, runs.best(runs.peers(cell))["value"] / runs.best(runs.ours(cell))["value"])
                  for name, cell in named if runs.peers(cell) and runs.ours(cell) and not cell.get("void")]
        chart = charts.lines("times the speed of the best peer", [name for name, _ in ratios],
                             [("best peer over ours", charts.COLOURS["ours"], [ratio for _, ratio in ratios])], "ratio",
                             max(300, 70 * len(ratios)), 220) if ratios else ""
    units = ", ".join(dict.fromkeys(cell["unit"] for cell in cells))
    titles = "; ".join(dict.fromkeys(cell["title"] for cell in cells))
    return (f'<h2>{TITLES.get(group, group)}</h2><p class="note">{charts.escape(titles)}. {charts.escape(units)}.</p>{chart}'
            f"<details><summary>figures</summary>{rows(run, cells)}</details>")


def memory(run):
    """Returns bytes per source and per second of room, from the memory of engines of different sizes."""
    lines = []

    def add(words, low, high, steps):
        for c in low["contenders"]:
            other = next((o for o in high["contenders"] if o["name"] == c["name"]), None)
            if other and c["role"] != "part" and c.get("bytes"):
                slope = (other["bytes"] - c["bytes"]) / steps
                lines.append(f'<tr><td>{charts.escape(words)}</td><td>{charts.escape(c["name"])}</td>'
                             f"<td>{slope / 1024:.1f} KiB</td></tr>")

    cells = runs.cells(run)
    for period in (64, 128, 256):
        low, high = (cells.get(f"engine/n{n}/period{period}/taps256/turning") for n in (2, 64))
        if low and high:
            add(f"per source, whole engine, 256 taps, slice {period}", low, high, 62)
    for slice in (64, 256):
        low, high = (cells.get(f"rooms/n12/slice{slice}/taps{taps}") for taps in (24000, 96000))
        if low and high:
            add(f"per second of room and source, slice {slice}", low, high, 1.5 * 12)
    if not lines:
        return ""
    return ("<h2>Memory</h2><table><thead><tr><th>what</th><th>contender</th><th>bytes</th></tr></thead><tbody>"
            f'{"".join(lines)}</tbody></table>')


def trend(run, older):
    """Compares this run with the kept runs of the same machine and instruction set."""
    same = [(name, other) for name, other in older if other["machine"]["processor"] == run["machine"]["processor"]
            and other["machine"]["instructionSet"] == run["machine"]["instructionSet"]]
    if not same:
        return ""
    names = [name for name, _ in same] + ["this run"]
    panels = []
    for target in targets.TARGETS:
        values = []
        for _, other in same + [("", run)]:
            cell = runs.cells(other).get(target.cell)
            best = runs.best(runs.ours(cell)) if cell and not cell.get("void") else None
            values.append(None if best is None else best["value"])
        if sum(v is not None for v in values) > 1:
            panels.append(charts.lines(target.words[:44], [str(i + 1) for i in range(len(names))],
                                       [("Proscenium", charts.COLOURS["ours"], values)], "figure", 300, 150))
    key = "; ".join(f"{index}: {name}" for index, name in enumerate(names, 1))
    return (f'<h2>Beside older runs</h2><p class="note">On the same processor: {charts.escape(key)}. Absolute figures of '
            f'different days: for differences of a few percent, compare revisions in one run.</p><div class="charts">'
            f'{"".join(panels)}</div>') if panels else ""


def absent(run):
    if not run["absent"]:
        return ""
    items = "".join(f'<li>{charts.escape(a["id"])}: {charts.escape(a["reason"])}</li>' for a in run["absent"])
    return f"<h2>Not measured</h2><ul>{items}</ul>"


def method():
    return ('<h2>Method</h2><p class="note">All contenders of a cell take turns in one process, in another order each round; '
            "each step is timed, and the median counts (rooms: the median over turns of all threads' processor time). Steps "
            "shorter than two microseconds are timed several at a time. Results of all contenders are held to a computation in "
            "double precision before the clock starts; one that differs by more than −100 dB voids its cell. Bytes are what "
            "making a contender took from the allocator and kept. Point at a cell for its conditions.</p>")
