#!/usr/bin/env python3
"""Draws the yaw error of half an hour with two raw IMUs as an SVG.

usage: plot-half-hour.py DIRECTORY OUTPUT.svg
DIRECTORY holds the output of `PROSCENIUM_FIGURES=DIRECTORY swift test --filter HalfHourTests`: 'half-hour NAME,
pull.csv' and 'half-hour NAME, no pull.csv', lines `seconds,degrees` (the greatest error of each second). Needs only
Python.
"""

import glob
import os
import sys

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#555555"]
WIDTH, LEFT, PLOT, HEIGHT = 720, 56, 500, 170


def curves(directory, ending):
    found = []
    for path in sorted(glob.glob(os.path.join(directory, f"half-hour *, {ending}.csv"))):
        name = os.path.basename(path)[len("half-hour "):-len(f", {ending}.csv")]
        if ending == "pull" and name.endswith("no"):
            continue
        with open(path) as lines:
            points = [tuple(map(float, line.split(","))) for line in lines if line.strip()]
        found.append((name, points))
    return found


def panel(out, top, title, found, limit, ticks):
    def x(seconds):
        return LEFT + PLOT * seconds / 1800

    def y(degrees):
        return top + HEIGHT / 2 * (1 - max(-limit, min(limit, degrees)) / limit)

    out.append(f'<text x="{LEFT}" y="{top - 8}" font-weight="bold">{title}</text>')
    for degrees in ticks:
        out.append(f'<path d="M{LEFT} {y(degrees):.1f}h{PLOT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y(degrees) + 4:.1f}" text-anchor="end">{degrees}°</text>')
    for minutes in range(0, 31, 5):
        out.append(f'<text x="{x(minutes * 60):.1f}" y="{top + HEIGHT + 14}" text-anchor="middle">{minutes}</text>')
    for colour, (name, points) in zip(COLOURS, found):
        # The greatest error of every ten seconds.
        worst = [max(points[i:i + 10], key=lambda p: abs(p[1])) for i in range(0, len(points), 10)]
        path = "M" + "L".join(f"{x(t):.0f} {y(e):.1f}" for t, e in worst)
        out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1"/>')
    for row, (colour, (name, _)) in enumerate(zip(COLOURS, found)):
        at = top + 14 + 18 * row
        out.append(f'<path d="M{LEFT + PLOT + 12} {at - 4}h16" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{LEFT + PLOT + 34}" y="{at}">{name}</text>')


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pulled, free = curves(sys.argv[1], "pull"), curves(sys.argv[1], "no pull")
    if not pulled or not free:
        sys.exit(f"{sys.argv[1]} holds no curves: run PROSCENIUM_FIGURES={sys.argv[1]} swift test --filter HalfHourTests")
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="470" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="470" fill="white"/>',
    ]
    panel(out, 30, "Yaw error with the pull (worst of 10 s)", pulled, 5, [-4, -2, 0, 2, 4])
    panel(out, 255, "Without", free, 50, [-40, -20, 0, 20, 40])
    out.append(f'<text x="{LEFT + PLOT / 2}" y="458" text-anchor="middle">minutes</text></svg>')
    with open(sys.argv[2], "w") as svg:
        svg.write("\n".join(out) + "\n")


main()
