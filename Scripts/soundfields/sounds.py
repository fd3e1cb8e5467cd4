"""Voices, music, animals and machines from Debian packages: rows of 10 s at 48 kHz with RMS 1. The packages are those
of the use `soak` in Scripts/setup-packages; `missing()` names those that are not installed.

Each kind has two halves: "limits", on which limits of the separation were set, and "others", which were only measured.
Nothing is copied into the project; rows are made anew by each run from fixed seeds.
"""

import glob
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile

import numpy as np
from scipy import signal

RATE = 48_000
FRAMES = 10 * RATE
#: Packages, and a file or program of each.
PACKAGES = {
    "espeak-ng": "espeak-ng", "flite": "flite", "ffmpeg": "ffmpeg", "fluidsynth": "fluidsynth",
    "fluid-soundfont-gm": "/usr/share/sounds/sf2/FluidR3_GM.sf2", "sonic-pi-samples": "/usr/share/sonic-pi/samples/loop_amen.flac",
    "gcompris-qt-data": "/usr/share/gcompris-qt/rcc/explore_farm_animals.rcc",
    **{f"asterisk-core-sounds-{language}-wav": f"/usr/share/asterisk/sounds/{folder}" for language, folder in (
        ("en", "en_US_f_Allison"), ("es", "es_MX_f_Allison"), ("fr", "fr_CA_f_June"), ("it", "it_IT_m_Carlo"), ("ru", "ru_RU_f_IvrvoiceRU"))},
}
TEXTS = {
    "en": "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It is easy to tell the depth of a well.",
    "en2": "Four hours of steady work faced us. A large size in stockings is hard to sell. The boy was there when the sun rose.",
    "de": "Heute ist schönes Frühlingswetter. Die Sonne lacht, am blauen Himmel ziehen die weißen Wolken.",
    "fr": "Il se garantira du froid avec ce bon capuchon. Les deux camions se sont heurtés de face.",
    "pl": "Dzisiaj pogoda jest bardzo piękna. Wczoraj padał deszcz przez cały dzień. Pojedziemy jutro nad morze.",
    "zh": "ni3 hao3, jin1 tian1 de5 tian1 qi4 hen3 hao3. wo3 men5 yi4 qi3 qu4 gong1 yuan2 san4 bu4 ba5.",
}
#: Voices of espeak-ng: (voice, text, words per minute, pitch).
ESPEAK = {
    "limits": (("en-us+m1", "en", 165, 50), ("en-gb+f2", "en2", 150, 60), ("en-gb-scotland+m3", "en", 180, 30), ("de+f4", "de", 165, 50)),
    "others": (("en-gb-x-rp+m7", "en2", 160, 50), ("en-us+f5", "en", 190, 99), ("fr+m4", "fr", 165, 40), ("pl+f3", "pl", 165, 50),
               ("cmn", "zh", 160, 50)),
}
FLITE = {"limits": (("kal16", "en"), ("awb", "en")), "others": (("slt", "en2"), ("rms", "en2"))}
PROMPTS = {"limits": ("es_MX_f_Allison", "it_IT_m_Carlo"), "others": ("en_US_f_Allison", "fr_CA_f_June", "ru_RU_f_IvrvoiceRU")}
#: Programs of General MIDI, and the lowest note of each line.
INSTRUMENTS = {
    "limits": {"piano": (0, 60), "violin": (40, 60), "trumpet": (56, 60), "marimba": (12, 60), "bass": (33, 36), "alto saxophone": (65, 60),
               "vibraphone": (11, 60), "cello": (42, 48)},
    "others": {"guitar": (24, 60), "flute": (73, 72), "organ": (19, 60), "clarinet": (71, 60), "harp": (46, 60), "viola": (41, 55),
               "accordion": (21, 60), "electric piano": (4, 60), "oboe": (68, 60), "sitar": (104, 60)},
}
LOOPS = {"limits": ("vinyl_scratch", "loop_breakbeat", "loop_mika"), "others": ("loop_amen", "loop_tabla", "ambi_piano", "guit_harmonics")}
MACHINES = {"limits": ("engine", "siren", "hammer", "washer"), "others": ("drill", "wail", "train", "beeper")}


def missing():
    """Returns the names of packages that are not installed."""
    return [name for name, sign in PACKAGES.items() if not (os.path.exists(sign) if sign[0] == "/" else shutil.which(sign))]


def even(row):
    """Returns 10 s of a row, with RMS 1."""
    row = np.pad(row[:FRAMES], (0, max(0, FRAMES - len(row))))
    return row / (np.sqrt(np.mean(row**2)) + 1e-12)


def load(path):
    """Returns a file of any format, mixed to mono, at 48 kHz."""
    done = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"], check=True, capture_output=True)
    return np.frombuffer(done.stdout, "<f4").astype(float)


def trim(row):
    """Returns a row without the silence at its ends."""
    loud = np.flatnonzero(np.abs(row) > 0.01 * np.abs(row).max())
    return row[max(0, loud[0] - 200):loud[-1] + 400]


def repeat(parts, gap, seed):
    """Returns 10 s of parts in turn, each with RMS 1, with pauses of about `gap` seconds."""
    rng, row, number = np.random.default_rng(seed), np.zeros(0), 0
    while len(row) < FRAMES:
        part = parts[number % len(parts)]
        row = np.concatenate([row, part / (np.sqrt(np.mean(part**2)) + 1e-12), np.zeros(int(RATE * gap * rng.uniform(0.5, 1.5)))])
        number += 1
    return even(row)


def said(*command):
    """Returns the speech of a synthesiser; its option for the file comes last."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        subprocess.run([*map(str, command), file.name], check=True, capture_output=True)
        return trim(load(file.name))


def voices(half):
    """Returns {name: row} of voices: espeak-ng, flite, recorded prompts of a telephone exchange (8 kHz)."""
    found = {}
    for voice, text, speed, pitch in ESPEAK[half]:
        found[voice] = repeat([said("espeak-ng", "-v", voice, "-s", speed, "-p", pitch, TEXTS[text], "-w")], 0.35, 5)
    for voice, text in FLITE[half]:
        found[voice] = repeat([said("flite", "-voice", voice, "-t", TEXTS[text], "-o")], 0.35, 6)
    for folder in PROMPTS[half]:
        files = [f for f in sorted(glob.glob(f"/usr/share/asterisk/sounds/{folder}/*.wav"))
                 if os.path.getsize(f) > 30_000 and not any(word in f for word in ("silence", "beep", "tt-monkeys", "moo"))]
        order = np.random.default_rng(9).permutation(len(files))[:8]
        found[folder[:2] + " prompts"] = repeat([trim(load(files[i])) for i in order], 0.3, 9)
    return found


def midi(program, notes, path):
    """Writes notes (start and length in seconds, pitch, velocity) as a MIDI file."""
    def number(value):
        parts = [value & 127]
        while value := value >> 7:
            parts.insert(0, value & 127 | 128)
        return bytes(parts)

    events = [(0, 0, bytes([0xC0, program]))]
    for start, length, pitch, velocity in notes:
        events += [(int(960 * start), 1, bytes([0x90, pitch, velocity])), (int(960 * (start + length)), 0, bytes([0x80, pitch, 0]))]
    track, before = b"", 0
    for at, _, words in sorted(events):
        track += number(at - before) + words
        before = at
    track += b"\0\xff\x2f\0"
    pathlib.Path(path).write_bytes(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480) + b"MTrk" + struct.pack(">I", len(track)) + track)


def notes(rng, low):
    """Returns a line and chords on a major scale, each 10 s of notes."""
    scale, line, chords = (0, 2, 4, 5, 7, 9, 11, 12), [], []
    beat, at, step = rng.choice([0.2, 0.25, 0.33, 0.5]), 0.1, int(rng.integers(0, 8))
    while at < 10:
        step, length = int(np.clip(step + rng.integers(-3, 4), 0, 7)), beat * rng.choice([1, 1, 2, 0.5])
        line.append((at, 0.95 * length, low + scale[step], int(rng.integers(70, 110))))
        at += length
    beat, at = rng.choice([0.25, 0.5, 1.0]), 0.1
    while at < 10:
        root, velocity = int(rng.integers(0, 5)), int(rng.integers(60, 110))
        chords += [(at, 0.9 * beat, low - 12 + scale[(root + k) % 7] + 12 * ((root + k) // 7), velocity) for k in (0, 2, 4)]
        at += beat
    return line, chords


def music(half):
    """Returns {name: row}: a line and chords of each instrument, and recorded loops."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (program, low) in INSTRUMENTS[half].items():
            rng = np.random.default_rng(7 * program + (0 if half == "limits" else 1000))
            for kind, piece in zip(("line", "chords"), notes(rng, low)):
                if name == "bass" and kind == "chords":
                    continue
                midi(program, piece, f"{folder}/piece.mid")
                subprocess.run(["fluidsynth", "-ni", "-g", "0.5", "-R", "0", "-C", "0", "-r", str(RATE), "-F", f"{folder}/piece.wav",
                                PACKAGES["fluid-soundfont-gm"], f"{folder}/piece.mid"], check=True, capture_output=True)
                found[f"{name}, {kind}"] = even(load(f"{folder}/piece.wav"))
    for name in LOOPS[half]:
        found[name] = repeat([load(f"/usr/share/sonic-pi/samples/{name}.flac")], 0.1, 3)
    return found


def streams(path):
    """Returns the Ogg streams in a file of resources, as bytes."""
    data, at, found = pathlib.Path(path).read_bytes(), 0, []
    while (at := data.find(b"OggS", at)) >= 0:
        first = at
        while data[at:at + 4] == b"OggS":
            count, is_last = data[at + 26], data[at + 5] & 4
            at += 27 + count + sum(data[at + 27:at + 27 + count])
            if is_last:
                break
        found.append(data[first:at])
    return found


def bark(seed, rate):
    """Returns barks, `rate` a second: eight partials on a pitch that rises and falls, and noise."""
    rng, row, size = np.random.default_rng(seed), np.zeros(FRAMES), int(0.18 * RATE)
    t = np.arange(size) / RATE
    for at in np.arange(0.2, 9.7, 1 / rate):
        phase = 2 * np.pi * np.cumsum(rng.uniform(380, 520) * (1 + 0.35 * np.sin(np.pi * t / 0.18))) / RATE
        voice = sum(np.sin(k * phase) / k**0.7 for k in range(1, 9)) + 0.3 * rng.standard_normal(size)
        row[int(at * RATE):int(at * RATE) + size] += voice * np.sin(np.pi * t / 0.18) ** 0.6
    return even(row)


def animals(half):
    """Returns {name: row}: recordings from a farm, and synthetic barks."""
    found = {}
    with tempfile.NamedTemporaryFile(suffix=".ogg") as file:
        for number, stream in enumerate(streams(PACKAGES["gcompris-qt-data"])):
            if (number % 2 == 0) == (half == "limits"):
                pathlib.Path(file.name).write_bytes(stream)
                found[f"farm {number}"] = repeat([trim(load(file.name))], 0.3, number)
    found["bark"] = bark(1, 1.7) if half == "limits" else bark(2, 2.6)
    return found


def machines(half):
    """Returns {name: row} of synthetic machines."""
    return {kind: even(machine(kind, np.random.default_rng(2 * number + (half == "others")))) for number, kind in enumerate(MACHINES[half])}


def machine(kind, rng):
    """Returns 10 s of a machine, by its name in `MACHINES`."""
    t, noise = np.arange(FRAMES) / RATE, rng.standard_normal(FRAMES)
    turn = lambda hertz: 2 * np.pi * np.cumsum(hertz + 0 * t) / RATE
    partials = lambda phase, count, slope: sum(np.sin(k * phase) / k**slope for k in range(1, count))
    shaped = lambda low, high: signal.sosfilt(signal.butter(2, (low, high), "band", fs=RATE, output="sos"), noise)
    if kind == "engine":
        phase = turn(28 + 6 * np.sin(2 * np.pi * 0.2 * t))
        return sum(np.sin(k * phase + rng.uniform(0, 6)) / k**0.5 for k in range(1, 40)) + 0.5 * noise * np.abs(np.sin(phase))
    if kind == "drill":
        return (partials(turn(180 + 60 * np.clip(0.7 * t % 1 * 4, 0, 1)), 25, 0.4) + noise) * (0.7 * t % 1 < 0.6)
    if kind == "siren":
        return partials(turn(700 + 300 * np.sign(np.sin(2 * np.pi * 0.6 * t))), 8, 1)
    if kind == "wail":
        return partials(turn(900 + 450 * np.sin(2 * np.pi * 0.35 * t)), 8, 1)
    if kind == "hammer":
        own = np.arange(int(0.15 * RATE)) / RATE
        hit = np.exp(-own / 0.03) * rng.standard_normal(len(own)) + sum(np.exp(-own / 0.05) * np.sin(2 * np.pi * f * own) for f in (820, 1730, 2950))
        blows = np.zeros(FRAMES)
        blows[(np.arange(0.1, 9.8, 0.4) * RATE).astype(int)] = 1
        return signal.fftconvolve(blows, hit)[:FRAMES]
    if kind == "train":
        return shaped(80, 2500) * (1 + 3 * sum(np.exp(-((t - o) % 0.62) / 0.06) for o in (0, 0.13)))
    if kind == "washer":
        return shaped(150, 1500) * (1 + 0.9 * np.sin(2 * np.pi * 1.3 * t) + 0.3 * np.sin(2 * np.pi * 5 * t))
    return sum(np.sin(2 * np.pi * 1250 * k * t) / k**2 for k in (1, 3)) * (1.2 * t % 1 < 0.5)
