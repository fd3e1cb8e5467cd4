"""Draws the ride as SVG: motion, position of the voice, and the error in detail. Uses only strings, no library."""

import numpy as np

#: Colours of all variants in order; the last is the main result.
COLOURS = {"untracked": "#9aa0a6", "head-only": "#e07b39", "ssr": "#8d5524", "android": "#a23b9c", "ours": "#6aa5e8",
           "imu": "#1668c7"}
NAMES = {"untracked": "untracked", "head-only": "head tracker only", "ssr": "SSR, head tracker", "android": "Android’s rule",
         "ours": "Proscenium, fused trackers", "imu": "Proscenium, raw IMUs"}
#: Variants of the product that follow head and device.
OURS = ("ours", "imu")
WIDTH, LEFT, RIGHT = 1120, 64, 18
INK, FAINT, SHADE = "#202124", "#dadce0", "#fde7b0"
FONT = "font-family=\"'Inter','Segoe UI','DejaVu Sans',sans-serif\""


class Panel:
    """One pair of axes: seconds horizontally, degrees vertically."""

    def __init__(self, top, height, low, high, ticks, title, seconds):
        self.top, self.height, self.low, self.high = top, height, low, high
        self.ticks, self.title, self.seconds = ticks, title, seconds

    def x(self, t):
        return LEFT + (WIDTH - LEFT - RIGHT) * np.asarray(t) / self.seconds

    def y(self, degrees):
        return self.top + self.height * (self.high - np.asarray(degrees)) / (self.high - self.low)

    def axes(self, bottom=False):
        parts = [f'<text x="{LEFT}" y="{self.top - 9}" font-size="14" font-weight="600" fill="{INK}">{self.title}</text>']
        for tick in self.ticks:
            if abs(tick) > self.high:
                continue
            y = self.y(tick)
            label = f"{tick:+d}°" if tick else "0°"
            parts.append(
                f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{FAINT}"'
                f' stroke-width="{1.4 if tick == 0 else 0.8}"/>'
                f'<text x="{LEFT - 8}" y="{y + 4:.1f}" font-size="12" text-anchor="end" fill="#5f6368">'
                f'{label.replace("-", "−")}</text>')
        if bottom:
            for second in range(0, int(self.seconds) + 1, 10 * max(1, int(np.ceil(self.seconds / 150)))):
                parts.append(
                    f'<text x="{self.x(second):.1f}" y="{self.top + self.height + 18}" font-size="12"'
                    f' text-anchor="middle" fill="#5f6368">{second} s</text>')
        return "".join(parts)

    def shade(self, dropouts, label=False):
        parts = []
        for dropout in dropouts:
            x0, x1 = self.x(dropout["from"]), self.x(dropout["to"])
            parts.append(
                f'<rect x="{x0:.1f}" y="{self.top}" width="{x1 - x0:.1f}" height="{self.height}" fill="{SHADE}"/>')
            if label:
                parts.append(
                    f'<text x="{(x0 + x1) / 2:.1f}" y="{self.top + self.height + 15}" font-size="11.5" text-anchor="middle"'
                    f' fill="#8a5a00">{" + ".join(dropout["streams"])} silent</text>')
        return "".join(parts)

    def line(self, t, degrees, colour, width=2.0, dash="", clip=True):
        """Draws a polyline, interrupted where an angle wraps, clipped at the panel's edges."""
        degrees = np.clip(degrees, self.low, self.high) if clip else degrees
        breaks = np.flatnonzero(np.abs(np.diff(degrees)) > 180) + 1
        parts = []
        for piece_t, piece in zip(np.split(t, breaks), np.split(degrees, breaks)):
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(self.x(piece_t), self.y(piece)))
            dashes = f' stroke-dasharray="{dash}"' if dash else ""
            parts.append(
                f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"'
                f' stroke-linejoin="round"{dashes}/>')
        return "".join(parts)


def draw(motion, judged, events):
    """Draws the whole figure. `motion`: (t, bus, head) in degrees; `judged`: {variant: (t, stage azimuth, error)}."""
    seconds, dropouts = events["duration"], events["dropouts"]
    reach = max(np.abs(azimuth).max() for _, azimuth, _ in judged.values())
    span, ticks = (180, [-180, -90, 0, 90, 180]) if reach > 140 else (145, [-90, 0, 90])
    moves = Panel(34, 120, -140, 140, [-90, 0, 90], "What moves", seconds)
    stage = Panel(210, 250, -span, span, ticks, "Where the voice stands on the stage", seconds)
    worst = max(np.abs(judged[name][2]).max() for name in OURS if name in judged)
    near, marks = (12, [-10, -5, 0, 5, 10]) if worst <= 12 else (min(30, 5 * np.ceil(worst / 5) + 1), [-20, -10, -5, 0, 5, 10, 20])
    close = Panel(530, 140, -near, near, marks, "Proscenium, close up: error in degrees", seconds)
    t, bus, head = motion
    height = 696
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" {FONT}'
        f' id="plot"><rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
    parts += [p.shade(dropouts, label=p is moves) for p in (moves, stage, close)]
    parts += [moves.axes(), stage.axes(), close.axes(bottom=True)]
    parts.append(moves.line(t, bus, "#7b5ea7", 2.2) + moves.line(t, head, "#2e8b57", 2.2))
    parts.append(legend(moves.top - 9, [("the bus", "#7b5ea7"), ("the head, against the device", "#2e8b57")], LEFT + 116))
    y5 = close.y(5)
    parts.append(
        f'<rect x="{LEFT}" y="{y5:.1f}" width="{WIDTH - LEFT - RIGHT}" height="{close.y(-5) - y5:.1f}"'
        f' fill="{COLOURS["imu"]}" opacity="0.06"/>')
    for name in NAMES:
        if name in judged:
            times, azimuth, error = judged[name]
            parts.append(stage.line(times, azimuth, COLOURS[name], 3.0 if name == "imu" else 1.8))
            if name in OURS:
                parts.append(close.line(times, error, COLOURS[name], 1.8 if name == "imu" else 1.2))
    parts.append(legend(stage.top + stage.height + 17, [(NAMES[n], COLOURS[n]) for n in NAMES if n in judged], LEFT))
    parts.append(
        f'<text x="{WIDTH - RIGHT}" y="{close.top - 9}" font-size="12" text-anchor="end" fill="#5f6368">'
        "left is positive; shaded: 400 ms without that sensor</text>")
    parts.append(
        f'<line id="playhead" x1="-9" x2="-9" y1="{moves.top}" y2="{close.top + close.height}" stroke="{INK}"/>')
    return "".join(parts) + "</svg>"


def legend(y, entries, x):
    parts = []
    for name, colour in entries:
        parts.append(
            f'<line x1="{x}" x2="{x + 26}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="3"/>'
            f'<text x="{x + 32}" y="{y}" font-size="12.5" fill="{INK}">{name}</text>')
        x += 50 + 6.6 * len(name)
    return "".join(parts)
