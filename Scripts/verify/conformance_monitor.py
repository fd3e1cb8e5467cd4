"""Checks of conformance.py on the sound of the JACK client while stages change, and on signals that bypass the
stage."""
import contextlib
import subprocess
import time

import numpy as np

from conformance_sound import Suspect, counts, playing
from listening import floatwav
from portplay import Patchbay
from ports import measures
from servers import until
from takes import RATE, Complaint, Stage, free_ports

#: Greatest increase by a change of the level above 8 kHz, or of the second difference, over an undisturbed stage, dB.
BOUND = 6
EARS = [("proscenium:out_L", "rec:in_FL"), ("proscenium:out_R", "rec:in_FR")]


def broken(sound, begin, moments):
    """Returns the `measures` of a recording from a frame on, and None; or the measures and text on a break that
    coincides with no change.

    `moments`: for each step the frame of its answer. Raises `Suspect` if the break is at a step."""
    heard = sound[begin:]
    burst, bend = measures(heard)
    found = f"HF burst {burst:+.1f} dB, second difference {bend:+.1f} dB"
    if max(burst, bend) <= BOUND:
        return found, None
    calm = int(0.3 * RATE)
    sharpest = begin + calm + int(np.argmax(np.abs(np.diff(heard[calm:], 2, axis=0)).max(1)))
    for step, frame in moments.items():
        if -0.3 < (sharpest - frame) / RATE < 0.2:
            raise Suspect(step, f"at '{step}': {found}, more than +{BOUND}")
    return found, f"a break {(sharpest - begin) / RATE:.2f} s in, where nothing was changed: {found}"


def told(stage, *words):
    """Sends a command to a session; it must succeed."""
    answer = subprocess.run([stage.program, "ctl", *words, "--port", stage.port], capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise Complaint(f"ctl {' '.join(words)}: {answer.stderr.strip()[-200:]}")


def tones(folder):
    """Writes two tones, and two others for the reference, with whole periods in a second."""
    t = np.arange(RATE) / RATE
    tone = 0.05 * np.sin(2 * np.pi * 220 * t) + 0.025 * np.sin(2 * np.pi * 331 * t)
    other = 0.04 * np.sin(2 * np.pi * 270 * t)
    floatwav.write(folder / "tones.wav", np.column_stack([tone, tone, other, -other]), RATE)


def lost(before, after):
    """Returns the server's losses between two states of a stage, reported cycles and skipped frames; None without
    any."""
    xruns, skipped = after[1] - before[1], after[2] - before[2]
    return f"the server lost {xruns} cycles and {skipped} frames" if xruns or skipped else None


def inputs_of(name):
    """Returns the connections of a session's inputs."""
    listed = subprocess.run(["jack_lsp", "-c", name + ":in_"], capture_output=True, text=True, check=False).stdout
    return sorted(line.strip() for line in listed.splitlines())


def listening(all_of_it, program, folder, links):
    """Starts another client that records its linked ports unchanged into heard.wav, once sound arrives; returns it and
    the patchbay."""
    listener = all_of_it.enter_context(Stage(
        program, folder, free_ports(1)[0], "heard", "--name", "rec", "--hrtf", "generated", "--fresh", "--limiter", "off",
        "--mode", "off", "--processing", "none", layout="stereo"))
    listener.status
    patchbay = Patchbay()
    all_of_it.callback(patchbay.close)
    for source, target in links:
        patchbay.connect(source, target)
    listener.ctl("start")
    until("sound at the listener", lambda: max(listener.status["inputPeaks"]) > -60)
    return listener, patchbay


def stages(program, folder, port, server):
    """Changes layout, set, room, slice, level, scenes and print bus of a playing session: no click, and common ports
    stay connected."""
    tones(folder)
    steps = [["gain", "-3"], ["slice", "128"], ["layout", "5.1"], ["layout", "stereo"], ["room-name", "studio"],
             ["room-name", "none"], ["print-bus", "on"], ["scene", "b"], ["gain", "-3.5"], ["scene", "a"], ["print-bus", "off"],
             ["scene-clear", "b"], ["undo"]]
    server.set_period(1024)
    with contextlib.ExitStack() as all_of_it:
        stage = all_of_it.enter_context(Stage(
            program, folder, port, "ears", "--hrtf", "generated", "--fresh", layout="stereo"))
        playing(stage, "tones.wav", 2)
        # The player's own sound, recorded by another client: a late player loses sound at any moment without a report.
        listener, _ = listening(all_of_it, program, folder, [("player:out_1", "rec:in_FL"), ("player:out_2", "rec:in_FR")])
        first, heard_first = counts(stage), counts(listener)
        begin = first[0]
        until("two calm seconds", lambda: stage.status["streamFrame"] >= begin + 2.3 * RATE)
        connected, moments = inputs_of("proscenium"), {}
        for words in steps:
            told(stage, *words)
            moments[" ".join(words)] = stage.status["streamFrame"]
            time.sleep(0.6)
        found = inputs_of("proscenium")
        disturbed = lost(first, counts(stage)) or lost(heard_first, counts(listener))
        listener.finish()
        stage.finish()
    if found != connected:
        raise Complaint(f"the inputs were connected as {connected}, and are as {found}")
    if disturbed:
        return None, disturbed
    heard, _ = floatwav.read(folder / "heard.wav")
    if max(measures(heard[heard_first[0]:])) > BOUND:
        return None, "the player's own sound broke off"
    ears, _ = floatwav.read(folder / "ears.wav")
    found, disturbed = broken(ears, begin, moments)
    if disturbed:
        return None, disturbed
    return f"{len(steps)} changes under tones: {found}; inputs connected throughout"


def past(program, folder, port, server):
    """Sends a reference and a talkback; as another client records the ears, the reference is bit-exact, without a
    click; the recording lacks both."""
    tones(folder)
    server.set_period(1024)
    with contextlib.ExitStack() as all_of_it:
        stage = all_of_it.enter_context(Stage(
            program, folder, port, "ears", "--hrtf", "generated", "--fresh", "--limiter", "off", "--reference-input", "on",
            "--talkback-input", "on", layout="stereo"))
        playing(stage, "tones.wav", 2)
        listener, patchbay = listening(all_of_it, program, folder, EARS)
        for output, port_name in [(3, "ref_L"), (4, "ref_R"), (3, "talkback")]:
            patchbay.connect(f"player:out_{output}", f"proscenium:{port_name}")
        both = counts(listener), counts(stage)
        (begin, *_), (first, *_) = both
        until("two calm seconds", lambda: listener.status["streamFrame"] >= begin + 2.3 * RATE)
        moments = {}
        for words in [["monitor-source", "reference"], ["monitor-source", "stage"], ["talkback", "on"], ["talkback", "off"]]:
            told(stage, *words)
            moments[" ".join(words)] = listener.status["streamFrame"]
            time.sleep(0.6)
        disturbed = lost(both[0], counts(listener)) or lost(both[1], counts(stage))
        listener.finish()
        stage.finish()
    if disturbed:
        return None, disturbed
    heard, _ = floatwav.read(folder / "heard.wav")
    ears, _ = floatwav.read(folder / "ears.wav")
    # A late player loses sound at any moment without a report; a fault of a change occurs at the change.
    found, disturbed = broken(heard, begin, moments)
    if disturbed:
        return None, disturbed
    # All fades end within a tenth of a second after the answer.
    during = {name: heard[frame + RATE // 10:frame + RATE // 2] for name, frame in moments.items()}
    reference = during["monitor-source reference"]
    played, _ = floatwav.read(folder / "tones.wav")
    exact = any(np.array_equal(np.take(played[:, 2:], np.arange(shift, shift + len(reference)), 0, mode="wrap"), reference)
                for shift in range(RATE))

    def power(sound, hertz):
        t = np.arange(len(sound)) / RATE
        return 20 * np.log10(2 * abs(np.mean(sound[:, 0] * np.hanning(len(sound)) * 2 * np.exp(-2j * np.pi * hertz * t))) + 1e-12)

    stage_alone, spoken = during["monitor-source stage"], during["talkback on"]
    dimmed = power(spoken, 220) - power(stage_alone, 220)
    voice = power(spoken, 270) - 20 * np.log10(0.04)
    recorded = power(ears[first + RATE:], 270) - power(ears[first + RATE:], 220)
    said = (f"reference {'to the last bit' if exact else 'altered'}, talkback {voice:+.2f} dB of what was sent, the stage {dimmed:+.2f} dB "
            f"meanwhile, the recording has it {recorded:+.0f} dB against the stage; {found}")
    if not exact or abs(voice) > 0.05 or abs(dimmed + 20) > 0.05 or recorded > -60:
        raise Complaint(said)
    return said
