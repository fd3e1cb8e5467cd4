#!/usr/bin/env python3
"""Tests `hrtf compare` without a listener. Rendered pairs are equally loud and equally long; their sheet hides the sets
until it is evaluated; a simulated listener with a constant preference is reported as such. On a real JACK server,
without a terminal: `listen 1` and `listen 2` play the two sets as rendered, and switching between them does not click;
answers are written to the sheet at once and survive the end; and the comparison resumes from the sheet.

usage: compare.py PROGRAM
"""
import base64
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
from takes import PATIENCE, RATE, enter, stop, tally

SETS = ["kemar", "generated"]
#: Frequency of the tone, Hz (the interaural level differences of the two sets differ by 5 dB there), and its duration
#: in seconds.
TONE, SECONDS = 2000, 20
#: Seconds of listening to each of the two, and number of turns.
PART, TURNS = 1.0, 6
#: Number of takes after which the server counts as unable to play without skips.
TRIES = 6
#: Greatest loudness difference between the files of a pair, LU; of interaural level, live against rendered, dB; level
#: of a click, dB.
LOUDNESS, BALANCE, CLICK = 0.2, 0.2, -60


def furnish(folder):
    """Writes a tone from the left."""
    soft = np.minimum(1, np.arange(RATE * SECONDS) / (0.05 * RATE))
    floatwav.write(folder / "tone.wav", 0.2 * soft * np.sin(2 * np.pi * TONE * np.arange(RATE * SECONDS) / RATE), RATE)
    (folder / "left.json").write_text('{"name": "left", "loudspeakers": [{"name": "L", "azimuth": 70}]}')


def run(program, folder, *words, **options):
    return subprocess.run([program, "hrtf", "compare", *words], cwd=folder, capture_output=True, text=True, timeout=300, **options)


def key(sheet):
    return json.loads(base64.b64decode(sheet["key"]))


def balance(samples):
    """Returns the level of the left ear over the right, dB."""
    level = np.sqrt(np.mean(samples ** 2, axis=0))
    return 20 * np.log10(level[0] / level[1])


def rendered(program, folder):
    """Checks files and sheet: (label, good, text)."""
    answer = run(program, folder, *SETS, "--render", "pairs", "--rounds", "14", "--seed", "5")
    yield "pairs are rendered", answer.returncode == 0, answer.stderr.strip().splitlines()[-1]
    path = folder / "pairs/sheet.json"
    sheet = json.loads(path.read_text())
    spread, lengths = 0, set()
    for round_, secret in zip(sheet["rounds"][:2], key(sheet)):
        loud = []
        for name in round_["files"]:
            lengths.add((folder / "pairs" / name).stat().st_size)
            said = subprocess.run([program, "loudness", "--json", folder / "pairs" / name], capture_output=True, text=True, check=True)
            found = json.loads(said.stdout)
            loud.append((found[0] if isinstance(found, list) else found)["loudness"]["integrated"])
        spread = max(spread, abs(loud[0] - loud[1]))
    yield "pairs are equally loud", spread <= LOUDNESS, f"{spread:.3f} LU (bound {LOUDNESS})"
    yield "pairs are equally long", len(lengths) == 1, f"{sorted(lengths)} bytes"
    empty = run(program, folder, "--evaluate", path)
    yield "an empty sheet shows nothing", "nothing was answered" in empty.stdout, empty.stdout.splitlines()[0]
    for round_, secret in zip(sheet["rounds"], key(sheet)):
        if secret["kind"] != "same":
            round_["answer"] = "1" if secret["first"] == 1 else "2"
    path.write_text(json.dumps(sheet))
    told = json.loads(run(program, folder, "--evaluate", path, "--json").stdout)
    yield "who prefers one set is told so", (told["verdict"], told["best"]) == ("best", [SETS[1]]), f"{told['best']}"
    words = run(program, folder, "--evaluate", path).stdout.splitlines()
    yield "in words", words[0].startswith(f"'{SETS[1]}' fits you best"), words[0]


def expected(program, folder):
    """Returns the balance of the two ears with each set, as rendered."""
    run(program, folder, *SETS, "--render", "tones", "--rounds", "1", "--input", "tone.wav", "--layout", "left.json", check=True)
    sheet = json.loads((folder / "tones/sheet.json").read_text())
    balances = []
    for name in sheet["rounds"][0]["files"]:
        samples, rate = floatwav.read(folder / "tones" / name)
        balances.append(balance(samples[rate:-rate]))
    return balances


def perform(program, folder):
    """Runs, inside a sandbox, a comparison that is interrupted and resumed. Recordings and output go into files.
    Returns an error, or None."""
    for _ in range(TRIES):
        (folder / "live.json").unlink(missing_ok=True)
        process = begin(program, folder)
        try:
            wrong = listen(process, folder)
        finally:
            stop(process)
        said = (folder / "said").read_text()
        if wrong or not ("skipped" in said or "in time" in said):
            break
    else:
        wrong = f"the server skipped sound in {TRIES} takes"
    if wrong:
        return wrong
    # A file of answers serves as well as a pipe.
    (folder / "answers").write_text("2\n2\n")
    words = [program, "hrtf", "compare", "--resume", "live.json", "--json"]
    again = subprocess.run(words, cwd=folder, stdin=(folder / "answers").open(), capture_output=True, text=True, timeout=300)
    (folder / "again.json").write_text(again.stdout)
    return None if again.returncode == 0 else f"resumed: status {again.returncode}: {again.stderr}"


def begin(program, folder):
    (folder / "said").write_text("")
    words = [program, "hrtf", "compare", *SETS, "--input", "tone.wav", "--layout", "left.json", "--connect-out", "physical",
             "--seed", "4", "--rounds", "4", "--sheet", "live.json"]
    return subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)


def listen(process, folder):
    """Makes one take: plays both sets of the first round in turn and gives two answers, one after an invalid word.
    Returns an error, or None."""
    for line in process.stderr:
        if line.startswith("round 1 "):
            break
    else:
        return "the first round never began"
    record = subprocess.Popen(["jack_rec", "-f", "heard.wav", "-d", str(int(PART * TURNS + 2)), "-b", "24", "-B", "1048576",
                               "proscenium:out_L", "proscenium:out_R"], cwd=folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1.5)
    for turn in range(TURNS):
        process.stdin.write(f"listen {2 - turn % 2}\n")
        time.sleep(PART)
    record.wait(PATIENCE)
    process.stdin.write("1\nperhaps\nu\n")
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        try:
            if len(json.loads((folder / "live.json").read_text())["rounds"]) == 2:
                break
        except OSError:
            pass
        time.sleep(0.1)
    else:
        return "two answers never stood on the sheet"
    process.stdin.write("q\n")
    process.stdin.close()
    said = process.stderr.read()
    if process.wait(PATIENCE) != 0:
        return f"status {process.returncode}: {said}"
    (folder / "said").write_text(said)
    return None


def heard(folder, balances):
    """Checks the recordings and the sheet: (label, good, text)."""
    samples, rate = floatwav.read(folder / "heard.wav")
    window = rate // 20
    found = np.array([balance(samples[i:i + window]) for i in range(0, len(samples) - window, window)])
    near = [np.abs(found - b) < BALANCE for b in balances]
    apart = abs(balances[0] - balances[1])
    share = np.mean(near[0] | near[1])
    yield ("both sets are heard, each as rendered", apart > 1 and share > 0.85 and min(n.mean() for n in near) > 0.25,
           f"{100 * near[0].mean():.0f} and {100 * near[1].mean():.0f} % of the time, {apart:.1f} dB apart between the ears")
    spectrum = np.fft.rfft(samples[:, 0])
    spectrum[np.fft.rfftfreq(len(samples), 1 / rate) < 4000] = 0
    high = np.fft.irfft(spectrum, len(samples))
    # The ends of a take are excluded: their edges are not clicks.
    inner = slice(rate // 10, len(samples) - rate // 10)
    level = 10 * np.log10(np.max(np.convolve(high[inner] ** 2, np.ones(480) / 480, "valid")) / np.mean(samples[inner, 0] ** 2))
    yield "turning does not click", level < CLICK, f"{level:.1f} dB above 4 kHz within 10 ms (bound {CLICK})"
    said = (folder / "said").read_text()
    yield "what is no answer is told", "'perhaps' is not an answer" in said, f"{said.splitlines()[0]}"
    yield ("no name is shown before the end", not any(name in line for line in said.splitlines() if line.startswith("round")
                                                      for name in SETS), "rounds name no set")
    rounds = json.loads((folder / "live.json").read_text())["rounds"]
    yield ("a comparison goes on from its sheet", [r["answer"] for r in rounds] == ["1", "u", "2", "2"],
           f"{[r['answer'] for r in rounds]}")
    again = json.loads((folder / "again.json").read_text())
    yield "four rounds show nothing", again["verdict"] == "no-preference" and again["rounds"] == 4, again["verdict"]


def outcomes(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        yield from rendered(program, folder)
        balances = expected(program, folder)
        sandbox = HERE.parent / "jack-sandbox"
        answer = subprocess.run([sandbox, "--sync", sys.executable, __file__, "--inside", program, name], capture_output=True, text=True)
        yield "a comparison on jackd", answer.returncode == 0, answer.stderr.strip() or "played, left, taken up again"
        if answer.returncode == 0:
            yield from heard(folder, balances)


if __name__ == "__main__":
    enter(__doc__.splitlines()[-1], lambda program: tally("comparing sets", outcomes(program)), perform)
