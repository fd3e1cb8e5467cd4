#!/usr/bin/python3
"""Measures a simulated person in a room with `measure sweeps` and `measure responses`, and plays the result.

    measure_responses.py PROGRAM

The person is KEMAR, rendered by the program itself: impulses through generated rooms at several looks. The sweeps of
`measure sweeps` are played through these responses and recorded by a recorder that starts at another time, with 60 dB
of SNR, clocks that differ by 50 millionths, 1 % of distortion and unlike capsules. Checked: the responses of the SOFA
file are the true ones; other readers and `sofa check` accept it; the room plays and turns, between looks too; each
planted fault is named. Then the same from recordings as Impulcifer makes them, and from HeSuVi's set of responses.
"""

import json
import os
import subprocess

import numpy as np
from scipy import signal

from renderings import Report, program_from_arguments
from listening import floatwav

RATE = 48000
LOOKS = [-30, 0, 30]
#: Least frequency of the sweeps' full level, Hz.
LOWEST = 15 * 2**0.5
#: Levels of the capsules at low and high frequencies, dB.
CAPSULES = [(0.5, 2.0), (-0.7, -1.5)]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
#: Python of Scripts/python-env, with other readers of SOFA files.
PYTHON = f"{ROOT}/.build/venv/bin/python"


def truth(program, yaw, room="studio", head="kemar"):
    """Returns the responses [loudspeaker][frame][ear] of FL and FR with the head turned to `yaw` degrees."""
    found = []
    for place in range(2):
        impulse = np.zeros((RATE, 2))
        impulse[0, place] = 1
        found.append(program.render(
            impulse, RATE, "--layout", "stereo", "--hrtf", head, "--room", room, "--limiter", "off", "--gain", "0", f"--yaw={yaw}"))
    return found


def capsule(ear):
    """Returns numerator and denominator of a capsule: a shelf of the first order about 3 kHz."""
    low, high = CAPSULES[ear]
    ratio = 10 ** ((high - low) / 40)
    omega = 2 * RATE * np.tan(np.pi * 3000 / RATE)
    b, a = signal.bilinear([ratio / omega, 1], [1 / ratio / omega, 1], RATE)
    return b * 10 ** (low / 20), a


def calibration(ear):
    """Returns a capsule's calibration as its maker supplies it."""
    frequencies = 20 * 1000 ** (np.arange(241) / 240)
    _, response = signal.freqz(*capsule(ear), worN=frequencies, fs=RATE)
    return "".join(f"{f:.3f}\t{20 * np.log10(abs(h)):.4f}\n" for f, h in zip(frequencies, response))


class Recorder:
    """Records played channels through a person's responses."""

    def __init__(self, responses, faulty=True, begin=1.7, snr=60, seed=1):
        self.responses, self.faulty, self.begin, self.snr = responses, faulty, begin, snr
        self.random = np.random.default_rng(seed)

    def record(self, played):
        """Returns the recording [frame][ear] of `played` [frame][channel]; the recording begins `begin` seconds before
        the sound."""
        heard = np.zeros((len(played) + RATE, 2))
        for place, response in enumerate(self.responses):
            tone = played[:, place]
            if self.faulty:
                # Second and third harmonic of a full-scale sine: 0.8 % and 0.6 %.
                tone = tone + 2 * 0.008 * tone**2 + 4 * 0.006 * tone**3
            for ear in range(2):
                heard[:, ear] += signal.fftconvolve(tone, response[:, ear])[:len(heard)]
        loud = np.max(np.sqrt(np.mean(heard**2, axis=0)))
        if self.faulty:
            heard = np.stack([signal.lfilter(*capsule(ear), heard[:, ear]) for ear in range(2)], 1)
        heard = np.concatenate([np.zeros((int(self.begin * RATE), 2)), heard])
        if self.faulty:
            # 50 millionths are 24 frames in ten seconds.
            padded = np.pad(heard, ((0, -len(heard) % 20000), (0, 0)))
            heard = signal.resample(padded, len(padded) + len(padded) // 20000)
        if self.snr is not None:
            heard = heard + loud * 10 ** (-self.snr / 20) * self.random.standard_normal(heard.shape)
        return heard


def in_band(response):
    """Returns a response through the lower edge of the sweep's band, which the program passes."""
    return signal.sosfilt(signal.butter(4, LOWEST, "high", fs=RATE, output="sos"), response, axis=0)


def sixths(response):
    """Returns levels in sixths of an octave from 80 Hz to 16 kHz, dB."""
    spectrum = np.abs(np.fft.rfft(response, 1 << 17)) ** 2
    frequency = np.fft.rfftfreq(1 << 17, 1 / RATE)
    return np.array([10 * np.log10(np.mean(spectrum[(frequency >= f / 2 ** (1 / 12)) & (frequency < f * 2 ** (1 / 12))]))
                     for f in 80 * 2 ** (np.arange(46) / 6)])


def direct(pair):
    """Returns both ears' [frame][ear] direct sound: from 1 ms before the earlier onset to 3.5 ms after it."""
    onset = min(int(np.argmax(np.abs(pair[:, ear]) > 0.2 * np.max(np.abs(pair[:, ear])))) for ear in range(2))
    count, edge = int(0.0055 * RATE), int(0.001 * RATE)
    first = onset - int(0.002 * RATE)
    window = np.ones(count)
    window[:edge] = 0.5 - 0.5 * np.cos(np.pi * np.arange(edge) / edge)
    window[-edge:] = window[:edge][::-1]
    padded = np.pad(pair, ((RATE // 100, RATE // 100), (0, 0)))
    return padded[first + RATE // 100:first + RATE // 100 + count] * window[:, None]


def interaural(pair):
    """Returns the time between the ears below 1.5 kHz in the direct sound, µs."""
    spectra = np.fft.rfft(direct(pair), 1 << 14, axis=0)
    cross = spectra[:, 0] * np.conj(spectra[:, 1])
    cross[int(1500 / RATE * (1 << 14)):] = 0
    lags = np.fft.irfft(cross, 1 << 18)
    return ((np.argmax(lags) + (1 << 17)) % (1 << 18) - (1 << 17)) / 16 / RATE * 1e6


def erb(response):
    """Returns levels in ERB bands from 200 Hz to 16 kHz, dB (Glasberg & Moore 1990)."""
    spectrum = np.abs(np.fft.rfft(response, 1 << 14)) ** 2
    frequency = np.fft.rfftfreq(1 << 14, 1 / RATE)
    number = 21.4 * np.log10(1 + 0.00437 * frequency)
    first, last = (21.4 * np.log10(1 + 0.00437 * f) for f in (200, 16000))
    return np.array([10 * np.log10(np.mean(spectrum[(number >= n) & (number < n + 1)]) + 1e-30) for n in np.arange(first, last - 1)])


class Folder:
    """Recordings in a folder, and the command over them."""

    def __init__(self, program, name):
        self.program, self.path = program, f"{program.folder}/{name}"
        os.mkdir(self.path)

    def write(self, name, samples):
        floatwav.write(f"{self.path}/{name}", samples, RATE)
        return f"{self.path}/{name}"

    def text(self, name, text):
        with open(f"{self.path}/{name}", "w") as file:
            file.write(text)
        return f"{self.path}/{name}"

    @property
    def room(self):
        return f"{self.path}/room.sofa"

    def measure(self, *words):
        """Returns the exit status, the standard output and the messages of the command."""
        line = [self.program.path, "measure", "responses", *words, "-o", self.room, "-y"]
        done = subprocess.run(line, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout, done.stderr


def sofa(path):
    """Returns the responses [look][loudspeaker][frame][ear] and the yaws of a room, degrees."""
    import h5py
    with h5py.File(path) as file:
        measured = np.transpose(file["Data.IR"][...], (0, 3, 2, 1))
        views = file["ListenerView"][...]
    return measured, np.degrees(np.arctan2(views[:, 1], views[:, 0]))


def difference(measured, true):
    """Returns the energy of the difference relative to the true response up to 22 kHz, dB, at the best whole lag."""
    size = 1 << 17
    a, b = (np.fft.rfft(row, size, axis=0) for row in (measured, in_band(true)))
    lag = int(np.argmax(np.sum(np.fft.irfft(a * np.conj(b), axis=0), 1)))
    b = b * np.exp(-2j * np.pi * np.arange(len(b)) * lag / size)[:, None]
    last = int(22000 / RATE * size)
    return 10 * np.log10(np.sum(np.abs(a - b)[:last] ** 2) / np.sum(np.abs(b)[:last] ** 2))


def judged(report, path, responses, prefix=""):
    """Compares a room with the true responses by their yaws."""
    measured, yaws = sofa(path)
    report.fact(prefix + "the looks are those of the names", list(np.round(yaws)) == sorted(responses), str(yaws))
    levels, delays = 0.0, 0.0
    for look, yaw in enumerate(sorted(responses)):
        for place in range(2):
            found, true = measured[look][place], in_band(responses[yaw][place])
            for ear in range(2):
                levels = max(levels, np.max(np.abs(sixths(found[:, ear]) - sixths(true[:, ear]))))
            delays = max(delays, abs(interaural(found) - interaural(true)))
    report.row(prefix + "levels in sixths of an octave, 80 Hz to 16 kHz", levels, 0.5)
    report.row(prefix + "times between the ears", delays, 5, "µs")


def between(report, program, room, looks, head, truths, what):
    """Compares the played room at looks between the measured ones with the true responses there."""
    delays, bands = [], []
    for yaw in looks:
        played = truth(program, yaw, room=room, head=head)
        for place in range(2):
            found, true = played[place], truths[yaw][place]
            delays.append(abs(interaural(found) - interaural(true)))
            bands.append([erb(direct(found)[:, ear]) - erb(direct(true)[:, ear]) for ear in range(2)])
    bands = np.array(bands)
    bands -= np.mean(bands)  # The room plays at the dry stage's loudness.
    report.row(f"{what}: times between the ears, worst", max(delays), 20, "µs")
    report.row(f"{what}: ERB bands of the direct sound, rms", np.sqrt(np.mean(bands**2)), 1.5)


def clipped(sound, random):
    most = 0.6 * np.max(np.abs(sound))
    return np.clip(sound, -most, most)


def burst(sound, random):
    middle = len(sound) // 2
    sound[middle:middle + 3000] += 0.1 * np.max(np.abs(sound)) * random.standard_normal((3000, 2))
    return sound


def hole(sound, random):
    loudest = len(sound) // 2
    sound[loudest:loudest + 200] = 0
    return sound


def lost(sound, random):
    """Returns the sound without 300 frames in the middle."""
    return np.delete(sound, slice(len(sound) // 2, len(sound) // 2 + 300), axis=0)


def quiet(sound, random):
    return sound + 0.3 * np.sqrt(np.mean(sound**2)) * random.standard_normal(sound.shape)


PLANTED = {"clipped": clipped, "a noise": burst, "silence in the middle": hole, "seem to differ": lost, "too quiet": quiet,
           "microphones are exchanged": lambda sound, random: sound[:, ::-1],
           "the right ear is": lambda sound, random: sound * [1, 0.2]}


def planned(report, program):
    """Checks the sweeps of `measure sweeps`, recorded by another program."""
    folder = Folder(program, "planned")
    played, plan = f"{folder.path}/sweeps.wav", f"{folder.path}/sweeps.json"
    program.run("measure", "sweeps", played, "--layout", "stereo", "--decay", "0.8")
    tone, rate = floatwav.read(played)
    report.fact("sweeps.wav has the layout's channels, at -12 dBFS",
                tone.shape[1] == 2 and rate == RATE and abs(20 * np.log10(np.max(np.abs(tone))) + 12) < 0.1)
    responses = {yaw: truth(program, yaw) for yaw in LOOKS + [-15, 15]}
    at_looks = {yaw: responses[yaw] for yaw in LOOKS}

    clean = folder.write("clean.wav", Recorder(responses[0], faulty=False, snr=None).record(tone))
    status, _, messages = folder.measure(clean, "--plan", plan)
    report.fact("a take without noise", status == 0, messages.strip())
    measured, _ = sofa(folder.room)
    report.row("difference from the true responses", max(difference(measured[0][place], responses[0][place]) for place in range(2)), -50)

    takes = [folder.write(f"look_{yaw}.wav", Recorder(responses[yaw], begin=1.7 + yaw / 70, seed=40 + yaw).record(tone)) for yaw in LOOKS]
    capsules = [word for ear in range(2) for word in ("--calibration", folder.text(f"capsule{ear}.txt", calibration(ear)))]
    ears = f"{folder.path}/ears.sofa"
    status, answer, messages = folder.measure(*takes, "--plan", plan, *capsules, "--ears", ears, "--json")
    report.fact("three takes with noise, drift, distortion, unlike capsules", status == 0, messages.strip())
    if status:
        report.finish()
    said = json.loads(answer)
    report.fact("the clocks' difference is found", all(abs(take["drift"] - 50) < 1 for take in said["takes"]),
                str([round(take["drift"], 2) for take in said["takes"]]))
    judged(report, folder.room, at_looks)
    for path in (folder.room, ears):
        verdict = program.run("sofa", "check", path)
        good = verdict.startswith("ok\t") or (path == ears and verdict.startswith("warn\t"))
        report.fact(f"sofa check {os.path.basename(path)}", good, verdict.strip())
    if os.access(PYTHON, os.X_OK):
        done = subprocess.run([PYTHON, f"{ROOT}/Scripts/sofa-readers", folder.room, ears], capture_output=True, text=True, timeout=120)
        report.fact("h5py, netCDF4, sofar and libmysofa read both", done.returncode == 0, (done.stdout + done.stderr).strip()[-300:])
    else:
        print("  other readers: not tried; Scripts/python-env has not run")

    # The person's own head is loaded, then another.
    for head in ("kemar", "generated"):
        between(report, program, folder.room, [-15, 15], head, responses, f"{head} loaded")
    heard = program.render(np.float32(0.05 * np.random.default_rng(3).standard_normal((RATE // 2, 2))).astype(float), RATE,
                           "--layout", "stereo", "--hrtf", ears)
    report.fact("the ears play", bool(np.mean(heard**2) > 1e-8))

    for number, (words, plant) in enumerate(PLANTED.items()):
        bad = Folder(program, f"planted{number}")
        random = np.random.default_rng(90 + number)
        path = bad.write("look.wav", plant(Recorder(responses[0], seed=number).record(tone), random))
        status, _, messages = bad.measure(path, "--plan", plan)
        report.fact(f"named: {words}", status == 1 and words in messages and not os.path.exists(bad.room), messages.strip()[-200:])
    # One gain is changed by 10 dB in one of three takes.
    changed = Folder(program, "changed")
    sounds = {yaw: Recorder(responses[yaw], seed=60 + yaw).record(tone) * [1, 10 ** (-0.5 * (yaw == 30))] for yaw in LOOKS}
    status, _, messages = changed.measure(*[changed.write(f"look_{yaw}.wav", sounds[yaw]) for yaw in LOOKS], "--plan", plan)
    report.fact("named: a gain that was changed, and its take alone", status == 1 and "look_30.wav: the right ear is" in messages
                and "than in the other takes" in messages and messages.count(".wav:") == 1, messages.strip()[-300:])
    bad = Folder(program, "others")
    turned = [a + b for a, b in zip(Recorder(responses[0], snr=None).record(tone * (np.arange(len(tone)) < len(tone) / 2)[:, None]),
                                    Recorder(truth(program, 4), snr=66).record(tone * (np.arange(len(tone)) >= len(tone) / 2)[:, None]))]
    for what, name, sound, words in [
            ("the head moved", "look.wav", np.array(turned), "the head moved"),
            ("a recording that was cut off", "look.wav", Recorder(responses[0]).record(tone)[:8 * RATE], "are not in the recording"),
            ("a recorder that started late", "look.wav", Recorder(responses[0]).record(tone)[int(2.1 * RATE):], "half a second"),
            ("other sound", "look.wav", Recorder(responses[0]).record(np.random.default_rng(5).standard_normal(tone.shape) * 0.1),
             "are not in the recording")]:
        status, _, messages = bad.measure(bad.write(name, sound), "--plan", plan)
        report.fact(f"named: {what}", status == 1 and words in messages, messages.strip()[-200:])
    for what, text, words in [("a plan of another program", "{}", "version is missing"), ("no text", "RIFF", "measure sweeps"),
                              ("a rate of 1e300", open(plan).read().replace("48000", "1e300"), "rate is 1e+300")]:
        status, _, messages = bad.measure(takes[1], "--plan", bad.text("plan.json", text))
        report.fact(f"refused: {what}", status == 1 and words in messages, messages.strip()[-200:])
    return responses


def single(report, program, responses):
    """Checks a single sweep, recorded as Impulcifer records."""
    pause, seconds = 1.0, 3.0
    constant = seconds / np.log(23500 / 12)
    time = np.arange(int(seconds * RATE)) / RATE
    tone = 0.5 * np.sin(2 * np.pi * 12 * constant * (np.exp(time / constant) - 1))
    tone[:4800] *= 0.5 - 0.5 * np.cos(np.pi * np.arange(4800) / 4800)
    tone[-480:] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(480) / 480)
    sequence = np.zeros((int((3 * pause + 2 * seconds) * RATE), 2))
    for place in range(2):
        start = int((pause + place * (pause + seconds)) * RATE)
        sequence[start:start + len(tone), place] = tone
    folder = Folder(program, "single")
    played = folder.write("sweep.wav", tone)
    names = {yaw: f"FL,FR_{yaw}.wav" for yaw in LOOKS}
    sounds = {yaw: Recorder(responses[yaw], faulty=False, begin=0.04, seed=70 + yaw).record(sequence)[:len(sequence)] for yaw in LOOKS}
    takes = [folder.write(names[yaw], sounds[yaw]) for yaw in LOOKS]
    status, _, messages = folder.measure(*takes, "--sweep", played, "--pause", str(pause))
    report.fact("a single sweep: three takes become a room", status == 0, messages.strip())
    if status == 0:
        judged(report, folder.room, {yaw: responses[yaw] for yaw in LOOKS}, "a single sweep: ")
    whole = sounds[0]
    noise = np.random.default_rng(3).standard_normal((RATE, 1)) * 0.05
    for what, name, sound, words in [
            ("another loudspeaker", "FL,SR.wav", whole, "another loudspeaker played"), ("a name without loudspeakers", "1.wav", whole, "its name"),
            ("an unknown loudspeaker", "QQ.wav", whole, "no loudspeaker"), ("one channel", "FC.wav", whole[:, :1], "channels"),
            ("a recording that was cut off", "FL.wav", whole[:2 * RATE], "cut off")]:
        status, _, messages = folder.measure(folder.write(name, sound), "--sweep", played, "--pause", str(pause))
        report.fact(f"refused: {what}", status == 1 and words in messages, messages.strip()[-200:])
    length, second = int((2 * pause + seconds) * RATE), int((pause + seconds) * RATE)
    parts = [folder.write("FL.wav", whole[:length]), folder.write("FR.wav", whole[second:second + length])]
    status, _, messages = folder.measure(*parts, "--sweep", played, "--pause", str(pause))
    report.fact("a single sweep: a recording for each loudspeaker", status == 0, messages.strip()[-300:])
    late = folder.write("FR.wav", np.roll(whole[second:second + length], RATE // 5, axis=0))
    status, _, messages = folder.measure(parts[0], late, "--sweep", played, "--pause", str(pause))
    report.fact("refused: a recorder that began at another time", status == 1 and "FR.wav" in messages
                and "ms later than in the other recordings" in messages, messages.strip()[-300:])
    status, _, messages = folder.measure(takes[0], "--sweep", folder.write("noise.wav", noise), "--pause", str(pause))
    report.fact("refused: a sweep that is none", status == 1 and "no exponential sweep" in messages, messages.strip()[-200:])


def apart(report, program, responses):
    """Checks the single sweep of `measure sweeps --single`, played by hand with one loudspeaker after the other."""
    folder = Folder(program, "apart")
    played = f"{folder.path}/sweep.wav"
    program.run("measure", "sweeps", played, "--single", "--seconds", "3", "--decay", "0.8")
    tone, rate = floatwav.read(played)
    report.fact("--single writes one channel alone", tone.shape[1] == 1 and rate == RATE and os.listdir(folder.path) == ["sweep.wav"],
                str(os.listdir(folder.path)))
    takes = [folder.write(f"{name}_{yaw}.wav", Recorder([responses[yaw][place]], faulty=False, begin=0.6 + 0.7 * number, seed=number).record(tone))
             for number, (yaw, place, name) in enumerate((yaw, place, name) for yaw in LOOKS for place, name in enumerate(["FL", "FR"]))]
    status, _, messages = folder.measure(*takes, "--sweep", played, "--apart", "--layout", "stereo")
    report.fact("single sweeps that began at any time become a room", status == 0, messages.strip()[-300:])
    if status == 0:
        judged(report, folder.room, {yaw: responses[yaw] for yaw in LOOKS}, "single sweeps, apart: ")
        measured, yaws = sofa(folder.room)
        front = measured[int(np.argmin(np.abs(yaws)))]
        onsets = [np.mean([np.argmax(np.abs(row[:, ear]) > 0.2 * np.max(np.abs(row[:, ear]))) for ear in range(2)]) for row in front]
        report.row("single sweeps, apart: difference of the loudspeakers' arrivals", abs(onsets[0] - onsets[1]) / RATE * 1e6, 60, "µs")
    status, _, messages = folder.measure(takes[0], "--sweep", played, "--layout", "stereo", "--pause", "2")
    report.fact("refused without --apart: a sweep at another time", status == 1, messages.strip()[-200:])
    late = folder.write("FL.wav", floatwav.read(takes[0])[0][int(0.95 * RATE):])
    status, _, messages = folder.measure(late, "--sweep", played, "--apart")
    report.fact("refused: a recording that begins with the sweep", status == 1 and "half a second before" in messages, messages.strip()[-200:])
    done = subprocess.run([program.path, "measure", "sweeps", played, "--single", "--layout", "5.1"], capture_output=True, text=True)
    report.fact("refused: --single with --layout", done.returncode == 2 and "--layout" in done.stderr, done.stderr.strip()[-200:])


def sets(report, program):
    """Checks HeSuVi's set of responses, as one file and as a folder with a file for each yaw, converted to a SOFA
    file."""
    places = ["FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR"]
    order = ["FL-0", "FL-1", "SL-0", "SL-1", "BL-0", "BL-1", "FC-0", "FR-1", "FR-0", "SR-1", "SR-0", "BR-1", "BR-0", "FC-1"]
    folder = f"{program.folder}/set"
    os.mkdir(folder)
    for yaw in (0, 30):
        impulse, responses = np.zeros((RATE // 4, 8)), {}
        for place, name in enumerate(places):
            impulse[:] = 0
            impulse[0, place] = 1
            heard = program.render(impulse, RATE, "--layout", "7.1", "--hrtf", "generated", "--room", "studio", "--limiter", "off",
                                   f"--yaw={yaw}", mask=0x63F)
            responses |= {f"{name}-{ear}": heard[:, ear] for ear in range(2)}
        floatwav.write(f"{folder}/hesuvi_{yaw}.wav", np.stack([responses[name] for name in order], 1), RATE)
    one, both = f"{program.folder}/one.sofa", f"{program.folder}/both.sofa"
    program.run("sofa", "convert", f"{folder}/hesuvi_0.wav", one)
    program.run("sofa", "convert", folder, both)
    wav, _ = floatwav.read(f"{folder}/hesuvi_30.wav")
    measured, yaws = sofa(both)
    # The loudspeakers in the order of the set: FL SL BL FC FR SR BR.
    pairs = [(0, 1), (2, 3), (4, 5), (6, 13), (8, 7), (10, 9), (12, 11)]
    same = all(np.array_equal(np.float32(measured[1][place]), np.float32(wav[:, pair])) for place, pair in enumerate(pairs))
    report.fact("HeSuVi's set by yaw becomes a room, bit by bit", same and list(np.round(yaws)) == [0, 30])
    for path in (one, both):
        verdict = program.run("sofa", "check", path)
        report.fact(f"sofa check {os.path.basename(path)}", verdict.startswith("ok\t"), verdict.strip())
    noise = np.float32(0.05 * np.random.default_rng(3).standard_normal((RATE // 4, 8))).astype(float)
    options = ["--layout", "7.1", "--hrtf", "generated", "--limiter", "off", "--yaw=20"]
    heard = [program.render(noise, RATE, *options, "--room", room, mask=0x63F) for room in (folder, both)]
    report.fact("it plays as the sound files do", np.max(np.abs(heard[0] - heard[1])) < 1e-6, str(np.max(np.abs(heard[0] - heard[1]))))
    done = subprocess.run([program.path, "sofa", "convert", f"{program.folder}/in.wav", one, "-y"], capture_output=True, text=True)
    report.fact("refused: channels without a layout", done.returncode == 2 and "--layout" in done.stderr, done.stderr.strip()[-200:])
    program.run("sofa", "convert", f"{program.folder}/out.wav", one, "-y", "--layout", "mono")
    report.fact("a layout names the loudspeakers of others", sofa(one)[0].shape[1] == 1)


def main():
    program = program_from_arguments()
    report = Report("measure responses: a simulated person, three looks of two loudspeakers")
    responses = planned(report, program)
    single(report, program, responses)
    apart(report, program, responses)
    sets(report, program)
    report.finish()


if __name__ == "__main__":
    main()
