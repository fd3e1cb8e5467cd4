#!/usr/bin/env python3
"""Kills the JACK server under a session at random moments and restarts it with other rates and periods: three times,
with PROSCENIUM_SOAK=1 fifty.

A 5.1 stage with a plugin, a turning head (opentrack over UDP), a player and a recording runs on jackd, which is killed
(SIGKILL or SIGTERM) and restarted. Each time the session must report that it waits, and return with the server's rate
and period, the ears' and the player's connections, the level and the plugin as set, and the head turning. At the end
there is a complete, readable sound file for each server; memory and descriptors have not grown. The delay from the
server's answer to the session's sound is printed. RESTARTS_OPTIONS are further options of the session (`--hold 20ms`:
the inputs are a separate client).

usage: restarts.py PROGRAM
"""
import json
import os
import pathlib
import random
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import numpy as np
from listening import floatwav
from servers import few_plugins
from takes import PATIENCE, Complaint, Stage, enter, free_ports, wait_for_ports

TIMES = 50 if os.environ.get("PROSCENIUM_SOAK") == "1" else 3
SERVERS = [(48000, 256), (44100, 512), (96000, 1024), (48000, 1000), (44100, 128)]
OPTIONS = os.environ.get("RESTARTS_OPTIONS", "").split()
PLUGIN = "http://lv2plug.in/plugins/eg-amp"


def furnish(folder):
    for rate in {rate for rate, _ in SERVERS}:
        tone = 0.1 * np.sin(2 * np.pi * 330 * np.arange(rate) / rate)
        floatwav.write(folder / f"tone-{rate}.wav", np.column_stack([tone] * 6), rate)


class Head(threading.Thread):
    """A head that turns continuously at 60°/s, at a hundred poses a second."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.going = port, True

    def run(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            began = time.monotonic()
            while self.going:
                yaw = (60 * (time.monotonic() - began) + 180) % 360 - 180
                sender.sendto(struct.pack("<6d", 0, 0, 0, yaw, 0, 0), ("127.0.0.1", self.port))
                time.sleep(0.01)


def serve(rate, period, *options):
    """Starts a jackd in this sandbox and returns it once it answers; retries while the previous one is still
    exiting."""
    command = ["jackd", "-r", *options, "-p", "512", "-d", "dummy", "-r", str(rate), "-p", str(period), "-C", "2", "-P", "2"]
    server, end = None, time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if server is None or server.poll() is not None:
            server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if subprocess.run(["timeout", "5", "jack_lsp"], capture_output=True).returncode == 0:
            return server
        time.sleep(0.05)
    raise Complaint("jackd does not answer")


def until(stage, isso, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        state = stage.status
        if isso(state):
            return state
        time.sleep(0.02)
    raise Complaint(f"never {what}: {json.dumps({key: state[key] for key in ('sampleRate', 'period', 'playback')})}")


def burden(process):
    """Returns resident MB and open descriptors."""
    folder = pathlib.Path(f"/proc/{process.pid}")
    resident = int(folder.joinpath("statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return resident, len(list(folder.joinpath("fd").iterdir()))


def kept(burdens):
    """Returns the least resident MB of the second third of the servers and of the last third, which excludes temporary
    memory; None for few servers."""
    third = len(burdens) // 3
    return (min(b[0] for b in burdens[third:2 * third]), min(b[0] for b in burdens[2 * third:])) if third > 2 else None


def play(program, folder, stage, rate):
    """Plays the tone into the stage, once that exists."""
    stage.status
    stage.player = subprocess.Popen([program, "demo", "play", f"tone-{rate}.wav", "--into", "proscenium", "--loop"], cwd=folder,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for_ports("player:out_", 6, stage.player)
    until(stage, lambda s: max(s["inputPeaks"]) > -40, "sound at the inputs")


def perform(program, folder):
    furnish(folder)
    few_plugins(folder)
    dice = random.Random(15)
    control, tracker = free_ports(2)
    os.kill(int(os.environ["JACK_SANDBOX_SERVER_PID"]), signal.SIGKILL)
    rate, period = SERVERS[0]
    server = serve(rate, period)
    head = Head(tracker)
    head.start()
    delays, burdens, files = [], [], 1
    try:
        with Stage(program, folder, control, "ears", "--head", f"opentrack:{tracker}", "--plugin", f"main={PLUGIN},name=amp,gain=-6",
                   "--connect-out", "system:playback_{1,2}", "--start", "now", *OPTIONS) as stage:
            play(program, folder, stage, rate)
            stage.ctl("level", "-3")
            for number in range(TIMES):
                time.sleep(dice.uniform(0, 1.5))
                stage.player.kill()
                server.send_signal(dice.choice([signal.SIGKILL, signal.SIGTERM]))
                server.wait(timeout=PATIENCE)
                until(stage, lambda s: s.get("serverGoneFor") is not None, "gone")
                gain = -6 - number % 5
                subprocess.run([program, "ctl", "plugin", "set", "amp", "gain", "--port", str(control), "--", str(gain)],
                               capture_output=True, check=False)
                time.sleep(dice.uniform(0, 2))
                rate, period = dice.choice(SERVERS)
                server = serve(rate, period)
                answered = time.monotonic()
                state = until(stage, lambda s: s.get("serverGoneFor") is None and s["streamFrame"] > 0, "back")
                delays.append(time.monotonic() - answered)
                play(program, folder, stage, rate)
                state = until(stage, lambda s: s["playback"]["state"] == "playing", "playing")
                files += 1
                faults = []
                if (state["sampleRate"], state["period"]) != (rate, period):
                    faults.append(f"at {state['sampleRate']} Hz and {state['period']} frames, not {rate} and {period}")
                if state["playback"]["left"] != ["system:playback_1"] or state["playback"]["right"] != ["system:playback_2"]:
                    faults.append(f"the ears at {state['playback']['left']}, {state['playback']['right']}")
                if abs(state["programmes"][0]["level"] + 3) > 1e-3:
                    faults.append(f"a level of {state['programmes'][0]['level']}")
                if [p["name"] for p in state["plugins"]] != ["amp"] or abs(state["plugins"][0]["controls"]["gain"] - gain) > 1e-6:
                    faults.append(f"plugins {state['plugins']}")
                yaw = state["yaw"]
                until(stage, lambda s: abs(s["yaw"] - yaw) > 5, "a turning head")
                if faults:
                    raise Complaint(f"after restart {number + 1}: " + "; ".join(faults))
                burdens.append(burden(stage.process))
            stage.player.kill()
            stage.finish()
        for number in range(1, files + 1):
            name = folder / ("ears.wav" if number == 1 else f"ears-{number}.wav")
            sound = floatwav.read(name)[0]
            if len(sound) == 0 or not np.isfinite(sound).all() or np.abs(sound).max() < 1e-3:
                raise Complaint(f"{name.name} holds no sound")
        if list(folder.glob("*.part")) or (folder / f"ears-{files + 1}.wav").exists():
            raise Complaint("there are other recordings than one for each server")
        held = kept(burdens)
        if burdens[-1][1] > burdens[0][1] + 2 or held is not None and held[1] > held[0] + 40:
            raise Complaint(f"memory {' '.join(f'{b[0]:.0f}' for b in burdens)} MB, descriptors {burdens[0][1]} to {burdens[-1][1]}")
        delays.sort()
        memory = "" if held is None else f" (smallest of the middle third of the servers {held[0]:.0f} MB, of the last third {held[1]:.0f} MB)"
        print(f"ok    {TIMES} servers gone and back: plays {1000 * statistics.median(delays):.0f} ms after the server answers, at most "
              f"{1000 * delays[-1]:.0f}; memory {burdens[0][0]:.0f} to {burdens[-1][0]:.0f} MB{memory}, descriptors {burdens[0][1]} to {burdens[-1][1]}")
        return None
    except Complaint as complaint:
        print(f"FAIL  servers gone and back: {complaint}")
        return 1
    finally:
        head.going = False
        server.kill()


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        sandbox = [HERE.parent / "jack-sandbox", "--period", "256", sys.executable, __file__, "--inside", program, folder]
        return subprocess.run(sandbox, check=False).returncode


if __name__ == "__main__":
    enter(__doc__, main, perform)
