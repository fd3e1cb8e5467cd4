"""Tests whether the filter's constants are overfitted to their data: each set is scored with constants chosen without
it.

For each set left out, each constant in turn takes the factor of its default that is best on all other sets, with the
earlier choices kept (a coordinate search, one round). Sets have equal weight: the search minimises the mean of the
logarithms of their mean totals.
"""

from dataclasses import dataclass

import numpy as np

#: Factors on a constant's default. Of several best ones, the first is chosen.
FACTORS = (1, 0.7, 1.4, 0.5, 2)


@dataclass
class LeftOut:
    """Mean total and heading error of one set in degrees."""

    collection: str
    default: tuple
    chosen: tuple  #: scores with the constants chosen on the other sets
    factors: dict  #: {constant: factor}, factors other than 1


#: Words in the stated source of a constant that was chosen on recordings, not taken from a paper or a data sheet.
RECORDINGS = ("BROAD", "RepoIMU", "generated")


def tuned(constants):
    """Returns the constants chosen on recordings. A constant with default 0 is excluded, because a factor does not
    change it."""
    return [one for one in constants if one.default != 0 and any(word in one.chosen_on for word in RECORDINGS)]


def leave_one_out(collections, constants, score):
    """Scores each of `collections` (at least two names) with constants chosen on the others.

    `score(collection, [settings])` returns the mean (total, heading) of a set for each of several settings: {name:
    value} of constants that differ from their default. It is called once per setting."""
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
