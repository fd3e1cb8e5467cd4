#!/usr/bin/python3
"""Simulates Android's published rule for head tracking: its spatializer's poses for the ride.

    peer_android.py MOTIONDIR POSES.csv LEAD

Written from the documented behaviour of AOSP's libheadtracking and of the spatializer that configures it: sequence,
thresholds and windows, as listed below; no code of it. Both sensors are fused and without drift, at 10 ms; their data
arrive at once (no radio link, hence no prediction). The mode is the world-relative one, the default of phones.
POSES.csv is head to stage in seconds of sound time, which is LEAD seconds ahead of the ride.

- The head is still if it stayed within 10.5° for 6 s, the screen if it stayed within 15° for 0.75 s; after a movement
  each counts as moving until its window has passed.
- The head is recentred, in all axes, while it is still and while the screen is not.
- The stage follows the headphones alone; it is static, turning with the head, while the screen is not still and after
  120 ms of silence of a sensor.
- After a recentring or a change of mode the stage moves at no more than 0.8 rad/s until it has reached its pose.
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from listening import rotations

STEP = 0.01
HEAD_WINDOW, HEAD_THRESHOLD = 6.0, np.radians(10.5)
SCREEN_WINDOW, SCREEN_THRESHOLD = 0.75, np.radians(15)
FRESH, RATE_LIMIT = 0.12, 0.8
#: Rest before the ride, seconds, which fills the windows.
BEFORE = 8.0
IDENTITY = np.array([1.0, 0, 0, 0])


def angle(a, b):
    """Returns the angle between two rotations, radians."""
    return 2 * np.arccos(min(1.0, abs(float(np.dot(a, b)))))


class Stillness:
    """Whether a pose stayed near the newest one during a window."""

    def __init__(self, window, threshold, before_full):
        self.window, self.threshold, self.before_full = window, threshold, before_full
        self.reset()

    def reset(self):
        self.times, self.poses = np.empty(0), np.empty((0, 4))
        self.begun, self.moving_until = None, -np.inf

    def take(self, moment, pose):
        if self.begun is None:
            self.begun = moment
        self.times, self.poses = np.append(self.times, moment), np.vstack([self.poses, pose])

    def still(self, now):
        inside = self.times >= now - self.window
        self.times, self.poses = self.times[inside], self.poses[inside]
        if len(self.times):
            far = np.abs(self.poses @ self.poses[-1]) < np.cos(self.threshold / 2)
            if far.any():
                self.moving_until = max(self.moving_until, self.times[far].max() + self.window)
        if self.begun is None or now - self.begun < self.window:
            return self.before_full
        return now >= self.moving_until


def simulate(head, screen, times):
    """Returns head to stage at `times`; `head` and `screen` are rows of t, w, x, y, z."""
    head_still = Stillness(HEAD_WINDOW, HEAD_THRESHOLD, False)
    screen_still = Stillness(SCREEN_WINDOW, SCREEN_THRESHOLD, True)
    front = IDENTITY
    newest = {"head": None, "screen": None}
    rows = {"head": list(head), "screen": list(screen)}
    mode, limited, out, result = None, False, IDENTITY, []
    for now in times:
        for name, detector in (("screen", screen_still), ("head", head_still)):
            while rows[name] and rows[name][0][0] <= now + 1e-9:
                row = rows[name].pop(0)
                newest[name] = (row[0], row[1:])
                detector.take(row[0], row[1:])
        screen_rests = screen_still.still(now)
        if newest["head"] is not None and (head_still.still(now) or not screen_rests):
            centred = rotations.conjugate(newest["head"][1])
            if angle(centred, front) > 1e-6:
                front, limited = centred, True
            head_still.reset()
        fresh = {name: value is not None and now - value[0] < FRESH for name, value in newest.items()}
        actual = "world" if fresh["head"] and fresh["screen"] and screen_rests else "static"
        limited |= actual != mode
        mode = actual
        target = IDENTITY if mode == "static" else rotations.multiply(front, newest["head"][1])
        if limited:
            left = angle(out, target)
            if left <= RATE_LIMIT * STEP:
                limited = False
            else:
                share = RATE_LIMIT * STEP / left
                target = rotations.slerp([0, 1], [out, target], np.array([share]))[0]
        out = target
        result.append(out)
    return np.array(result)


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: peer_android.py MOTIONDIR POSES.csv LEAD")
    folder, path, lead = sys.argv[1], sys.argv[2], float(sys.argv[3])
    streams = []
    for name in ("head", "device"):
        rows = np.loadtxt(f"{folder}/{name}.csv", delimiter=",", skiprows=1)
        early = np.arange(-round(BEFORE / STEP), 0) * STEP
        streams.append(np.vstack([np.column_stack([early, np.tile(rows[0, 1:], (len(early), 1))]), rows]))
    times = np.arange(-round(lead / STEP), round(streams[0][-1, 0] / STEP) + 1) * STEP
    early = np.arange(-round(BEFORE / STEP), -round(lead / STEP)) * STEP
    poses = simulate(*streams, np.concatenate([early, times]))[len(early):]
    np.savetxt(path, np.column_stack([times + lead, poses]), ["%.4f"] + ["%.9f"] * 4, ",", header="t,w,x,y,z", comments="")


if __name__ == "__main__":
    main()
