"""Ratios of two revisions' times and their confidence intervals.

A pair is one process of each revision, in alternating turns (lockstep.py); its ratio is the median over turns. The
ratio of a cell is the median of its pairs' ratios; its interval is the percentile bootstrap over pairs (Efron &
Tibshirani, An Introduction to the Bootstrap, 1993, §13.3). A regression is an interval wholly above 1 + threshold.
"""

from dataclasses import dataclass

import numpy as np

#: Least relative slowdown that counts as a regression.
THRESHOLD = 0.05
#: Confidence of each cell's interval, two-sided. One cell in two hundred would be called a regression if its true ratio
#: were exactly at the threshold; an unchanged revision is far below it, and an apparent regression is measured twice
#: (Scripts/bench-compare).
CONFIDENCE = 0.99
RESAMPLES = 4000
#: Name of the row for the mean of all cells.
ALL = "all cells"
#: Least number of pairs for an interval.
LEAST_PAIRS = 8


@dataclass
class Comparison:
    """One cell: ratio of this tree to the base, below 1 where this tree is faster."""

    cell: str
    contender: str
    ratio: float
    low: float
    high: float
    pairs: int

    @property
    def verdict(self):
        if self.low > 1 + THRESHOLD:
            return "REGRESSION"
        if self.high < 1 / (1 + THRESHOLD):
            return "faster"
        if self.low > 1:
            return "slower, within the threshold"
        return "no difference beyond the threshold shown"


def interval(ratios, rng, confidence=CONFIDENCE, resamples=RESAMPLES):
    """Returns the median ratio and its bootstrap interval."""
    ratios = np.asarray(ratios, float)
    if len(ratios) < LEAST_PAIRS:
        raise ValueError(f"{len(ratios)} pairs are too few for an interval: at least {LEAST_PAIRS}")
    draws = np.median(rng.choice(ratios, (resamples, len(ratios))), axis=1)
    low, high = np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(np.median(ratios)), float(low), float(high)


def geometric_mean(ratios):
    """Of ratios above 0, or of each column of a table of them."""
    return np.exp(np.mean(np.log(ratios), axis=0))


def compare(pairs, seed=1):
    """Compares `pairs`, {(cell, contender): [here/base of each pair]}; returns comparisons in the same order, then one
    of all cells."""
    rng = np.random.default_rng(seed)
    found = [Comparison(cell, contender, *interval(ratios, rng), len(ratios))
             for (cell, contender), ratios in pairs.items()]
    if len(pairs) > 1 and len({len(ratios) for ratios in pairs.values()}) == 1:
        together = geometric_mean(list(pairs.values()))
        found.append(Comparison(ALL, "geometric mean", *interval(together, rng), len(together)))
    return found
