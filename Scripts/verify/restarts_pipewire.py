#!/usr/bin/env python3
"""Tests PipeWire under a playing session: killed and restarted with another rate and quantum, by SIGTERM and by SIGKILL
(with PROSCENIUM_SOAK=1 thirty times, from the third on at random moments); another quantum and another rate while it
runs; a stop; two restarts of its session manager. Each time the session must return, or continue, with the server's rate
and period, the session's own name, ports and pretty names, the ears' connections, the level and the plugin as set, and
sound. RESTARTS_OPTIONS as in `restarts.py`.

usage: restarts_pipewire.py PROGRAM
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav
from restarts import OPTIONS, PLUGIN, burden, furnish, kept, play
from servers import SIGNALS, PipeWire, Stranger, few_plugins, until
from takes import Complaint, Stage, enter, free_ports

SOAK = os.environ.get("PROSCENIUM_SOAK") == "1"
#: Signal that ends a server, and rate and quantum of the next one, for the first restarts. Later restarts choose them at
#: random, rate and quantum from SERVERS.
PLAN = [("SIGTERM", 44100, 512), ("SIGKILL", 48000, 128)]
SERVERS = [(48000, 256), (44100, 512), (96000, 1024), (48000, 64)]


def faults(stage, rate, period, gain, server):
    """Returns the deviations from the expected state after a change."""
    state, found = stage.status, []
    if (state["sampleRate"], state["period"]) != (rate, period):
        found.append(f"at {state['sampleRate']} Hz and {state['period']} frames, not {rate} and {period}")
    if [state["playback"]["left"], state["playback"]["right"]] != [[port] for port in server.phones]:
        found.append(f"the ears at {state['playback']['left']}, {state['playback']['right']}")
    if state["playback"]["state"] != "playing":
        found.append(f"the ears {state['playback']['state']}")
    if state["client"] != "proscenium":
        found.append(f"the name {state['client']}")
    if abs(state["programmes"][0]["level"] + 3) > 1e-3:
        found.append(f"a level of {state['programmes'][0]['level']}")
    if [p["name"] for p in state["plugins"]] != ["amp"] or abs(state["plugins"][0]["controls"]["gain"] - gain) > 1e-6:
        found.append(f"plugins {state['plugins']}")
    stranger = Stranger()
    try:
        names = {port.split(":")[1]: stranger.property(port, "pretty-name") for port in stranger.names("^proscenium(-main)?:(in|out)_")}
        if len(names) != 8 or names.get("in_LFE") != ("Low Frequency Effects", "text/plain"):
            found.append(f"ports and their names {names}")
    finally:
        stranger.close()
    return found


def settled(stage, rate, period, gain, server, what):
    """Waits until the state is as expected."""
    end = time.monotonic() + 20
    while wrong := faults(stage, rate, period, gain, server):
        if time.monotonic() > end:
            raise Complaint(f"{what}: {'; '.join(wrong)}")
        time.sleep(0.1)


def heard(stage, when):
    """Waits until the ears carry the player's sound."""
    end = time.monotonic() + 20
    while max((state := stage.status)["outputPeaks"]) < -60:
        if time.monotonic() > end:
            shown = {key: state[key] for key in ("period", "sampleRate", "streamFrame", "inputPeaks", "outputPeaks", "playback")}
            raise Complaint(f"{when} the ears hear nothing: {shown}; the player {'runs' if stage.player.poll() is None else 'has ended'}")
        time.sleep(0.05)


def again(stage, program, folder, rate, when):
    """Starts a player for a server's rate and waits for its sound at the ears."""
    play(program, folder, stage, rate)
    heard(stage, when)


def restart(stage, program, folder, server, number, dice, gain):
    """Ends one server and starts another."""
    name, rate, period = PLAN[number] if number < len(PLAN) else (dice.choice(list(SIGNALS)), *dice.choice(SERVERS))
    if number >= len(PLAN):
        time.sleep(dice.uniform(0, 1.5))
    stage.player.kill()
    server.end(SIGNALS[name])
    until("the session hears that the server is gone", lambda: stage.status.get("serverGoneFor") is not None)
    subprocess.run([program, "ctl", "plugin", "set", "amp", "gain", "--port", stage.port, "--", str(gain)], capture_output=True, check=False)
    if number >= len(PLAN):
        time.sleep(dice.uniform(0, 2))
    server.start(rate, period)
    answered = time.monotonic()
    until("the session plays again", lambda: stage.status.get("serverGoneFor") is None and stage.status["streamFrame"] > 0)
    seconds = time.monotonic() - answered
    again(stage, program, folder, rate, f"after {name} {number + 1}")
    settled(stage, rate, period, gain, server, f"after {name} {number + 1}")
    return rate, seconds


def perform(program, folder):
    furnish(folder)
    few_plugins(folder)
    server, dice, delays, burdens = PipeWire(), random.Random(21), [], []
    try:
        with Stage(program, folder, free_ports(1)[0], "ears", "--plugin", f"main={PLUGIN},name=amp,gain=-6", "--connect-out", server.ears,
                   "--start", "now", *OPTIONS) as stage:
            again(stage, program, folder, 48000, "at first")
            stage.ctl("level", "-3")
            settled(stage, 48000, 256, -6, server, "at first")
            for quantum in (1024, 64, 512, 256):
                server.settle("clock.force-quantum", quantum)
                settled(stage, 48000, quantum, -6, server, f"at a quantum of {quantum}")
            server.settle("clock.force-quantum", 0)
            frame = stage.status["streamFrame"]
            os.kill(server.running, 19)
            time.sleep(2.5)
            os.kill(server.running, 18)
            until("the stream goes on after a stop", lambda: stage.status["streamFrame"] > frame + 10_000)
            settled(stage, 48000, 256, -6, server, "after a stop of 2.5 s")
            for rate, quantum in ((44100, 128), (48000, 256)):
                # At a forced rate PipeWire scales the usual quantum to the rate, then takes the next lower power of two (235
                # frames become 128).
                server.settle("clock.force-rate", rate)
                until(f"a rate of {rate}", lambda: stage.status["sampleRate"] == rate)
                settled(stage, rate, quantum, -6, server, f"at {rate} Hz")
                heard(stage, f"at {rate} Hz")
            for number in range(30 if SOAK else len(PLAN)):
                rate, seconds = restart(stage, program, folder, server, number, dice, -7 - number % 5)
                delays.append(seconds)
                burdens.append(burden(stage.process))
                if number < 2:
                    # The session manager keeps the pretty names; after its restart the session has to set them again.
                    server.restart_manager(pause=(0, 1.5)[number])
                    settled(stage, rate, stage.status["period"], -7 - number % 5, server, "after the session manager's restart")
            stage.player.kill()
            stage.finish()
        files = sorted(folder.glob("ears*.wav"))
        if len(files) != 3 + len(delays):
            raise Complaint(f"{len(files)} recordings of {3 + len(delays)} servers and rates: {[file.name for file in files]}")
        for file in files:
            sound = floatwav.read(file)[0]
            if len(sound) == 0 or not np.isfinite(sound).all() or np.abs(sound).max() < 1e-3:
                raise Complaint(f"{file.name} holds no sound")
        held = kept(burdens)
        if burdens[-1][1] > burdens[0][1] + 4 or held is not None and held[1] > held[0] + 16:
            raise Complaint(f"memory {' '.join(f'{b[0]:.0f}' for b in burdens)} MB, descriptors {burdens[0][1]} to {burdens[-1][1]}")
        delays.sort()
        memory = "" if held is None else f" (smallest of the middle third of the servers {held[0]:.0f} MB, of the last third {held[1]:.0f} MB)"
        print(f"ok    PipeWire: four quanta, a stop, two rates, {len(delays)} servers gone and back; plays "
              f"{1000 * delays[len(delays) // 2]:.0f} ms after the new one has a sink, at most {1000 * delays[-1]:.0f}; "
              f"memory {burdens[0][0]:.0f} to {burdens[-1][0]:.0f} MB{memory}, descriptors {burdens[0][1]} to {burdens[-1][1]}")
        return None
    except (Complaint, RuntimeError) as complaint:
        print(f"FAIL  PipeWire gone and back: {complaint}")
        return 1
    finally:
        for process in (server.process, server.manager):
            if process:
                process.kill()


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([*PipeWire.sandbox(), sys.executable, __file__, "--inside", program, folder], check=False).returncode


if __name__ == "__main__":
    enter(__doc__, main, perform)
