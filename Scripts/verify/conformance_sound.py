"""Checks of conformance.py on the signal through the JACK client while it plays."""
import json
import subprocess
import time

import numpy as np

from listening import floatwav
from planted import AMP, DPL
from ports import measures
from servers import MIDISender, few_plugins, until
from takes import PATIENCE, RATE, Complaint, Stage

#: Frames between impulses: a prime, so that no number of lost periods equals it.
SPACING = 479
#: Least duration of the segment at a period, seconds; and least number of its impulses without a break.
SEGMENT, CLEAN = 0.35, 12


class Suspect(Complaint):
    """A break in the sound at a step: a fault of the step, or of a machine that was late at that moment."""

    def __init__(self, step, words):
        super().__init__(words)
        self.step = step


def playing(stage, path, channels):
    """Plays a file in a loop into the stage and starts it; returns once sound arrives."""
    stage.loop(path)
    until("sound at the inputs", lambda: max(stage.status["inputPeaks"]) > -60)


def counts(stage):
    state = stage.status
    return state["streamFrame"], state["xruns"], state["skippedFrames"], state["period"]


def periods(program, folder, port, server):
    """Plays evenly spaced impulses through one session at all periods: none is lost, doubled or shifted except where
    the server reports a lost cycle. PipeWire reports a cycle that the player alone missed to the player alone: a break
    that is not reported to the session counts if a second take has one at the same period."""
    train = np.zeros(SPACING * 100)
    train[::SPACING] = 0.25
    floatwav.write(folder / "train.wav", np.column_stack([train, train]), RATE)
    segments = []
    with Stage(program, folder, port, "ears", "--limiter", "off", layout="stereo") as stage:
        playing(stage, "train.wav", 2)
        for asked, given in server.periods.items():
            server.set_period(asked)
            until(f"a period of {given} where {asked} is asked for", lambda: stage.status["period"] == given)
            # Transients of the change of period end after two periods.
            begin = stage.status["streamFrame"] + 2 * given + SPACING
            until(f"two periods of {given}", lambda: stage.status["streamFrame"] >= begin)
            first = counts(stage)
            until(f"sound at a period of {given}",
                  lambda: stage.status["streamFrame"] >= first[0] + max(SEGMENT * RATE, 2 * given + CLEAN * SPACING))
            segments.append((asked, given, first, counts(stage)))
        stage.finish()
    ears, _ = floatwav.read(folder / "ears.wav")
    if len(ears) < segments[-1][3][0]:
        raise Complaint(f"{len(ears)} frames were recorded of {segments[-1][3][0]}")
    return judge_periods(ears, segments)


def out_of_step(sound, loudest):
    """Returns the frames at which impulses do not repeat those one spacing before."""
    return np.abs(sound[SPACING:] - sound[:-SPACING]).max(1) > 1e-5 * loudest


def judge_periods(ears, segments):
    said, told = [], 0
    for asked, given, (begin, xruns, skipped, _), (end, later_xruns, later_skipped, period) in segments:
        sound = ears[begin:end]
        if period != given:
            raise Complaint(f"asked for {asked} the period is {period}, not {given}")
        unlike = out_of_step(sound, np.abs(ears).max())
        places = np.flatnonzero(unlike)
        breaks = 0 if len(places) == 0 else 1 + int(np.count_nonzero(np.diff(places) > 2 * SPACING))
        lost = max(later_xruns - xruns, -(-(later_skipped - skipped) // given))
        clean = np.count_nonzero(~unlike) / SPACING
        if np.abs(sound).max() < 0.01:
            raise Complaint(f"at a period of {given} there is no sound")
        if breaks > lost:
            raise Suspect(f"a period of {given}",
                          f"at a period of {given} impulses are out of step in {breaks} places, and the session counts {lost} lost "
                          f"cycles ({begin + int(places[0])} is the first)")
        if clean < CLEAN:
            # The machine was too busy for a result.
            return None, f"at a period of {given} only {clean:.0f} impulses came through between {lost} lost cycles"
        middle = len(sound) // 2
        if not out_of_step(np.delete(sound, slice(middle, middle + 16), 0), np.abs(ears).max()).any():
            raise Complaint("sixteen frames that are left out would not be found")
        told += lost
        said.append(str(given) if asked == given else f"{asked} ({given})")
    return "impulses in step at periods of " + ", ".join(said) + (f"; the server lost {told} cycles" if told else "")


def sixteen(program, folder, port, server):
    """Checks sixteen inputs and two outputs: every input has its own position, as `render` plays the same file."""
    noise = np.random.default_rng(16)
    programme = np.zeros((RATE, 16))
    for channel in range(16):
        begin = RATE // 20 * (channel + 1)
        programme[begin:begin + RATE // 50, channel] = 0.05 * noise.standard_normal(RATE // 50)
    floatwav.write(folder / "sixteen.wav", programme, RATE)
    server.set_period(1024)
    with Stage(program, folder, port, "ears", "--limiter", "off", layout="9.1.6") as stage:
        playing(stage, "sixteen.wav", 16)
        begin, _, before, _ = counts(stage)
        until("three rounds", lambda: stage.status["streamFrame"] >= begin + 2.5 * RATE)
        skipped = counts(stage)[2] - before
        stage.finish()
    if skipped:
        return None, f"the server skipped {skipped} frames"
    subprocess.run([program, "render", "-y", "sixteen.wav", "offline.wav", "--layout", "9.1.6", "--limiter", "off", "--no-tail"],
                   cwd=folder, check=True, stderr=subprocess.DEVNULL)
    ears, _ = floatwav.read(folder / "ears.wav")
    offline, _ = floatwav.read(folder / "offline.wav")
    # Starts in the middle of a pass: the pause of the programme marks the start of the next.
    ears = ears[begin:]
    quiet = np.flatnonzero(np.convolve(np.any(np.abs(ears) > 1e-6, 1), np.ones(RATE // 10)) == 0)
    quiet = quiet[quiet >= RATE // 10]
    if len(quiet) == 0:
        raise Complaint("there is no pause between two rounds")
    first = quiet[0] + np.argmax(np.any(np.abs(ears[quiet[0]:]) > 1e-6, 1)) - np.argmax(np.any(np.abs(offline) > 1e-6, 1))
    heard = ears[first:first + len(offline)]
    if len(heard) < len(offline):
        raise Complaint(f"only {len(heard)} of {len(offline)} frames of a round were heard")
    apart = 10 * np.log10(np.sum((heard - offline) ** 2) / np.sum(offline ** 2) + 1e-20)
    if apart > -100:
        raise Complaint(f"the ears are {apart:.1f} dB from what `render` gives, not below -100 dB")
    return f"16 in, 2 out: {apart:.0f} dB from what render gives"


def inserts(program, folder, port, server):
    """Inserts and removes plugins under a tone: no click."""
    few_plugins(folder)
    t = np.arange(RATE) / RATE
    tone = 0.05 * np.sin(2 * np.pi * 220 * t) + 0.025 * np.sin(2 * np.pi * 331 * t)
    floatwav.write(folder / "tones.wav", np.column_stack([tone, tone]), RATE)
    steps = [["add", f"main={AMP},name=amp,gain=-3"], ["add", f"ears={DPL},name=dpl"], ["bypass", "amp", "on"],
             ["bypass", "amp", "off"], ["remove", "dpl"], ["remove", "amp"]]
    server.set_period(1024)
    with Stage(program, folder, port, "ears", layout="stereo") as stage:
        playing(stage, "tones.wav", 2)
        begin, _, before, _ = counts(stage)
        until("two calm seconds", lambda: stage.status["streamFrame"] >= begin + 2.3 * RATE)
        for words in steps:
            answer = subprocess.run([program, "ctl", "plugin", *words, "--port", port], capture_output=True, text=True, check=False)
            if answer.returncode != 0:
                raise Complaint(f"ctl plugin {' '.join(words)}: {answer.stderr.strip()[-200:]}")
            time.sleep(0.15)
        time.sleep(0.2)
        skipped = counts(stage)[2] - before
        stage.finish()
    if skipped:
        return None, f"the server skipped {skipped} frames"
    ears, _ = floatwav.read(folder / "ears.wav")
    burst, bend = measures(ears[begin:])
    # A missing frame changes the sound most at its steepest slope, and hardly at a crest.
    near = int(2.5 * RATE)
    steepest = near + int(np.argmax(np.abs(np.diff(ears[begin + near:begin + near + RATE // 50, 0]))))
    left_out = measures(np.delete(ears[begin:], steepest, 0))
    if max(left_out) < 12:
        raise Complaint(f"a frame that is left out would not be found: {left_out}")
    said = f"{len(steps)} changes under tones: HF burst {burst:+.1f} dB, second difference {bend:+.1f} dB"
    if max(burst, bend) > 6:
        # The player, a separate client, may have been late without a report; a click of the session occurs in every
        # take.
        return None, said + ", more than +6"
    return said


def midi(program, folder, port, server):
    """Checks that a tracker's MIDI messages have the times of their frames, not of their periods, and that none is
    lost."""
    count, gaps = 60, [700, 1300, 400, 2100, 90]
    messages = []
    for number in range(count):
        # Supperware's orientation as three angles of fourteen bits; only the yaw is used.
        messages.append(bytes([0xF0, 0, 0x21, 0x42, 0x40, 0, (number + 1) >> 7, (number + 1) & 127, 0, 0, 0, 0, 0xF7]))
    server.set_period(1024)
    sender = MIDISender("pedalboard", messages, gaps)
    with Stage(program, folder, port, "ears", "--head", "midi:pedalboard,supperware", "--record-motion", "ride.ndjson",
               layout="stereo") as stage:
        stage.status
        until("a connection of the tracker's port", lambda: sender.connected)
        stage.ctl("start")
        before = counts(stage)
        sender.going = True
        until("all messages are sent", lambda: len(sender.sent) == count)
        time.sleep(0.3)
        after = counts(stage)
        stage.finish()
    if after[1:3] != before[1:3]:
        return None, f"the server lost {after[1] - before[1]} cycles"
    heard = []
    for line in (folder / "ride.ndjson").read_text().splitlines():
        sample = json.loads(line).get("head", {})
        if "orientation" in sample:
            w, _, _, z = sample["orientation"]
            heard.append((round(2 * np.arctan2(z, w) * 2048) - 1, sample["arrival"]))
    numbers = [number for number, _ in heard]
    if numbers != list(range(count)):
        raise Complaint(f"of {count} messages came {len(numbers)}: {numbers[:10]}…")
    late = np.array([arrival for _, arrival in heard]) - np.array(sender.sent) / RATE
    late = 1000 * (late - np.median(late))
    spread = np.percentile(np.abs(late), 80)
    # With times by the period, four of five messages were within 9 ms; JACK's estimate of its clock errs on a busy
    # machine.
    if spread > 4:
        raise Complaint(f"messages are told {spread:.2f} ms from their frames (four of five within that)")
    return f"{count} messages in periods of 1024, four of five within {1000 * spread:.0f} µs of their frames"
