#!/usr/bin/env python3
"""Gives the program unusable input and checks its response: one clear line, the right exit code, no partial output.

usage: bad_input.py PROGRAM

Runs itself again inside Scripts/jack-sandbox for the cases that need a server.
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
sys.path.insert(0, str(HERE.parent))
from free_ports import free_ports

SANDBOX = HERE.parent / "jack-sandbox"
KEMAR = "/usr/share/libmysofa/default.sofa"
INPUT, USAGE, ENVIRONMENT, INTERRUPTED = 1, 2, 3, 130


def float_wav(path, channels, frames, rate=48000, value=0.1):
    """Writes a 32-bit float WAV; `value` may be a function of the frame's number."""
    if callable(value):
        samples = b"".join(struct.pack("<f", value(n)) * channels for n in range(frames))
    else:
        samples = struct.pack("<f", value) * (channels * frames)
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(samples), b"WAVE", b"fmt ", 16, 3, channels, rate,
                         rate * channels * 4, channels * 4, 32, b"data", len(samples))
    path.write_bytes(header + samples)


def wav(path, channels, samples, tag, bits, mask=None, rate=48000):
    """Writes a WAV of given bytes: format tag 1 (integer) or 3 (floating point), with a channel mask if given."""
    block = channels * bits // 8
    head = struct.pack("<HHIIHH", 0xFFFE if mask is not None else tag, channels, rate, rate * block, block, bits)
    if mask is not None:
        head += struct.pack("<HHI", 22, bits, mask) + struct.pack("<H", tag) + bytes.fromhex("000000001000800000aa00389b71")
    body = b"WAVEfmt " + struct.pack("<I", len(head)) + head + b"data" + struct.pack("<I", len(samples)) + samples
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


def read_floats(path):
    """Returns the samples of a 32-bit float WAV, interleaved."""
    content = path.read_bytes()
    at = content.index(b"data")
    size = struct.unpack("<I", content[at + 4:at + 8])[0]
    return struct.unpack(f"<{size // 4}f", content[at + 8:at + 8 + size])


class Cases:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.passed = self.failed = 0

    def expect(self, name, code, words, *arguments, says=(), output="ears.wav", setup=None, command=None):
        """Runs the program; the message must be short, contain one of `words`, and leave no `output`."""
        target = self.folder / output
        target.unlink(missing_ok=True)
        answer = subprocess.run(command or [self.program, *map(str, arguments)], cwd=self.folder, capture_output=True,
                                text=True, stdin=subprocess.DEVNULL, timeout=60)
        self.judge(name, code, words, answer.returncode, answer.stderr, target)

    def judge(self, name, code, words, found, message, target=None):
        lines = [line for line in message.strip().splitlines() if line.strip()]
        # Errors of usage may be followed by the usage text.
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
    float_wav(folder / "nothing.wav", 2, 0)
    float_wav(folder / "nan.wav", 2, 4800, value=lambda n: float("nan") if n == 100 else 0.1)
    float_wav(folder / "long.wav", 2, 480000)
    for channels in (4, 7, 8, 9, 13):
        float_wav(folder / f"{channels}.wav", channels, 480)
    wav(folder / "mask.wav", 2, struct.pack("<960f", *[0.1] * 960), 3, 32, mask=0x8000_0001)
    wav(folder / "few.wav", 6, struct.pack("<2880f", *[0.1] * 2880), 3, 32, mask=0x3)
    wav(folder / "odd.wav", 3, struct.pack("<1440f", *[0.1] * 1440), 3, 32, mask=0x7)
    wav(folder / "eight.wav", 2, bytes(range(256)) * 2, 1, 8)
    wav(folder / "double.wav", 2, struct.pack("<512d", *[(n - 256) / 300 for n in range(512)]), 3, 64)
    wav(folder / "huge.wav", 2, struct.pack("<4d", 1e300, 0.5, -1e300, 0.25), 3, 64)
    float_wav(folder / "offset.wav", 2, 4800, value=1.0)
    float_wav(folder / "square.wav", 2, 4800, value=lambda n: 1.0 if n // 50 % 2 else -1.0)
    (folder / "short.wav").write_bytes((folder / "song.wav").read_bytes()[:-2400 * 8])
    (folder / "bad.wav").write_bytes((folder / "song.wav").read_bytes())
    (folder / "bad.wav.json").write_text('{"loudness": "loud"}')
    for name, head in (("film.ec3", "0b7702ff3f86ffff"), ("film.ac3", "0b778a5a1c40e1dc"), ("film.mp4", "0000002066747970"),
                       ("film.thd", "13f884ccf8726fba")):
        (folder / name).write_bytes(bytes.fromhex(head) + bytes(4096))
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


def tools(cases):
    """Checks the offline tools and the formats: correct output, or a clear error."""
    e = cases.expect
    for channels in (4, 7, 8, 9, 13):
        e(f"{channels} channels, no mask", INPUT, [f"{channels} channels"], "render", f"{channels}.wav", "ears.wav")
    e("mask of an unknown position", INPUT, ["unknown position"], "render", "mask.wav", "ears.wav")
    for name, what in (("film.ec3", "E-AC-3"), ("film.ac3", "AC-3"), ("film.mp4", "MP4"), ("film.thd", "TrueHD")):
        e(f"{what}, which ffmpeg reads", INPUT, [what, f"ffmpeg -i {name} -c:a pcm_f32le film.wav"], "render", name, "ears.wav")
    e("empty standard input", INPUT, ["has no sound in it"], "render", "-", "ears.wav")
    e("sound and JSON in one stream", USAGE, ["leave out --json"], "process", "song.wav", "-", "--to", "mono", "--json",
      output="-")
    e("a field in FLAC", USAGE, ["FLAC"], "process", "song.wav", "ears.flac", "--to", "ambi1", output="ears.flac")
    e("process of a convention without a field", USAGE, ["without --to"], "process", "song.wav", "ears.wav",
      "--to-ambisonics", "n3d")
    e("process to an unknown layout", USAGE, ["unknown layout"], "process", "song.wav", "ears.wav", "--to", "6.2")
    e("process onto itself", USAGE, ["is the input"], "process", "song.wav", "song.wav", "--to", "mono")
    e("FLAC of 12 channels", USAGE, ["FLAC"], "process", "song.wav", "ears.flac", "--to", "7.1.4", output="ears.flac")
    e("floating point in FLAC", USAGE, ["flac (--bits 32f)"], "process", "song.wav", "ears.flac", "--to", "mono", "--bits",
      "32f", output="ears.flac")
    e("12 bits", USAGE, ["--bits"], "process", "song.wav", "ears.wav", "--to", "mono", "--bits", "12")
    e("Furse-Malham of order 4", INPUT, ["order 3"], "process", "song.wav", "ears.wav", "--to", "ambi4", "--to-ambisonics",
      "fuma")
    e("fold-down over the master", USAGE, ["--stereo"], "bake", "song.wav", "ears.wav", "--stereo", "ears.wav")
    e("dialnorm of 3", USAGE, ["--dialnorm"], "bake", "song.wav", "ears.wav", "--dialnorm", "3")
    e("metadata of words", INPUT, ["loudness must be a number"], "process", "bad.wav", "ears.wav", "--to", "mono")
    e("preview of nothing", USAGE, ["files"], "preview")
    e("preview of no file", INPUT, ["no such file"], "preview", "gone.wav", "--quiet")
    e("preview without a server", ENVIRONMENT, ["no JACK server"],
      command=["env", "JACK_DEFAULT_SERVER=nobody", cases.program, "preview", "song.wav", "--quiet", "--room", "none", "--control",
               "none"])

    def right(name, arguments, holds):
        target = cases.folder / "right.wav"
        target.unlink(missing_ok=True)
        answer = subprocess.run([cases.program, *arguments], cwd=cases.folder, capture_output=True, text=True, timeout=60)
        ok = answer.returncode == 0 and target.exists() and holds(answer.stderr, read_floats(target))
        cases.passed += bool(ok)
        cases.failed += not ok
        print(f"{'ok  ' if ok else 'FAIL'}  {name:34} {(answer.stderr.strip().splitlines() or ['(silent)'])[-1][:110]}")

    def near(found, wanted):
        return len(found) == len(wanted) and all(abs(a - b) < 1e-7 for a, b in zip(found, wanted))

    same = ["right.wav", "--to", "stereo"]
    right("8-bit whole numbers", ["process", "eight.wav", *same],
          lambda _, x: near(x, [(b - 128) / 128 for b in bytes(range(256)) * 2]))
    right("64-bit floating point", ["process", "double.wav", *same], lambda _, x: near(x, [(n - 256) / 300 for n in range(512)]))
    right("64-bit beyond 32-bit's range", ["process", "huge.wav", *same],
          lambda said, x: near(x, [0, 0.5, 0, 0.25]) and "2 input samples were not finite" in said)
    # A mask with two positions for six channels is ignored.
    right("mask of two for six channels", ["process", "few.wav", *same], lambda _, x: abs(x[0] - 0.1 * (1 + 2 ** 0.5)) < 1e-6)
    right("three channels by their mask", ["process", "odd.wav", *same], lambda _, x: abs(x[0] - 0.1 * (1 + 0.5 ** 0.5)) < 1e-6)
    right("DC at full scale, rendered", ["render", "offset.wav", "right.wav", "--no-tail"],
          lambda _, x: len(x) == 9600 and all(abs(v) <= 1 for v in x))
    right("full-scale squares, rendered", ["render", "square.wav", "right.wav", "--gain=20", "--no-tail"],
          lambda said, x: "CLIPPED" in said and max(map(abs, x)) <= 1)
    right("a cut-off file, with a warning", ["process", "short.wav", *same],
          lambda said, x: len(x) == 4800 and "0.050 s of the 0.100 s" in said)


def trackers(cases):
    e = cases.expect
    e("unknown tracker", USAGE, ["unknown tracker"], "track", "--head", "sextant:9000")
    e("port that is none", USAGE, ["port"], "track", "--head", "osc:99999")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        e("tracker's port in use", ENVIRONMENT, ["in use"], "run", "--quiet", "--control", "none", "--head", f"osc:{port}")
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
    e("outputs to no port", USAGE, ["no JACK port"], "run", "--quiet", "--control", "none", "--connect-out", "nothing:here")
    port = str(free_ports(1)[0])
    e("no session to control", ENVIRONMENT, ["no session answers"], "ctl", "status", "--port", port)
    take = cases.folder / "take.wav"
    interrupted(cases, "Ctrl-C in run", ["run", "--quiet", "--control", port, "--record", take.name],
                lambda: any(path.stat().st_size > 4096 for path in cases.folder.glob("take.wav.part")))
    print(f"        the recording is complete: {take.stat().st_size} bytes" if take.exists() else "        no take.wav!")
    cases.failed += not take.exists()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        interrupted(cases, f"{number.name} while a room is built", ["render", "song.wav", "ears.wav", "--layout", "stereo", "--room",
                    "hall"], None, "ears.wav", number)
    float_wav(cases.folder / "hour.wav", 2, 6_000_000)
    interrupted(cases, "SIGHUP in render", ["render", "hour.wav", "ears.wav", "--block", "16"],
                lambda: any(path.stat().st_size > 4096 for path in cases.folder.glob("*ears.wav*")), "ears.wav", signal.SIGHUP)
    interrupted(cases, "Ctrl-C in render", ["render", "hour.wav", "ears.wav", "--block", "16"],
                lambda: any(path.stat().st_size > 4096 for path in cases.folder.glob("*ears.wav*")), "ears.wav")
    float_wav(cases.folder / "preview.wav", 2, 480_000)
    interrupted(cases, "Ctrl-C in preview", ["preview", "preview.wav", "--quiet", "--room", "none", "--control", "none"],
                lambda: "-player:out_2" in subprocess.run(["jack_lsp"], capture_output=True, text=True).stdout)


def catches(process, number):
    """Whether a process has a handler for a signal."""
    with open(f"/proc/{process.pid}/status") as lines:
        caught = int(next(line.split()[1] for line in lines if line.startswith("SigCgt")), 16)
    return caught >> (number - 1) & 1


def interrupted(cases, name, arguments, has_begun, output=None, number=signal.SIGINT):
    """Interrupts the program half a second after `has_begun()` is true; without `has_begun`, as soon as the program has
    installed a handler for the signal, long before it writes output."""
    process = subprocess.Popen([cases.program, *arguments], cwd=cases.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while process.poll() is None and not (has_begun or (lambda: catches(process, number)))() and time.monotonic() < end:
        time.sleep(0.02 if has_begun else 0.001)
    if has_begun:
        time.sleep(0.5)
    process.send_signal(number)
    _, message = process.communicate(timeout=60)
    last = (message.strip().splitlines() or [""])[-1] if output else "interrupted"
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
            tools(cases)
            trackers(cases)
            cases.expect("no JACK server", ENVIRONMENT, ["no JACK server"],
                         command=["env", "JACK_DEFAULT_SERVER=nobody", program, "run", "--quiet", "--control", "none"])
            environment = dict(os.environ, PROSCENIUM_SANDBOXED="1")
            code = subprocess.run([SANDBOX, sys.executable, __file__, program], env=environment).returncode
            cases.failed += code != 0
        print(f"bad input: {cases.passed} passed, {cases.failed} failed")
        return 1 if cases.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
