#!/usr/bin/python3
"""Tests the bus ride in freewheel, and a ride's beginning and end: packets through `demo follow` give the head's true
pose, the same on every machine; a ride waits for stages that prepare, without a prepared set, and a ride in freewheel
states the true reason; a ride that is ended at any point leaves no process running.

usage: ride.py PROGRAM
"""
import os
import pathlib
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "demo")]
import bus_ride
import processes
import session_phase
from listening import rotations
from takes import enter, tally

#: Duration of the ride, without a dropout, seconds; and greatest RMS yaw error, degrees: 1.5 times the value when it
#: was set.
SECONDS, LEAD, REST = 20, 2.0, 10.0
BOUNDS = {"fused trackers": 0.15, "raw sensors": 1.5}
#: Timeout for a ride to reach the point at which it is to be ended, seconds.
PATIENCE = 300
#: Timeout for killed processes to vanish, seconds.
VANISHING = 3


def demo(name, *arguments):
    subprocess.run([sys.executable, HERE.parent / "demo" / name, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def follow(program, folder, name, *trackers):
    """Returns the yaw error of the head on the stage, degrees RMS; and the poses' text."""
    poses = folder / f"{name}.csv"
    subprocess.run([program, "demo", "follow", "-y", poses, *map(str, trackers), "--recentre-at", "1", "--seconds", str(LEAD + SECONDS)],
                   check=True)
    rows = np.loadtxt(poses, delimiter=",", skiprows=1)
    truth = np.loadtxt(folder / "motion/truth.csv", delimiter=",", skiprows=1)
    inside = (rows[:, 0] >= LEAD) & (rows[:, 0] <= LEAD + SECONDS - 0.1)
    true = rotations.slerp(truth[:, 0], truth[:, 1:], rows[inside, 0] - LEAD)
    off = rotations.angles(rotations.multiply(rotations.conjugate(true), rows[inside, 1:]))[0]
    return float(np.sqrt(np.mean(off**2))), poses.read_text()


def poses(program, folder):
    demo("make_motion.py", folder / "motion", SECONDS)
    demo("make_imu.py", folder / "motion", SECONDS)
    demo("send_motion.py", folder / "motion", "--packets", folder / "fused-", "--start", LEAD)
    demo("send_imu.py", folder / "motion", "--packets", folder / "raw-", "--begin", LEAD - REST, "--start", LEAD)
    fused = ["--head", "osc:1", "--head-packets", folder / "fused-head.csv", "--device", "opentrack:1", "--device-packets",
             folder / "fused-device.csv"]
    raw = ["--head", "serial:head,ximu3", "--head-packets", folder / "raw-head.csv", "--device", "udp:1", "--device-packets",
           folder / "raw-device.csv"]
    for name, trackers in (("fused trackers", fused), ("raw sensors", raw)):
        error, text = follow(program, folder, name, *trackers)
        yield f"follow {name}", error <= BOUNDS[name], f"yaw within {error:.2f}° RMS of the truth (at most {BOUNDS[name]}°)"
        again = follow(program, folder, name, *trackers)[1]
        yield f"follow {name} again", text == again, "the same poses, to the last digit" if text == again else "other poses"
    # Control: without the device the bus turns the stage away.
    error, _ = follow(program, folder, "head alone", *fused[:4])
    yield "follow the head alone", error > 10, f"yaw {error:.0f}° RMS off (more than 10°)"


def answered(address, text):
    """Returns the ride's interpretation of a session's answer; or the reason of its failure."""
    words = ["/proscenium/" + address, ",ss", "/proscenium/status", text]
    packet = b"".join(word.encode() + bytes(4 - len(word.encode()) % 4) for word in words)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as session:
        session.bind(("127.0.0.1", 0))
        session.settimeout(10)

        def answer():
            _, asker = session.recvfrom(100)
            session.sendto(packet, asker)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            return session_phase.words(bus_ride.quick_status(session.getsockname()[1]))
        except processes.Failure as failure:
            return str(failure).split("answers to ")[-1]
        finally:
            thread.join()


def states(_program, _folder):
    """Checks that a stage that prepares, and one that refuses its state, do not crash the ride."""
    for what, address, text, expected in (
            ("one that prepares", "reply", '{"phase":"starting","preparing":"preparing the HRTF set","preparingFor":4.2}',
             "starting: preparing the HRTF set, for 4 s"),
            ("one that runs", "reply", '{"phase":"running","client":"ours"}', "running"),
            ("one that refuses", "refused", "1024 commands wait already", "'status': 1024 commands wait already")):
        said = answered(address, text)
        yield f"the state of {what}", said == expected, said


def beginning(program, folder, **environment):
    """Returns the ride's output until it judges, or the reason of an earlier end; it is ended there."""
    ride = folder / "begun"
    process = subprocess.Popen([sys.executable, HERE.parent / "demo/bus.py", program, ride, "--seconds", "5"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                               env=dict(os.environ, **environment))
    bound = threading.Timer(PATIENCE, process.kill)
    bound.start()
    said = ""
    for line in process.stdout:
        said += line
        if "riding in freewheel" in line or "for the judge" in line:
            break
    process.send_signal(signal.SIGTERM)
    process.stdout.close()
    process.wait(timeout=20)
    bound.cancel()
    return said


def reasons(program, folder):
    """Checks that stages without a prepared set prepare for long, and that a stage that cannot begin does not count as
    late."""
    for take in range(3):
        cache = folder / f"cache{take}"
        said = beginning(program, folder, PROSCENIUM_CACHE=str(cache))
        # A late machine, not a fault of the ride: the take is repeated.
        if "JACK did not run the cycle of the requested start" not in said:
            break
    late = "real time could not be had here (" in said
    well = ("for the judge" in said or late) and "failed" not in said and any(cache.rglob("*"))
    yield "a ride where no set is kept", well, ("late, by figures" if late else "in real time") if well else said[-400:]
    broken = folder / "broken"
    broken.write_text(f'#!/bin/sh\n[ "$1" = run ] && echo "proscenium: no ears today" >&2 && exit 1\nexec {program} "$@"\n')
    broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
    said = beginning(broken, folder)
    expected = "the ride in real time failed (stage 'untracked' ended with code 1: proscenium: no ears today); riding in freewheel"
    yield "a stage that does not begin", expected in said, "named" if expected in said else said[-400:]


def left(folder):
    """Returns commands that still run for a ride into this folder."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            words = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().decode(errors="replace").split("\0") if entry.isdigit() else []
        except OSError:
            continue
        if any(str(folder) in word for word in words):
            found.append(" ".join(words))
    return found


def started(process, ride, script):
    """Waits until the ride runs this script; False if it never does."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        if any(f"/{script} " in f"{words} " for words in left(ride)):
            return True
        time.sleep(0.02)
    return False


def vanished(folder):
    """Returns commands of a ride that do not end within VANISHING seconds: the kernel ends killed programs later."""
    until = time.monotonic() + VANISHING
    while left(folder) and time.monotonic() < until:
        time.sleep(0.02)
    return left(folder)


def hold_up(ride, seconds):
    """Stops the ride's script, and continues it after these seconds: a busy machine."""
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(word.endswith("/bus.py") for word in words[:2]) and str(ride) in words:
            number = int(entry.parent.name)
            os.kill(number, signal.SIGSTOP)
            threading.Timer(seconds, os.kill, (number, signal.SIGCONT)).start()


def endings(program, folder):
    judged = ("--freewheel", "--seconds", "5")
    for what, script, more, number, whole_group, held in (
            ("a request to terminate while the scene is made", "make_scene.py", (), signal.SIGTERM, False, 0),
            ("Ctrl-C while the scene is made", "make_scene.py", (), signal.SIGINT, True, 0),
            ("Ctrl-C while it judges", "judge.py", judged, signal.SIGINT, True, 0),
            ("Ctrl-C while it judges, held up for 3 s", "judge.py", judged, signal.SIGINT, True, 3)):
        ride = folder / "ride"
        process = subprocess.Popen([program, "demo", "bus", "--overwrite", "--output", ride, *more], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        if not started(process, ride, script):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            yield what, False, f"the ride did not come to {script} within {PATIENCE:g} s: {process.communicate()[1][-200:]}"
            continue
        if held:
            hold_up(ride, held)
        begun = time.monotonic()
        (os.killpg if whole_group else os.kill)(process.pid, number)
        try:
            said = process.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            yield what, False, "the ride did not end within 20 s"
            continue
        took, rest = time.monotonic() - begun, vanished(ride)
        well = process.returncode == 130 and not rest and "Traceback" not in said
        yield what, well, f"ended after {took:.1f} s" if well else f"code {process.returncode}, still running: {[words[:80] for words in rest]}, said: {said[-200:]}"


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        return tally("ride", (outcome for part in (states, poses, reasons, endings) for outcome in part(program, folder)))


if __name__ == "__main__":
    enter(__doc__, main, None)
