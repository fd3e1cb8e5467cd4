#!/usr/bin/python3
"""Makes the samples of two raw IMUs on the bus ride of make_motion.py: rates and accelerations without orientation.

    make_imu.py OUTDIR [SECONDS]

The accelerometers measure gravity, braking, centripetal acceleration, the road, and the levers of neck and headphones;
the gyroscopes have a constant bias, a scale error and noise of a consumer part (figures below). Bus, head and device
are at rest for some seconds before the ride, as at a stop.

OUTDIR/head-imu.csv, device-imu.csv   t,gx,gy,gz,ax,ay,az: seconds of the ride (negative before it), rad/s, m/s²; body
                                      axes, 200 Hz; samples in a dropout are missing
OUTDIR/imu.json                       the errors of each sensor
"""

import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bus_dynamics
import make_motion
from listening import rotations

#: Sample rate, Hz, and seconds of samples before the ride.
RATE, BEFORE = 200, 12.0
#: Bias °/s, scale error %, both per axis; the turns of the bus are about z, where the two differ most.
FAULTS = {
    "head": {"bias": [0.4, -0.3, 0.5], "scale": [0.6, -0.8, 1.0], "seed": 31},
    "device": {"bias": [-0.3, 0.45, -0.5], "scale": [-0.5, 0.7, -0.4], "seed": 32},
}
#: Noise of one sample: °/s (0.01°/s/√Hz over 100 Hz) and m/s² (180 µg/√Hz over 100 Hz).
GYROSCOPE_NOISE, ACCELEROMETER_NOISE = 0.1, 0.018
#: Quantisation step of a 16-bit sensor of ±1000°/s and ±4 g, rad/s and m/s².
GYROSCOPE_DIGIT, ACCELEROMETER_DIGIT = np.radians(1000 / 32768), 4 * 9.81 / 32768
#: The sway of the bus starts in the last second before the ride, over this time.
SWAY = 1.0


def poses(t):
    """Returns device to world and head to world; before the ride the bus stands and does not sway."""
    device, head = make_motion.ride(t)
    # Interpolates toward the pose without sway.
    calm = make_motion.minimum_jerk((t + SWAY) / SWAY)
    angle = [calm * a for a in rotations.angles(device)]
    early = t < 0
    device[early] = rotations.from_angles(*[a[early] for a in angle])
    return device, rotations.multiply(device, head)


def flawed(rate, force, faults):
    """Returns the sensor's samples of ideal values, at its own rate."""
    random = np.random.default_rng(faults["seed"])
    rate = rate * (1 + np.array(faults["scale"]) / 100) + np.radians(faults["bias"])
    rate = rate + np.radians(GYROSCOPE_NOISE) * random.standard_normal(rate.shape)
    force = force + ACCELEROMETER_NOISE * random.standard_normal(force.shape)
    return np.round(rate / GYROSCOPE_DIGIT) * GYROSCOPE_DIGIT, np.round(force / ACCELEROMETER_DIGIT) * ACCELEROMETER_DIGIT


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: make_imu.py OUTDIR [SECONDS]")
    folder = sys.argv[1]
    duration = min(make_motion.DURATION, float(sys.argv[2])) if len(sys.argv) == 3 else make_motion.DURATION
    t = np.arange(round(-BEFORE * bus_dynamics.RATE), round(duration * bus_dynamics.RATE) + 1) / bus_dynamics.RATE
    ideal = bus_dynamics.measured(t, *poses(t))
    dropouts = [d for d in make_motion.DROPOUTS if d[1] + make_motion.DROPOUT + 1 < duration]
    ratio = bus_dynamics.RATE // RATE
    for who, (rate, force) in ideal.items():
        # A sample is the mean over the interval since the one before, as from the sensor's own filter.
        count = (len(t) - 1) // ratio
        means = [values[:count * ratio].reshape(count, ratio, 3).mean(1) for values in (rate, force)]
        when = t[ratio::ratio][:count]
        rate, force = flawed(*means, FAULTS[who])
        heard = np.ones(count, bool)
        for streams, start, _ in dropouts:
            if who in streams:
                heard &= (when < start) | (when >= start + make_motion.DROPOUT)
        rows = np.column_stack([when, rate, force])[heard]
        np.savetxt(f"{folder}/{who}-imu.csv", rows, ["%.4f"] + ["%.7f"] * 3 + ["%.6f"] * 3, ",",
                   header="t,gx,gy,gz,ax,ay,az", comments="")
    with open(f"{folder}/imu.json", "w") as file:
        json.dump({"rate": RATE, "gyroscope_noise_dps": GYROSCOPE_NOISE, "accelerometer_noise": ACCELEROMETER_NOISE,
                   "faults": FAULTS}, file, indent=1)
    v = bus_dynamics.speed(t)
    sideways = v * np.radians(np.gradient(make_motion.yaw_of("bus", t), t))
    print(f"two IMUs at {RATE} Hz, {BEFORE:g} s of rest first; the bus at up to {v.max() * 3.6:.0f} km/h, {np.abs(sideways).max():.1f} m/s² "
          f"to the side, {-np.gradient(v, t).min():.1f} m/s² braking")


if __name__ == "__main__":
    main()
