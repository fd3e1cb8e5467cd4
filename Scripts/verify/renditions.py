#!/usr/bin/env python3
"""Checks that a programme changes between its multichannel and its stereo rendition without a seam, on a real JACK
server.

usage: renditions.py PROGRAM

Two feeders play one programme, in 5.1 and in stereo, the latter 37 or 480 samples later and 3 dB softer. After both
were present for five seconds the stage is commanded to play stereo and to change back, at random instants; then the
multichannel feeder is killed, without and with a look-ahead of 20 ms. Materials, the same sound in both renditions
unless stated otherwise:
  tones         two steady ones, alike on left and right
  music         five voices between left and right
  speech        alike on left and right (espeak-ng's where it is installed, else two vowels)
  surround mix  the five voices in the centre, at the front and at the sides; in stereo their fold-down (ITU)

Measured disturbance at a seam (a change of rendition) in the worse ear, relative to the same programme rendered without
one, in dB (where frames were lost with the client: relative to the programme's own measure at their beginning or end,
whichever is greater):
  burst  the loudest 2 ms above 8 kHz within 30 ms of the seam, relative to the 99.5th percentile elsewhere (both at
         least -90 dBFS)
  bend   the largest second difference near the seam, relative to the 99.9th percentile elsewhere
  dip    the level of 50 ms round the seam relative to that of 100 to 300 ms before and after (negative is a dip)
  step   loudness of the 400 ms after the fade relative to the same 400 ms without a hand-over, LU
Bounds: burst and bend at most 6 dB, dip at least -6 dB, step of a commanded hand-over at most 0.5 LU. For the surround
mix the step is printed, not judged, because its fold-down has the voices in other proportions. Without the look-ahead
the figures of a kill are printed, not judged. For comparison, the same figures of a hard cut and of a plain fade of
20 ms between the two renditions of the same take, made here, are printed beside them.

A take in which the server skipped sound by itself is invalid: it is repeated, twelve times at most, and counts as
failed if none was complete. Losses with the killed client are part of the take, and printed.
"""
import json
import os
import pathlib
import shutil
import signal as signals
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy import signal

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "demo"))
import small_music
from listening import floatwav, loudness
from portplay import Patchbay
from takes import RATE, Complaint, Stage, enter, free_ports, tally, until_whole, wait_for_ports

PORT, SECONDS, PERIOD, CENTRE = str(free_ports(1)[0]), 12, 256, 2
TAKES = [("tones", 37), ("tones", 480), ("music", 480), ("speech", 37), ("surround mix", 480)]
#: Options with the look-ahead, and without any latency: neither look-ahead nor reserve for a later stereo rendition.
OPTIONS = [["--hold", "20ms"], ["--hold", "0ms", "--align", "0ms"]]
SENTENCE = "The stage stays where it is when the head turns, and nobody hears the joint between two renditions of one programme. "
#: Seconds from the programme's beginning to the commands and the kill; drawn once, by a fixed seed.
INSTANTS = [6.0, 8.0, 10.0]


def speech(frames):
    """Returns a repeated sentence."""
    if not shutil.which("espeak-ng"):
        # Two alternating vowels: pulses of falling pitch through resonances.
        t = np.arange(frames) / RATE
        pulses = np.diff(np.floor(np.cumsum((130 - 30 * (t % 1)) / RATE)), prepend=0)
        sound = sum(signal.lfilter([1], np.poly([0.995 * np.exp(s * 2j * np.pi * f / RATE) for s in (1, -1)]).real, pulses)
                    for f in (500, 1500, 2500))
        return 0.2 * sound / np.abs(sound).max() * (np.sin(2 * np.pi * 1.3 * t) > -0.7)
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        subprocess.run(["espeak-ng", "-v", "en-gb", "-a", "60", "-s", "160", "-w", file.name, SENTENCE], check=True)
        said, rate = floatwav.read(file.name)
    said = signal.resample_poly(0.5 * said[:, 0], RATE, rate)
    return np.resize(said, frames)


def renditions(material):
    """Returns one programme: [frame][6], and [frame][2], its ITU fold-down."""
    frames = RATE * SECONDS
    five = np.zeros((frames, 6))
    t = 2 * np.pi * np.arange(frames) / RATE
    if material == "tones":
        five[:, 0] = five[:, 1] = 0.2 * np.sin(220 * t) + 0.1 * np.sin(331 * t)
    elif material == "speech":
        five[:, 0] = five[:, 1] = np.sqrt(0.5) * speech(frames)
    elif material == "music":
        for pan, track in zip((0.5, 0.2, 0.8, 0.35, 0.65), small_music.play(frames, RATE).values()):
            five[:, :2] += 0.2 * np.outer(track, np.sqrt([1 - pan, pan]))
    else:
        for place, track in zip((CENTRE, 0, 1, 4, 5), small_music.play(frames, RATE).values()):
            five[:, place] += 0.15 * track
    two = five[:, :2] + np.sqrt(0.5) * five[:, [CENTRE]] + np.sqrt(0.5) * five[:, 4:6]
    return five, two


def furnish(folder, material, lag):
    five, two = renditions(material)
    later = np.zeros_like(two)
    later[lag:] = 10 ** (-3 / 20) * two[:len(two) - lag]
    floatwav.write(folder / "five.wav", five, RATE, 0x60F)
    floatwav.write(folder / "two.wav", later, RATE)


def perform(program, folder):
    """Makes one take inside a sandbox. Returns an error, or None."""
    options = json.loads((folder / "options").read_text())
    feeders = []
    try:
        with Stage(program, folder, PORT, "live", "--stereo-rendition", *options) as stage:
            first = stage.status and stage.ctl("start")["frame"]
            frame = (first + 8 * RATE) // PERIOD * PERIOD % 2**32
            # The player connects to the first inputs of a client: the stereo one plays into the card, where it is
            # inaudible, until it is moved.
            for path, into in (("two.wav", "system"), ("five.wav", "proscenium")):
                feeders.insert(0, subprocess.Popen([program, "demo", "play", path, "--into", into, "--at", str(frame)], cwd=folder,
                                                   stdin=subprocess.DEVNULL))
                if into == "system":
                    wait_for_ports("player:out_", 2, feeders[0])
                    bay = Patchbay()
                    for number, ear in enumerate("LR", start=1):
                        bay.connect(f"player:out_{number}", f"proscenium:in_stereo_{ear}")
                        bay.disconnect(f"player:out_{number}", f"system:playback_{number}")
                    bay.close()
            start = json.loads(subprocess.run([program, "ctl", "start", "--at", str(frame), "--port", PORT],
                                              capture_output=True, text=True).stdout or "{}")
            if start.get("frame") != frame:
                return f"the stream started at {start.get('frame')}, not at {frame}: the frame had passed"
            stage.wait_for(RATE)
            there = stage.status["programmes"][0]["renditions"]
            if not (there["hasMultichannel"] and there["hasStereo"]):
                return "a feeder came too late: its frame had passed"
            # Evaluated from a second before the first hand-over; earlier losses affect no seam.
            stage.wait_for(int((INSTANTS[0] - 1) * RATE))
            before = stage.status["skippedFrames"]
            for instant, act in zip(INSTANTS, ("stereo", "auto", None)):
                stage.wait_for(int(instant * RATE))
                if act:
                    stage.ctl("rendition", act)
                else:
                    alive = stage.status
                    feeders[0].send_signal(signals.SIGKILL)
            stage.wait_for(int((INSTANTS[-1] + 1) * RATE))
            after = stage.status
            stage.finish()
    except Complaint as complaint:
        return str(complaint)
    finally:
        for feeder in feeders:
            if feeder.poll() is None:
                feeder.kill()
            feeder.wait()
    state = after["programmes"][0]["renditions"]
    (folder / "take.json").write_text(json.dumps({
        "skipped": alive["skippedFrames"] - before, "lost": after["skippedFrames"] - alive["skippedFrames"], "state": state}))
    return None


def seam(x, t):
    """Returns burst, bend and dip of one ear at frame t, dB."""
    high = signal.sosfilt(signal.butter(6, 8000, "high", fs=RATE, output="sos"), x)
    starts = np.arange(0, len(high) // 96 * 96, 96)
    energy = np.add.reduceat(high[:len(starts) * 96] ** 2, starts) + 96 * 1e-9
    near = np.abs(starts - t) < 0.03 * RATE
    burst = 10 * np.log10(energy[near].max() / np.percentile(energy[~near], 99.5))
    bends = np.abs(np.diff(x, 2)) + 1e-12
    near = np.abs(np.arange(len(bends)) - t) < 0.03 * RATE
    bend = 20 * np.log10(bends[near].max() / np.percentile(bends[~near], 99.9))

    def power(start, end):
        return np.mean(x[int(t + start * RATE):int(t + end * RATE)] ** 2) + 1e-12
    dip = 10 * np.log10(power(-0.025, 0.025) / (0.5 * (power(-0.3, -0.1) + power(0.1, 0.3))))
    return np.array([burst, bend, dip])


def over(x, plain, t, after=None):
    """Returns the excess of a seam over the same sound without it. Where frames were lost, that sound is missing: the
    excess is relative to the greater of the programme's measures at their beginning and at their end (`after`, which is
    `plain` without them)."""
    there = seam(plain, t)
    return seam(x, t) - (there if after is None else np.maximum(there, seam(after, t)))


def momentary(ears, start):
    """Returns the loudness of the 400 ms from `start` on, BS.1770 without gates, LU."""
    weighted = signal.sosfilt(loudness._k_weighting(RATE), ears[max(0, start - RATE):start + int(0.4 * RATE)], axis=0)
    return 10 * np.log10(np.mean(weighted[-int(0.4 * RATE):] ** 2) + 1e-12)


def shifted(live, plain, begin, end, late):
    """Returns the plain rendering, shifted to align with live in [begin, end); None if no shift does.

    If the server ran on without the stage, frames are missing from the recording; a rendition that could not be aligned
    returns `late` frames later."""
    window = plain[begin:end]
    for shift in (lost - delay for lost in range(0, RATE // 2, 64) for delay in {0, late}):
        if begin - shift >= 0 and end - shift <= len(live):
            # Frame t of live is frame t + shift of plain.
            if np.abs(live[begin - shift:end - shift] - window).max() < 1e-3 * np.abs(window).max():
                return np.vstack([np.zeros((max(0, -shift), 2)), plain[max(0, shift):], np.zeros((max(0, shift), 2))])[:len(plain)]
    return None


def compare(program, folder):
    """Returns the seams of a take: [(burst, bend, dip, step)], or None if the server skipped sound, and the stage's
    output with, as `cut` and `fade`, the figures of a hard cut and of a plain fade of 20 ms at the place of the last
    seam."""
    take = json.loads((folder / "take.json").read_text())
    if take["skipped"]:
        return None, f"the server skipped {take['skipped']} frames before the feeder was killed"
    subprocess.run([program, "render", "-y", "five.wav", "plain.wav", "--layout", "5.1", "--no-tail"], cwd=folder, check=True,
                   stderr=subprocess.DEVNULL)
    subprocess.run([program, "render", "-y", "two.wav", "other.wav", "--layout", "stereo", "--upmix", "identity", "--upmix-latency", "live",
                    "--no-tail"], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    live, _ = floatwav.read(folder / "live.wav")
    other, _ = floatwav.read(folder / "other.wav")
    whole, _ = floatwav.read(folder / "plain.wav")
    # The recording begins with the first start; both are silent, except for rounding within a slice, until the
    # programme begins.
    def onset(ears):
        return np.argmax(np.abs(ears).max(1) > 1e-4)
    live = live[onset(live) - onset(whole):]
    length = min(len(live), len(whole), int((INSTANTS[-1] + 0.9) * RATE))
    live, whole = live[:length], whole[:length]
    found = []
    late = round((take["state"].get("lag") or 0) * RATE / 1000)
    for number, instant in enumerate(INSTANTS):
        at = int(instant * RATE)
        # The command comes a little after the instant: the fade begins where live and plain first differ, or agree
        # again.
        plain = shifted(live, whole, *((at + RATE * 8 // 5, at + RATE * 9 // 5) if number == 1 else (at - RATE // 2, at - RATE // 5)),
                        late)
        if plain is None:
            return None, f"the server skipped sound near {instant:.1f} s"
        begin, end = at - RATE // 5, min(length, at + RATE * 9 // 5)
        differs = np.flatnonzero(np.abs(live[begin:end] - plain[begin:end]).max(1) > 1e-3 * np.abs(plain).max())
        # With matched delay and loudness, the same sound leaves no trace; the stage's own count of hand-overs is used.
        t = begin + RATE // 4
        if len(differs):
            t = begin + (differs[-1] - int(0.0075 * RATE) if number == 1 else differs[0] + int(0.0075 * RATE))
        a, b = max(0, t - RATE), min(length, t + RATE)
        later = np.vstack([plain[take["lost"]:], np.zeros((take["lost"], 2))]) if number == 2 and take["lost"] else None
        ears = [over(live[a:b, ear], plain[a:b, ear], t - a, None if later is None else later[a:b, ear]) for ear in (0, 1)]
        after = t + int(0.0075 * RATE)
        found.append((max(e[0] for e in ears), max(e[1] for e in ears), min(e[2] for e in ears),
                      momentary(live, after) - momentary(plain if later is None else later, after)))
    passed = (np.arange(len(plain)) - t)[:, None] / RATE
    other = np.vstack([other, np.zeros((length, 2))])[:len(plain)]
    plainly = {"cut": passed >= 0, "fade": np.clip(passed / 0.02 + 0.5, 0, 1)}
    for name, way in plainly.items():
        mixed = plain + way * (other - plain)
        ears = [over(mixed[a:b, ear], plain[a:b, ear], t - a) for ear in (0, 1)]
        plainly[name] = max(e[0] for e in ears), max(e[1] for e in ears)
    return found, take["state"] | {"lost": take["lost"]} | plainly


def rehearse(program, material, lag, options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder, material, lag)
        (folder / "options").write_text(json.dumps(options))
        take = subprocess.run([HERE.parent / "jack-sandbox", "--period", str(PERIOD), sys.executable, __file__, "--inside",
                               program, name], capture_output=True, text=True)
        said = (take.stdout + take.stderr).strip()
        if "had passed" in said:
            return None, said
        if take.returncode != 0:
            return False, said
        found, state = compare(program, folder)
        if found is None:
            return None, state
        told, back, killed = found
        words = "; ".join("{}: burst {:+.1f} bend {:+.1f} dip {:+.1f} dB, step {:+.2f} LU".format(what, *figures)
                          for what, figures in zip(("told", "told back", "killed"), found))
        words += "; lag " + ("unknown" if state.get("lag") is None else f"{state['lag'] * RATE / 1000:.2f}")
        words += f", {state['lost']} frames lost with the feeder, r {state['correlation']:.2f}, gain {state['stereoGain']:+.2f} dB"
        words += "; beside it a hard cut: burst {:+.1f} bend {:+.1f}, a plain fade: burst {:+.1f} bend {:+.1f} dB".format(
            *state["cut"], *state["fade"])
        judged = [told, back] + ([killed] if options == OPTIONS[0] else [])
        good = state["handOvers"] == 3 and state["playing"] == "stereo" and all(f[0] <= 6 and f[1] <= 6 and f[2] >= -6 for f in judged)
        steps = [] if material == "surround mix" else [abs(told[3]), abs(back[3])]
        return bool(good and all(step <= 0.5 for step in steps)), words


def main(program):
    def outcomes():
        for material, lag in TAKES:
            for options in OPTIONS:
                label = f"{material}, {lag} samples, {' '.join(options)}"
                yield label, *until_whole(label, lambda: rehearse(program, material, lag, options))
    return tally("renditions change hands", outcomes())


if __name__ == "__main__":
    if os.environ.get("PROSCENIUM_SOAK") != "1":
        print("renditions: not run here: takes with killed feeders want a quiet machine (make soak); swift test judges the engine")
        sys.exit(0)
    # Instants within a fifth of a second after those above, the same in every run.
    INSTANTS = [i + d for i, d in zip(INSTANTS, np.random.default_rng(5).uniform(0, 0.2, 3))]
    enter(__doc__, main, perform)
