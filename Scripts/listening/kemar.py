"""The raw measured set, read from the SOFA file by h5py, without equalisation and alignment."""

import os

import h5py
import numpy as np
from scipy import signal
from scipy.interpolate import CubicSpline

DEFAULT_SET = "/usr/share/libmysofa/default.sofa"


class Measured:
    """All responses of a SimpleFreeFieldHRIR file: `responses` [direction][ear][tap], directions in degrees, sample
    rate."""

    def __init__(self, path=DEFAULT_SET):
        with h5py.File(path, "r") as file:
            self.responses = np.array(file["Data.IR"], float)
            self.rate = float(np.ravel(file["Data.SamplingRate"])[0])
            position = np.array(file["SourcePosition"], float)
            delay = np.array(file["Data.Delay"], float)
            self.title = os.path.basename(os.path.realpath(path))
        if np.any(delay != 0):
            raise ValueError(f"{path}: this judge reads sets without a delay field")
        self.azimuths, self.elevations, self.radii = position[:, 0] % 360, position[:, 1], position[:, 2]

    def index(self, azimuth, elevation=0.0):
        """Returns the index of the measurement within 0.01 degrees of a direction."""
        near = np.flatnonzero(
            (np.abs((self.azimuths - azimuth + 180) % 360 - 180) < 0.01) & (np.abs(self.elevations - elevation) < 0.01))
        if len(near) == 0:
            raise ValueError(f"no measurement at azimuth {azimuth}, elevation {elevation}")
        return near[0]

    def diffuse_power(self, frequencies):
        """Returns the power averaged over all directions and both ears at `frequencies` in Hz; cos(elevation) weights
        the rings."""
        count = {e: np.sum(self.elevations == e) for e in np.unique(self.elevations)}
        weight = np.array([max(np.cos(np.radians(e)), 0.03) / count[e] for e in self.elevations])
        power = np.abs(transform(self.responses, frequencies, self.rate)) ** 2
        return np.einsum("d,def->f", weight, power) / (2 * weight.sum())


class Ring:
    """The horizontal responses as a continuous function of azimuth: periodic splines of the onset and of the aligned
    response."""

    def __init__(self, measured, frequencies, step=None):
        """`step`: keep only measurements at multiples of it, in degrees (for leave-out checks)."""
        level = np.flatnonzero(np.abs(measured.elevations) < 0.01)
        level = level[np.argsort(measured.azimuths[level])]
        if step:
            level = level[np.abs((measured.azimuths[level] + step / 2) % step - step / 2) < 0.01]
        azimuths, responses = measured.azimuths[level], measured.responses[level]
        self.frequencies, self.azimuths = np.asarray(frequencies, float), azimuths
        onsets = arrival(responses, measured.rate)
        aligned = transform(responses, self.frequencies, measured.rate)
        aligned = aligned * np.exp(2j * np.pi * self.frequencies * onsets[..., None])
        around = np.append(azimuths, azimuths[0] + 360)
        closed = np.concatenate([aligned, aligned[:1]])
        self._real = CubicSpline(around, closed.real, bc_type="periodic")
        self._imaginary = CubicSpline(around, closed.imag, bc_type="periodic")
        self._onset = CubicSpline(around, np.concatenate([onsets, onsets[:1]]), bc_type="periodic")

    def spectra(self, azimuth):
        """Returns complex responses [azimuth][ear][frequency]."""
        azimuth = np.atleast_1d(azimuth) % 360
        aligned = self._real(azimuth) + 1j * self._imaginary(azimuth)
        return aligned * np.exp(-2j * np.pi * self.frequencies * self._onset(azimuth)[..., None])


def transform(responses, frequencies, rate):
    """Computes the Fourier transform along the last axis at any frequencies in Hz."""
    n = np.arange(responses.shape[-1])
    phase = 2 * np.pi * np.outer(n, frequencies) / rate
    return responses @ np.cos(phase) - 1j * (responses @ np.sin(phase))


def arrival(responses, rate):
    """Returns the time until a response, low-passed at 3 kHz, first reaches 10 dB below its peak, seconds; 16 times
    oversampled."""
    oversampling = 16
    sos = signal.butter(4, 3000, fs=rate, output="sos")
    low = np.abs(signal.resample_poly(signal.sosfilt(sos, responses), oversampling, 1, axis=-1))
    reached = low >= 10 ** (-10 / 20) * low.max(-1, keepdims=True)
    return reached.argmax(-1) / (oversampling * rate)

