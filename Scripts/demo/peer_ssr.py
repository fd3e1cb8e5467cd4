"""The SoundScape Renderer as a peer: Debian's `ssr-binaural`, its own head tracker, the same programme.

SSR follows one tracker and has no input for a second one of the device or vehicle. It gets the best inputs: the judge's
own measured set, one response per degree at the server's rate (its own set is of another head at 44.1 kHz), and a
tracker with the exact orientation of the head relative to the earth, without drift.
"""

import os
import shutil
import subprocess
import sys
import time
import xml.sax.saxutils

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import processes
from listening import floatwav, kemar

PROGRAM = "ssr-binaural"
#: Taps of a response: the set's own length, and a margin for the conversion to the server's rate.
TAPS = 256


def installed():
    return shutil.which(PROGRAM) is not None and shutil.which("jack_rec") is not None


def version():
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, timeout=10)
    return next((line.strip() for line in (said.stdout + said.stderr).splitlines() if line.strip()), PROGRAM)


def write_set(path, rate):
    """Writes the measured ring in SSR's format: 720 channels, left and right for each degree, counter-clockwise from
    the front."""
    size = 2048
    ring = kemar.Ring(kemar.Measured(), np.fft.rfftfreq(size, 1 / rate))
    spectra = ring.spectra(np.arange(360.0))
    # The set has no content beyond its own Nyquist frequency.
    measured = kemar.Measured().rate
    spectra = spectra * np.clip((measured / 2 - np.fft.rfftfreq(size, 1 / rate)) / 500, 0, 1)
    responses = np.fft.irfft(spectra, size)[..., :TAPS]
    floatwav.write(path, responses.reshape(720, TAPS).T, rate)


def write_scene(path, sources):
    """Writes plane waves: `sources` are (number of the input, azimuth in degrees)."""
    parts = []
    for number, azimuth in sources:
        # With a tracker, SSR's listener faces along x until the tracker turns. A plane wave's orientation is its
        # direction of travel.
        x, y = 2 * np.cos(np.radians(azimuth)), 2 * np.sin(np.radians(azimuth))
        parts.append(
            f'<source name="source {number}" model="plane"><port>{number}</port>'
            f'<position x="{x:.4f}" y="{y:.4f}" fixed="true"/><orientation azimuth="{azimuth + 180:.2f}"/></source>')
    with open(path, "w") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<asdf version="0.1"><header><name>bus</name></header>'
                   f'<scene_setup><volume>0</volume>{"".join(parts)}</scene_setup></asdf>\n')


class Renderer:
    """A running SSR and its recorder: FOLDER/NAME.asd with FOLDER/ssr-set.wav into FOLDER/NAME-recorded.wav."""

    def __init__(self, name, folder, tracker, seconds):
        self.name, self.tracker, self.seconds = name, tracker, seconds
        self.recording = f"{folder}/{name}-recorded.wav"
        if os.path.exists(self.recording):
            os.unlink(self.recording)
        self.log = open(f"{folder}/{name}.log", "w")
        # SSR ends when its standard input is closed, and writes its scene to its working folder. No port has the prefix
        # `nowhere:`, so SSR connects its own ports to none.
        self.ssr = processes.start(
            [PROGRAM, "--name", name, "--hrirs", f"{folder}/ssr-set.wav", "--tracker=razor",
             f"--tracker-port={tracker.path}", "--input-prefix=nowhere:", "--output-prefix=nowhere:", "--threads=1", "-v",
             f"{folder}/{name}.asd"], stdin=subprocess.PIPE, stdout=self.log, stderr=self.log,
            cwd=folder)
        self.recorder = None

    def outputs(self):
        """Returns its output ports, left first."""
        try:
            ports = subprocess.run(["jack_lsp"], capture_output=True, text=True, timeout=5).stdout.split()
        except subprocess.TimeoutExpired:
            return []
        return [port for port in ports if port.startswith(f"{self.name}:out_")]

    def wait(self, seconds=20):
        """Waits until SSR is ready: it has ports, and has requested data from the tracker. Returns False if SSR ends
        or takes longer."""
        end = time.monotonic() + seconds
        while len(self.outputs()) < 2 or not self.tracker.streams:
            if self.ssr.poll() is not None or time.monotonic() > end:
                return False
            time.sleep(0.1)
        # Its JACK client becomes active a moment later.
        time.sleep(1)
        return True

    def record(self):
        """Starts a recording of the ride's duration and a little more."""
        self.recorder = processes.start(
            ["jack_rec", "-f", self.recording, "-d", str(int(np.ceil(self.seconds))), "-b", "24", *self.outputs()[:2]],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def finish(self, seconds=20):
        """Waits for the end of the recording."""
        try:
            self.recorder.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            pass

    def close(self):
        processes.end([process for process in (self.recorder, self.ssr) if process])
        self.log.close()
