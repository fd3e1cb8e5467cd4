#!/usr/bin/python3
"""Compares whole programs: programs.py PROSCENIUM OUTPUT.json.

Offline: user and system time of rendering a long file less that of a short one, so that start-up, reading a set and
planning do not count; reading and writing sound does, for all programs. Live: processor time of all threads of a JACK
client while sound passes and the head turns, once for sixteen sources less two, so that the wake-up per period does not
count, and once whole. Start-up: from the command to the end of a tenth of a second of sound. Also a plugin in a live
session, beside jalv.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts"))
import live_programs
import plugin_programs
import runs
import upmix_programs
from listening import floatwav

RATE = 48_000
SET = "/usr/share/libmysofa/default.sofa"
SHORT, LONG, ROUNDS = 5, 125, 5
#: Channel mask of 7.1 in the order of WAVE files, and the channels.
MASK_7_1, CHANNELS = 0x63F, 8


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: programs.py PROSCENIUM OUTPUT.json")
    program, output = os.path.abspath(sys.argv[1]), sys.argv[2]
    absent = []
    with tempfile.TemporaryDirectory() as folder:
        write_inputs(folder)
        found = [offline(program, folder, absent), upmix_programs.measure(program, folder, absent), start(program, folder),
                 *live_programs.measure(program, folder, absent), *plugin_programs.measure(program, folder, absent)]
    with open(output, "w") as file:
        json.dump({"schema": runs.SCHEMA, "machine": {}, "run": {}, "cells": [cell for cell in found if cell], "absent": absent},
                  file)


def write_inputs(folder):
    """Writes noise in 7.1, long and short, responses for ffmpeg's headphone filter, and the motion of a turning
    head."""
    rng = np.random.default_rng(1)
    for name, length in (("long", LONG), ("short", SHORT), ("tenth", 0.1)):
        noise = rng.uniform(-0.05, 0.05, (int(length * RATE), CHANNELS))
        floatwav.write(f"{folder}/{name}.wav", noise, RATE, MASK_7_1)
    fade = np.exp(-np.arange(256) / 40)[:, None]
    floatwav.write(f"{folder}/responses.wav", rng.uniform(-0.2, 0.2, (256, 2 * CHANNELS)) * fade, RATE)
    with open(f"{folder}/turn.csv", "w") as file:
        for step in range(0, 2 * (LONG + 20)):
            half = np.radians(100 * step / 2) / 2
            file.write(f"{step / 2},{np.cos(half):.9f},0,0,{np.sin(half):.9f}\n")


def commands(program, folder, name):
    """Returns (name, role, command, remark) of the programs that render FOLDER/NAME.wav."""
    sound, out = f"{folder}/{name}.wav", f"{folder}/out.wav"
    ours = [program, "render", "-y", sound, out, "--layout", "7.1", "--hrtf", "kemar"]
    found = [
        ("Proscenium render, still", "ours", ours, "slice 64"),
        ("Proscenium render, slice 256, still", "ours", [*ours, "--slice", "256"], ""),
        ("Proscenium render, turning", "ours", [*ours, "--poses", f"{folder}/turn.csv"], "slice 64, 100° a second"),
    ]
    if shutil.which("ffmpeg"):
        base = ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-filter_threads", "1", "-y", "-i", sound]
        end = ["-c:a", "pcm_f32le", out]
        for size in (1024, 4096):
            found.append((f"ffmpeg sofalizer, frames of {size}, still", "peer",
                          [*base, "-af", f"sofalizer=sofa={SET}:type=freq:framesize={size}", *end], "frequency domain"))
        graph = ("[0:a][1:a]headphone=map=FL|FR|FC|LFE|BL|BR|SL|SR:hrir=multich:type=freq:size=1024")
        found.append(("ffmpeg headphone, frames of 1024, still", "peer",
                      [*base, "-i", f"{folder}/responses.wav", "-filter_complex", graph, *end], "256 taps"))
        found.append(("ffmpeg, reading, mixing and writing only", "part", [*base, "-ac", "2", *end], ""))
    return found


def seconds_of(command):
    """Returns user and system time of a program; it must succeed."""
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        if status != 0:
            log.seek(0)
            raise RuntimeError(f"{' '.join(command[:2])}: {log.read().strip()[-300:]}")
    return usage.ru_utime + usage.ru_stime


def offline(program, folder, absent):
    """Returns the cell of programs that render files: rounds in turn, the difference of the medians."""
    if not shutil.which("ffmpeg"):
        absent.append({"id": "programs/7.1/ffmpeg", "reason": "ffmpeg is not installed (Debian: apt-get install ffmpeg)"})
    short, long = (commands(program, folder, name) for name in ("short", "long"))
    times = {(length, entry[0]): [] for length in (SHORT, LONG) for entry in long}
    for turn in range(ROUNDS):
        for index in range(len(long)):
            place = (index + turn) % len(long)
            for length, choices in ((SHORT, short), (LONG, long)):
                times[length, choices[place][0]].append(seconds_of(choices[place][2]))
        print(f"bench: whole programs, round {turn + 1} of {ROUNDS}")
    frames = (LONG - SHORT) * RATE * CHANNELS
    contenders = []
    for name, role, _, remark in long:
        less = statistics.median(times[SHORT, name])
        contenders.append(figures(name, role, [(t - less) * 1e9 / frames for t in times[LONG, name]], remark))
    facts = {"sources": CHANNELS, "sampleRate": RATE, "filters": SET, "directions": "still, but where it says turning"}
    return cell("programs/7.1", "programs", "whole programs rendering a file of 7.1, LFE counted, reading and writing included",
                "ns of processor time per frame and channel", facts, contenders)


def start(program, folder):
    """Returns the cell of the time from the command to its end, as a user waits for it."""
    choices = [
        ("proscenium --version", "part", [program, "--version"]),
        ("proscenium render, 0.1 s, kemar", "ours", [program, "render", "-y", f"{folder}/tenth.wav", f"{folder}/out.wav",
                                                     "--layout", "7.1", "--hrtf", "kemar"]),
        ("proscenium render, 0.1 s, generated", "ours", [program, "render", "-y", f"{folder}/tenth.wav", f"{folder}/out.wav",
                                                         "--layout", "7.1", "--hrtf", "generated"])]
    if shutil.which("ffmpeg"):
        choices.append(("ffmpeg sofalizer, 0.1 s, kemar", "peer", [
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", f"{folder}/tenth.wav", "-af", f"sofalizer=sofa={SET}",
            f"{folder}/out.wav"]))
    times = {name: [] for name, _, _ in choices}
    for _ in range(2 * ROUNDS):
        for name, _, command in choices:
            before = time.monotonic()
            seconds_of(command)
            times[name].append((time.monotonic() - before) * 1e3)
    return cell("start/render", "start", "from the command to the end of a tenth of a second of sound", "ms",
                {"sources": CHANNELS, "sampleRate": RATE}, [figures(name, role, times[name]) for name, role, _ in choices])


def figures(name, role, values, remark=""):
    """Returns a contender in the form of the suite's own JSON."""
    ordered = sorted(values)
    return {"name": name, "role": role, "remark": remark, "value": statistics.median(ordered),
            "lowerQuartile": ordered[len(ordered) // 4], "medianMicroseconds": 0, "p99Microseconds": 0,
            "longestMicroseconds": 0, "processorShare": 1, "steps": len(ordered), "allocations": 0, "bytes": 0,
            "errorDecibels": None}


def cell(identity, group, title, unit, facts, contenders):
    return {"id": identity, "group": group, "title": title, "unit": unit, "facts": facts, "contenders": contenders,
            "void": None}


if __name__ == "__main__":
    main()
