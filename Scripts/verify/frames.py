#!/usr/bin/python3
"""Checks that a source that turns with the head sounds like a fixed source with a still head: <= -90 dB.

    frames.py PROGRAM
"""

import numpy as np

from renderings import Report, noise, program_from_arguments, relative_db
from listening import rotations

#: Positions of the source relative to the head: (azimuth, elevation).
SEEN = {"in front": (0, 0), "at the left": (90, 0), "right and up": (-50, 35)}
#: Poses of the head: (yaw, pitch, roll), degrees.
POSES = [(30, 0, 0), (-110, 0, 0), (0, 25, 0), (0, 0, 40), (-135, 50, -80)]
BOUND = -90.0


def main():
    program = program_from_arguments()
    report = Report("frames: source turned with the head against still head")
    programme = noise(24000, seed=5)
    options = ["--hrtf", "kemar"]
    for name, seen in SEEN.items():
        still = program.render(programme, 48000, *options, loudspeakers=[seen])
        for yaw, pitch, roll in POSES:
            toward = rotations.rotate(rotations.from_angles(yaw, pitch, roll), rotations.direction(*map(float, seen)))
            azimuth = float(np.degrees(np.arctan2(toward[1], toward[0])))
            elevation = float(np.degrees(np.arcsin(np.clip(toward[2], -1, 1))))
            turned = program.render(
                programme, 48000, *options, f"--yaw={yaw}", f"--pitch={pitch}", f"--roll={roll}",
                loudspeakers=[(azimuth, elevation)])
            report.row(f"{name}; yaw {yaw}°, pitch {pitch}°, roll {roll}°", relative_db(turned, still), BOUND)
    # Control: a turned head must differ from a still one.
    turned = program.render(programme, 48000, *options, "--yaw=30", loudspeakers=[(0, 0)])
    still = program.render(programme, 48000, *options, loudspeakers=[(0, 0)])
    different = relative_db(turned, still)
    report.fact("the head turned, the source not: another sound", different > -20, f"{different:.1f} dB")
    report.finish()


if __name__ == "__main__":
    main()
