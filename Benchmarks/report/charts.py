"""Charts as inline SVG: lines over sizes, bars, and a run compared with older ones. No scripts, no network."""

import html
import math

#: The panel's colours (Sources/CPanel/site/colours.css), which the page defines.
COLOURS = {"ours": "var(--accent)", "peer": "var(--warn)", "other": "var(--good)", "ready": "var(--glow)", "part": "var(--soft)"}


def escape(text):
    return html.escape(str(text))


def ticks(high):
    """Returns four to eight round values of an axis from 0."""
    step = 10 ** math.floor(math.log10(high))
    for part in (0.1, 0.2, 0.25, 0.5, 1):
        if high / (part * step) <= 7:
            step *= part
            break
    return [index * step for index in range(int(high / step) + 1)]


def written(value):
    """Formats three digits, without an exponent."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def lines(title, xs, series, unit, width=300, height=190):
    """Draws lines over the labels `xs`, from 0 upwards. `series`: (name, colour, values with None for gaps)."""
    values = [v for _, _, row in series for v in row if v is not None and math.isfinite(v) and v > 0]
    if not values:
        return ""
    high = max(values) * 1.08
    left, right, top, bottom = 40, 8, 26, 24

    def x(index):
        return left + (width - left - right) * (index + 0.5) / len(xs)

    def y(value):
        return top + (height - top - bottom) * (1 - value / high)

    parts = [f'<svg class="chart" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
             f"<title>{escape(title)} ({escape(unit)})</title>",
             f'<text x="{left}" y="14" class="head">{escape(title)}</text>']
    for value in ticks(high):
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{y(value):.1f}" y2="{y(value):.1f}" class="grid"/>'
                     f'<text x="{left - 5}" y="{y(value) + 4:.1f}" class="axis" text-anchor="end">{value:g}</text>')
    for index, label in enumerate(xs):
        parts.append(f'<text x="{x(index):.1f}" y="{height - 8}" class="axis" text-anchor="middle">{escape(label)}</text>')
    for name, colour, row in series:
        points = [(x(i), y(v)) for i, v in enumerate(row) if v is not None and math.isfinite(v) and v > 0]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.6" fill="{colour}"><title>{escape(name)}</title></circle>'
                  for px, py in points]
    return "".join(parts) + "</svg>"


def bars(rows, unit, width=760):
    """Draws horizontal bars from 0. `rows`: (label, value, role)."""
    rows = [row for row in rows if math.isfinite(row[1])]
    if not rows:
        return ""
    high, left, step = max(value for _, value, _ in rows) or 1, 300, 22
    height = step * len(rows) + 8
    parts = [f'<svg class="chart" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
             f"<title>{escape(unit)}</title>"]
    for index, (label, value, role) in enumerate(rows):
        y, length = 4 + step * index, max(1, (width - left - 90) * value / high)
        parts.append(f'<text x="{left - 8}" y="{y + 14}" class="axis" text-anchor="end">{escape(label)}</text>'
                     f'<rect x="{left}" y="{y + 3}" width="{length:.1f}" height="{step - 7}" fill="{COLOURS[role]}"/>'
                     f'<text x="{left + length + 6:.1f}" y="{y + 14}" class="axis">{written(value)}</text>')
    return "".join(parts) + "</svg>"


def legend(entries):
    """Names of lines in their colours."""
    return '<p class="legend">' + "".join(
        f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in entries) + "</p>"
