#!/usr/bin/python3
"""Makes the programme of the bus ride by code: 63 s of 7.1.4 at 48 kHz. The ride begins after 2 s.

    make_scene.py OUT.wav

OUT.wav              a voice in the centre, music at the front and sides, bursts of noise overhead and behind
OUT-voice.wav        the judge's programme: the voice alone, over continuous noise, without energy
                     from 5.5 to 6.5 kHz and above 15 kHz: any sound there was added by the playback
(`scene.wav` gives `voice.wav`.)

The voice is espeak-ng's if installed, otherwise that of the formant synthesiser; the one used is printed.
"""

import io
import os
import shutil
import subprocess
import sys

import numpy as np
from scipy import signal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from listening import floatwav
import formant_voice
import small_music

RATE, DURATION = 48000, 63
FRAMES = RATE * DURATION
#: Seconds from the programme's start to the ride's start.
LEAD = 2.0
#: Sentences of the voice, by seconds of the ride.
TEXT = [
    (-1.6, "This voice stands in front of you."), (3.2, "The bus is turning left. The voice stays where it is."),
    (8.6, "Turn your head. Look left. Look right. The stage does not move."),
    (18.2, "Now we go round in a long curve to the right."), (22.6, "A sensor falls silent, and the stage holds."),
    (29.2, "Left, right, and left again, as the road winds between the houses."),
    (36.2, "Two sensors: one on your head, one on the device."), (41.0, "What they share is the bus. What differs is you."),
    (46.4, "Head or device, one of them may be missing for a moment."), (54.0, "Next stop: the centre of the stage."),
]
#: Gaps in the judge's programme, Hz: any sound there is an artefact.
SILENT_BANDS = [(5500, 6500), (15000, 24000)]


def spoken():
    """Returns the sentences at their times, and the name of the speaker."""
    voice = np.zeros(FRAMES)
    program = shutil.which("espeak-ng")
    for moment, sentence in TEXT:
        if program:
            wav = subprocess.run(
                [program, "-v", "en", "-s", "150", "-w", "/dev/stdout", sentence], check=True, capture_output=True).stdout
            audio = espeak_samples(wav)
        else:
            audio = formant_voice.speak(sentence, RATE)
        start = int((moment + LEAD) * RATE)
        audio = audio[:FRAMES - start]
        voice[start:start + len(audio)] += audio
    name = "espeak-ng" if program else "formant synthesis (espeak-ng is not installed)"
    return voice / np.sqrt(np.mean(voice**2)), name


def espeak_samples(wav):
    """Returns mono samples at RATE from espeak-ng's WAV; its header states no length when piped."""
    at = wav.index(b"data") + 8
    rate = int.from_bytes(wav[24:28], "little")
    pcm = np.frombuffer(wav[at:at + (len(wav) - at) // 2 * 2], "<i2") / 32768
    common = np.gcd(rate, RATE)
    return signal.resample_poly(pcm, RATE // common, rate // common)


def pink(frames, seed):
    """Returns noise of -3 dB per octave, RMS 1, without components below 40 Hz."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(frames))
    f = np.fft.rfftfreq(frames, 1 / RATE)
    noise = np.fft.irfft(spectrum * np.where(f > 40, 1 / np.sqrt(np.maximum(f, 40)), 0), frames)
    return noise / np.sqrt(np.mean(noise**2))


def bursts(order, seed):
    """Returns one burst of 0.3 s each 1.5 s, through the channels in `order`: {channel: samples}."""
    length = int(0.3 * RATE)
    window = signal.windows.tukey(length, 0.3) * np.exp(-np.arange(length) / (0.12 * RATE))
    tracks = {name: np.zeros(FRAMES) for name in order}
    for number, start in enumerate(range(RATE, FRAMES - RATE, int(1.5 * RATE))):
        tracks[order[number % len(order)]][start:start + length] += pink(length, seed + number) * window
    return tracks


def steady_voice(voice):
    """Returns the voice over continuous pink noise that follows its loudness, without the silent bands."""
    smooth = np.sqrt(np.maximum(signal.sosfiltfilt(signal.butter(2, 3, fs=RATE, output="sos"), voice**2), 0))
    carrier = pink(FRAMES, 7) * (0.35 + 0.25 * np.minimum(smooth, 1.5))
    # Front and back differ at high frequencies, of which speech has few.
    bright = signal.sosfilt(signal.butter(1, 2500, "high", fs=RATE, output="sos"), carrier)
    programme = 0.6 * voice + carrier + bright
    edges = [0, 60, 100]
    gains = [0, 0, 1]
    for low, high in SILENT_BANDS:
        edges += [low - 250, low - 100] + ([high + 100, high + 250] if high < RATE / 2 else [])
        gains += [1, 0] + ([0, 1] if high < RATE / 2 else [])
    taps = signal.firwin2(8191, edges + [RATE / 2], gains + [0], fs=RATE, window=("kaiser", 11))
    return signal.fftconvolve(programme, taps, "same")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_scene.py OUT.wav")
    path = sys.argv[1]
    voice, speaker = spoken()
    scene = dict.fromkeys(floatwav.CHANNELS_7_1_4, 0.0)
    scene["FC"] = 0.07 * voice
    for name, track in small_music.play(FRAMES, RATE).items():
        scene[name] = scene[name] + 0.035 * track
    for name, track in bursts(["TFL", "TFR", "TBR", "TBL", "SL", "BL", "BR", "SR"], 100).items():
        scene[name] = scene[name] + 0.12 * track
    fade = np.minimum(1, np.minimum(np.arange(FRAMES), np.arange(FRAMES)[::-1]) / (0.1 * RATE))
    write(path, scene, fade)
    steady = steady_voice(voice)
    voice_path = os.path.join(os.path.dirname(path), os.path.basename(path).replace("scene", "voice"))
    if voice_path == path:
        voice_path = os.path.splitext(path)[0] + "-voice.wav"
    write(voice_path, {"FC": 0.05 * steady / np.sqrt(np.mean(steady**2))}, fade)
    print(f"{path}: 7.1.4, {DURATION} s; voice by {speaker}\n{voice_path}: the voice alone, for the judge")


def write(path, tracks, fade):
    samples = np.zeros((FRAMES, len(floatwav.CHANNELS_7_1_4)), np.float32)
    for column, name in enumerate(floatwav.CHANNELS_7_1_4):
        if name in tracks:
            samples[:, column] = tracks[name] * fade
    floatwav.write(path, samples, RATE, floatwav.MASK_7_1_4)


if __name__ == "__main__":
    main()
