"""Runs of the benchmark suite as its JSON has them, and where they are kept."""

import glob
import json
import os

SCHEMA = "proscenium-bench/1"
RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "results")


class Unusable(Exception):
    """A file that is no run of this suite; the message says why."""


def read(path):
    """One run as a dictionary."""
    try:
        with open(path) as file:
            run = json.load(file)
    except (OSError, ValueError) as error:
        raise Unusable(f"{path}: {error}") from None
    schema = run.get("schema") if isinstance(run, dict) else None
    if schema != SCHEMA:
        raise Unusable(f"{path}: not a run of this suite (schema {schema or 'none'}, wanted {SCHEMA})")
    return run


def number(value):
    """A figure; JSON has no word for those that are not finite."""
    return float(value) if value is not None else float("nan")


def cells(run):
    """The cells by id."""
    return {cell["id"]: cell for cell in run["cells"]}


def ours(cell):
    """Our contenders of a cell."""
    return [c for c in cell["contenders"] if c["role"] == "ours"]


def peers(cell):
    """Those of others that agree with the truth."""
    return [c for c in cell["contenders"] if c["role"] == "peer"]


def best(contenders):
    """The fastest."""
    return min(contenders, key=lambda c: number(c["value"]), default=None)


def small(run):
    """What the history keeps of a run: figures, errors and memory by cell; conditions are those of the revision it names."""
    kept = {key: run[key] for key in ("schema", "machine", "run", "absent")}
    kept["cells"] = []
    for cell in run["cells"]:
        contenders = []
        for c in cell["contenders"]:
            short = {"name": c["name"], "role": c["role"]}
            for key in ("value", "medianMicroseconds", "p99Microseconds", "errorDecibels"):
                if c.get(key) is not None:
                    short[key] = float(f"{number(c[key]):.4g}")
            if c.get("cycle"):
                short["cycle"] = {key: float(f"{value:.4g}") for key, value in c["cycle"].items()}
            if c["role"] == "ours":
                short["bytes"] = c.get("bytes", 0)
            if c["role"] != "part":
                contenders.append(short)
        kept["cells"].append({"id": cell["id"], "unit": cell["unit"], "contenders": contenders,
                              **({"void": cell["void"]} if cell.get("void") else {})})
    return kept


def history(folder=RESULTS):
    """(name, run) of all runs kept, oldest first."""
    found = []
    for path in glob.glob(os.path.join(folder, "*.json")):
        found.append((os.path.basename(path).removesuffix(".json"), read(path)))
    return sorted(found, key=lambda pair: pair[1]["run"]["date"])
