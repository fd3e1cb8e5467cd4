"""Targets of the product by cell: exactness, ratios to peers and absolute figures. The report shows each beside the
result."""

from dataclasses import dataclass

import runs


@dataclass
class Target:
    """Target for the peers' time over the product's time in a cell, or for the product's figure."""

    words: str
    cell: str
    #: Least ratio of the best peer's time to the product's; None: `most` counts.
    ratio: float = None
    #: Greatest figure, in the cell's unit.
    most: float = None
    #: Prefix of the names of the peers that count; empty: all.
    peer: str = ""
    #: Cell of the peer's figure; empty: the same.
    other: str = ""
    #: Prefix of the product's contender; empty: its fastest.
    ours: str = ""
    #: Greatest ratio of the 99 % step to the median step; it replaces the figure.
    tail: float = None
    #: Whether `tail` uses the steps by position in the cycle (the median over passes of each), not all steps.
    placed: bool = False


TARGETS = [
    Target("moving, slice 64, 256 taps, 16 sources: convolution alone", "moving/n16/period64/taps256", 2.5, peer="FFTW"),
    Target("the same with the whole engine's work, over that baseline without any", "engine/n16/period64/taps256/turning",
           1.3, peer="FFTW with ready filters"),
    Target("moving, 6 sources", "moving/n6/period64/taps256", 2.0, peer="FFTW"),
    Target("6 sources with the whole engine's work", "engine/n6/period64/taps256/turning", 1.2,
           peer="FFTW with ready filters"),
    Target("moving, 2 sources", "moving/n2/period64/taps256", 2.0, peer="FFTW"),
    Target("2 sources with the whole engine's work", "engine/n2/period64/taps256/turning", 1.2,
           peer="FFTW with ready filters"),
    Target("16 sources, the whole engine refreshing every 128 frames, as it does by itself",
           "engine/n16/period64/taps256/turning/refresh128", 1.3, peer="FFTW with ready filters"),
    Target("6 sources", "engine/n6/period64/taps256/turning/refresh128", 1.2, peer="FFTW with ready filters"),
    Target("2 sources", "engine/n2/period64/taps256/turning/refresh128", 1.2, peer="FFTW with ready filters"),
    Target("whole engine, 7.1.4 turning, slice 128", "engine/n12/period128/taps256/turning", most=5.0),
    Target("static, 16 sources, slice 64", "static/n16/period64/taps256", 4.0, peer="zita"),
    Target("static, 16 sources, slice 256", "static/n16/period256/taps256", 2.5, peer="zita"),
    *[Target(f"16 transforms of {size}", f"fft/n{size}", 3.0 if size < 2048 else 2.4, peer="FFTW")
      for size in (128, 256, 512, 1024, 2048)],
    Target("room of 96000 taps, 12 sources, slice 64", "rooms/n12/slice64/taps96000", 3.0, peer="zita"),
    Target("the same: 99 % slice over the median slice", "rooms/n12/slice64/taps96000", tail=2.0),
    Target("the same by place in the cycle, without interruptions", "rooms/n12/slice64/taps96000", tail=2.0, placed=True),
    Target("JACK clients, 16 sources less 2, period 64, turning", "programs/live/period64", 10.0, peer="SSR, a degree"),
    *[Target(f"stereo opened into 5.1, {latency}, whole programs", "programs/upmix", 3.0, peer="ffmpeg surround",
             ours=f"proscenium upmix, {latency}") for latency in ("player", "live")],
    Target("meters at 25 Hz, poses at 120 Hz and state told at four doors, % of a core", "telemetry/doors", most=1.0),
    *[Target(f"a click and zeros over noise, {name}", f"silence/{name}", most=1.2)
      for name in ("loudness", "render", "room", "field", "mix", "upmix", "bake")],
    Target("ambisonics of order 3, turning", "ambisonics/order3/turning", most=40.0),
    Target("ambisonics of order 7, turning", "ambisonics/order7/turning", most=130.0),
]

#: Groups in which every cell has a least ratio: (group, ratio, peer).
EVERYWHERE = [("moving", 1.0, "FFTW"), ("moving", 1.3, "FFTW"), ("static", 1.5, "zita")]


#: Greatest error of every result of the product against double precision, dB.
EXACTNESS = -120.0


def outcome(target, cells):
    """Returns (ours, theirs, met), or None where the run lacks the cell or it is void."""
    cell, other = cells.get(target.cell), cells.get(target.other or target.cell)
    if cell is None or other is None or cell.get("void") or other.get("void"):
        return None
    ours = runs.best([c for c in runs.ours(cell) if c["name"].startswith(target.ours)])
    if ours is None:
        return None
    if target.tail is not None:
        steps = ours.get("cycle") if target.placed else ours
        if steps is None:
            return None
        tail = steps["p99Microseconds"] / steps["medianMicroseconds"]
        return tail, None, tail <= target.tail
    if target.ratio is None:
        return ours["value"], None, ours["value"] <= target.most
    theirs = runs.best([c for c in runs.peers(other) if c["name"].startswith(target.peer)])
    if theirs is None:
        return None
    return ours["value"], theirs["value"], theirs["value"] / ours["value"] >= target.ratio


def everywhere(group, ratio, peer, cells):
    """Returns (cells below the ratio, with their ratios; number of cells judged)."""
    lost, judged = [], 0
    for cell in cells.values():
        ours = runs.best(runs.ours(cell))
        theirs = runs.best([c for c in runs.peers(cell) if c["name"].startswith(peer)])
        if cell["group"] != group or ours is None or theirs is None or cell.get("void"):
            continue
        judged += 1
        if theirs["value"] / ours["value"] < ratio:
            lost.append((cell["id"], theirs["value"] / ours["value"]))
    return sorted(lost, key=lambda pair: pair[1]), judged
