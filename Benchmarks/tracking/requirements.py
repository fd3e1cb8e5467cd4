"""Requirements for the filters on generated recordings and on chains of IMUs, and those that a run misses."""

from collections import defaultdict

import numpy as np

#: Greatest ratio of a cell's mean total error to VQF's.
CELL_RATIO = 1.05
#: Greatest heading error in degrees after steady turns: of `FAST` °/s and more; of slower ones after `RESTED` seconds
#: of rest.
FAST, FAST_BOUND, RESTED, RESTED_BOUND = 3.0, 3.0, 5.0, 2.0
#: Times of the heading error of a turn.
WHEN = ("at its end", "40 s later")

#: Greatest excess of the head's pose error in a moving vehicle over that in a parked one, and over that of two separate
#: filters, degrees.
RIDE_LOSS = 0.3

#: Sets in which learning must do no harm, and the greatest excess of a trial's heading error over the bare gyroscope's,
#: degrees.
CHAINS = ("RING", "OpenAXES")
HEADING_LOSS = 0.3


def cell_ratios(rows):
    """Returns {cell: (mean total, VQF's, their ratio)} of rows of the collection `cells`; empty without VQF."""
    totals = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["collection"] == "cells":
            totals[row["group"]][row["estimator"]].append(row["total"])
    means = {cell: tuple(float(np.mean(found[who])) for who in ("Proscenium", "VQF"))
             for cell, found in totals.items() if "VQF" in found}
    return {cell: (ours, theirs, ours / theirs) for cell, (ours, theirs) in means.items()}


def turns(rows, estimator):
    """Returns {(°/s, seconds of rest): (worst heading errors of all seeds [when], least stated deviations [when] or
    ())}."""
    of = defaultdict(list)
    for row in rows:
        if row["collection"] == "steady turns" and row["estimator"] == estimator:
            of[row["facts"]["speed"], row["facts"]["rest"]].append(row)
    return {key: (tuple(np.abs([row["headings"] for row in found]).max(0)),
                  tuple(np.min([row["deviations"] for row in found], 0))) for key, found in of.items()}


def turn_bound(speed, rest):
    """Returns the greatest heading error after a turn, degrees; None if it must be within two stated deviations
    instead."""
    if speed >= FAST:
        return FAST_BOUND
    return RESTED_BOUND if rest >= RESTED else None


def turn_misses(rows):
    """Returns {(°/s, seconds of rest): [text of each miss]}. A turn without bound and without stated deviation
    passes."""
    found = {}
    for (speed, rest), (worst, _) in turns(rows, "Proscenium").items():
        bound = turn_bound(speed, rest)
        if bound is not None:
            words = [f"{error:.1f}° {when}, at most {bound:g}° allowed"
                     for when, error in zip(WHEN, worst) if error > bound]
        else:
            words = uncovered(rows, speed, rest)
        if words:
            found[speed, rest] = words
    return found


def uncovered(rows, speed, rest):
    """Returns text on the worst seed whose error after a turn exceeds two stated deviations."""
    words = []
    these = [row for row in rows if row["collection"] == "steady turns" and row["estimator"] == "Proscenium"
             and row["deviations"] and (row["facts"]["speed"], row["facts"]["rest"]) == (speed, rest)]
    for place, when in enumerate(WHEN):
        beyond = [(abs(row["headings"][place]) - 2 * row["deviations"][place], row) for row in these]
        excess, row = max(beyond, key=lambda one: one[0], default=(0, None))
        if excess > 0:
            words.append(f"{abs(row['headings'][place]):.1f}° {when} where two stated deviations are "
                         f"{2 * row['deviations'][place]:.1f}°")
    return words


def rides(rows):
    """Returns {ride: {estimator: (mean total riding, parked)}}."""
    of = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["collection"] == "rides":
            of[row["group"]][row["estimator"]].append((row["total"], row["facts"]["parked"]))
    return {ride: {who: tuple(map(float, np.mean(found, 0))) for who, found in by.items()} for ride, by in of.items()}


def ride_misses(rows):
    """Returns the missed requirements of rides, a line each."""
    found = []
    for ride, by in rides(rows).items():
        riding, parked = by["Proscenium"]
        for bound, name in ((parked, "parked"), (by["two filters"][0], "of two filters apart")):
            if riding > bound + RIDE_LOSS:
                found.append(f"{ride}: {riding:.2f}° riding, {bound:.2f}° {name}, at most {RIDE_LOSS}° more allowed")
    return found


def chains(rows):
    """Returns [(collection, trial), {estimator: row}] of the sets `CHAINS`."""
    of = defaultdict(dict)
    for row in rows:
        if row["collection"] in CHAINS:
            of[row["collection"], row["trial"]][row["estimator"]] = row
    return list(of.items())


def heading_loss(by):
    """Returns the heading error of a trial less that of the bare gyroscope, degrees."""
    return by["Proscenium"]["heading"] - by["gyroscope"]["heading"]


def chain_misses(rows):
    """Returns the trials whose heading is worse than the bare gyroscope's, a line each."""
    return [f"{collection}, {trial}: heading {by['Proscenium']['heading']:.2f}°, the bare gyroscope's "
            f"{by['gyroscope']['heading']:.2f}°, at most {HEADING_LOSS}° more allowed"
            for (collection, trial), by in chains(rows) if heading_loss(by) > HEADING_LOSS]


def misses(rows):
    """Returns every missed requirement, a line each."""
    return [f"{cell}: total {ours:.2f}°, VQF's {theirs:.2f}°, {ratio:.3f} times, at most {CELL_RATIO} allowed"
            for cell, (ours, theirs, ratio) in cell_ratios(rows).items() if ratio > CELL_RATIO] + [
        f"{speed:g}°/s after {rest:g} s of rest: {'; '.join(words)}"
        for (speed, rest), words in turn_misses(rows).items()] + ride_misses(rows) + chain_misses(rows)


def unjudged(rows):
    """Returns requirements that could not be judged, with the reason, a line each."""
    found = []
    if any(row["collection"] == "cells" for row in rows) and not cell_ratios(rows):
        found.append("cells: VQF did not run")
    if any(row["collection"] == "steady turns" and row["estimator"] == "Proscenium" and not row["deviations"]
           and turn_bound(**row["facts"]) is None for row in rows):
        found.append(f"steady turns below {FAST:g}°/s after less than {RESTED:g} s of rest: no uncertainty is stated")
    return found
