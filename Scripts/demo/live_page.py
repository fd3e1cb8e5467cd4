"""The page of a user's own ride: the head's motion on the stage, the state of the trackers, and the sound."""

import base64
import html
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bus_plot
import page_sound
import panel_style
from listening import floatwav, rotations

COLOURS = {"yaw": "#1668c7", "pitch": "#2e8b57", "roll": "#e07b39"}
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Proscenium: your ride</title>
<style>{colours}
body {{ margin: 0 auto; max-width: 1160px; padding: 28px 20px; color: var(--ink); background: var(--page); font: 16px/1.5 system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; }}
svg {{ width: 100%; height: auto; }} audio {{ width: 100%; }} p {{ max-width: 820px; }}</style>
<h1>Your ride</h1>
<p>{summary}</p>
<audio controls src="data:{kind};base64,{sound}"></audio>
{plot}
<p>Rendered again from the log: <code>proscenium render scene.wav again.wav --layout 7.1.4 --motion motion.ndjson</code> (the
programme began anew every 63 s, and not with the recording).</p>
</html>
"""


def read(path):
    """Returns header, poses [row][seconds, w, x, y, z] since the last start, arrival times per tracker."""
    header, poses, arrivals = {}, [], {"head": [], "device": []}
    with open(path) as file:
        for line in file:
            entry = json.loads(line)
            if "motion" in entry:
                header = entry["motion"]
            elif "start" in entry:
                poses = []
            elif "pose" in entry:
                poses.append(entry["pose"][:5])
            else:
                for who in arrivals:
                    if who in entry:
                        arrivals[who].append(entry[who]["arrival"])
    poses = np.array(poses, float).reshape(-1, 5)
    poses[:, 0] /= header["sampleRate"]
    return header, poses, {who: np.array(times) for who, times in arrivals.items()}


def write(folder, head, device):
    """Writes FOLDER/live.html from ears.wav and motion.ndjson."""
    header, poses, arrivals = read(f"{folder}/motion.ndjson")
    samples, rate = floatwav.read(f"{folder}/ears.wav")
    kind, encoded = page_sound.compressed(samples, rate)
    with open(f"{folder}/live.html", "w") as file:
        file.write(PAGE.format(
            summary=summary(poses, arrivals, head, device), kind=kind, sound=base64.b64encode(encoded).decode(),
            plot=panel_style.in_page(plot(poses)), colours=panel_style.colours()))


def summary(poses, arrivals, head, device):
    sentences = [f"{poses[-1, 0]:.0f} s."]
    for who, tracker in (("head", head), ("device", device)):
        times = arrivals[who]
        if tracker == "none":
            sentences.append(f"No tracker on the {who}.")
        elif len(times) < 2:
            sentences.append(f"The {who}’s tracker ({html.escape(tracker)}) was not heard.")
        else:
            gaps = np.diff(times)
            sentences.append(
                f"The {who}’s tracker ({html.escape(tracker)}) spoke {len(times)} times, {1 / np.median(gaps):.0f} times a second; "
                f"longest silence {gaps.max() * 1000:.0f} ms.")
    return " ".join(sentences)


def plot(poses):
    """Draws yaw, pitch and roll of the head on the stage as SVG."""
    step = max(1, len(poses) // 4000)
    t = poses[::step, 0]
    angles = dict(zip(COLOURS, rotations.angles(poses[::step, 1:])))
    panel = bus_plot.Panel(40, 300, -180, 180, [-180, -90, 0, 90, 180], "The head on the stage", max(t[-1], 1))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {bus_plot.WIDTH} 370" {bus_plot.FONT}>', panel.axes(bottom=True)]
    parts += [panel.line(t, angles[name], colour, 2.0) for name, colour in COLOURS.items()]
    parts.append(bus_plot.legend(panel.top - 9, list(COLOURS.items()), bus_plot.LEFT + 220))
    return "".join(parts) + "</svg>"
