#!/usr/bin/env python3
"""Gives the program what it cannot use, and checks what it says: one clear line, the right exit code, no partial output.

usage: bad_input.py PROGRAM

Runs inside Scripts/jack-sandbox for the cases that need a server.
"""
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SANDBOX = HERE.parent / "jack-sandbox"
KEMAR = "/usr/share/libmysofa/default.sofa"
INPUT, USAGE, ENVIRONMENT, INTERRUPTED = 1, 2, 3, 130


def float_wav(path, channels, frames, rate=48000, value=0.1):
    """A 32-bit float WAV; `value` may be a function of the frame's number."""
    samples = b"".join(struct.pack("<f", value(n) if callable(value) else value) * channels for n in range(frames))
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(samples), b"WAVE", b"fmt ", 16, 3, channels, rate,
                         rate * channels * 4, channels * 4, 32, b"data", len(samples))
    path.write_bytes(header + samples)


class Cases:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.passed = self.failed = 0

    def expect(self, name, code, words, *arguments, says=(), output="ears.wav", setup=None, command=None):
        """Runs the program; the message must be short, name one of `words`, and leave nothing under `output`."""
        target = self.folder / output
        target.unlink(missing_ok=True)
        answer = subprocess.run(command or [self.program, *map(str, arguments)], cwd=self.folder, capture_output=True,
                                text=True, stdin=subprocess.DEVNULL, timeout=60)
        self.judge(name, code, words, answer.returncode, answer.stderr, target)

    def judge(self, name, code, words, found, message, target=None):
        lines = [line for line in message.strip().splitlines() if line.strip()]
        # Wrong usage may add how the command is called.
        spoken = lines[:1] if code == USAGE else lines
        faults = []
        if found != code:
            faults.append(f"exit code {found}, not {code}")
        if len(spoken) != 1:
            faults.append(f"{len(spoken)} lines instead of one")
        if not any(word.lower() in message.lower() for word in words):
            faults.append(f"says none of {words}")
        if target is not None and target.exists():
            faults.append(f"left {target.name} behind")
        leftovers = [p.name for p in self.folder.iterdir() if ".part" in p.name or p.name.startswith(".ears")]
        if leftovers:
            faults.append(f"left {leftovers} behind")
        self.passed += not faults
        self.failed += bool(faults)
        print(f"{'ok  ' if not faults else 'FAIL'}  {name:34} {spoken[0][:110] if spoken else ''}")
        for fault in faults:
            print(f"        {fault}")
        if faults and len(lines) > 1:
            print("\n".join("        | " + line for line in lines[:6]))


def furnish(folder):
    float_wav(folder / "song.wav", 2, 4800)
    float_wav(folder / "three.wav", 3, 480)
    float_wav(folder / "nothing.wav", 2, 0)
    float_wav(folder / "nan.wav", 2, 4800, value=lambda n: float("nan") if n == 100 else 0.1)
    float_wav(folder / "long.wav", 2, 480000)
    (folder / "empty.sofa").write_bytes(b"")
    (folder / "page.sofa").write_text("<!DOCTYPE html><html><body>404 Not Found</body></html>\n")
    (folder / "pointer.sofa").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1234\n")
    (folder / "cut.sofa").write_bytes(pathlib.Path(KEMAR).read_bytes()[:200000])
    (folder / "text.wav").write_text("this is no sound\n")
    (folder / "backwards.csv").write_text("t,w,x,y,z\n0,1,0,0,0\n2,1,0,0,0\n1,1,0,0,0\n")
    (folder / "words.csv").write_text("t,w,x,y,z\n0,one,0,0,0\n")
    (folder / "layout.json").write_text('{"name": "mine", "loudspeakers": [{"name": "A", "azimuth": 400}]}')


def files(cases):
    e, render = cases.expect, "render"
    for name, words in (("gone", ["no such file"]), ("empty", ["empty"]), ("page", ["HTML", "web page"]),
                        ("pointer", ["Git LFS", "LFS"]), ("cut", ["truncated", "cut"])):
        e(f"SOFA {name}", INPUT, words, render, "song.wav", "ears.wav", "--hrtf", f"{name}.sofa")
    e("SOFA is a folder", INPUT, ["folder", "directory"], render, "song.wav", "ears.wav", "--hrtf", "./")
    e("unknown set", USAGE, ["unknown HRTF set"], render, "song.wav", "ears.wav", "--hrtf", "beethoven")
    e("unknown set to look at", USAGE, ["unknown HRTF set"], "hrtf", "info", "beethoven")
    e("three channels", INPUT, ["3 channels"], render, "three.wav", "ears.wav")
    e("wrong channel count", INPUT, ["2 channels"], render, "song.wav", "ears.wav", "--layout", "5.1")
    e("unknown layout", USAGE, ["unknown layout"], render, "song.wav", "ears.wav", "--layout", "6.2")
    e("layout out of range", INPUT, ["azimuth"], render, "song.wav", "ears.wav", "--layout", "layout.json")
    e("missing programme", INPUT, ["no such file"], render, "gone.wav", "ears.wav")
    e("programme is text", INPUT, ["not a sound file"], render, "text.wav", "ears.wav")
    e("programme of 0 frames", INPUT, ["0 frames"], render, "nothing.wav", "ears.wav")
    e("poses out of order", INPUT, ["line 4"], render, "song.wav", "ears.wav", "--poses", "backwards.csv")
    e("poses of words", INPUT, ["line 2"], render, "song.wav", "ears.wav", "--poses", "words.csv")
    e("missing poses", INPUT, ["gone.csv"], render, "song.wav", "ears.wav", "--poses", "gone.csv")
    e("output is the input", USAGE, ["is the input"], render, "song.wav", "./song.wav")
    e("folder of the output missing", INPUT, ["no such"], render, "song.wav", "nowhere/ears.wav")
    e("output's format unknown", USAGE, ["format"], render, "song.wav", "ears.mp9", output="ears.mp9")
    e("no permission to write", ENVIRONMENT, ["read-only", "permission"], command=["unshare", "-m", "sh", "-c",
      f"mkdir -p sealed && mount -t tmpfs -o ro tmpfs sealed && exec {cases.program} render song.wav sealed/ears.wav"])
    e("disk full", ENVIRONMENT, ["No space left"], command=["unshare", "-m", "sh", "-c",
      f"mkdir -p full && mount -t tmpfs -o size=64k tmpfs full && exec {cases.program} render long.wav full/ears.wav"])
    e("slice that is none", USAGE, ["slice"], render, "song.wav", "ears.wav", "--slice", "100")
    e("block of nothing", USAGE, ["block"], render, "song.wav", "ears.wav", "--block", "0")
    e("unknown command", USAGE, ["no command 'rendre'"], "rendre", "song.wav", "ears.wav")
    e("unknown option", USAGE, ["unknown option"], render, "song.wav", "ears.wav", "--louder")
    e("no session folder", INPUT, ["session.json"], render, "song.wav", "ears.wav", "--session", "gone")
    answer = subprocess.run([cases.program, "render", "nan.wav", "nan-ears.wav"], cwd=cases.folder, capture_output=True,
                            text=True)
    ok = answer.returncode == 0 and "2 input samples were not finite" in answer.stderr
    cases.passed += ok
    cases.failed += not ok
    print(f"{'ok  ' if ok else 'FAIL'}  {'NaN samples are silenced and told':34} {answer.stderr.strip().splitlines()[-1]}")


def trackers(cases):
    e = cases.expect
    e("unknown tracker", USAGE, ["unknown tracker"], "track", "--head", "sextant:9000")
    e("port that is none", USAGE, ["port"], "track", "--head", "osc:99999")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        e("tracker's port in use", ENVIRONMENT, ["in use"], "run", "--quiet", "--head", f"osc:{port}")
        e("tracker's port in use (track)", ENVIRONMENT, ["in use"], "track", "--head", f"osc:{port}")


def server(cases):
    e = cases.expect
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = str(taken.getsockname()[1])
        answer = subprocess.run([cases.program, "run", "--quiet", "--control", port], cwd=cases.folder,
                                capture_output=True, text=True)
        cases.judge("control port in use", ENVIRONMENT, ["in use"], answer.returncode,
                    answer.stderr.strip().splitlines()[-1])
    e("outputs to no port", USAGE, ["no JACK port"], "run", "--quiet", "--connect-out", "nothing:here")
    e("nobody to control", ENVIRONMENT, ["no session answers"], "ctl", "status", "--port", "9199")
    interrupted(cases, "Ctrl-C in run", ["run", "--quiet", "--control", "9198", "--record", "take.wav"], 3.0)
    take = cases.folder / "take.wav"
    print(f"        the recording is complete: {take.stat().st_size} bytes" if take.exists() else "        no take.wav!")
    cases.failed += not take.exists()
    float_wav(cases.folder / "hour.wav", 2, 6_000_000)
    interrupted(cases, "Ctrl-C in render", ["render", "hour.wav", "ears.wav", "--block", "16"], 1.5, "ears.wav")


def interrupted(cases, name, arguments, seconds, output=None):
    process = subprocess.Popen([cases.program, *arguments], cwd=cases.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=20)
    last = message.strip().splitlines()[-1] if output else "interrupted"
    cases.judge(name, INTERRUPTED, ["interrupted"], process.returncode, last, output and cases.folder / output)


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        cases = Cases(program, folder)
        if "PROSCENIUM_SANDBOXED" in os.environ:
            server(cases)
        else:
            files(cases)
            trackers(cases)
            cases.expect("no JACK server", ENVIRONMENT, ["no JACK server"], "run", "--quiet",
                         command=["env", "JACK_DEFAULT_SERVER=nobody", program, "run", "--quiet"])
            environment = dict(os.environ, PROSCENIUM_SANDBOXED="1")
            code = subprocess.run([SANDBOX, sys.executable, __file__, program], env=environment).returncode
            cases.failed += code != 0
        print(f"bad input: {cases.passed} passed, {cases.failed} failed")
        return 1 if cases.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
