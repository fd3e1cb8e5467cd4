#!/usr/bin/python3
"""Checks the forecast of the head's pose with plugins after the ears: it extends to the time at which the sound leaves
the plugins, so that a voice keeps its place on the stage as well as without them. Two sessions follow the same trackers
on one server, in real time, one with 304 frames of plugins; the recordings of both pairs of ears are judged.

usage: plugins_ride.py PROGRAM
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav, kemar, localizer, rotations
from planted import AHEAD, DPL, use
from takes import MISSED, RATE, Complaint, Stage, enter, free_ports, is_beside, tally, trouble, until_whole

PORTS = free_ports(6)
LATE = 304
#: Seconds before the ride, of the ride, and at both of its ends without judgement.
LEAD, SECONDS, EDGE = 7, 10, 0.5
#: Greatest additional error on the stage, degrees RMS; and greatest additional age of the poses, milliseconds: the same
#: error at the head's speed.
BOUND, OLDER = 0.1, 1.2
#: Greatest delay of 1 % of the trackers' packets, milliseconds; beyond it the ride is invalid.
LATE_MS = 20.0


def furnish(folder):
    """Writes a voice of noise in front; a head that turns left and right at up to 130°/s, on a turning device."""
    random = np.random.default_rng(31)
    floatwav.write(folder / "voice.wav", 0.05 * random.standard_normal(RATE * (SECONDS + 3)), RATE)
    t = np.arange(0, SECONDS + 2, 0.01)
    slowly = np.clip(t / 2, 0, 1) ** 2
    head = np.radians(45) * slowly * np.sin(2 * np.pi * 0.45 * t)
    device = np.radians(40) * slowly * np.sin(2 * np.pi * 0.1 * t)
    (folder / "motion").mkdir()
    for name, yaw in (("truth", head), ("device", device), ("head", head + device)):
        rows = np.column_stack([t, np.cos(yaw / 2), 0 * t, 0 * t, np.sin(yaw / 2)])
        np.savetxt(folder / f"motion/{name}.csv", rows, "%.9f", ",", header="t,w,x,y,z", comments="")


def options(name, ports):
    return ["--name", name, "--limiter", "off", "--head", f"osc:{ports[0]}", "--device", f"opentrack:{ports[1]}", "--record-motion",
            f"{name}.ndjson", "--connect-out", "system:playback_{1,2}"]


def perform(program, folder):
    """Runs both sessions inside a sandbox. Returns an error, or None."""
    chains = ["--plugin", f"ears={DPL}", "--plugin", f"ears={AHEAD}"]
    try:
        with Stage(program, folder, PORTS[0], "bare", *options("bare", PORTS[2:4]), layout="mono") as bare, \
                Stage(program, folder, PORTS[1], "late", *options("late", PORTS[4:6]), *chains, layout="mono") as late:
            stages = (bare, late)
            before = [stage.status["skippedFrames"] for stage in stages]
            start = time.monotonic() + LEAD
            sender = subprocess.Popen(
                [sys.executable, HERE.parent / "demo/send_motion.py", folder / "motion", "--start", str(start),
                 *(word for n in (2, 4) for word in ("--head", f"osc:{PORTS[n]}", "--device", f"opentrack:{PORTS[n + 1]}"))],
                stdout=subprocess.PIPE, text=True)
            bare.play("voice.wav", channels=1, lead=LEAD - 2, into="bare,late")
            late.start_at(bare.first)
            for stage in stages:
                stage.begun()
                stage.ctl("recentre")
            left = start + SECONDS + 1 - time.monotonic()
            if left < SECONDS + 1.2:
                return MISSED
            time.sleep(left)
            skipped = [stage.status["skippedFrames"] - then for stage, then in zip(stages, before)]
            for stage in stages:
                stage.finish()
            packets = json.loads(sender.communicate(timeout=30)[0])
    except Complaint as complaint:
        return str(complaint)
    (folder / "take.json").write_text(json.dumps({"start": start, "skipped": max(skipped), "late": packets["late_p99_ms"]}))
    return None


def log(folder, name):
    """Returns the poses of a motion log from stream time 0 on: frame, w, x, y, z, host time of its sound at the
    listener, seconds."""
    poses = []
    for line in map(json.loads, open(folder / f"{name}.ndjson")):
        if "start" in line:
            poses = []
        if len(line.get("pose", ())) == 6:
            poses.append(line["pose"])
    return np.array(poses)


def azimuths(folder, name, late):
    """Returns the azimuths of the voice relative to the head, degrees, and the stream times of that sound at the
    output, seconds."""
    dry = floatwav.read(folder / "voice.wav")[0][:, 0]
    heard, _ = floatwav.read(folder / f"{name}.wav")
    # The voice begins with the stream; swh's limiter adds inaudible noise before it.
    heard = heard[np.argmax(np.abs(heard).max(1) > 1e-5):][:len(dry)]
    times, azimuth, _ = localizer.Localizer(kemar.Measured(), RATE).locate(heard, dry[:len(heard)])
    return times + late / RATE, azimuth


def judge(folder):
    """Returns (good, text) of a ride; None for good if the machine disturbed it."""
    take = json.loads((folder / "take.json").read_text())
    if take["skipped"]:
        return None, f"the server skipped {take['skipped']} frames"
    truth = np.loadtxt(folder / "motion/truth.csv", delimiter=",", skiprows=1)
    yaw = np.degrees(2 * np.arctan2(truth[:, 4], truth[:, 1]))
    # Both streams began at one frame of one server, so the clock without plugins is that of both.
    clock = log(folder, "bare")
    reach = further(clock, log(folder, "late"))

    heard = {name: azimuths(folder, name, late) for name, late in (("bare", 0), ("late", LATE))}

    def error(name, delay=0.0):
        """Returns the voice's error on the stage if its sound came `delay` seconds later, degrees RMS, and the age of
        the poses that explains the part proportional to the head's speed, milliseconds."""
        times, azimuth = heard[name]
        ride = np.interp(times, clock[:, 0] / RATE, clock[:, 5]) - take["start"] + delay
        inside = (ride > EDGE) & (ride < SECONDS - EDGE)
        off = rotations.wrap(azimuth + np.interp(ride, truth[:, 0], yaw))[inside]
        speed = np.interp(ride[inside], truth[:, 0], np.gradient(yaw, truth[:, 0]))
        return float(np.sqrt(np.mean(off ** 2))), float(1000 * np.sum(off * speed) / np.sum(speed ** 2))

    (without, age), (with_plugins, later), (_, unforeseen) = error("bare"), error("late"), error("bare", LATE / RATE)
    said = (f"voice off by {without:.2f}° RMS without plugins, {with_plugins:.2f}° with {LATE} frames of them (at most {BOUND}° more), their "
            f"poses {later - age:+.2f} ms older (at most {OLDER} ms; {unforeseen - age:.1f} ms were they not foreseen); the forecast reaches {reach:.2f} frames "
            f"further; packets late by {take['late']:.1f} ms")
    if take["late"] > LATE_MS:
        return None, said
    # Both sessions correct the clock of the server slightly in every cycle.
    if abs(reach - LATE) > 0.5 or abs(later - age) > OLDER or unforeseen - age < 4 * OLDER:
        # Beside other checks one of the two sessions may have been delayed; a repetition without them counts as a
        # fault.
        return None if is_beside() else False, said
    # Other errors of the voice are the machine's: two sessions read packets at different times.
    return True if with_plugins <= without + BOUND else None, said


def further(clock, poses):
    """Returns the number of frames by which plugins extend the forecast, by the poses without and with them."""
    both = min(len(clock), len(poses))
    if np.any(poses[:both, 0] != clock[:both, 0]):
        raise Complaint("the poses are not those of the same frames")
    return float(np.median(poses[:both, 5] - clock[:both, 5]) * RATE)


def rehearse(program):
    """Makes and judges a ride."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        use(program, folder)
        take = subprocess.run([HERE.parent / "jack-sandbox", "--sync", sys.executable, __file__, "--inside", program, name],
                              capture_output=True, text=True)
        if wrong := trouble(take):
            return wrong
        return judge(folder)


def outcomes(program):
    yield "the stage and the forecast", *until_whole("the stage and the forecast", lambda: rehearse(program))


def main(program):
    return tally("ride with plugins", outcomes(program))


if __name__ == "__main__":
    enter(__doc__, main, perform)
