#!/usr/bin/env python3
"""Writes the motion logs of this folder. Only Python's standard library is used.

Head to stage, for `proscenium render --poses`:
  turn.csv            once round to the left in 8 s; few rows, interpolated by slerp
  look-around.csv     60 degrees to the left, to the right, and back
  nod-and-tilt.csv    up and down, then each ear down

Body to world, for `--head file:...` and `--device file:...`:
  bus-device.csv      a bus that turns by 90 degrees in 3 s
  bus-head.csv        a passenger on it who looks 40 degrees to the left and back meanwhile
"""

import math
import os

FOLDER = os.path.dirname(os.path.abspath(__file__))


def quaternion(yaw, pitch=0, roll=0):
    """Returns w, x, y, z of angles in degrees (left, up, right ear down)."""
    a, b, c = (math.radians(v) / 2 for v in (yaw, -pitch, roll))
    (ca, sa), (cb, sb), (cc, sc) = ((math.cos(v), math.sin(v)) for v in (a, b, c))
    return (ca * cb * cc + sa * sb * sc, ca * cb * sc - sa * sb * cc,
            ca * sb * cc + sa * cb * sc, sa * cb * cc - ca * sb * sc)


def turned(t, *turns):
    """Returns the sum of minimum-jerk turns (start, duration, degrees) at time t."""
    total = 0
    for start, duration, degrees in turns:
        u = max(0, min(1, (t - start) / duration))
        total += degrees * u ** 3 * (10 + u * (6 * u - 15))
    return total


def write(name, duration, rate, pose):
    with open(os.path.join(FOLDER, name), "w") as file:
        file.write("t,w,x,y,z\n")
        for step in range(round(duration * rate) + 1):
            t = step / rate
            file.write(f"{t:g}," + ",".join(f"{v:.6f}" for v in quaternion(*pose(t))) + "\n")


def main():
    write("turn.csv", 8, 1, lambda t: (45 * t,))
    write("look-around.csv", 9, 25, lambda t: (turned(t, (1, 1.5, 60), (3.5, 2.5, -120), (7, 1.5, 60)),))
    write("nod-and-tilt.csv", 8, 25, lambda t: (
        0, turned(t, (0.5, 1, 25), (2, 1.5, -50), (4, 1, 25)), turned(t, (5, 0.8, 20), (6, 1, -40), (7.2, 0.7, 20))))
    bus = ((2, 3, 90),)
    write("bus-device.csv", 7, 50, lambda t: (turned(t, *bus), 0, 2 * math.sin(2 * t)))
    write("bus-head.csv", 7, 50, lambda t: (turned(t, *bus, (3, 1, 40), (5, 1, -40)), 0, 2 * math.sin(2 * t)))


if __name__ == "__main__":
    main()
