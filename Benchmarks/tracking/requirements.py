"""What is required of the filters on generated recordings, and what of it a run misses."""

from collections import defaultdict

import numpy as np

#: A cell's mean total error over VQF's, at most.
CELL_RATIO = 1.05
#: Heading error in degrees after steady turns: at `FAST` °/s and more; slower, after `RESTED` seconds of rest.
FAST, FAST_BOUND, RESTED, RESTED_BOUND = 3.0, 3.0, 5.0, 2.0
#: When the heading error after a turn is asked for.
WHEN = ("at its end", "40 s later")

#: Degrees by which the pose of a head in a moving vehicle may be worse than parked, and than of two filters apart.
RIDE_LOSS = 0.3


def cell_ratios(rows):
    """{cell: (mean total, VQF's, their ratio)} of rows of the collection `cells`; none where VQF did not run."""
    totals = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["collection"] == "cells":
            totals[row["group"]][row["estimator"]].append(row["total"])
    means = {cell: tuple(float(np.mean(found[who])) for who in ("Proscenium", "VQF"))
             for cell, found in totals.items() if "VQF" in found}
    return {cell: (ours, theirs, ours / theirs) for cell, (ours, theirs) in means.items()}


def turns(rows, estimator):
    """{(°/s, seconds of rest): (worst heading errors of all seeds [when], least stated deviations [when] or ())}."""
    of = defaultdict(list)
    for row in rows:
        if row["collection"] == "steady turns" and row["estimator"] == estimator:
            of[row["facts"]["speed"], row["facts"]["rest"]].append(row)
    return {key: (tuple(np.abs([row["headings"] for row in found]).max(0)),
                  tuple(np.min([row["deviations"] for row in found], 0))) for key, found in of.items()}


def turn_bound(speed, rest):
    """Degrees of heading error allowed after a turn, or None where it must be within two stated deviations."""
    if speed >= FAST:
        return FAST_BOUND
    return RESTED_BOUND if rest >= RESTED else None


def turn_misses(rows):
    """{(°/s, seconds of rest): [what was missed, in words]}. Without bound and statement a turn passes."""
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
    """In words: where a turn's error is more than two stated deviations, the worst of its seeds."""
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
    """{ride: {estimator: (mean total riding, parked)}}."""
    of = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["collection"] == "rides":
            of[row["group"]][row["estimator"]].append((row["total"], row["facts"]["parked"]))
    return {ride: {who: tuple(map(float, np.mean(found, 0))) for who, found in by.items()} for ride, by in of.items()}


def ride_misses(rows):
    """What is missed, a line each."""
    found = []
    for ride, by in rides(rows).items():
        riding, parked = by["Proscenium"]
        for bound, name in ((parked, "parked"), (by["two filters"][0], "of two filters apart")):
            if riding > bound + RIDE_LOSS:
                found.append(f"{ride}: {riding:.2f}° riding, {bound:.2f}° {name}, at most {RIDE_LOSS}° more allowed")
    return found


def misses(rows):
    """Every requirement that the rows miss, a line each."""
    return [f"{cell}: total {ours:.2f}°, VQF's {theirs:.2f}°, {ratio:.3f} times, at most {CELL_RATIO} allowed"
            for cell, (ours, theirs, ratio) in cell_ratios(rows).items() if ratio > CELL_RATIO] + [
        f"{speed:g}°/s after {rest:g} s of rest: {'; '.join(words)}"
        for (speed, rest), words in turn_misses(rows).items()] + ride_misses(rows)


def unjudged(rows):
    """What could not be judged, and why, a line each."""
    found = []
    if any(row["collection"] == "cells" for row in rows) and not cell_ratios(rows):
        found.append("cells: VQF did not run")
    if any(row["collection"] == "steady turns" and row["estimator"] == "Proscenium" and not row["deviations"]
           and turn_bound(**row["facts"]) is None for row in rows):
        found.append(f"steady turns below {FAST:g}°/s after less than {RESTED:g} s of rest: no uncertainty is stated")
    return found
