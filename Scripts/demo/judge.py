#!/usr/bin/python3
"""Independent judge: computes the position of the voice on the stage from the two ear signals alone.

    judge.py BINAURAL.wav VOICE.wav TRUTH.csv --events EVENTS.json [--motion-start S | --clock CLOCK.csv] --out PREFIX
    judge.py --floor VOICE.wav TRUTH.csv --out PREFIX

BINAURAL.wav   output of the renderer for the voice-only programme
VOICE.wav      its input (the channel with sound)
TRUTH.csv      t,w,x,y,z: true pose of the head relative to the device
S              time of the motion's time 0 in BINAURAL.wav, seconds
CLOCK.csv      stream,ride: seconds of BINAURAL.wav against seconds of the motion, if they differ: an
               audio server that misses a period falls behind
PREFIX.csv     t, azimuth relative to the head, azimuth on the stage, error: degrees, one row each 10 ms
PREFIX.json    the figures that the page shows

Uses the raw measured set (h5py) and numpy; shares no code, table or assumption with the renderer. `--floor` measures
the judge's own error: with direct convolutions of measured directions, the same with half of the set withheld from the
judge, and the whole ride rendered in numpy.
"""

import argparse
import json
import os
import sys

import numpy as np
from scipy import fft

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from listening import artefacts, floatwav, kemar, localizer, reference, rotations

SILENT_BANDS = [(5500, 6500), (15000, 24000)]
#: Time allowed for the return after a dropout, seconds.
RETURN = 0.3
#: Error below which a return is complete, degrees.
HOME = 2.0


def main():
    options = arguments()
    dry, rate = floatwav.read(options.voice)
    dry = dry[:, np.argmax(np.sum(dry**2, 0))]
    truth = np.loadtxt(options.truth, delimiter=",", skiprows=1)
    measured = kemar.Measured(options.sofa)
    if options.floor:
        figures = floor(dry, rate, truth, measured)
    else:
        figures = judge(options, dry, rate, truth, measured)
    with open(f"{options.out}.json", "w") as file:
        json.dump(figures, file, indent=1, ensure_ascii=False)
    print(json.dumps(figures if options.floor else figures["outside_dropouts"]))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaural", nargs="?", help="omitted with --floor")
    parser.add_argument("voice")
    parser.add_argument("truth")
    parser.add_argument("--floor", action="store_true", help="measure the judge itself")
    parser.add_argument("--events", help="events.json of the ride")
    parser.add_argument("--motion-start", type=float, default=0.0, help="seconds into the recording")
    parser.add_argument("--clock", help="CSV of seconds of the recording and of the ride")
    parser.add_argument("--azimuth", type=float, default=0.0, help="azimuth of the voice that is expected, degrees")
    parser.add_argument("--sofa", default=kemar.DEFAULT_SET)
    parser.add_argument("--out", required=True, help="path without ending")
    options = parser.parse_args()
    if not options.floor and (options.binaural is None or options.events is None):
        parser.error("BINAURAL.wav and --events are needed, or --floor")
    return options


def seen_from_head(truth, times, azimuth):
    """Returns the voice's true azimuth relative to the head, degrees, unwrapped."""
    pose = rotations.slerp(truth[:, 0], truth[:, 1:], times)
    toward = rotations.rotate(rotations.conjugate(pose), rotations.direction(azimuth))
    return np.degrees(np.unwrap(np.arctan2(toward[:, 1], toward[:, 0])))


def judge(options, dry, rate, truth, measured):
    binaural, recorded_rate = floatwav.read(options.binaural)
    if recorded_rate != rate or binaural.shape[1] != 2:
        sys.exit(f"{options.binaural}: needs two channels at {rate} Hz")
    late = delay(binaural.sum(1), dry)
    # Programme time starts at the first frame of the dry file.
    heard = binaural[late:late + len(dry)] if late >= 0 else np.pad(binaural, ((-late, 0), (0, 0)))[:len(dry)]
    ears = localizer.Localizer(measured, rate, SILENT_BANDS)
    programme, azimuth, cost = ears.locate(heard, dry[:len(heard)])
    recorded = programme + late / rate
    times = recorded - options.motion_start if options.clock is None else ride_time(options.clock, recorded)
    with open(options.events) as file:
        events = json.load(file)
    expected = seen_from_head(truth, times, options.azimuth)
    # Sound too soft to localise (the fades at the ends) is not judged.
    audible = (times >= 0.3) & (times <= events["duration"] - 0.3) & (programme > 0.3) & (programme < programme[-1] - 0.3)
    times, azimuth, expected, cost = times[audible], azimuth[audible], expected[audible], cost[audible]
    error = rotations.wrap(azimuth - expected)
    rows = np.column_stack([times, rotations.wrap(azimuth), rotations.wrap(options.azimuth + error), error])
    np.savetxt(f"{options.out}.csv", rows, "%.4f", ",", header="t,head_azimuth,stage_azimuth,error", comments="")
    outside = away_from_dropouts(times, events["dropouts"])
    rate_of_turn = np.gradient(expected, np.maximum.accumulate(times + 1e-9 * np.arange(len(times))))
    return {
        "file": os.path.basename(options.binaural), "set": measured.title, "frames": len(times),
        "equalisation_heard": ears.equalisation, "alignment_frames": int(late),
        "outside_dropouts": spread(error[outside]),
        "front_back_confusions": int(np.sum(np.abs(error[outside]) > 60)),
        "dropouts": [after(times, error, d) for d in events["dropouts"]],
        "motion_to_sound": lag(error[outside], rate_of_turn[outside]),
        "artefacts": artefacts.measure(heard, rate, SILENT_BANDS),
    }


def ride_time(path, recorded):
    """Returns seconds of the ride for seconds of the recording; beyond the ends of the clock both advance equally."""
    pairs = np.loadtxt(path, delimiter=",", skiprows=1)
    stream, ride = pairs[:, 0], np.maximum.accumulate(pairs[:, 1])
    inside = np.clip(recorded, stream[0], stream[-1])
    return np.interp(inside, stream, ride) + recorded - inside


def delay(binaural, dry):
    """Returns the delay of the recording behind the programme, frames, by cross-correlation."""
    size = fft.next_fast_len(len(binaural) + len(dry), real=True)
    cross = fft.irfft(fft.rfft(binaural, size) * np.conj(fft.rfft(dry, size)), size)
    best = int(np.abs(cross).argmax())
    return best if best < size // 2 else best - size


def away_from_dropouts(times, dropouts):
    """Returns the frames outside the dropouts and the times allowed for the return."""
    half = localizer.FRAME / 2
    clear = np.ones(len(times), bool)
    for dropout in dropouts:
        clear &= (times < dropout["from"] - half) | (times > dropout["to"] + RETURN + half)
    return clear


def spread(error):
    size = np.abs(error)
    return {
        "rms": float(np.sqrt(np.mean(error**2))), "mean": float(np.mean(error)),
        "p95": float(np.percentile(size, 95)), "max": float(size.max()),
    }


def after(times, error, dropout):
    """Returns the effect of a dropout: the greatest error, the time of return, and whether the return was monotonic.

    The error may still grow for a moment after the stream resumes, while the turn rate is unknown. The return begins at
    the greatest error.
    """
    during = (times >= dropout["from"]) & (times <= dropout["to"] + RETURN)
    largest = float(np.abs(error[during]).max())
    later = (times >= dropout["to"]) & (times <= dropout["to"] + 2)
    size, since = np.abs(error[later]), times[later] - dropout["to"]
    away = np.flatnonzero(size > HOME)
    home = 0.0 if len(away) == 0 else float(since[min(away[-1] + 1, len(since) - 1)])
    path = size[(since >= 0) & (since <= max(home, localizer.FRAME))]
    path = path[path.argmax():]
    # Growth of the error during the return, above its least value so far: 0 for a monotonic return.
    growth = float(np.max(path - np.minimum.accumulate(path))) if len(path) else 0.0
    return {**dropout, "largest": largest, "return_seconds": home, "growth_on_return": growth}


def lag(error, rate_of_turn):
    """Returns the delay of the sound behind the head, seconds: slope of the error against the turn rate, with its
    deviation."""
    moving = np.abs(rate_of_turn) > 10
    r, e = rate_of_turn[moving], error[moving]
    slope = float(np.sum(r * e) / np.sum(r * r))
    rest = e - slope * r
    # Frames overlap sixfold, so the number of independent ones is that much smaller.
    deviation = float(np.sqrt(np.mean(rest**2) / (np.sum(r * r) * localizer.HOP / localizer.FRAME)))
    return {"seconds": -slope, "deviation": deviation, "explained": float(1 - np.mean(rest**2) / np.mean(e**2))}


def floor(dry, rate, truth, measured):
    """Returns the judge's own error in degrees."""
    full = localizer.Localizer(measured, rate, SILENT_BANDS)
    halved = localizer.Localizer(measured, rate, SILENT_BANDS, step=10)
    times = np.arange(len(dry)) / rate
    expected = seen_from_head(truth, times, 0.0)
    when, heard, _ = full.locate(reference.render(dry, rate, expected, measured), dry)
    moving = rotations.wrap(heard - np.interp(when, times, expected))[30:-30]
    return {
        "measured_directions": spread(around(full, dry, rate, measured, range(0, 360, 5))),
        "withheld_directions": spread(around(halved, dry, rate, measured, range(5, 360, 10))),
        "whole_ride": spread(moving),
    }


def around(ears, dry, rate, measured, azimuths):
    """Returns the errors for half a second of the programme from each direction in turn."""
    length = rate // 2
    dry = dry[len(dry) // 4:][:length * len(azimuths)]
    binaural = np.concatenate([
        direct(dry[n * length:(n + 1) * length], rate, measured, azimuth) for n, azimuth in enumerate(azimuths)])
    times, heard, _ = ears.locate(binaural, dry)
    place, within = np.divmod(times, 0.5)
    whole = (within > localizer.FRAME) & (within < 0.5 - localizer.FRAME)
    return rotations.wrap(heard - np.asarray(azimuths)[place.astype(int)])[whole]


def direct(samples, rate, measured, azimuth):
    """Convolves the programme with one measured response, resampled to its rate by the exact transform."""
    # Both transforms have the same bin spacing, so the response's spectrum needs no interpolation.
    size = 32000 * -(-(len(samples) + 2 * measured.responses.shape[-1]) // 32000)
    own_size = size * measured.rate / rate
    if own_size != int(own_size):
        sys.exit(f"a set at {measured.rate:g} Hz and a programme at {rate} Hz do not fit this transform")
    response = np.fft.rfft(measured.responses[measured.index(azimuth)], int(own_size))
    f = np.arange(response.shape[1]) * rate / size
    response = response * np.clip((measured.rate / 2 - f) / 500, 0, 1)
    spectrum = np.zeros((2, size // 2 + 1), complex)
    bins = min(response.shape[1], spectrum.shape[1])
    spectrum[:, :bins] = response[:, :bins]
    return np.fft.irfft(np.fft.rfft(samples, size) * spectrum, size)[:, :len(samples)].T


if __name__ == "__main__":
    main()
