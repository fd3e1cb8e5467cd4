"""Errors of an IMU: its samples for ideal values.

    gyroscope = quantised(clipped(mean over the interval of(low-passed(T ω + b + G f)) + noise))
    accelerometer = quantised(clipped(low-passed(T' f(t − lag) + b') + noise))

Times of samples and of the reference are delayed by the gyroscope's low-pass.
"""

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from scipy.signal import butter, sosfilt, sosfilt_zi

import places
import strapdown
from listening import rotations

STANDARD_GRAVITY = 9.80665  #: m/s²


def _zeros(*shape):
    return field(default_factory=partial(np.zeros, shape))


@dataclass
class Sensor:
    """One IMU. The defaults have no errors except noise, band limit, range and quantisation."""

    gyroscope_bias: np.ndarray = _zeros(3)  #: b, °/s
    gyroscope_errors: np.ndarray = _zeros(3, 3)  #: T − 1: scale on the diagonal, misalignment beside it
    g_sensitivity: np.ndarray = _zeros(3, 3)  #: G, °/s per g
    accelerometer_bias: np.ndarray = _zeros(3)  #: b', m/s²
    accelerometer_errors: np.ndarray = _zeros(3, 3)  #: T' − 1
    lag: float = 0.0  #: delay of the accelerometer relative to the gyroscope, seconds
    gyroscope_noise: float = 0.01  #: °/s/√Hz, white
    accelerometer_noise: float = 0.0025  #: m/s²/√Hz (250 µg), white
    bandwidth: float = 50.0  #: Hz, second-order Butterworth; at most 0.4 times the rate of samples
    gyroscope_range: float = 2000.0  #: °/s, 16 bits
    accelerometer_range: float = 16.0  #: g, 16 bits

    def measured(self, ideal, every, rng):
        """Returns times [m], gyroscope [m][3] in rad/s, accelerometer [m][3] in m/s² and true poses [m][4] from ideal
        values; every `every`th of these is a sample."""
        step = ideal.times[1] - ideal.times[0]
        rate = 1 / (step * every)
        count = (len(ideal.times) - 1) // every
        sections = butter(2, min(self.bandwidth, 0.4 * rate), fs=1 / step, output="sos")
        rates = np.degrees(ideal.rate)
        turning = (rates + rates @ self.gyroscope_errors.T + self.gyroscope_bias
                   + ideal.force / STANDARD_GRAVITY @ self.g_sensitivity.T)
        late = np.column_stack([np.interp(ideal.times - self.lag, ideal.times, axis) for axis in ideal.force.T])
        force = late + late @ self.accelerometer_errors.T + self.accelerometer_bias
        # The sensor's decimation averages over the interval; the integral of this mean is the true rotation.
        turning = passed(sections, turning)[1:count * every + 1].reshape(count, every, 3).mean(1)
        force = passed(sections, force)[every::every][:count]
        turning += self.gyroscope_noise * np.sqrt(rate / 2) * rng.standard_normal(turning.shape)
        force += self.accelerometer_noise * np.sqrt(rate / 2) * rng.standard_normal(force.shape)
        back = strapdown.from_rotation_vectors(-delay(sections, step) * ideal.rate[every::every][:count])
        return (ideal.times[every::every][:count], np.radians(digits(turning, self.gyroscope_range)),
                digits(force, self.accelerometer_range * STANDARD_GRAVITY),
                rotations.multiply(ideal.pose[every::every][:count], back))


def passed(sections, values):
    """Filters values [n][3] by a low-pass in the steady state of the first value."""
    return sosfilt(sections, values, axis=0, zi=sosfilt_zi(sections)[:, :, None] * values[0])[0]


def delay(sections, step):
    """Returns the delay of slow changes by a low-pass, seconds: its group delay at 0 Hz, −H'(1)/H(1) in samples."""
    slope = 0.0
    for b0, b1, b2, a0, a1, a2 in sections:
        slope += (b1 + 2 * b2) / (b0 + b1 + b2) - (a1 + 2 * a2) / (a0 + a1 + a2)
    return slope * step


def digits(values, reach):
    """Clips values to ±`reach` and quantises them to 16 bits of that range."""
    digit = reach / 32768
    return np.clip(np.round(values / digit), -32768, 32767) * digit


def calibrated(rng):
    """Returns an IMU that its maker calibrated over temperature."""
    return drawn(rng, bias=0.05, matrix=0.001, sensitivity=0.005, force_bias=0.02, force_matrix=0.001, lag=0.002)


def consumer(rng):
    """Returns an uncalibrated IMU of a phone or a hobbyist's board, with less range."""
    return replace(drawn(rng, bias=0.4, matrix=0.007, sensitivity=0.05, force_bias=0.2, force_matrix=0.01, lag=0.004),
                   gyroscope_range=1000.0, accelerometer_range=8.0)


def drawn(rng, bias, matrix, sensitivity, force_bias, force_matrix, lag):
    """Returns an IMU with Gaussian errors of these standard deviations: °/s, 1, °/s per g, m/s², 1, s."""
    return Sensor(bias * rng.standard_normal(3), matrix * rng.standard_normal((3, 3)),
                  sensitivity * rng.standard_normal((3, 3)), force_bias * rng.standard_normal(3),
                  force_matrix * rng.standard_normal((3, 3)), lag * rng.standard_normal())
