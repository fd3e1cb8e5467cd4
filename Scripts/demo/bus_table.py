"""The figures of the ride: the table, the verdict, and the notes under them, as HTML and as plain lines."""

import html

import bus_plot

#: What ours must reach outside dropouts, degrees.
LIMITS = {"rms": 2.0, "p95": 3.0, "max": 5.0}


def verdict(judged):
    """Whether ours stays within the limits, and the sentence for the page."""
    ours = judged["ours"]["outside_dropouts"]
    ok = all(ours[key] <= limit for key, limit in LIMITS.items())
    others = [
        f'{bus_plot.NAMES[n]} {judged[n]["outside_dropouts"]["rms"]:.0f}°' for n in ("untracked", "head-only") if n in judged]
    sentence = (
        f'With Proscenium it stays in front of you to within <b>{ours["rms"]:.1f}° RMS</b>'
        f' (95 % below {ours["p95"]:.1f}°, never more than {ours["max"]:.1f}° while both sensors speak)')
    if not ok:
        sentence = (
            f'In this run Proscenium <b>missed its mark</b>: {ours["rms"]:.1f}° RMS, 95 % below {ours["p95"]:.1f}°, at most'
            f' {ours["max"]:.1f}°, where 2°, 3° and 5° are allowed')
    return ok, sentence + ("; " + ", ".join(others) + "." if others else ".")


def plain(judged):
    """One line per variant for the terminal."""
    lines = []
    for name, figures in judged.items():
        o = figures["outside_dropouts"]
        lines.append(f'{name:10} RMS {o["rms"]:6.2f}°  95 % {o["p95"]:6.2f}°  max {o["max"]:6.2f}°')
    ours = judged["ours"]["outside_dropouts"]
    for key, limit in LIMITS.items():
        lines.append(f'ours {key} {ours[key]:.2f}° (at most {limit:g}°): {"ok" if ours[key] <= limit else "MISSED"}')
    return "\n".join(lines)


def table(judged, run):
    """One column per variant."""
    names = list(judged)
    rows = [
        ("error, RMS", [f'{degrees(judged[n]["outside_dropouts"]["rms"])}' for n in names]),
        ("error, 95 % below", [degrees(judged[n]["outside_dropouts"]["p95"]) for n in names]),
        ("error, largest", [degrees(judged[n]["outside_dropouts"]["max"]) for n in names]),
    ]
    for number, dropout in enumerate(judged["ours"]["dropouts"]):
        rows.append((
            f'dropout at {dropout["from"]:.1f} s ({dropout["label"]}): largest error; back within 2° after',
            [dropped(judged[n]["dropouts"][number], n) for n in names]))
    rows.append(("motion to sound", [motion_to_sound(judged[n], n) for n in names]))
    rows.append((
        "artefacts: sound where the programme has none, mean; worst moment",
        [f'{judged[n]["artefacts"]["mean_db"]:.0f} dB; {judged[n]["artefacts"]["worst_db"]:.0f} dB' for n in names]))
    rows.append(("cost: share of one core; per period p50, p99", [cost(run, n) for n in names]))
    head = "".join(f'<th class="{n}">{html.escape(bus_plot.NAMES[n])}</th>' for n in names)
    body = "".join(
        f"<tr><td>{html.escape(label)}</td>"
        + "".join(f'<td class="{n}">{cell.replace("-", "−")}</td>' for n, cell in zip(names, cells)) + "</tr>"
        for label, cells in rows)
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"


def degrees(value):
    return f"{value:.1f}°" if value < 99.5 else f"{value:.0f}°"


def dropped(dropout, name):
    if name != "ours":
        return degrees(dropout["largest"])
    return f'{degrees(dropout["largest"])}; {dropout["return_seconds"] * 1000:.0f} ms'


def motion_to_sound(figures, name):
    """Only where the sound follows the head's place on the stage can a delay be fitted."""
    if name != "ours":
        return "–"
    fit = figures["motion_to_sound"]
    return f'{fit["seconds"] * 1000:+.1f} ± {max(fit["deviation"] * 1000, 0.1):.1f} ms'


def cost(run, name):
    figures = run.get("variants", {}).get(name, {})
    if "share_of_core" not in figures:
        return "not measured"
    text = f'{figures["share_of_core"] * 100:.1f} %'
    if "p50_us" in figures and "p99_us" in figures:
        text += f'; {figures["p50_us"]:.0f}, {figures["p99_us"]:.0f} µs'
    return text


def notes(judged, floor, run, gains):
    """How the figures came about."""
    ours = judged["ours"]
    confusions = sum(j["front_back_confusions"] for n, j in judged.items() if n == "ours")
    lines = [
        "The judge is a separate script (<code>Scripts/demo/judge.py</code>): it hears a voice-only rendering of the same "
        f'ride through the raw measured set ({html.escape(ours["set"])}), estimates the azimuth every 10 ms, front and '
        "back included, from what differs between the ears and from the colour of the sound, and adds where the head "
        "really was. It shares nothing with the renderer. Errors are counted outside dropouts and the 300 ms after them; "
        f"{confusions} of {ours['frames']} moments of ours were heard on the wrong side of the ears.",
    ]
    if floor:
        lines.append(
            f'The judge’s own error: {floor["measured_directions"]["rms"]:.2f}° RMS (at most '
            f'{floor["measured_directions"]["max"]:.2f}°) on direct convolutions of the 72 measured directions, '
            f'{floor["whole_ride"]["rms"]:.2f}° RMS on the whole ride rendered in numpy, and '
            f'{floor["withheld_directions"]["rms"]:.2f}° RMS on directions withheld from it (10° steps; largest beside the ears).')
    lines.append(
        "Motion to sound is the delay that best explains the errors while the head turns; forecasts of the pose make it "
        "smaller than the path from sensor to ear, or negative.")
    lines.append(
        "Artefacts are measured between 5.5 and 6.5 kHz and above 15 kHz, where the voice-only programme is empty; the "
        "level is against the whole sound, worse ear.")
    if gains:
        lines.append(
            "Loudness is matched after BS.1770 (gains "
            + ", ".join(f"{html.escape(bus_plot.NAMES[n])} {g:+.1f} dB".replace("-", "−") for n, g in gains.items()) + ").")
    if run.get("conditions"):
        lines.append("How it was run: " + html.escape("; ".join(f"{k}: {v}" for k, v in run["conditions"].items())) + ".")
    return "".join(f'<p class="note">{line}</p>' for line in lines)
