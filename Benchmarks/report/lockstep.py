#!/usr/bin/python3
"""Runs two revisions' benchmarks in alternating turns: lockstep.py BASE-BENCH HERE-BENCH FOLDER PAIRS [OPTION of
bench]...

In each pair of processes only one works at a time, for turns of 2.5 ms; which one is first alternates. The two compared
turns are thus milliseconds apart and meet the same load of the machine. A process may by chance have an unfavourable
memory layout, hence several pairs. Writes FOLDER/pairs.json: for each pair the share of steal and, by cell and
contender, the median over turns of here/base; cells of this tree with wrong results; and the lengths of a cell's
filters, where they differ. `--plant PERCENT` slows this tree's side only.
"""

import json
import statistics
import subprocess
import sys
import time

TURNS = 16
#: A pair is repeated, while spare pairs remain, if a hypervisor took more than this share of the processors during it.
STEAL = 0.10


class Ended(Exception):
    """A process ended early; the message gives its name, and its status or last line."""


class Side:
    """One process and its latest announced cell."""

    def __init__(self, name, program, options):
        self.name = name
        #: Id of the latest cell, and the length of its filters; None without one.
        self.identity, self.taps = None, None
        #: Cells with wrong results: {id: reason}.
        self.void = {}
        self.log = open(f"{options[0]}/{name}.log", "w")
        self.process = subprocess.Popen([program, "--lockstep", str(TURNS), "--output", f"{options[0]}/{name}.json", *options[1]],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)

    def line(self):
        text = self.process.stdout.readline()
        if not text and self.process.wait() != 0:
            raise Ended(f"{self.name}'s benchmarks ended with status {self.process.returncode} (see {self.log.name})")
        return text.rstrip("\n")

    def cell(self):
        """Returns (id, contenders) of the next cell; None at the end. Stores the void reason of the cell before, and
        the taps of this one."""
        taps = None
        while True:
            text = self.line()
            if not text:
                return None
            if text.startswith("void "):
                self.void[self.identity] = text[5:]
            if text.startswith("taps "):
                taps = int(text[5:])
            if text.startswith("cell "):
                identity, *names = text[5:].split("\t")
                self.identity, self.taps = identity, taps
                return identity, names

    def turn(self):
        """Starts one turn and returns its nanoseconds."""
        if self.line() != "ready":
            raise Ended(f"{self.name} does not keep to the turns")
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return float(self.line().removeprefix("took "))

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        self.log.close()


def main():
    if len(sys.argv) < 5:
        sys.exit("usage: lockstep.py BASE-BENCH HERE-BENCH FOLDER PAIRS [OPTION of bench]...")
    base, here, folder, count, *options = sys.argv[1:]
    plant = []
    if "--plant" in options:
        place = options.index("--plant")
        plant, options = options[place:place + 2], options[:place] + options[place + 2:]
    count, found, spare = int(count), [], int(count) // 2
    order = common(base, here, options)
    if not order:
        print("bench: the two revisions have no cell in common", file=sys.stderr)
        return 3
    started = time.monotonic()
    while len(found) < count:
        left = f", {(time.monotonic() - started) / len(found) * (count - len(found)):.0f} s left" if found else ""
        print(f"bench: pair {len(found) + 1} of {count}{left}", flush=True)
        before = ticks()
        try:
            one = pair(base, here, folder, order, plant, len(found))
        except (Ended, BrokenPipeError) as error:
            print(f"bench: {error}", file=sys.stderr)
            return 3
        after = ticks()
        steal = (after[0] - before[0]) / max(1, after[1] - before[1])
        if steal > STEAL and spare:
            print(f"bench: a hypervisor took {100 * steal:.0f} % of the processors; once more")
            spare -= 1
            continue
        found.append({"steal": steal, **one})
    with open(f"{folder}/pairs.json", "w") as file:
        json.dump({"pairs": found}, file, indent=1)
    return 0


def common(base, here, options):
    """Returns the cells that both revisions have, in order."""
    lists = [subprocess.run([program, "--list", *options], capture_output=True, text=True).stdout.split()
             for program in (base, here)]
    return [identity for identity in lists[1] if identity in lists[0]]


def pair(base, here, folder, order, plant, number):
    """Runs one pair of processes: returns ratios by 'cell<tab>contender', keys that one side lacks, void cells of this tree,
    and lengths of filters that differ."""
    options = [word for identity in order for word in ("--only", identity)]
    sides = [Side("base", base, (folder, options)), Side("here", here, (folder, options + plant))]
    ratios, alone, lengths = {}, set(), {}
    try:
        cells = [side.cell() for side in sides]
        while any(cells):
            identities = [cell and cell[0] for cell in cells]
            if identities[0] != identities[1]:
                # One side could not measure a cell: the other side, which is earlier in the list, skips it.
                places = [order.index(identity) if identity in order else len(order) for identity in identities]
                behind = places.index(min(places))
                alone.add(identities[behind])
                skip(sides[behind], cells[behind])
                cells[behind] = sides[behind].cell()
                continue
            taps = [side.taps for side in sides]
            if None not in taps and taps[0] != taps[1]:
                lengths[identities[0]] = taps
            for name in sorted(set(cells[0][1]) | set(cells[1][1])):
                has = [name in cell[1] for cell in cells]
                if not all(has):
                    alone.add(f"{identities[0]}: {name}")
                    for _ in range(TURNS + 1):
                        sides[has.index(True)].turn()
                    continue
                turns = [take_turns(sides, turn + number) for turn in range(TURNS + 1)][1:]
                ratios[f"{identities[0]}\t{name}"] = statistics.median(b / a for a, b in turns)
            cells = [side.cell() for side in sides]
    finally:
        for side in sides:
            side.close()
    return {"ratios": ratios, "alone": sorted(alone), "void": sides[1].void, "taps": lengths}


def take_turns(sides, turn):
    """Runs one turn of each side: (base, here)."""
    if turn % 2:
        later = sides[1].turn()
        return sides[0].turn(), later
    first = sides[0].turn()
    return first, sides[1].turn()


def skip(side, cell):
    """Runs the turns of a cell that the other side lacks."""
    for _ in range(len(cell[1]) * (TURNS + 1)):
        side.turn()


def ticks():
    """Returns (steal, all) ticks of the processors since boot."""
    with open("/proc/stat") as file:
        values = [int(value) for value in file.readline().split()[1:9]]
    return values[7], sum(values)


if __name__ == "__main__":
    sys.exit(main())
