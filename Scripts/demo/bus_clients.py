"""Clients of the ride, their trackers, and the facts for the page that are not in the sound."""

import json
import os
import platform

import processes

RATE, PERIOD = 48000, 256
#: Clients of the ride in the order of the page, with the trackers that each follows.
CLIENTS = {"untracked": (), "head-only": ("head",), "ours": ("head", "device"), "imu": ("head", "device")}
#: Rest of raw IMUs before the ride, seconds.
REST = 10.0
#: Seconds from the start of the stream to the start of the ride.
LEAD = 2.0


def write_run(folder, conditions, variants, disturbance):
    """Writes FOLDER/run.json, the conditions of the run; `disturbance` is the computer's lateness, None in
    freewheel."""
    with open(f"{folder}/run.json", "w") as file:
        json.dump({"conditions": {**conditions, "processor": processor()}, "variants": variants, "disturbance": disturbance},
                  file, indent=1)


def write_failure(folder, error):
    """Writes FOLDER/failure.json: the reason for an early end of the ride in real time, and whether it is this
    computer's lateness."""
    with open(f"{folder}/failure.json", "w") as file:
        json.dump({"why": processes.described(error), "late": isinstance(error, processes.Late)}, file)


def read_failure(folder):
    """Returns (reason, whether it is lateness) as written by `write_failure`; (None, False) without one."""
    try:
        with open(f"{folder}/failure.json") as file:
            failure = json.load(file)
    except OSError:
        return None, False
    return failure["why"], failure["late"]


def read_run(folder):
    """Returns the data of `write_run`; empty without any."""
    if not os.path.exists(f"{folder}/run.json"):
        return {}
    with open(f"{folder}/run.json") as file:
        return json.load(file)


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()
