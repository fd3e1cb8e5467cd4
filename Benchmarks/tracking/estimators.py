"""Estimators under evaluation: `proscenium fuse`, and VQF (Laidig & Seel, Information Fusion 91, 2023; PyPI `vqf`)."""

import io
import os
import subprocess
import tempfile
from dataclasses import dataclass

import numpy as np

try:
    from vqf import VQF
except ImportError:
    VQF = None


class ProgramFailed(Exception):
    """A fault of the program under test or of its input; the text gives the fault."""


@dataclass
class Constant:
    """A constant of the orientation filter, as listed by `fuse --constants`."""

    name: str
    unit: str
    default: float
    chosen_on: str


class Program:
    """A `proscenium` and the capabilities of its `fuse`; picklable, for another process."""

    def __init__(self, path, settings=()):
        """`settings`: NAME=VALUE of constants, applied in every run."""
        if not os.access(path, os.X_OK) or os.path.isdir(path):
            raise ProgramFailed(f"{path}: no such program; build it with `make build`")
        self.path = os.path.abspath(path)
        told = subprocess.run([self.path, "fuse", "--help"], capture_output=True, text=True)
        self.takes_device = "--device" in told.stdout
        self.states_uncertainty = "--uncertainty" in told.stdout
        self.has_constants = "--constants" in told.stdout and "--set" in told.stdout
        self.settings = tuple(settings)
        if self.settings and not self.has_constants:
            raise ProgramFailed(f"{self.path}: its `fuse` has no --set, so no constant can be changed")

    def poses(self, recording, field=False, settings=()):
        """Returns poses [n][4] and the stated standard deviations of the headings [n] in degrees, None if the program
        states none."""
        words = ["--magnetometer"] * field + self.words(settings)
        return self.split(fuse(self.path, table(recording, field), *words))

    def relative_poses(self, head, device):
        """Returns poses [n][4], head to device, of two recordings on one clock, with both filters learning together,
        and stated deviations as in `poses`."""
        if not self.takes_device:
            raise ProgramFailed(f"{self.path}: its `fuse` has no --device, so rides cannot be evaluated")
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write(lines(table(device)))
            file.flush()
            return self.split(fuse(self.path, table(head), "--device", file.name, *self.words()))

    def words(self, settings=()):
        return [word for setting in (*self.settings, *settings) for word in ("--set", setting)] + [
            "--uncertainty"] * self.states_uncertainty

    def split(self, out):
        return out[:, :4], out[:, 4] if self.states_uncertainty else None

    def constants(self):
        """Returns the filter's constants; raises an error if the program does not list them."""
        if not self.has_constants:
            raise ProgramFailed(f"{self.path}: its `fuse` has no --constants and --set; leaving one set out needs them")
        done = subprocess.run([self.path, "fuse", "--constants"], capture_output=True, text=True)
        if done.returncode != 0:
            raise ProgramFailed(f"`fuse --constants` failed with {done.returncode}: {done.stderr.strip()}")
        return table_of_constants(done.stdout)


def table_of_constants(text):
    """Parses lines of tab-separated name, unit, default and source of the choice, with or without a header."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not line.strip() or number == 1 and cells[0] == "name":
            continue
        try:
            name, unit, default, chosen_on = cells
            found.append(Constant(name, unit, float(default), chosen_on))
        except ValueError:
            raise ProgramFailed(
                f"`fuse --constants`, line {number}: not name, unit, default, origin: {line!r}") from None
    if not found:
        raise ProgramFailed("`fuse --constants` lists nothing")
    return found


def table(recording, field=False):
    """Returns rows [n] of t, gyroscope, accelerometer[, magnetometer]."""
    columns = [recording.times[:, None], recording.rate, recording.force] + ([recording.field] if field else [])
    return np.hstack(columns)


def lines(rows):
    """Formats rows [n][m] for the program's input."""
    line = ",".join(["%.9g"] * rows.shape[1]) + "\n"
    return line * len(rows) % tuple(np.asarray(rows, float).ravel())


def fuse(path, rows, *words):
    """Runs `fuse` on rows [n] of t, gyroscope, accelerometer[, magnetometer]; returns its output without the times:
    [n][4 or 5]."""
    done = subprocess.run([path, "fuse", *words], input=lines(rows), capture_output=True, text=True)
    if done.returncode != 0:
        raise ProgramFailed(f"`fuse {' '.join(words)}` failed with {done.returncode}: {done.stderr.strip()}")
    try:
        out = np.loadtxt(io.StringIO(done.stdout), delimiter=",", ndmin=2)
    except ValueError as error:
        raise ProgramFailed(f"`fuse {' '.join(words)}` answered with what is no table: {error}") from None
    wanted = 6 if "--uncertainty" in words else 5
    if out.shape != (len(rows), wanted):
        raise ProgramFailed(f"`fuse {' '.join(words)}`: {len(rows)} rows in, {out.shape[0]} rows of {out.shape[1]} "
                            f"values out, {wanted} values expected")
    if not np.isfinite(out).all():
        raise ProgramFailed(f"`fuse {' '.join(words)}` answered with values that are not finite")
    return out[:, 1:]


def vqf(recording, field=False):
    """Returns VQF's poses [n][4] with its default parameters; None without VQF in this Python."""
    if VQF is None:
        return None
    arrays = [recording.rate, recording.force] + ([recording.field] if field else [])
    found = VQF(1 / recording.sample_rate).updateBatch(*map(np.ascontiguousarray, arrays))
    return found["quat9D" if field else "quat6D"]
