#!/usr/bin/env python3
"""Checks that a client that requests the stage gets it: by command, by a lease, as a JACK client, by a connection; and
that every input has a separate level. A tone of 220 Hz plays on a 5.1 stage, one of 331 Hz into the input `talk`; both
are measured in the recording of the ears, on synchronous jackd.

usage: interruptions.py PROGRAM
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav
from portplay import Patchbay, Surface
from takes import PATIENCE, RATE, Complaint, Stage, enter, free_ports, tally, trouble, until_whole

PORT = str(free_ports(1)[0])
#: Duration of each part, seconds; its first half allows for fades and late messages.
PART = 0.8
BOUND = 0.1


def furnish(folder):
    t = np.arange(RATE) / RATE
    main, talk = 0.02 * np.sin(2 * np.pi * 220 * t), 0.05 * np.sin(2 * np.pi * 331 * t)
    floatwav.write(folder / "tones.wav", np.column_stack([main] * 6 + [talk]), RATE)


def perform(program, folder):
    """Makes a take in parts inside a sandbox. Returns an error, or None."""
    parts = []
    try:
        with Stage(program, folder, PORT, "ears", "--input", "talk=mono,role=direct,interrupts=duck:-12") as stage:
            stage.status
            stage.player = subprocess.Popen([program, "demo", "play", "tones.wav", "--into", "proscenium", "--loop"], cwd=folder,
                                            stdin=subprocess.DEVNULL)
            first = stage.ctl("start")["frame"]
            end = time.monotonic() + PATIENCE
            while stage.status["inputPeaks"][6] < -60:
                if time.monotonic() > end:
                    raise Complaint("no sound comes in")
                time.sleep(0.02)
            bay, surface = Patchbay(), Surface(PORT)
            before = stage.status["skippedFrames"]
            talk = ("player:out_7", subprocess.run(["jack_lsp", "proscenium:in_talk"], capture_output=True, text=True).stdout.split()[0])

            def part(name, main, other, wait=PART / 2):
                """Plays a part in which the tones should differ from the first part by these levels, dB; None:
                silent."""
                time.sleep(wait)
                frame = bay.frame
                time.sleep(PART / 2)
                parts.append([name, main, other, (frame - first) % 2**32])

            bay.disconnect(*talk)
            part("alone", 0, None)
            bay.connect(*talk)
            part("talk is connected", -12, 0)
            surface.ask("/proscenium/input/talk/level", -6.0)
            part("talk's own level -6 dB", -12, -6)
            surface.ask("/proscenium/input/main/level", -3.0)
            part("main's own level -3 dB", -15, -6)
            surface.ask("/proscenium/input/main/level", 0.0)
            bay.disconnect(*talk)
            part("talk is disconnected", 0, None)
            surface.ask("/proscenium/interrupt/begin", "call", "pause")
            part("paused", None, None)
            if surface.playback["state"] not in ("paused", "unconnected"):
                raise Complaint(f"not paused: {surface.playback}")
            surface.ask("/proscenium/interrupt/begin", "nav", "duck", -20.0)
            surface.ask("/proscenium/interrupt/end", "call", "resume")
            part("the pause ends, a ducking goes on", -20, None)
            surface.ask("/proscenium/interrupt/end", "nav", "no-resume")
            part("ended without resume", -20, None)
            surface.ask("/proscenium/resume")
            part("the user resumes", 0, None)
            surface.ask("/proscenium/interrupt/begin", "lease", "duck", -20.0, 1.5)
            part("a lease", -20, None)
            part("the lease ran out", 0, None, wait=1.6)
            caller = Patchbay("caller")
            surface.ask("/proscenium/interrupt/begin", "caller", "duck", -20.0)
            part("a JACK client asks", -20, None)
            caller.close()
            part("the client is gone", 0, None, wait=1)
            skipped = stage.status["skippedFrames"] - before
            stage.finish()
    except (Complaint, RuntimeError) as complaint:
        return str(complaint)
    (folder / "take.json").write_text(json.dumps({"skipped": skipped, "parts": parts}))
    return None


def tone(ears, frequency):
    """Returns the amplitude of a tone, dBFS, the louder ear."""
    t = np.arange(len(ears)) / RATE
    window = np.hanning(len(ears))
    found = np.abs((window * np.exp(-2j * np.pi * frequency * t)) @ ears) * 2 / window.sum()
    return 20 * np.log10(found.max() + 1e-12)


def judge(folder):
    take = json.loads((folder / "take.json").read_text())
    if take["skipped"]:
        return None, f"the server skipped {take['skipped']} frames"
    ears, _ = floatwav.read(folder / "ears.wav")
    heard = [[tone(ears[at:at + int(PART / 2 * RATE)], f) for f in (220, 331)] for *_, at in take["parts"]]
    zero = heard[0][0], heard[1][1]
    well, said = True, []
    for (name, *wanted, _), found in zip(take["parts"], heard):
        words = []
        for want, have, reference, what in zip(wanted, found, zero, ("main", "talk")):
            good = have < -100 if want is None else abs(have - reference - want) <= BOUND
            words.append(f"{what} " + (f"{have:.0f} dBFS" if want is None else f"{have - reference:+.2f} dB") + ("" if good else " WRONG"))
            well = well and good
        said.append(f"{name}: {', '.join(words)}")
    return well, said


def rehearse(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        take = subprocess.run([HERE.parent / "jack-sandbox", "--sync", sys.executable, __file__, "--inside", program, name],
                              capture_output=True, text=True)
        return trouble(take) or judge(folder)


def main(program):
    well, said = until_whole("all", lambda: rehearse(program))
    if isinstance(said, str):
        return tally("interruptions", [("all parts", well, said)])
    return tally("interruptions", ((name, "WRONG" not in words, words) for name, words in (line.split(": ", 1) for line in said)))


if __name__ == "__main__":
    enter(__doc__, main, perform)
