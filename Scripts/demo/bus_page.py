#!/usr/bin/python3
"""Makes the page of the bus ride from its recordings and the judge's results.

    bus_page.py DIR

reads   DIR/X.wav          the scene as rendered, binaural; X as in bus_plot.NAMES, any may be absent
        DIR/X-judge.json   and .csv: results of judge.py for the voice-only renders
        DIR/floor.json                              the judge's own error (optional)
        DIR/motion/                                 truth.csv, device.csv, events.json
        DIR/run.json                                conditions of the run, see Scripts/demo/README.md (optional)
writes  DIR/index.html    self-contained: plots, sound, figures
        DIR/bus.png       the plot; bus.svg without rsvg-convert

Prints whether the product keeps the voice in place (RMS <= 2, p95 <= 3, max <= 5 degrees outside dropouts), and exits 1
if not.
"""

import base64
import html
import json
import os
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bus_plot
import bus_table
import page_sound
import panel_style
from listening import floatwav, loudness, rotations

HERE = os.path.dirname(os.path.abspath(__file__))
VARIANTS = list(bus_plot.NAMES)
#: Loudness of the embedded sound, LUFS; all are lowered together if a peak would exceed -1 dBFS.
TARGET = -20.0


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: bus_page.py DIR")
    folder = sys.argv[1]
    events = load(f"{folder}/motion/events.json")
    run = load(f"{folder}/run.json") if os.path.exists(f"{folder}/run.json") else {}
    floor = load(f"{folder}/floor.json") if os.path.exists(f"{folder}/floor.json") else None
    judged = {n: load(f"{folder}/{n}-judge.json") for n in VARIANTS if os.path.exists(f"{folder}/{n}-judge.json")}
    if "ours" not in judged:
        sys.exit(f"{folder}/ours-judge.json: not found; run judge.py first")
    traces = {n: np.loadtxt(f"{folder}/{n}-judge.csv", delimiter=",", skiprows=1) for n in judged}
    motion = moved(folder)
    coarse = {n: (x[::4, 0], x[::4, 2], x[::4, 3]) for n, x in traces.items()}
    for name in set(bus_plot.OURS) & set(traces):
        coarse[name] = tuple(traces[name][::2, c] for c in (0, 2, 3))
    plot = bus_plot.draw(motion, coarse, events)
    drawn = picture(plot, f"{folder}/bus.png")
    sounds, gains = sound(folder, events["duration"], run)
    ok, verdict = bus_table.verdict(judged)
    with open(f"{HERE}/bus_page.html") as file:
        page = file.read()
    with open(f"{HERE}/abx.js") as file:
        abx = file.read()
    fields = {
        "verdict": verdict, "buttons": buttons(judged), "plot": panel_style.in_page(plot),
        "table": bus_table.table(judged, run), "notes": bus_table.notes(judged, floor, run, gains),
        "ride": json.dumps(ride(motion, traces, events)), "audio": sounds, "abx": abx,
        "colours": panel_style.colours(), "stage": panel_style.modules(*panel_style.STAGE),
    }
    for name, text in fields.items():
        page = page.replace("{{" + name + "}}", text)
    with open(f"{folder}/index.html", "w") as file:
        file.write(page)
    print(bus_table.plain(judged))
    print(f"{folder}/index.html, {drawn}")
    sys.exit(0 if ok else 1)


def load(path):
    with open(path) as file:
        return json.load(file)


def moved(folder):
    """Returns times, heading of the bus and yaw of the head relative to the device, degrees, at 20 Hz."""
    t = np.arange(0, load(f"{folder}/motion/events.json")["duration"], 0.05)
    angles = []
    for name in ("device", "truth"):
        rows = np.loadtxt(f"{folder}/motion/{name}.csv", delimiter=",", skiprows=1)
        yaw = rotations.angles(rows[:, 1:])[0]
        angles.append(np.interp(t, rows[:, 0], np.degrees(np.unwrap(np.radians(yaw)))))
    return t, angles[0], angles[1]


def ride(motion, traces, events):
    """Returns the angles for the page's animation at 20 Hz."""
    t, bus, head = motion
    variants = {}
    for name, rows in traces.items():
        turned = np.degrees(np.unwrap(np.radians(rows[:, 2])))
        variants[name] = {
            "name": bus_plot.NAMES[name], "colour": bus_plot.COLOURS[name],
            "azimuth": np.round(np.interp(t, rows[:, 0], turned), 1).tolist()}
    return {
        "seconds": events["duration"], "rate": 20, "bus": np.round(bus, 1).tolist(), "head": np.round(head, 1).tolist(),
        "variants": variants, "left": bus_plot.LEFT, "right": bus_plot.RIGHT, "width": bus_plot.WIDTH}


def buttons(judged):
    return "".join(
        f'<button id="pick-{n}" style="--tint:{bus_plot.COLOURS[n]}" aria-pressed="false">'
        f"{html.escape(bus_plot.NAMES[n])}</button>" for n in VARIANTS if n in judged)


def sound(folder, seconds, run):
    """Returns the scene of each variant from the ride's start, with equal loudness, as base64 in inert script elements;
    gains in dB."""
    heard = {}
    for name in VARIANTS:
        path = f"{folder}/{name}.wav"
        if os.path.exists(path):
            samples, rate = floatwav.read(path)
            lead = run.get("variants", {}).get(name, run.get("variants", {}).get("ours", {})).get("motion_start", 0.0)
            start = round(lead * rate)
            samples = samples[max(start, 0):][:round(seconds * rate)]
            heard[name] = (samples, rate, loudness.integrated(samples, rate))
    target = min([TARGET] + [l - 1 - 20 * np.log10(np.abs(s).max()) for s, _, l in heard.values()])
    parts, gains = [], {}
    for name, (samples, rate, level) in heard.items():
        gains[name] = target - level
        kind, encoded = page_sound.compressed(samples * 10 ** (gains[name] / 20), rate)
        text = base64.b64encode(encoded).decode()
        parts.append(f'<script type="{kind};base64" id="audio-{name}">{text}</script>')
    return "\n".join(parts), gains


def picture(svg, path):
    """Converts the plot to PNG by rsvg-convert; without it, writes the SVG, with a message. Returns the written
    file."""
    program = shutil.which("rsvg-convert")
    if not program:
        path = path[:-4] + ".svg"
        with open(path, "w") as file:
            file.write(svg)
        print(f"rsvg-convert is not installed (apt install librsvg2-bin): wrote {path} instead of a PNG")
        return path
    subprocess.run([program, "--zoom", "2", "-o", path], input=svg.encode(), check=True)
    return path


if __name__ == "__main__":
    main()
