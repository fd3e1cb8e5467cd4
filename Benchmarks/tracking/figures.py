"""Figures of an evaluation as self-contained SVG files."""

import math

import numpy as np

import places
import charts
import requirements
import tables

STYLE = 'font-family="sans-serif" font-size="12"'
GRID = "#ddd"
OURS, THEIRS, ALONE = charts.COLOURS["ours"], charts.COLOURS["peer"], charts.COLOURS["part"]
#: Colours of the sets of trials, one for each evaluated set.
SETS = (*charts.COLOURS.values(), "#7a4fb0", "#b03a5b", "#5c8a2f", "#8a6d3b")


class Panel:
    """A box with axes; values are mapped linearly or logarithmically and clipped to the box."""

    def __init__(self, left, top, width, height, x, y, log=(False, False)):
        """`x`, `y`: (lowest, highest) of each axis."""
        self.box, self.ranges, self.log = (left, top, width, height), (x, y), log
        self.parts = []

    def place(self, x, y):
        left, top, width, height = self.box
        u, v = (self._share(value, axis) for axis, value in enumerate((x, y)))
        return left + width * u, top + height * (1 - v)

    def _share(self, value, axis):
        low, high = self.ranges[axis]
        value = min(max(value, low), high)
        if self.log[axis]:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)

    def axes(self, title, xs, ys, x_label="", y_label=""):
        """Draws the grid and labels at the values `xs`, `ys`."""
        left, top, width, height = self.box
        self.parts.append(f'<text x="{left}" y="{top - 8}" font-weight="bold">{charts.escape(title)}</text>')
        for value in ys:
            y = self.place(self.ranges[0][0], value)[1]
            self.parts.append(f'<path d="M{left} {y:.1f}h{width}" stroke="{GRID}"/>'
                              f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}{y_label}</text>')
        for value in xs:
            x = self.place(value, self.ranges[1][0])[0]
            self.parts.append(f'<path d="M{x:.1f} {top}v{height}" stroke="{GRID}"/>'
                              f'<text x="{x:.1f}" y="{top + height + 15}" text-anchor="middle">{value:g}</text>')
        self.parts.append(f'<text x="{left + width / 2:.1f}" y="{top + height + 31}" text-anchor="middle">'
                          f"{x_label}</text>")

    def line(self, xs, ys, colour, width=1.2, dash=""):
        points = "L".join("{:.1f} {:.1f}".format(*self.place(x, y)) for x, y in zip(xs, ys))
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<path d="M{points}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>')

    def turning_line(self, xs, ys, colour):
        """Draws degrees within ±180; the line is interrupted where the angle wraps."""
        cuts = np.flatnonzero(np.abs(np.diff(ys)) > 180) + 1
        for x, y in zip(np.split(xs, cuts), np.split(ys, cuts)):
            if len(x):
                self.line(x, y, colour)

    def band(self, xs, halves, colour):
        edge = [(x, half) for x, half in zip(xs, halves)] + [(x, -half) for x, half in zip(xs, halves)][::-1]
        points = "L".join("{:.1f} {:.1f}".format(*self.place(x, y)) for x, y in edge)
        self.parts.append(f'<path d="M{points}Z" fill="{colour}" fill-opacity="0.15"/>')

    def dot(self, x, y, colour, name):
        px, py = self.place(x, y)
        self.parts.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}" fill-opacity="0.7">'
                          f"<title>{charts.escape(name)}</title></circle>")


def legend(entries, left, top, step=None):
    """Draws names with a line of their colour: in a column, or in a row with a spacing of `step`."""
    parts = []
    for index, (name, colour) in enumerate(entries):
        x, y = (left + step * index, top) if step else (left, top + 18 * index)
        parts.append(f'<path d="M{x} {y - 4}h16" stroke="{colour}" stroke-width="3"/>'
                     f'<text x="{x + 22}" y="{y}">{charts.escape(name)}</text>')
    return parts


def document(width, height, parts):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {STYLE}>',
                      f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>"]) + "\n"


def totals(rows):
    """Draws the total of each trial over VQF's, 6 axes, with the diagonal; "" without VQF."""
    found = [(name, row) for name, row in tables.by_trial(rows) if name[3] == 6 and "VQF" in row]
    if not found:
        return ""
    values = [row[who]["total"] for _, row in found for who in ("Proscenium", "VQF")]
    marks = [digit * 10.0**decade for decade in range(-3, 3) for digit in (1, 3)]
    lowest = max([mark for mark in marks if mark <= min(values)], default=marks[0])
    ends = [lowest, min(mark for mark in marks if mark >= min(max(values), marks[-1]) and mark > lowest)]
    marks = [mark for mark in marks if ends[0] <= mark <= ends[1]]
    panel = Panel(60, 34, 460, 460, ends, ends, (True, True))
    panel.axes("Total error, RMS in degrees: below the line ours is smaller", marks, marks, "VQF 2.1.2")
    panel.line(ends, ends, "#555")
    collections = list(dict.fromkeys(name[0] for name, _ in found))
    colours = dict(zip(collections, SETS))
    for name, row in found:
        panel.dot(row["VQF"]["total"], row["Proscenium"]["total"], colours[name[0]], name[2])
    panel.parts.append('<text transform="translate(16 264) rotate(-90)" text-anchor="middle">Proscenium</text>')
    return document(660, 540, panel.parts + legend(colours.items(), 534, 50))


def headings(series):
    """Draws heading error over time, a panel for each of `series`: title, times, {name: degrees [n]}, stated
    deviations."""
    columns, width, height = 2, 330, 150
    parts = []
    for index, (title, times, errors, deviations) in enumerate(series):
        starts = np.arange(0, len(times), max(1, len(times) // 300))
        curves = {name: worst(values, starts) for name, values in errors.items()}
        shown = np.concatenate([curve[np.isfinite(curve)] for name, curve in curves.items() if name != "gyroscope"])
        low, high = min(-1, shown.min() * 1.05), max(1, shown.max() * 1.05)
        when = times[starts] - times[0]
        panel = Panel(50 + index % columns * (width + 60), 60 + index // columns * (height + 66), width, height,
                      (0, when[-1]), (low, high))
        step = charts.ticks(high - low)[1]
        degrees = step * np.arange(math.ceil(low / step), math.floor(high / step) + 1)
        panel.axes(title, charts.ticks(when[-1]), degrees, "seconds", "°")
        if deviations is not None:
            panel.band(when, 2 * deviations[starts], OURS)
        for name, colour in (("gyroscope", ALONE), ("VQF", THEIRS), ("Proscenium", OURS)):
            if name in curves:
                there = np.isfinite(curves[name])
                panel.turning_line(when[there], curves[name][there], colour)
        parts += panel.parts
    names = [("Proscenium", OURS), ("VQF 2.1.2", THEIRS), ("gyroscope alone", ALONE)]
    if any(one[3] is not None for one in series):
        names.append(("± two stated deviations", "#c5daf2"))
    tall = 60 + -(-len(series) // columns) * (height + 66)
    return document(columns * (width + 60) + 10, tall, legend(names, 50, 22, 150) + parts)


def worst(values, starts):
    """Returns the value farthest from 0 in each stretch from one start to the next; NaN without a known value."""
    parts = (part[np.isfinite(part)] for part in np.split(values, starts[1:]))
    return np.array([part[np.argmax(np.abs(part))] if len(part) else np.nan for part in parts])


def turns(rows):
    """Draws the worst heading error after steady turns over their rate, a line for each rest; "" without turns."""
    of = {who: found for who in ("Proscenium", "VQF") if (found := requirements.turns(rows, who))}
    if not of:
        return ""
    speeds, rests = (sorted({key[place] for found in of.values() for key in found}) for place in (0, 1))
    colours = dict(zip(rests, charts.COLOURS.values()))
    parts = []
    for index, (estimator, found) in enumerate(of.items()):
        panel = Panel(56 + 380 * index, 34, 310, 260, (speeds[0] * 0.8, speeds[-1] * 1.25), (0.01, 1000), (True,) * 2)
        panel.axes(f"{estimator}: worst heading (dashed: allowed)", speeds,
                   [0.01, 0.1, 1, 10, 100, 1000], "rate of the turn, °/s", "°")
        panel.line(*zip(*((speed, requirements.turn_bound(speed, rests[-1])) for speed in speeds)), "#555", 1, "4 3")
        for rest in rests:
            at = [speed for speed in speeds if (speed, rest) in found]
            panel.line(at, [max(found[speed, rest][0]) for speed in at], colours[rest], 2)
        parts += panel.parts
    names = [(f"after {rest:g} s of rest", colours[rest]) for rest in rests]
    return document(820, 360, parts + legend(names, 56, 350, 150))
