#!/usr/bin/python3
"""The ledger: costs of the cells of Benchmarks/ledger.json relative to fixed revisions, and whether they creep up.

    ledger.py FOLDER...           judges the results of lockstep.py in the folders; the last result of a cell counts
    ledger.py --again FOLDER...   lists cells that need more pairs for a judgement, in the form of --cells
    ledger.py --cells             lists each reference and the cells measured against it: REFERENCE CELL... on a line
    ledger.py --last              prints the last revision with kept figures; nothing without any

--only ID-PREFIX, --keep REVISION and --bought "CELL=what was bought" are those of Scripts/bench-ledger; --bought states
the benefit for which a cell became slower. Exit status: 0 if no cell has crept, 1 if one has, 2 for wrong usage, 3 if a
cell could not be measured or the ledger cannot be read, 4 if results of this tree are wrong.
"""

import argparse
import json
import math
import os
import platform
import re
import sys
from dataclasses import dataclass
from datetime import datetime, timezone

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compare
import statistics_of_pairs as statistics

SCHEMA = "proscenium-ledger/1"
LEDGER = os.path.normpath(os.path.join(HERE, "..", "ledger.json"))
DATE = "%Y-%m-%dT%H:%MZ"
#: Fields of a kept entry, in the file's order; `bought` may be missing.
FIELDS = ("date", "revision", "processor", "ratio", "low", "high", "bought")
#: Relative excess over the best kept figure above which a cell has crept.
THRESHOLD = statistics.THRESHOLD


class Unreadable(Exception):
    """The ledger's file is malformed; the message names the entry and the field."""


@dataclass
class Figure:
    """Cost of a cell relative to its reference (above 0; 1: equal), with its 99 % interval."""

    ratio: float
    low: float
    high: float

    def over(self, other):
        """Returns the quotient of two figures that were measured separately: their intervals are treated as independent
        errors of the logarithms."""
        quotient = self.ratio / other.ratio
        below = math.hypot(math.log(self.ratio / self.low), math.log(other.high / other.ratio))
        above = math.hypot(math.log(self.high / self.ratio), math.log(other.ratio / other.low))
        return Figure(quotient, quotient * math.exp(-below), quotient * math.exp(above))


@dataclass
class Entry(Figure):
    """A kept figure: `date` is UTC to the minute; `bought` is one line on the benefit of a higher cost, or None."""

    date: str
    revision: str
    processor: str
    bought: str = None


@dataclass
class Row:
    """A measured cell, and the figure with which it is compared."""

    cell: str
    reference: str
    now: Figure
    #: None without a kept figure on this processor.
    best: Entry
    #: The benefit of the present cost, one line; None without one.
    bought: str

    @property
    def quotient(self):
        """Present figure relative to the best kept one; None without one."""
        return self.best and self.now.over(self.best)

    @property
    def is_in_question(self):
        """Whether the cell may have crept: the quotient's interval reaches above 1 + threshold, and no benefit is
        stated."""
        return self.best is not None and not self.bought and self.quotient.high > 1 + THRESHOLD

    @property
    def has_crept(self):
        """Whether the cell has surely crept: the quotient's interval lies wholly above 1 + threshold, and no benefit is
        stated."""
        return self.is_in_question and self.quotient.low > 1 + THRESHOLD


def best(kept, processor):
    """Returns the lowest kept figure on a processor, from the last one with a stated benefit on; None without any."""
    kept = sorted((entry for entry in kept if entry.processor == processor), key=lambda entry: entry.date)
    start = max((place for place, entry in enumerate(kept) if entry.bought), default=0)
    return min(kept[start:], key=lambda entry: entry.ratio, default=None)


def judge(cells, ratios, on, bought={}):
    """Returns the rows of the measured cells. `cells`: {cell: (reference, [Entry])}; `ratios`: {cell: [now/reference of
    each pair]}; `on`: the processor; `bought`: {cell: line}."""
    rng = np.random.default_rng(1)
    return [Row(cell, reference, Figure(*statistics.interval(ratios[cell], rng)), best(kept, on), bought.get(cell))
            for cell, (reference, kept) in cells.items() if cell in ratios]


def processor():
    """Returns the processor's model, with the numbers that distinguish generations of one name."""
    with open("/proc/cpuinfo") as file:
        fields = dict(re.findall(r"^([^:\t]+?)\s*: (.+)$", file.read().partition("\n\n")[0], re.MULTILINE))
    numbers = [f", {word} {fields[key]}" for key, word in (("cpu family", "family"), ("model", "model")) if key in fields]
    return fields.get("model name", platform.machine()) + "".join(numbers)


def read(path):
    """Reads the ledger's file: {cell: (reference, [Entry])}."""
    def check(fault, where, what):
        if fault:
            raise Unreadable(f"{path}: {where}: {what}")

    def fields(value, where, wanted, optional=()):
        check(not isinstance(value, dict), where, f"wanted an object, found {json.dumps(value)}")
        for name in wanted:
            check(name not in value, where, f"'{name}' is missing")
        for name in value:
            check(name not in wanted and name not in optional, where, f"unknown field '{name}'")

    def text(value, where, name, pattern, wanted):
        check(not isinstance(value, str) or not re.fullmatch(pattern, value), where, f"'{name}' is {json.dumps(value)}; wanted {wanted}")

    try:
        with open(path) as file:
            ledger = json.load(file)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path}: {error}") from None
    fields(ledger, "the ledger", ("schema", "cells"))
    check(ledger["schema"] != SCHEMA, "the ledger", f"'schema' is {json.dumps(ledger['schema'])}; wanted \"{SCHEMA}\"")
    check(not isinstance(ledger["cells"], dict), "the ledger", "'cells' is no object")
    found = {}
    for cell, value in ledger["cells"].items():
        fields(value, cell, ("reference", "kept"))
        text(value["reference"], cell, "reference", "[0-9a-f]{7,40}", "a revision of 7 to 40 hexadecimal digits")
        check(not isinstance(value["kept"], list), cell, "'kept' is no list")
        found[cell] = value["reference"], []
        for number, one in enumerate(value["kept"], 1):
            where = f"{cell}, kept entry {number}"
            fields(one, where, FIELDS[:-1], FIELDS[-1:])
            try:
                datetime.strptime(one["date"], DATE)
            except (TypeError, ValueError):
                check(True, where, f"'date' is {json.dumps(one['date'])}; wanted one such as 2026-11-28T14:05Z")
            text(one["revision"], where, "revision", "[0-9a-f]{7,40}", "a revision of 7 to 40 hexadecimal digits")
            text(one["processor"], where, "processor", ".+", "a line")
            text(one.get("bought", "-"), where, "bought", ".+", "a line")
            for name in ("ratio", "low", "high"):
                value = one[name]
                check(isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf, where,
                      f"'{name}' is {json.dumps(value)}; wanted a number above 0")
            check(not one["low"] <= one["ratio"] <= one["high"], where, "'ratio' does not lie between 'low' and 'high'")
            found[cell][1].append(Entry(**one))
    return found


def write(path, cells):
    """Writes the ledger's file with a line for each cell and each entry, so that differences are readable."""
    def line(value):
        return json.dumps(value, ensure_ascii=False)

    blocks = []
    for cell, (reference, kept) in cells.items():
        entries = ",\n".join("  " + line({name: getattr(entry, name) for name in FIELDS if getattr(entry, name) is not None})
                             for entry in kept)
        blocks.append(f'{line(cell)}: {{"reference": {line(reference)}, "kept": [' + (f"\n{entries}" if kept else "") + "]}")
    with open(path, "w") as file:
        file.write(f'{{"schema": {line(SCHEMA)}, "cells": {{\n' + ",\n".join(blocks) + "\n}}\n")


def names(pairs):
    """Returns lines of REFERENCE CELL... from pairs of cell and reference."""
    groups = {}
    for cell, reference in pairs:
        groups.setdefault(reference, []).append(cell)
    return "".join(f"{' '.join([reference, *found])}\n" for reference, found in groups.items())


def gather(folders, cells):
    """Returns {cell: [now/reference of each pair]} and, for wrong results, {cell: reason}, of the ledger's cells. A
    cell has one contender of ours; cells with too few pairs are left out."""
    ratios, void = {}, {}
    for folder in folders:
        pairs, _, wrong, _ = compare.gather(folder)
        ratios |= {cell: values for (cell, _), values in pairs.items() if cell in cells and len(values) >= statistics.LEAST_PAIRS}
        void |= {cell: reason for cell, reason in wrong.items() if cell in cells}
    return {cell: values for cell, values in ratios.items() if cell not in void}, void


def table(rows, on):
    """Prints the rows as a table."""
    def say(name, reference, now, kept, quotient, word):
        print(f"  {name:46} {reference:10} {now:23} {kept:7} {quotient:23} {word}".rstrip())

    def figure(value):
        return f"{value.ratio:.3f} ({value.low:.3f} to {value.high:.3f})"

    print(f"this tree's cost over each cell's reference, and over the best kept figure on this processor ({on}); intervals are of "
          f"{100 * statistics.CONFIDENCE:g} %")
    say("cell", "reference", "now", "best", "now over best", "")
    for row in rows:
        word = f"bought: {row.bought}" if row.bought else "CREPT" if row.has_crept else ""
        say(row.cell, row.reference, figure(row.now), f"{row.best.ratio:.3f}" if row.best else "-",
            figure(row.quotient) if row.best else "-", word)
    held = [row for row in rows if row.best]
    if len(rows) > 1:
        mean = f"{statistics.geometric_mean([row.now.ratio for row in rows]):.3f}"
        kept = f"{statistics.geometric_mean([row.best.ratio for row in held]):.3f}" if held else "-"
        quotient = f"{statistics.geometric_mean([row.quotient.ratio for row in held]):.3f}" if held else "-"
        say(f"geometric mean of {len(rows)} cells" + (f", {len(held)} kept" if 0 < len(held) < len(rows) else ""),
            "", mean, kept, quotient, "")
    if not held:
        print("bench-ledger: no figures of this processor were kept before: nothing is judged (Scripts/bench-ledger --keep adds them).")


def options():
    parser = argparse.ArgumentParser(prog="bench-ledger", usage=__doc__, allow_abbrev=False)
    parser.add_argument("folders", nargs="*")
    for name in ("--again", "--cells", "--last"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--keep")
    parser.add_argument("--bought", action="append", default=[])
    parser.add_argument("--ledger", default=LEDGER, help="the file, for tests")
    return parser, parser.parse_args()


def main():
    parser, chosen = options()
    try:
        ledger = read(chosen.ledger)
    except Unreadable as error:
        print(f"bench-ledger: {error}", file=sys.stderr)
        return 3
    if chosen.last:
        kept = [entry for _, entries in ledger.values() for entry in entries]
        print(max(kept, key=lambda entry: entry.date).revision if kept else "")
        return 0
    cells = {cell: value for cell, value in ledger.items() if not chosen.only or cell.startswith(tuple(chosen.only))}
    if not cells:
        parser.exit(2, f"bench-ledger: no cell of the ledger begins with {', '.join(chosen.only)}\n")
    bought = {}
    for words in chosen.bought:
        cell, _, line = words.partition("=")
        if cell not in cells or not re.fullmatch(".*\\S.*", line):
            parser.exit(2, "bench-ledger: --bought wants \"CELL=what was bought\" on one line, of a cell that is measured; "
                           f"found '{words}'\n")
        bought[cell] = line.strip()
    if bought and not chosen.keep:
        parser.exit(2, "bench-ledger: --bought goes with --keep: the line is kept with the new figure\n")
    if chosen.cells:
        print(names((cell, reference) for cell, (reference, _) in cells.items()), end="")
        return 0
    on = processor()
    try:
        ratios, void = gather(chosen.folders, cells)
    except OSError as error:
        print(f"bench-ledger: {error}", file=sys.stderr)
        return 3
    rows = judge(cells, ratios, on, bought)
    if chosen.again:
        print(names((row.cell, row.reference) for row in rows if row.is_in_question), end="")
        return 0
    table(rows, on)
    for cell, reason in void.items():
        print(f"  {cell}: WRONG here: {reason}")
    missing = [cell for cell in cells if cell not in ratios and cell not in void]
    if chosen.keep:
        date = datetime.now(timezone.utc).strftime(DATE)
        for row in rows:
            figures = (float(f"{value:.4f}") for value in (row.now.ratio, row.now.low, row.now.high))
            ledger[row.cell][1].append(Entry(*figures, date, chosen.keep, on, row.bought))
        write(chosen.ledger, ledger)
        print(f"bench-ledger: kept {len(rows)} figures of {chosen.keep} in {os.path.relpath(chosen.ledger)}, to be committed")
    if void:
        print(f"bench-ledger: results of {len(void)} cells are wrong here: their speed says nothing.")
        return 4
    crept = [row.cell for row in rows if row.has_crept]
    if crept:
        print(f"bench-ledger: surely more than {100 * THRESHOLD:g} % dearer than its best kept figure, and no line says what was bought: "
              f"{', '.join(crept)}.\n  Where it bought something: Scripts/bench-ledger --keep --bought \"{crept[0]}=what was bought\"")
        return 1
    if missing:
        print(f"bench-ledger: not measured, in this tree or its reference: {', '.join(missing)}", file=sys.stderr)
        return 3
    if any(row.best for row in rows):
        print(f"bench-ledger: no cell has crept by more than {100 * THRESHOLD:g} %.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
