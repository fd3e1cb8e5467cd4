"""Are the filter's constants fitted to what they were chosen on? Each set is scored with constants chosen without it.

For each set left out, every constant in turn takes the factor of its default that is best on all other sets, the
earlier ones kept (a coordinate search, one round). Sets count alike: the mean of the logarithms of their mean totals is
made small.
"""

from dataclasses import dataclass

import numpy as np

#: Of a constant's default. The first wins where several are best.
FACTORS = (1, 0.7, 1.4, 0.5, 2)


@dataclass
class LeftOut:
    """Mean total and heading error of one set in degrees."""

    collection: str
    default: tuple
    chosen: tuple  #: with the constants chosen on the other sets
    factors: dict  #: {constant: factor} other than 1


#: Words by which a constant is known to have been chosen on recordings, rather than taken from a paper or a data sheet.
RECORDINGS = ("BROAD", "RepoIMU", "generated")


def tuned(constants):
    """Those that were chosen on recordings. A factor means nothing to a default of 0."""
    return [one for one in constants if one.default != 0 and any(word in one.chosen_on for word in RECORDINGS)]


def leave_one_out(collections, constants, score):
    """Scores each of `collections` (at least two names) left out.

    `score(collection, [settings])` is the mean (total, heading) of a set for each of several settings: {name: value} of
    constants that are not at their default. It is asked once for the same."""
    defaults = {constant.name: constant.default for constant in constants}
    known = {}

    def means(collection, choices):
        keys = [tuple(sorted((name, factor) for name, factor in choice.items() if factor != 1)) for choice in choices]
        missing = [key for key in dict.fromkeys(keys) if (collection, key) not in known]
        if missing:
            settings = [{name: factor * defaults[name] for name, factor in key} for key in missing]
            known.update(zip(((collection, key) for key in missing), score(collection, settings)))
        return [known[collection, key] for key in keys]

    def costs(others, choices):
        return sum(np.log([total for total, _ in means(other, choices)]) for other in others) / len(others)

    found = []
    for left in collections:
        others, chosen = [one for one in collections if one != left], {}
        for constant in constants:
            choices = [{**chosen, constant.name: factor} for factor in FACTORS]
            chosen = choices[int(np.argmin(costs(others, choices)))]
        default, best = means(left, [{}, chosen])
        found.append(LeftOut(left, default, best, {name: factor for name, factor in chosen.items() if factor != 1}))
    return found
