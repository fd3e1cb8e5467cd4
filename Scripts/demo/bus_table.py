"""Results of the ride as HTML and as plain text: the table, the verdict, and its notes."""

import html

import bus_plot

#: Limits of the product's error outside dropouts, degrees.
LIMITS = {"rms": 2.0, "p95": 3.0, "max": 5.0}


def verdict(judged):
    """Returns whether the product is within the limits, and the sentence for the page."""
    figures = {name: judged[name]["outside_dropouts"] for name in bus_plot.OURS if name in judged}
    missed = [name for name, f in figures.items() if any(f[key] > limit for key, limit in LIMITS.items())]
    ok = not missed
    others = [
        f'{bus_plot.NAMES[n]} {judged[n]["outside_dropouts"]["rms"]:.0f}°' for n in judged if n not in bus_plot.OURS]
    ours = figures[missed[0] if missed else list(figures)[-1]]
    sensors = "two raw motion sensors" if "imu" in figures else "two trackers"
    sentence = (
        f'With Proscenium and {sensors} it stays in front of you to within <b>{ours["rms"]:.1f}° RMS</b>'
        f' (95 % below {ours["p95"]:.1f}°, never more than {ours["max"]:.1f}° while both sensors speak)')
    if not ok:
        sentence = (
            f'In this run {bus_plot.NAMES[missed[0]]} <b>missed its mark</b>: {ours["rms"]:.1f}° RMS, 95 % below '
            f'{ours["p95"]:.1f}°, at most {ours["max"]:.1f}°, where 2°, 3° and 5° are allowed')
    return ok, sentence + ("; " + ", ".join(others) + "." if others else ".")


def plain(judged):
    """Returns one line per variant for the terminal."""
    lines = []
    for name, figures in judged.items():
        o = figures["outside_dropouts"]
        lines.append(f'{name:10} RMS {o["rms"]:6.2f}°  95 % {o["p95"]:6.2f}°  max {o["max"]:6.2f}°')
    for name in bus_plot.OURS:
        for key, limit in LIMITS.items() if name in judged else ():
            size = judged[name]["outside_dropouts"][key]
            lines.append(f'{name} {key} {size:.2f}° (at most {limit:g}°): {"ok" if size <= limit else "MISSED"}')
    return "\n".join(lines)


def table(judged, run):
    """Returns one column per variant."""
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
        [artefacts(judged[n], n) for n in names]))
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
    if name not in bus_plot.OURS:
        return degrees(dropout["largest"])
    return f'{degrees(dropout["largest"])}; {dropout["return_seconds"] * 1000:.0f} ms'


def motion_to_sound(figures, name):
    """Returns the delay from motion to sound; it can be fitted only where the sound follows the head's pose on the
    stage."""
    if name not in bus_plot.OURS:
        return "–"
    fit = figures["motion_to_sound"]
    return f'{fit["seconds"] * 1000:+.1f} ± {max(fit["deviation"] * 1000, 0.1):.1f} ms'


def artefacts(figures, name):
    """Returns the artefacts of rendered sound only: a recording from a live server also contains skipped periods."""
    if name == "ssr":
        return "–"
    return f'{figures["artefacts"]["mean_db"]:.0f} dB; {figures["artefacts"]["worst_db"]:.0f} dB'


def cost(run, name):
    figures = run.get("variants", {}).get(name, {})
    if "share_of_core" not in figures:
        return "not measured"
    text = f'{figures["share_of_core"] * 100:.1f} %'
    if "p50_us" in figures and "p99_us" in figures:
        text += f'; {figures["p50_us"]:.0f}, {figures["p99_us"]:.0f} µs'
    return text


def notes(judged, floor, run, gains):
    """Explains the figures."""
    ours = judged["ours"]
    confusions = sum(judged[n]["front_back_confusions"] for n in bus_plot.OURS if n in judged)
    moments = sum(judged[n]["frames"] for n in bus_plot.OURS if n in judged)
    lines = [
        "The judge is a separate script (<code>Scripts/demo/judge.py</code>): it hears a voice-only rendering of the same "
        f'ride through the raw measured set ({html.escape(ours["set"])}), estimates the azimuth every 10 ms, front and '
        "back included, from what differs between the ears and from the colour of the sound, and adds where the head "
        "really was. It shares nothing with the renderer. Errors are counted outside dropouts and the 300 ms after them; "
        f"{confusions} of {moments} moments of ours were heard on the wrong side of the ears.",
    ]
    lines += sensors(judged) + peers(judged, run)
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
        "level is against the whole sound, worse ear. SSR’s sound was recorded live, with the periods the server skipped, and "
        "is not compared; the others were rendered again from the poses of the ride.")
    if gains:
        lines.append(
            "Loudness is matched after BS.1770 (gains "
            + ", ".join(f"{html.escape(bus_plot.NAMES[n])} {g:+.1f} dB".replace("-", "−") for n, g in gains.items()) + ").")
    if run.get("conditions"):
        lines.append("How it was run: " + html.escape("; ".join(f"{k}: {v}" for k, v in run["conditions"].items())) + ".")
    return "".join(f'<p class="note">{line}</p>' for line in lines)


def sensors(judged):
    """Describes the raw IMUs."""
    if "imu" not in judged:
        return []
    return [
        "Raw IMUs: rates and accelerations at 200 Hz, synthesized from the ride (<code>make_imu.py</code>), with a bias of up to "
        "0.5°/s and a scale error of up to 1 % per axis, unlike on head and device, the noise and steps of a consumer part; "
        "the accelerometers see braking, the pull of each turn, the road and the neck’s levers beside gravity. No "
        "magnetometer. The head’s comes over a serial line, the device’s by UDP with up to some milliseconds of radio "
        "delay, both on clocks of their own. They rest for some ten seconds before the ride."]


def peers(judged, run):
    """Describes the inputs of the peers, and the simulations."""
    lines = []
    if "ssr" in judged:
        name = html.escape(run.get("conditions", {}).get("SSR", "SoundScape Renderer"))
        lines.append(
            f"{name} is the real program, Debian’s package, in the same ride on the same server, with a Razor tracker on a serial "
            "line that knows the head’s orientation against the earth without drift, 50 times a second. It has no input for a "
            "second tracker. It plays the judge’s own set in steps of one degree instead of its own (another head, at 44.1 kHz), "
            "and only directions in the plane: loudspeakers overhead are heard at ear height.")
    if "android" in judged:
        lines.append(
            "Android’s rule is simulated (<code>peer_android.py</code>) from the documented behaviour and thresholds of its "
            "published source, not run, in the mode phones are set to; makers may have changed it. It was given both sensors fused "
            "and without drift and no radio delay; its poses were rendered by our renderer.")
    return lines
