#!/usr/bin/python3
"""Makes the bus ride: orientations of the device and the headphones, and the true relative pose.

    make_motion.py OUTDIR [SECONDS]

A passenger on a bus holds the listening device still on their lap. The bus turns 90 degrees in 3 s, 180 degrees in 8 s,
and takes an S-bend; it leans in its turns and shakes on the road, and carries device and head alike. The head turns up
to 60 degrees each way relative to the device. For 400 ms each, the device's stream, the head's stream and both are
silent. All turns are minimum-jerk. SECONDS shortens the minute.

OUTDIR/truth.csv    t,w,x,y,z   head to device, 100 Hz, complete: the true pose of the head on the stage
OUTDIR/head.csv     t,w,x,y,z   head to world, 100 Hz, as sent: samples in a dropout are missing
OUTDIR/device.csv   t,w,x,y,z   device to world, likewise
OUTDIR/events.json              turns and dropouts with their times

Seconds from the start of the ride; quaternions Hamilton, w x y z; x front, y left, z up.
"""

import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from listening import rotations

DURATION, RATE = 60.0, 100
#: (body, beginning in s, duration in s, angle in degrees; left is positive)
TURNS = [
    ("bus", 3.0, 3.0, 90), ("head", 8.0, 1.6, 60), ("head", 11.0, 3.0, -120), ("head", 15.0, 1.6, 60),
    ("bus", 18.0, 8.0, -180), ("head", 20.5, 1.5, 35), ("head", 24.0, 1.5, -35),
    ("bus", 29.0, 3.0, 60), ("bus", 32.0, 4.0, -100), ("bus", 36.0, 3.0, 40),
    ("head", 40.5, 1.6, -60), ("head", 43.0, 3.75, 120), ("head", 48.0, 1.6, -60),
    ("bus", 51.0, 4.0, 70), ("head", 52.0, 2.5, -50), ("head", 56.0, 1.5, 50),
]
#: (silent streams, from s, label); each lasts 400 ms
DROPOUTS = [
    (["device"], 21.8, "device, bus turning"), (["head"], 44.675, "head, at 60°/s"),
    (["head", "device"], 52.9, "both, both turning"),
]
DROPOUT = 0.4


def minimum_jerk(u):
    """Returns a step from 0 to 1 with zero rate and acceleration at both ends; the peak rate is 1.875 times the
    mean."""
    u = np.clip(u, 0, 1)
    return u**3 * (10 - 15 * u + 6 * u * u)


def yaw_of(who, t):
    """Returns the yaw of the bus, or of the head relative to the device, degrees."""
    return sum(by * minimum_jerk((t - start) / lasts) for name, start, lasts, by in TURNS if name == who)


def shake(t, seed, rates, degrees):
    """Returns a sum of slow sines of random phase, `degrees` each: smooth, without a special time."""
    rng = np.random.default_rng(seed)
    return sum(degrees * np.sin(2 * np.pi * rate * t + rng.uniform(0, 2 * np.pi)) for rate in rates)


def ride(t):
    """Returns device to world and head to device at times `t`."""
    step = 1e-3
    bus_rate = (yaw_of("bus", t + step) - yaw_of("bus", t - step)) / (2 * step)
    device = rotations.from_angles(
        yaw_of("bus", t), 0.6 * shake(t, 1, (1.3, 2.1), 0.5), -0.06 * bus_rate + shake(t, 2, (0.9, 1.7), 0.4))
    # The first two seconds are still, to define the front.
    calm = minimum_jerk((t - 2) / 2)
    head = rotations.from_angles(
        yaw_of("head", t) + calm * shake(t, 3, (0.21, 0.37), 0.4),
        calm * shake(t, 4, (0.17, 0.43), 0.8), calm * shake(t, 5, (0.13, 0.31), 0.5))
    return device, head


def write(path, t, poses, keep):
    with open(path, "w") as file:
        file.write("t,w,x,y,z\n")
        for moment, (w, x, y, z) in zip(t[keep], poses[keep]):
            file.write(f"{moment:.4f},{w:.9f},{x:.9f},{y:.9f},{z:.9f}\n")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: make_motion.py OUTDIR [SECONDS]")
    folder = sys.argv[1]
    duration = min(DURATION, float(sys.argv[2])) if len(sys.argv) == 3 else DURATION
    dropouts = [d for d in DROPOUTS if d[1] + DROPOUT + 1 < duration]
    os.makedirs(folder, exist_ok=True)
    t = np.arange(0, round(duration * RATE) + 1) / RATE
    device_to_world, head_to_device = ride(t)
    heard = {"head": np.ones(len(t), bool), "device": np.ones(len(t), bool)}
    for streams, start, _ in dropouts:
        for stream in streams:
            heard[stream] &= (t < start) | (t >= start + DROPOUT)
    write(f"{folder}/truth.csv", t, head_to_device, np.ones(len(t), bool))
    write(f"{folder}/device.csv", t, device_to_world, heard["device"])
    write(f"{folder}/head.csv", t, rotations.multiply(device_to_world, head_to_device), heard["head"])
    events = {
        "duration": duration, "rate": RATE,
        "turns": [{"who": w, "from": s, "to": s + d, "degrees": by} for w, s, d, by in TURNS if s < duration],
        "dropouts": [{"streams": s, "from": a, "to": round(a + DROPOUT, 6), "label": l} for s, a, l in dropouts],
    }
    with open(f"{folder}/events.json", "w") as file:
        json.dump(events, file, indent=1, ensure_ascii=False)
    rate = np.gradient(rotations.angles(head_to_device)[0], t)
    print(f"{duration:g} s ride: {len(t)} poses, head up to {np.abs(rate).max():.0f}°/s, {len(dropouts)} dropouts of 400 ms")


if __name__ == "__main__":
    main()
