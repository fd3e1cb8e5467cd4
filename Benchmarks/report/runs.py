"""Runs of the benchmark suite in the form of its JSON, and the folder that keeps them."""

import glob
import json
import os

SCHEMA = "proscenium-bench/1"
RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "results")


class Unusable(Exception):
    """A file that is not a run of this suite; the message gives the reason."""


def read(path):
    """Reads one run as a dictionary."""
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
    """Returns a figure; JSON has no numbers for infinities and NaN."""
    return float(value) if value is not None else float("nan")


def cells(run):
    """Returns the cells by id."""
    return {cell["id"]: cell for cell in run["cells"]}


def ours(cell):
    """Returns the product's contenders of a cell."""
    return [c for c in cell["contenders"] if c["role"] == "ours"]


def peers(cell):
    """Returns the peers whose results agree with the reference."""
    return [c for c in cell["contenders"] if c["role"] == "peer"]


def best(contenders):
    """Returns the fastest contender."""
    return min(contenders, key=lambda c: number(c["value"]), default=None)


def small(run):
    """Returns the part of a run that the history keeps: figures, errors and memory by cell. Conditions follow from the
    named revision."""
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
    """Returns (name, run) of all kept runs, oldest first."""
    found = []
    for path in glob.glob(os.path.join(folder, "*.json")):
        found.append((os.path.basename(path).removesuffix(".json"), read(path)))
    return sorted(found, key=lambda pair: pair[1]["run"]["date"])
