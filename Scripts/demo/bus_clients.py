"""Who rides, on what, and what the page is told of it that cannot be heard."""

import json
import os
import platform

import processes

RATE, PERIOD = 48000, 256
#: Clients of the ride in the order of the page; which trackers they follow.
CLIENTS = {"untracked": (), "head-only": ("head",), "ours": ("head", "device"), "imu": ("head", "device")}
#: Seconds that raw IMUs rest before the ride.
REST = 10.0
#: Seconds from the start of the stream to the start of the ride.
LEAD = 2.0


def write_run(folder, conditions, variants, disturbance):
    """FOLDER/run.json: how it was run; `disturbance` says how far the computer kept up, None where time stood in its hand."""
    with open(f"{folder}/run.json", "w") as file:
        json.dump({"conditions": {**conditions, "processor": processor()}, "variants": variants, "disturbance": disturbance},
                  file, indent=1)


def write_failure(folder, error):
    """FOLDER/failure.json: why the ride in real time broke off, and whether this computer's lateness is why."""
    with open(f"{folder}/failure.json", "w") as file:
        json.dump({"why": processes.described(error), "late": isinstance(error, processes.Late)}, file)


def read_failure(folder):
    """(why, whether that is lateness) that `write_failure` wrote; (None, False) if nothing was."""
    try:
        with open(f"{folder}/failure.json") as file:
            failure = json.load(file)
    except OSError:
        return None, False
    return failure["why"], failure["late"]


def read_run(folder):
    """What `write_run` wrote; empty if nothing was."""
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
