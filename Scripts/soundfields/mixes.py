"""Measures of an Audio Mix on scenes with known parts. `run(x, latency, style, intensity, **more)` returns a dict of
arrays [channel][frame], aligned with the input: `mix`, `speech` and `ambience` (the two stems), and `talkers`, rows of
seconds, talker's index, unit vector and prominence. `more` may have `heading` and `field` in degrees, and
`keep_speech`.
"""

import numpy as np
from scipy import signal

import scenes
import talkers
from room import RATE, encode, unit

#: Seconds until a separation counts as settled.
SETTLED = 4


def db(power):
    return 10 * np.log10(max(float(power), 1e-20))


def power(x):
    return float(np.mean(np.square(x)))


def si_sdr(estimate, target):
    """Returns the scale-invariant signal-to-distortion ratio (Le Roux et al., ICASSP 2019), dB."""
    scaled = (estimate @ target) / (target @ target) * target
    return db(np.sum(scaled**2) / np.sum((estimate - scaled) ** 2))


def gain(run, scene, latency):
    """Returns the SI-SDR of the speech stem's W against the talkers' early image, minus the input's: of all but the
    first and last 0.1 s, and from SETTLED on."""
    speech, end = run(scene.x, latency, "standard", 1)["speech"][0], scene.x.shape[1] - 4800
    parts = [slice(4800, end), slice(SETTLED * RATE, end)]
    return [si_sdr(speech[part], scene.target[part]) - si_sdr(scene.x[0][part], scene.target[part]) for part in parts]


def quiet(run, latency):
    """Returns the SI-SDR of the speech stem's W for a quiet voice in a room without walls, with steady diffuse noise 10
    dB below it."""
    voice = talkers.talk(talkers.HELD_OUT[2], 10, 7, start=0.2, pause=0.1)
    image, noise = scenes.encode(scenes.unit(-60.0))[:, None] * voice, scenes.steady(10, 52)
    noise *= np.sqrt(power(voice) / power(noise[0]) / 10)
    return si_sdr(run(0.05 * (image + noise), latency, "standard", 1)["speech"][0], 0.05 * voice)


def beams(scene):
    """Returns the gain of fixed beams to the one talker: cardioid and maximum directivity, dB."""
    u, end = scene.voices[0].direction, scene.x.shape[1] - 4800
    w, y, z, x = scene.x[:, 4800:end]
    along, target = x * u[0] + y * u[1] + z * u[2], scene.target[4800:end]
    own = si_sdr(w, target)
    return si_sdr(0.5 * (w + along), target) - own, si_sdr(0.25 * (w + 3 * along), target) - own


def stolen(run, field, latency):
    """Returns the power of the speech stem in a field without talkers, relative to the field's, dB, from 1 s on."""
    r = run(field, latency, "standard", 1)
    return db(power(r["speech"][:, RATE:]) / power(field[:, RATE:]))


def alone(run, latency, voices, level=-60):
    """Returns the levels of single voices in the speech stem, relative to the input, dB, from 1 s on: the least, and
    that of each voice. Around each is only diffuse noise, at `level` dB relative to the voice."""
    found = []
    for number, voice in enumerate(voices):
        x = 0.05 * encode(unit(60 - 50 * number))[:, None] * talkers.talk(voice, 8, 90 + number)
        field = scenes.steady(8, 90 + number)
        x = x + 0.05 * 10 ** (level / 20) * field / np.std(field[0])
        r = run(x, latency, "standard", 1)
        found.append(db(power(r["speech"][0, RATE:]) / power(x[0, RATE:])))
    return min(found), found


def no_voices(seed, seconds=8):
    """Returns pulsating or periodic point sources without speech: {name: row}."""
    rng, frames = np.random.default_rng(seed), int(seconds * RATE)
    t = np.arange(frames) / RATE
    fall = lambda seconds: np.exp(-np.arange(int(8 * seconds * RATE)) / seconds / RATE)
    at = lambda gap: (np.arange(0.2, seconds - 1, gap) * RATE).astype(int) + rng.integers(0, 2000, len(np.arange(0.2, seconds - 1, gap)))
    pulses = lambda gap: np.bincount(at(gap), minlength=frames)[:frames].astype(float)
    hiss = signal.sosfilt(signal.butter(2, (120, 4000), "band", fs=RATE, output="sos"), rng.standard_normal(frames))
    tone = lambda hertz, t, fall: sum(np.sin(2 * np.pi * hertz * k * t) / k for k in range(1, 13)) * np.exp(-t * fall)
    pitches = 220 * 2 ** (rng.choice((0, 2, 4, 5, 7, 9, 11, 12), int(2 * seconds)) / 12)
    return {
        "clicks": signal.fftconvolve(pulses(0.3), rng.standard_normal(len(fall(0.0006))) * fall(0.0006))[:frames],
        "steps": signal.fftconvolve(pulses(0.55), fall(0.05))[:frames] * hiss,
        "noise that swings": (0.55 + 0.45 * np.sin(2 * np.pi * rng.uniform(3, 5) * t)) ** 2 * hiss,
        "a held note": tone(rng.uniform(180, 300), t, 0),
        "a melody": np.concatenate([tone(pitch, t[:RATE // 2], 4) for pitch in pitches])[:frames],
    }


def taken_for_speech(run, latency, seed):
    """Returns the level of each source of `no_voices` in the speech stem, relative to the input, dB, from 1 s on:
    {name: level}."""
    found = {}
    for name, row in no_voices(seed).items():
        x = 0.05 * encode(unit(-40))[:, None] * row / np.std(row)
        noise = scenes.steady(8, seed)
        found[name] = stolen(run, x + 0.05 * 0.01 * noise / np.std(noise[0]), latency)
    return found


def kurtosis(row):
    """Returns the logarithm of the kurtosis E[p²]/E[p]² of a spectrogram's powers p, averaged over bins."""
    level = np.abs(signal.stft(row, RATE, nperseg=1024, noverlap=768)[2][4:200]) ** 2
    return float(np.log(np.mean((level / np.maximum(level.mean(1, keepdims=True), 1e-30)) ** 2) + 1e-30))


def musical_noise(run, latency):
    """Returns three results, log-kurtoses relative to the input's: that of the worst channel of ambience and mixes in
    steady diffuse noise; that of the speech stem there; and {name: (log-kurtosis, level in dB)} of speech stem,
    ambience and mix in a talker's pauses, where only noise is present. -9 stands for a stem below -60 dB of the input.

    The talker speaks for three seconds at a time, in steady noise 10 dB below.
    """
    x = scenes.steady(6, 21)
    x *= 0.05 / np.sqrt(power(x[0]))
    worst = -9.0
    for style in ("cinematic", "studio"):
        r = run(x, latency, style, 1)
        for row in ("mix", "ambience"):
            worst = max(worst, max(kurtosis(r[row][c][RATE:]) - kurtosis(x[c][RATE:]) for c in range(4)))
    speech = -9.0
    if power(r["speech"][0][RATE:]) > 1e-6 * power(x[0]):
        speech = kurtosis(r["speech"][0][RATE:]) - kurtosis(x[0][RATE:])
    # Three seconds of speech, two of noise alone, repeated.
    voice = talkers.talk(talkers.KNOWN[0], 15, 3, start=0.2, pause=0.1)
    t = np.arange(len(voice)) / RATE
    voice *= np.clip(np.minimum((t % 5) / 0.01, (3 - t % 5) / 0.01), 0, 1)
    image = scenes.encode(scenes.unit(25.0))[:, None] * voice
    noise = scenes.steady(15, 22)
    noise *= np.sqrt(power(image[0]) / power(noise[0]) / 10)
    r = run(0.05 * (image + noise), latency, "studio", 1)
    pauses = [slice(int((5 * k + 3.6) * RATE), int((5 * k + 4.9) * RATE)) for k in (0, 1, 2)]
    between = {}
    for name in ("speech", "ambience", "mix"):
        own = np.mean([kurtosis(0.05 * noise[0][p]) for p in pauses])
        level = db(np.mean([power(r[name][0][p]) for p in pauses]) / (0.0025 * power(noise[0])))
        between[name] = (np.mean([kurtosis(r[name][0][p]) for p in pauses]) - own if level > -60 else -9.0, level)
    return worst, speech, between


def pre_echo(run, latency):
    """Returns the energy in the 39 ms before clicks, minus that in an equal window 80 ms earlier, relative to the
    clicks' own, dB: the greatest of those rows of both stems and the mix that contain the clicks."""
    frames = 4 * RATE
    places = np.arange(RATE // 2, frames - RATE // 4, RATE // 4)
    rng, clicks = np.random.default_rng(3), np.zeros(frames)
    for at in places:
        clicks[at:at + 48] = rng.standard_normal(48) * 0.3
    x = scenes.encode(scenes.unit(20.0))[:, None] * clicks + 0.001 * scenes.steady(4, 5) / 8
    r = run(x, latency, "cinematic", 1)
    worst = -200.0
    for name in ("speech", "ambience", "mix"):
        for row in r[name]:
            before = sum(np.sum(row[at - 1920:at - 48] ** 2) - np.sum(row[at - 5760:at - 3888] ** 2) for at in places)
            hit = sum(np.sum(row[at - 48:at + 480] ** 2) for at in places)
            if hit > 1e-3 * np.sum(x[0] ** 2):
                worst = max(worst, db(max(before, 0) / hit))
    return worst


def onset_echo(run, latency):
    """Returns the energy in the 39 ms before a talker's sentences, in quiet, relative to that of their first 100 ms,
    dB: the greater of speech stem and mix."""
    voice = talkers.talk(talkers.KNOWN[1], 12, 9, start=0.3, pause=1.0)
    x = 0.1 * scenes.encode(scenes.unit(-40.0))[:, None] * voice + 1e-4 * scenes.steady(12, 6) / 8
    quiet = np.sqrt(signal.lfilter(np.ones(4800) / 4800, 1, voice**2)) < 1e-4
    places = [i for i in np.flatnonzero(quiet[:-1] & ~quiet[1:]) if i > 4 * RATE]
    r = run(x, latency, "cinematic", 1)
    worst = -200.0
    for name in ("speech", "mix"):
        row = r[name][0]
        before = sum(np.sum(row[at - 1920:at - 48] ** 2) for at in places)
        after = sum(np.sum(row[at:at + 4800] ** 2) for at in places)
        worst = max(worst, db(before / after))
    return worst


def tracking(run, latency, seed, speed=30, noise_level=None):
    """Returns the RMS error of a moving talker's azimuth, degrees, from 300 ms after the first report on: of the
    nearest track, and of the most prominent one. Returns also the time of the first report, seconds; the voice begins
    at 0.4 s."""
    m = scenes.Moving(talkers.KNOWN[seed % 6] if seed < 50 else talkers.HELD_OUT[seed % 6], -60, speed, 1.2, 0.3, 6, seed)
    x = m.image
    if noise_level is not None:
        noise = scenes.babble(6, seed + 9, talkers.KNOWN if seed < 50 else talkers.HELD_OUT)
        x = x + noise * np.sqrt(power(m.image[0]) / power(noise[0])) * 10 ** (noise_level / 20)
    x *= 0.05 / np.sqrt(power(x[0]))
    reports = {}
    for t, _, x_, y, _, prominence in run(x, latency, "standard", 1)["talkers"]:
        error = (np.degrees(np.arctan2(y, x_)) - m.angles[min(len(m.angles) - 1, int(t * RATE))] + 180) % 360 - 180
        reports.setdefault(t, []).append((error, prominence))
    first, last = min(reports), len(m.angles) / RATE - 0.2
    heard = [found for t, found in reports.items() if first + 0.3 < t < last]
    nearest = [min(abs(error) for error, _ in found) for found in heard]
    foremost = [max(found, key=lambda pair: pair[1])[0] for found in heard]
    return float(np.sqrt(np.mean(np.square(nearest)))), float(np.sqrt(np.mean(np.square(foremost)))), first


def fit(row, parts):
    """Returns the power gain with which each part is contained in a row, by one gain per bin of a transform of 2048,
    fitted by least squares."""
    st = lambda v: signal.stft(v, RATE, nperseg=2048, noverlap=1536)[2]
    refs, y = np.stack([st(p) for p in parts]), st(row)
    gram = np.einsum("ift,jft->fij", refs.conj(), refs)
    gram += (1e-6 * np.trace(gram, axis1=1, axis2=2).real + 1e-12)[:, None, None] * np.eye(len(parts))
    h = np.linalg.solve(gram, np.einsum("ift,ft->fi", refs.conj(), y)[..., None])[..., 0]
    return [float(np.sum(np.abs(h[:, i, None] * refs[i]) ** 2) / np.sum(np.abs(refs[i]) ** 2)) for i in range(len(parts))]


def in_frame(run, latency, seed):
    """Returns the level of a talker ahead relative to one at 90° in the in-frame mix, dB: with both at once, by least
    squares, and in turns. Returns also the difference in level between the mix at intensity 0 and the input, dB, and
    whether that mix has the input's bits."""
    voices = talkers.KNOWN if seed < 50 else talkers.HELD_OUT
    rng = np.random.default_rng(seed)
    size = np.array([6.5, 5, 2.8])
    room, microphone = scenes.Room(size, 0.3, seed), size * (0.5, 0.48, 0.5)
    people = [scenes.Talker(voices[(seed + i) % 6], azimuth, rng.uniform(-5, 5), 1.2, room, microphone, 14, seed + i)
              for i, azimuth in enumerate((rng.uniform(-15, 15), 90.0))]
    noise = scenes.babble(14, seed, voices)
    both = scenes.Scene("both", people, noise, -10)
    r = run(both.x, latency, "in-frame", 1, heading=0, field=60)
    end = both.x.shape[1] - 4800
    cut = slice(SETTLED * RATE, end)
    parts = fit(r["mix"][0][cut], [p.image[0][cut] for p in people] + [both.noise[0][cut]])
    t = np.arange(both.x.shape[1]) / RATE
    turn = np.clip(((t % 4) < 2) * 1.0, 0, 1)
    x = both.noise + people[0].image * turn + people[1].image * (1 - turn)
    m = run(x, latency, "in-frame", 1, heading=0, field=60)["mix"][0]
    levels = []
    for place in (0, 1):
        inside = [slice(int((4 * k + 2 * place + 0.4) * RATE), int((4 * k + 2 * place + 1.9) * RATE)) for k in (1, 2)]
        levels.append(db(sum(power(m[i]) for i in inside) / sum(power(x[0][i]) for i in inside)))
    zero = run(both.x, latency, "in-frame", 0, heading=0, field=60)["mix"]
    return db(parts[0] / parts[1]), levels[0] - levels[1], abs(db(power(zero) / power(both.x))), np.array_equal(zero, both.x.astype(np.float32))


def intelligibility(run, scene, latency, style):
    """Returns STOI and ESTOI (Taal et al. 2011; Jensen & Taal 2016) of the input's and of the mix's W against the early
    image's, from the settled part."""
    from pystoi import stoi

    part = slice(SETTLED * RATE, scene.x.shape[1] - 4800)
    mixed = run(scene.x, latency, style, 1)["mix"][0][part]
    clean = scene.target[part]
    return [(stoi(clean, scene.x[0][part], RATE, extended=e), stoi(clean, mixed, RATE, extended=e)) for e in (False, True)]


def loudness(rows):
    """Returns the BS.1770-4 loudness with gates and the coefficients of its tables, all rows weighted equally, LUFS."""
    y = signal.lfilter([1.53512485958697, -2.69169618940638, 1.19839281085285], [1, -1.69065929318241, 0.73248077421585], rows)
    y = signal.lfilter([1, -2, 1], [1, -1.99004745483398, 0.99007225036621], y)
    size, hop = int(0.4 * RATE), int(0.1 * RATE)
    total = np.cumsum(np.concatenate([[0], np.sum(np.square(y), 0)]))
    blocks = (total[size::hop] - total[:-size:hop]) / size
    blocks = blocks[-0.691 + 10 * np.log10(blocks + 1e-12) > -70]
    gate = -0.691 + 10 * np.log10(blocks.mean()) - 10
    return -0.691 + 10 * np.log10(blocks[-0.691 + 10 * np.log10(blocks + 1e-12) > gate].mean())


def steadiness(run, scene, latency, style):
    """Returns the spread of the mix's loudness over intensities 0 to 1, LU: of all four channels, and of W alone."""
    part = slice(SETTLED * RATE, scene.x.shape[1] - 4800)
    mixes = [run(scene.x, latency, style, i)["mix"][:, part] for i in (0, 0.25, 0.5, 0.75, 1)]
    return [np.ptp([loudness(m) for m in mixes]), np.ptp([loudness(m[:1]) for m in mixes])]


def speech_steadiness(run, scene, latency, style):
    """Returns the spread over intensities of the talkers' share of the mix's W (least squares), dB, with the speech's
    level kept."""
    part = slice(SETTLED * RATE, scene.x.shape[1] - 4800)
    parts = [scene.target[part], scene.x[0][part] - scene.target[part]]
    levels = []
    for i in (0, 0.5, 1):
        row = run(scene.x, latency, style, i, keep_speech=True)["mix"][0][part]
        own = np.linalg.lstsq(np.stack(parts, 1), row, rcond=None)[0]
        levels.append(loudness(own[0] * parts[0][None]))
    return np.ptp(levels)


def sums(run, scene, latency):
    """Returns whether the ambience is exactly the input minus the speech; the greatest error of the sum of the float
    stems against the input, relative to the peak, dB, computed in double precision; and whether intensity 0 gives the
    input's bits. Levels below -240 dBFS count as silence, because a double does not resolve them beside speech."""
    x = np.where(np.abs(scene.x) < 1e-12, 0, scene.x).astype(np.float32)
    r = run(x, latency, "cinematic", 1)
    speech, ambience = r["speech"].astype(np.float32), r["ambience"].astype(np.float32)
    rest = x.astype(float) - speech.astype(float)
    whole = np.array_equal(rest + speech.astype(float), x.astype(float)) and np.array_equal(rest.astype(np.float32), ambience)
    error = np.max(np.abs(ambience.astype(float) + speech.astype(float) - x)) / np.max(np.abs(x))
    zero = run(x, latency, "cinematic", 0)["mix"].astype(np.float32)
    return whole, 20 * np.log10(error + 1e-20), np.array_equal(zero.view(np.int32), x.view(np.int32))
