#!/usr/bin/env python3
"""Runs the whole bus ride: private JACK server, three stages, real UDP packets, an independent judge, a page.

    bus.py PROGRAM OUTDIR [--seconds 60] [--freewheel]

PROGRAM is the proscenium to test. bus_ride.py makes the ride inside Scripts/jack-sandbox, without a sound card and
without leftover processes. If this computer is too slow for real time, or with --freewheel, bus_freewheel.py rides on
the clock of the sound instead, with the same packets. The rendered poses of each client are kept; the voice alone is
rendered from them again for the judge, and Android's rule is simulated (see peer_android.py). Exits 0 if the product
keeps the voice in its place, both with fused and with raw sensors.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bus_freewheel
import judge as ears
import peer_ssr
import processes
from bus_clients import CLIENTS, LEAD, PERIOD, RATE, read_failure, read_run
from bus_ride import PREPARING
from listening import floatwav

HERE = os.path.dirname(os.path.abspath(__file__))
SANDBOX = os.path.join(HERE, "..", "jack-sandbox")
#: Azimuths of the programme's loudspeakers, degrees, in its order; overhead ones as seen from above. LFE is silent.
AZIMUTHS = [30, -30, 0, 0, 135, -135, 90, -90, 45, -45, 135, -135]
#: SSR's clients: one plays the scene for the page, one the voice alone for the judge.
SSR = {"ssr": list(enumerate(AZIMUTHS, 1)), "ssr-voice": [(1, 0)]}
#: A ride in real time is invalid if 1 % of the packets leave later than this, or if JACK skips more sound than this in
#: total.
LATE_MS, SKIPPED_SECONDS = 20.0, 1.0
#: Factor for a single packet's delay: beyond it a sender was held up as a tracker never is.
ONCE = 10
#: Limit of an undisturbed computer: delay of 1 % of the packets and of its wake-ups; no skips.
CALM_MS = 5.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--freewheel", action="store_true", help="ride on the clock of the sound")
    options = parser.parse_args()
    options.program, options.folder = os.path.abspath(options.program), os.path.abspath(options.folder)
    begun = time.monotonic()
    prepare(options)
    why = "as asked" if options.freewheel else ride(options)
    if why:
        bus_freewheel.ride(options.program, options.folder, options.seconds, why)
    code = judge(options)
    if code and not why and (why := disturbance(options.folder, CALM_MS, 0)):
        print(f"bus: this computer was not left alone ({why}); riding again in freewheel", flush=True)
        clear(options.folder)
        bus_freewheel.ride(options.program, options.folder, options.seconds, why)
        code = judge(options)
    print(f"bus: took {time.monotonic() - begun:.0f} s; the page is {options.folder}/index.html")
    return code


def script(name, *arguments, what):
    # One thread each, because two scripts run at a time.
    processes.run([sys.executable, f"{HERE}/{name}", *arguments], what, environment=dict(os.environ, OPENBLAS_NUM_THREADS="1"))


def clear(folder):
    """Removes the results of an earlier ride."""
    for pattern in ("*-judge.*", "*-clock.csv", "*-poses.csv", "ssr*", "run.json", "failure.json"):
        for left in glob.glob(f"{folder}/{pattern}"):
            os.unlink(left)


def prepare(options):
    """Makes the programme and the ride."""
    folder = options.folder
    for part in ("motion", "packets"):
        shutil.rmtree(f"{folder}/{part}", ignore_errors=True)
    os.makedirs(f"{folder}/motion")
    clear(folder)
    print("bus: making the scene and the ride", flush=True)
    with processes.Progress("making the scene and the ride"):
        script("make_scene.py", f"{folder}/scene.wav", what="making the scene")
        script("make_motion.py", f"{folder}/motion", str(options.seconds), what="making the ride")
        script("make_imu.py", f"{folder}/motion", str(options.seconds), what="making the sensors' samples")
        if options.freewheel:
            return
        if peer_ssr.installed():
            peer_ssr.write_set(f"{folder}/ssr-set.wav", RATE)
            voice, _ = floatwav.read(f"{folder}/voice.wav")
            floatwav.write(f"{folder}/voice-alone.wav", voice[:, 2], RATE)
            for name, sources in SSR.items():
                peer_ssr.write_scene(f"{folder}/{name}.asd", sources)
        else:
            print("bus: the SoundScape Renderer is not installed (apt install soundscaperenderer-nox); the ride goes without it",
                  flush=True)


def ride(options):
    """Rides in real time; returns None if the ride is valid, else the reason."""
    if subprocess.run(["chrt", "-f", "1", "true"], capture_output=True).returncode != 0:
        print("bus: this user may not use real-time scheduling, so sound may skip; trying all the same", flush=True)
    # Preparation, boarding and rest, the ride, and its end; each has a timeout of its own within this.
    bound = PREPARING + 150 + options.seconds
    inside = processes.start(
        [SANDBOX, "--rate", RATE, "--period", PERIOD, sys.executable, f"{HERE}/bus_ride.py", options.program, options.folder,
         "--seconds", options.seconds], stdin=subprocess.DEVNULL)
    try:
        code = inside.wait(timeout=bound)
        why, isLate = broken_off(options.folder, code) if code else (disturbance(options.folder, LATE_MS, SKIPPED_SECONDS), True)
    except subprocess.TimeoutExpired:
        why, isLate = f"it did not end within {bound:.0f} s", False
    finally:
        processes.end([inside])
    if why:
        print(f"bus: {'real time could not be had here' if isLate else 'the ride in real time failed'} ({why}); riding in freewheel "
              "instead, with the same packets", flush=True)
        clear(options.folder)
    return why


def broken_off(folder, code):
    """Returns the ride's own reason for ending early, and whether that is lateness of this computer."""
    why, isLate = read_failure(folder)
    return why or f"it or its JACK server ended with code {code}; what was said stands above", isLate


def disturbance(folder, late_ms, skipped_seconds):
    """Returns text on the computer's lateness during the ride; None within the limits."""
    met = read_run(folder).get("disturbance") or {}
    words = []
    if met.get("skipped_seconds", 0) > skipped_seconds:
        words.append(f"JACK skipped {met['skipped_seconds']:.2f} s of sound")
    if met.get("packets_late_p99_ms", 0) > late_ms:
        words.append(f"packets left {met['packets_late_p99_ms']:.0f} ms late")
    elif met.get("packets_late_max_ms", 0) > ONCE * late_ms:
        words.append(f"a packet left {met['packets_late_max_ms']:.0f} ms late")
    if met.get("woken_late_p99_ms", 0) > late_ms:
        words.append(f"programs were woken {met['woken_late_p99_ms']:.0f} ms late")
    return ", ".join(words) or None


def align(folder, name, programme):
    """Cuts SSR's recording to the start of the programme, by cross-correlation."""
    path = f"{folder}/{name}-recorded.wav"
    if not os.path.exists(path):
        return False
    heard, _ = floatwav.read(path)
    dry, _ = floatwav.read(programme)
    late = ears.delay(heard.sum(1), dry.sum(1))
    heard = heard[late:] if late >= 0 else np.pad(heard, ((-late, 0), (0, 0)))
    if not np.any(heard):
        return False
    floatwav.write(f"{folder}/{name}.wav", heard[:len(dry)], RATE)
    return True


def judge(options):
    """Renders the voice alone with the kept poses, runs the judge and makes the page; returns 0 if the product met its
    limits."""
    program, folder = options.program, options.folder
    print("bus: rendering the voice for the judge, judging", flush=True)

    def heard(name):
        if name == "floor":
            return script("judge.py", "--floor", f"{folder}/voice.wav", f"{folder}/motion/truth.csv", "--out",
                          f"{folder}/floor", what="the judge's own error")
        clock = f"{folder}/{name if name in CLIENTS else 'ours'}-clock.csv"
        # In a ride in freewheel, sound and world have the same clock.
        clock = ["--clock", clock] if os.path.exists(clock) else ["--motion-start", str(LEAD)]
        if name == "android":
            script("peer_android.py", f"{folder}/motion", f"{folder}/{name}-poses.csv", str(LEAD), what="simulating Android's rule")
            clock = ["--motion-start", str(LEAD)]
            render("scene", name, f"{name}.wav")
        if name != "ssr":
            render("voice", name, f"{name}-voice.wav")
        return script("judge.py", f"{folder}/{name}-voice.wav", f"{folder}/voice.wav", f"{folder}/motion/truth.csv",
                      "--events", f"{folder}/motion/events.json", *clock, "--out", f"{folder}/{name}-judge",
                      what=f"judging '{name}'")

    def render(programme, name, output):
        processes.run([program, "render", "-y", f"{folder}/{programme}.wav", f"{folder}/{output}", "--layout", "7.1.4", "--poses",
                       f"{folder}/{name}-poses.csv"], f"rendering '{output}'")

    with processes.Progress("judging") as progress:
        names = ["floor", *CLIENTS, "android"]
        if align(folder, "ssr", f"{folder}/scene.wav") and align(folder, "ssr-voice", f"{folder}/voice-alone.wav"):
            names.append("ssr")
        processes.in_pairs(heard, names, lambda done: progress.tell(f"{done} of {len(names)}"))
    with processes.Progress("making the page"):
        return processes.run([sys.executable, f"{HERE}/bus_page.py", folder], "making the page", stdout=None, fine=(0, 1))


if __name__ == "__main__":
    processes.manners(main)
