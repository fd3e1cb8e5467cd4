"""Tables of an evaluation in Markdown."""

from itertools import groupby

import numpy as np

import requirements
import scores

#: Least excess of a trial's total error over VQF's for the list of losses, degrees.
LOSS = 0.5
#: Collections with tables of their own.
GRIDS = ("cells", "steady turns", "rides")


def table(columns, lines):
    """Formats lines of text as Markdown; the first column is text, the others are numbers. Empty columns are left
    out."""
    shown = [n for n in range(len(columns)) if n == 0 or any(line[n] for line in lines)]
    rule = ["---"] + ["---:"] * (len(columns) - 1)
    return "\n".join("| " + " | ".join(line[n] for n in shown) + " |" for line in [columns, rule, *lines]) + "\n"


def number(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def by_trial(rows):
    """Returns [(collection, group, trial, axes), {estimator: row}] in the order of `rows`."""
    key = lambda row: (row["collection"], row["group"], row["trial"], row["axes"])
    return [(name, {row["estimator"]: row for row in found}) for name, found in groupby(rows, key)]


def mean(rows, part, of=lambda value: value):
    """Returns the mean of a field over the rows that have it; None without such a row."""
    values = [of(row[part]) for row in rows if row[part] is not None]
    return float(np.mean(values)) if values else None


def figures_of(rows):
    """Formats means of one estimator's rows: total / inclination / heading, absolute heading error at the end."""
    if not rows:
        return ["", ""]
    return [" / ".join(number(mean(rows, part)) for part in ("total", "inclination", "heading")),
            number(mean(rows, "end", abs))]


def losses(trials):
    """Returns total less VQF's for the entries of `by_trial` with VQF."""
    return [row["Proscenium"]["total"] - row["VQF"]["total"] for _, row in trials if "VQF" in row]


COLUMNS = ["axes", "total / inclination / heading", "end", "worst", "VQF: total / inclination / heading", "end",
           "worst", "loss", "gyroscope: heading", "end", "stated ± at the end", "within 2 ±"]


def line(name, trials, worst):
    """Returns a line of COLUMNS for some of `by_trial`; `worst`: the field whose greatest value those columns show."""
    of = {who: [row[who] for _, row in trials if who in row] for who in ("Proscenium", "VQF", "gyroscope")}
    greatest = {who: number(max(row[worst] for row in found)) if found else "" for who, found in of.items()}
    lost = losses(trials)
    covered = mean(of["Proscenium"], "covered")
    return [name, str(trials[0][0][3]), *figures_of(of["Proscenium"]), greatest["Proscenium"], *figures_of(of["VQF"]),
            greatest["VQF"], number(np.mean(lost)) if lost else "", number(mean(of["gyroscope"], "heading")),
            number(mean(of["gyroscope"], "end", abs)), number(mean(of["Proscenium"], "deviation")),
            "" if covered is None else f"{100 * covered:.0f} %"]


def trials(rows):
    """Returns a line per trial; worst: the sample with the greatest total error."""
    return table(["trial", *COLUMNS], [
        line(f"{name[0]}: {name[2]}", [(name, row)], "largest") for name, row in by_trial(rows)])


def groups(rows):
    """Returns a line per group and one per collection, for each number of axes: means over trials; worst: the greatest
    RMS."""
    lines = []
    for collection, found in groupby(by_trial(rows), lambda one: one[0][0]):
        found = list(found)
        for axes in sorted({name[3] for name, _ in found}):
            these = [one for one in found if one[0][3] == axes]
            names = dict.fromkeys(name[1] for name, _ in these)
            if len(names) > 1 and collection not in GRIDS:
                lines += [line(f"{collection}, {group} ({len(members)})", members, "total")
                          for group in names if (members := [one for one in these if one[0][1] == group])]
            lines.append(line(f"**{collection}** ({len(these)})", these, "total"))
    return table(["group (trials)", *COLUMNS], lines)


def cells(rows):
    """Returns mean totals over VQF's: a line per change, a column per rate."""
    found = {tuple(cell.rsplit(", ", 1)): values for cell, values in requirements.cell_ratios(rows).items()}
    rates = list(dict.fromkeys(rate for _, rate in found))

    def text(change, rate):
        if (change, rate) not in found:
            return ""
        ours, theirs, ratio = found[change, rate]
        return f"{ours:.2f} / {theirs:.2f} = {ratio:.2f}"

    return table(["total / VQF's", *rates], [
        [change, *(text(change, rate) for rate in rates)] for change in dict.fromkeys(change for change, _ in found)])


def turns(rows, estimator):
    """Returns the worst heading errors at the end of a steady turn and 40 s later, and twice the least stated
    deviation."""
    found = requirements.turns(rows, estimator)
    rests = sorted({rest for _, rest in found})

    def text(speed, rest):
        if (speed, rest) not in found:
            return ""
        worst, stated = found[speed, rest]
        return ", ".join(number(value, 1) for value in worst) + (
            f" (± {', '.join(number(2 * value, 1) for value in stated)})" if stated else "")

    speeds = sorted({speed for speed, _ in found})
    return table([f"{estimator}: turn", *(f"after {rest:g} s" for rest in rests)], [
        [f"{speed:g}°/s", *(text(speed, rest) for rest in rests)] for speed in speeds])


def rides(rows):
    """Returns head relative to device: means riding, and with the vehicle parked."""
    found = requirements.rides(rows)
    who = [name for name in ("Proscenium", "two filters", "VQF") if any(name in by for by in found.values())]
    return table(["ride", *(f"{name}, {how}" for name in who for how in ("riding", "parked"))], [
        [ride, *(number(value) for name in who for value in by[name])] for ride, by in found.items()])


def chains(rows):
    """Returns total / inclination / heading of every trial beside VQF's and the bare gyroscope's."""
    who = [name for name in ("Proscenium", "VQF", "gyroscope") if any(row["estimator"] == name for row in rows)]
    return table(["total / inclination / heading", *who, "heading less the gyroscope's"], [
        [f"{collection}: {trial}", *(" / ".join(number(by[name][part]) for part in ("total", "inclination", "heading"))
                                     for name in who), number(requirements.heading_loss(by))]
        for (collection, trial), by in requirements.chains(rows)])


def lost(rows, limit=LOSS):
    """Returns trials whose total exceeds VQF's by more than `limit` degrees, worst first in each set; "" without
    any."""
    lines = []
    for collection, found in groupby(by_trial(rows), lambda one: one[0][0]):
        worse = [(losses([one])[0], one) for one in found if collection != "steady turns" and "VQF" in one[1]]
        for loss, (name, row) in sorted((one for one in worse if one[0] > limit), key=lambda one: -one[0]):
            ours, theirs, alone = row["Proscenium"], row["VQF"], row.get("gyroscope")
            lines.append([f"{collection}: {name[2]}", str(name[3]), number(ours["total"]), number(theirs["total"]),
                          number(loss), number(ours["heading"]), number(theirs["heading"]),
                          number(alone and alone["heading"]), number(ours["deviation"])])
    head = ["trial", "axes", "total", "VQF's", "loss", "heading", "VQF's", "gyroscope's", "stated ± at the end"]
    return table(head, lines) if lines else ""


def left_out(found):
    """Returns the table of the results of `leave_one_out`."""
    return table(["set left out", "total / heading", "chosen without it: total / heading", "chosen"], [
        [one.collection, " / ".join(map(number, one.default)), " / ".join(map(number, one.chosen)),
         ", ".join(f"{name} × {factor:g}" for name, factor in one.factors.items()) or "the defaults"] for one in found])


def report(rows):
    """Returns the whole report except the single trials."""
    parts = ["Degrees: RMS where the error counts, means over trials. `end`: size of the heading error in the last "
             "second that counts. `loss`: total less VQF's."]
    if any(row["deviation"] is not None for row in rows):
        parts[0] += (" `stated ±`: standard deviation of the heading since its alignment, as the program says. "
                     "`within 2 ±`: share of samples whose heading error is at most two of them and "
                     f"{scores.ALLOWED:g}°.")
    parts[0] += "\n"
    parts.append(groups(rows))
    if requirements.cell_ratios(rows):
        parts += [f"Cells: mean total over VQF's; at most {requirements.CELL_RATIO} is allowed.\n", cells(rows)]
    if any(row["collection"] == "steady turns" for row in rows):
        parts += ["Steady turns for 40 s: worst heading error at the end, and 40 s later (± two stated deviations, the "
                  "least).\n", *(turns(rows, who) for who in ("Proscenium", "VQF") if requirements.turns(rows, who))]
    if requirements.rides(rows):
        parts += ["Rides: total of head against device, both filters learning together, two filters apart, two of VQF; "
                  f"at most {requirements.RIDE_LOSS}° more than parked, and than two filters apart, are allowed.\n",
                  rides(rows)]
    if requirements.chains(rows):
        parts += [f"IMUs on a chain; a heading at most {requirements.HEADING_LOSS}° worse than the bare gyroscope's is "
                  "allowed.\n", chains(rows)]
    if worse := lost(rows):
        parts += [f"Trials whose total is more than {LOSS}° worse than VQF's (steady turns: above):\n", worse]
    for head, found in (
            ("Requirements missed:", requirements.misses(rows)), ("Not judged:", requirements.unjudged(rows))):
        if found:
            parts.append(f"{head}\n\n" + "".join(f"- {words}\n" for words in found))
    return "\n".join(parts)
