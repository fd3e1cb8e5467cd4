#!/usr/bin/python3
"""Measures a simulated person in a room with `proscenium measure responses`, and plays the result.

    measure_responses.py PROGRAM

The person is rendered by the program itself: impulses through a generated room at three looks. Sweeps through these
responses, with 60 dB of SNR and 1 % of distortion, are recorded as Impulcifer records: silence, sweep, silence, sweep.
Checked: the responses of the SOFA file are the true ones; other readers and `sofa check` accept it; the room plays and
turns; each planted fault is named.
"""

import json
import os
import subprocess
import sys

import numpy as np
from scipy import signal

from renderings import Report, program_from_arguments
from listening import floatwav

RATE = 48000
LOOKS = [-30, 0, 30]
PAUSE = 1.0
#: Frames from the start of a recording to its sound beyond the way of the sound: latency of the devices.
LATENCY = 2100
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def sweep(seconds=3.0, low=12.0, high=23500.0):
    """Returns an exponential sweep with faded ends, peak 0.5."""
    constant = seconds / np.log(high / low)
    time = np.arange(int(seconds * RATE)) / RATE
    tone = 0.5 * np.sin(2 * np.pi * low * constant * (np.exp(time / constant) - 1))
    rise, fall = int(0.1 * RATE), int(0.01 * RATE)
    tone[:rise] *= 0.5 - 0.5 * np.cos(np.pi * np.arange(rise) / rise)
    tone[-fall:] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(fall) / fall)
    return tone


def truth(program, yaw):
    """Returns the responses [loudspeaker][frame][ear] of FL and FR with the head turned to `yaw` degrees."""
    found = []
    for place in range(2):
        impulse = np.zeros((RATE, 2))
        impulse[0, place] = 1
        found.append(program.render(impulse, RATE, "--layout", "stereo", "--hrtf", "generated", "--room", "studio", "--limiter", "off",
                                    "--yaw", yaw))
    return found


def take(tone, responses, seed, plant=lambda take, random: take):
    """Returns a recording [frame][ear] of a sweep from each loudspeaker."""
    random = np.random.default_rng(seed)
    distorted = tone + 0.016 * tone ** 2 * 2 + 0.024 * tone ** 3 * 4
    silence, sounds = int(PAUSE * RATE), []
    frames = silence + len(responses) * (len(tone) + silence)
    heard = np.zeros((frames + RATE, 2))
    for place, response in enumerate(responses):
        start = LATENCY + silence + place * (len(tone) + silence)
        sound = np.stack([signal.fftconvolve(distorted, response[:, ear]) for ear in range(2)], 1)
        sounds.append(np.sqrt(np.mean(sound[:len(tone)] ** 2)))
        stop = min(len(heard), start + len(sound))
        heard[start:stop] += sound[:stop - start]
    heard += max(sounds) * 10 ** (-60 / 20) * random.standard_normal(heard.shape)
    return plant(heard[:frames], random)


def in_band(response):
    """Returns a response through the lower edge of the sweep's band, which the program passes."""
    return signal.sosfilt(signal.butter(4, 21, "high", fs=RATE, output="sos"), response, axis=0)


def thirds(response):
    """Returns levels in thirds of an octave from 100 Hz to 16 kHz, dB."""
    spectrum = np.abs(np.fft.rfft(response, 1 << 17)) ** 2
    frequency = np.fft.rfftfreq(1 << 17, 1 / RATE)
    centres = 100 * 2 ** (np.arange(23) / 3)
    return np.array([10 * np.log10(np.mean(spectrum[(frequency >= f / 2 ** (1 / 6)) & (frequency < f * 2 ** (1 / 6))])) for f in centres])


class Folder:
    """Recordings in a folder, and the command over them."""

    def __init__(self, program, name):
        self.program, self.path = program, f"{program.folder}/{name}"
        os.mkdir(self.path)

    def write(self, name, samples):
        floatwav.write(f"{self.path}/{name}", samples, RATE)
        return f"{self.path}/{name}"

    def measure(self, *words):
        """Returns the exit status, the standard output and the messages of the command."""
        line = [self.program.path, "measure", "responses", *words, "--pause", str(PAUSE), "-o", f"{self.path}/room.sofa", "-y"]
        done = subprocess.run(line, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout, done.stderr


def main():
    program = program_from_arguments()
    report = Report("measure responses: a simulated person, three looks of two loudspeakers")
    tone = sweep()
    responses = {yaw: truth(program, yaw) for yaw in LOOKS}
    folder = Folder(program, "good")
    played = folder.write("sweep.wav", tone)
    takes = [folder.write(f"FL,FR_{yaw}.wav", take(tone, responses[yaw], 40 + yaw)) for yaw in LOOKS]
    room, ears = f"{folder.path}/room.sofa", f"{folder.path}/ears.sofa"
    status, answer, messages = folder.measure(*takes, "--sweep", played, "--ears", ears, "--json")
    report.fact("three takes become a room", status == 0, messages.strip())
    if status:
        report.finish()
    said = json.loads(answer)
    report.fact("no take has a fault", not any(take["faults"] for take in said["takes"]))

    import h5py
    with h5py.File(room) as file:
        measured = file["Data.IR"][...]
        views = file["ListenerView"][...]
    yaws = np.round(np.degrees(np.arctan2(views[:, 1], views[:, 0])))
    report.fact("the looks are those of the names", list(yaws) == LOOKS, str(yaws))
    worst, delays = 0.0, 0.0
    for look, yaw in enumerate(LOOKS):
        for place in range(2):
            true = in_band(responses[yaw][place])
            for ear in range(2):
                worst = max(worst, np.max(np.abs(thirds(measured[look, ear, :, place]) - thirds(true[:, ear]))))
            lags = []
            for pair in (measured[look, :, :, place].T, true):
                cross = np.fft.irfft(np.fft.rfft(pair[:, 0], 1 << 19) * np.conj(np.fft.rfft(pair[:, 1], 1 << 19)), 1 << 22)
                lags.append((np.argmax(cross) + (1 << 21)) % (1 << 22) - (1 << 21))
            delays = max(delays, abs(lags[0] - lags[1]) / 8 / RATE * 1e6)
    report.row("levels in thirds of an octave, 100 Hz to 16 kHz", worst, 0.5)
    report.row("times between the ears", delays, 5, "µs")

    for path in (room, ears):
        verdict = program.run("sofa", "check", path)
        report.fact(f"sofa check {os.path.basename(path)}", verdict.startswith("ok\t"), verdict.strip())
    python = f"{ROOT}/.build/venv/bin/python"
    if os.access(python, os.X_OK):
        done = subprocess.run([python, f"{ROOT}/Scripts/sofa-readers", room, ears], capture_output=True, text=True, timeout=120)
        report.fact("h5py, netCDF4, sofar and libmysofa read both", done.returncode == 0, done.stdout.strip()[-300:])
    else:
        print("  other readers: not tried; Scripts/python-env has not run")

    noise = np.random.default_rng(3).standard_normal((RATE // 2, 2)) * 0.05
    heard = {yaw: program.render(noise, RATE, "--layout", "stereo", "--hrtf", "generated", "--room", room, "--yaw", yaw) for yaw in (0, 15, 30)}
    levels = {yaw: 10 * np.log10(np.mean(sound ** 2, axis=0)) for yaw, sound in heard.items()}
    report.fact("the room plays, and turns with the head",
                all(np.all(np.isfinite(level)) for level in levels.values()) and not np.allclose(heard[0], heard[30]), str(levels))
    sound = program.render(noise, RATE, "--layout", "stereo", "--hrtf", ears)
    report.fact("the ears play", bool(np.mean(sound ** 2) > 1e-8))

    def clipped(sound, random):
        most = 0.6 * np.max(np.abs(sound))
        return np.clip(sound, -most, most)

    def burst(sound, random):
        sound[2 * RATE:2 * RATE + 3000] += 0.1 * np.max(np.abs(sound)) * random.standard_normal((3000, 2))
        return sound

    def hole(sound, random):
        sound[2 * RATE:2 * RATE + 200] = 0
        return sound

    def quiet(sound, random):
        return 10 ** (-55 / 20) * sound + 10 ** (-60 / 20) * np.std(sound) * random.standard_normal(sound.shape)

    planted = {"clipped": clipped, "a noise": burst, "frames are missing": hole, "too quiet": quiet,
               "microphones are exchanged": lambda sound, random: sound[:, ::-1]}
    for number, (words, plant) in enumerate(planted.items()):
        bad = Folder(program, f"bad{number}")
        path = bad.write("FL,FR.wav", take(tone, responses[0], 90 + number, plant))
        status, _, messages = bad.measure(path, "--sweep", played)
        report.fact(f"named: {words}", status == 1 and words in messages and not os.path.exists(f"{bad.path}/room.sofa"), messages.strip()[-200:])
    bad = Folder(program, "names")
    whole = take(tone, responses[0], 99)
    path = bad.write("FL,SR.wav", whole)
    status, _, messages = bad.measure(path, "--sweep", played)
    report.fact("named: another loudspeaker played", status == 1 and "another loudspeaker played" in messages, messages.strip()[-200:])
    for what, name, sound, words in [("a name without loudspeakers", "take1.wav", whole, "its name"),
                                     ("an unknown loudspeaker", "QQ.wav", whole, "no loudspeaker"),
                                     ("one channel", "FC.wav", whole[:, 0], "channels"),
                                     ("a recording that was cut off", "FL.wav", whole[:2 * RATE], "cut off")]:
        path = bad.write(name, sound)
        status, _, messages = bad.measure(path, "--sweep", played)
        report.fact(f"refused: {what}", status == 1 and words in messages, messages.strip()[-200:])
    path = bad.write("FL,FR.wav", whole)
    status, _, messages = bad.measure(path, "--sweep", bad.write("noise.wav", noise[:, 0]))
    report.fact("refused: a sweep that is none", status == 1 and "no exponential sweep" in messages, messages.strip()[-200:])
    report.finish()


if __name__ == "__main__":
    main()
