#!/usr/bin/env python3
"""Makes layouts for touch surfaces from the table of parameters: Open Stage Control's session and TouchOSC's document.

usage: make.py [FOLDER]        (by default that of this script)

Ranges and words of parameters are read from Documentation/reference/parameters.md; a test compares that page with the
program's table. Both layouts have the same pages: monitor section, reference and talkback, scenes, main input,
loudspeakers of 5.1, and commands of the session.
"""
import json
import pathlib
import re
import sys
import uuid
import zlib
from xml.sax.saxutils import quoteattr

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent.parent / "Documentation/reference/parameters.md"
PREFIX = "/proscenium/"
LOUDSPEAKERS = ["FL", "FR", "FC", "LFE", "SL", "SR"]
#: Default control address of a session.
SESSION = "127.0.0.1:9150"
NUMBER = r"-?\d+(?:\.\d+)?"


def table():
    """Returns {parameter: (range or None, number of values, words)} from the page."""
    rows = {}
    for line in TABLE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 5 or not re.fullmatch(r"`[a-z0-9-]+`", cells[0]):
            continue
        takes, span, count = cells[1], re.search(rf"({NUMBER}) to ({NUMBER})", cells[1]), 1
        if span:
            names, rest = takes[:span.start()], takes[span.end():]
            count = len(names.split()) if names.endswith(", ") else 1
            words = rest.partition(", or ")[2]
        else:
            words = takes
        words = [word for word in re.split(r", | or ", words) if re.fullmatch(r"[a-z0-9][a-z0-9.-]*", word)]
        limits = (float(span[1]), float(span[2])) if span else None
        rows[cells[0].strip("`")] = (limits, count, words)
    return rows


def number(value):
    """Returns a number without a needless fraction: 20, not 20.0."""
    return int(value) if value == int(value) else value


class Control:
    """A control: a fader of a range, a switch (1 and 0), or a button that sends a word or no argument."""

    def __init__(self, kind, label, address, limits=None, word=None):
        self.kind, self.label, self.address, self.limits, self.word = kind, label, PREFIX + address, limits, word


class Pages:
    """Controls by page, in rows; a parameter that the table lacks is an error."""

    def __init__(self):
        self.rows, self.all = table(), []

    def fader(self, label, address, least=None, most=None):
        limits, count, _ = self.row(address)
        if limits is None or count != 1:
            raise SystemExit(f"{address} takes no single number")
        low, high = limits[0] if least is None else least, limits[1] if most is None else most
        if not limits[0] <= low < high <= limits[1]:
            raise SystemExit(f"{address} takes {limits}, not {low} to {high}")
        return Control("fader", label, address, (number(low), number(high)))

    def switch(self, label, address):
        if not {"on", "off"} <= set(self.row(address)[2]):
            raise SystemExit(f"{address} is not on or off")
        return Control("switch", label, address)

    def words(self, address, *wanted):
        known = self.row(address)[2]
        for word in wanted:
            if word not in known:
                raise SystemExit(f"{address} takes {known}, not {word}")
        return [Control("button", f"{address.rsplit('/', 1)[-1]} {word}", address, word=word) for word in wanted]

    def row(self, address):
        parts = address.split("/")
        name = parts[-1]
        if parts[0] == "loudspeaker" and f"loudspeaker-{name}" in self.rows:
            name = f"loudspeaker-{name}"
        if name not in self.rows:
            raise SystemExit(f"the table has no '{name}'")
        return self.rows[name]

    def page(self, name, *rows):
        self.all.append((name, [list(row) for row in rows]))


def pages():
    """Returns the pages of both layouts."""
    made = Pages()
    made.page(
        "monitor",
        [made.fader("level", "monitor-level", -60, 6), made.fader("dim by", "dim-level"), made.fader("dB SPL", "reference-level", 60, 100)],
        [made.switch("dim", "dim"), made.switch("mono", "mono"), made.switch("mute", "monitor-mute"), made.switch("room", "room")],
        made.words("solo-clear", "all", "inputs", "loudspeakers"),
        made.words("fold-down", "none", "7.1", "5.1", "stereo", "mono"),
        made.words("compare", "off", "bypass", "fixed", "tracked"))
    made.page(
        "listening",
        [made.fader("reference", "reference-trim"), made.fader("talkback", "talkback-level"), made.fader("dim by", "talkback-dim")],
        made.words("monitor-source", "stage", "reference"),
        [made.switch("talkback", "talkback"), made.switch("talkback input", "talkback-input"),
         made.switch("reference input", "reference-input")])
    made.page(
        "scenes",
        made.words("scene", "a", "b", "c", "d"),
        made.words("scene-clear", "a", "b", "c", "d"),
        made.words("abx", "off", "ab", "ac", "ad", "bc", "bd", "cd"),
        made.words("abx-listen", "a", "b", "x"),
        made.words("abx-answer", "a", "b"),
        [made.switch("print bus", "print-bus")])
    main = "input/main/"
    made.page(
        "main",
        [made.fader("level", main + "level", -60, 6), made.fader("width", main + "source-width")],
        [made.switch(word, main + word) for word in ("mute", "solo", "solo-safe", "polarity")],
        made.words(main + "mode", "off", "fixed", "tracked"),
        made.words("reference", "device", "head", "static"))
    made.page(
        "loudspeakers",
        *[[made.switch(f"{name} {word}", f"loudspeaker/{name}/{word}") for name in LOUDSPEAKERS] for word in ("solo", "mute", "polarity")],
        [made.switch(f"{name} noise", f"loudspeaker/{name}/test-noise") for name in LOUDSPEAKERS])
    made.page(
        "session",
        [Control("switch", "record", "record"), Control("button", "marker", "record/marker")],
        [Control("button", word, word) for word in ("recentre", "resume", "undo", "redo")],
        [Control("button", "follow", "subscribe", word="state")])
    return made.all


WIDTH, HEIGHT, GAP = 1024, 720, 8


def places(rows):
    """Yields (control, x, y, width, height) of a page; rows of faders are three times as high."""
    heights = [3 if any(control.kind == "fader" for control in row) else 1 for row in rows]
    unit, y = (HEIGHT - GAP * (len(rows) + 1)) / sum(heights), GAP
    for row, height in zip(rows, heights):
        width, high = (WIDTH - GAP * (len(row) + 1)) / len(row), unit * height
        for index, control in enumerate(row):
            yield control, round(GAP + index * (width + GAP)), round(y), round(width), round(high)
        y += high + GAP


def stage_control(all_pages):
    """Returns a session of Open Stage Control, which subscribes to all values of the running session when it is
    loaded."""
    tabs = []
    for name, rows in all_pages:
        widgets = []
        for index, (control, x, y, width, height) in enumerate(places(rows)):
            widget = {
                "type": "fader" if control.kind == "fader" else "button", "id": f"{name}_{index + 1}", "label": control.label,
                "left": x, "top": y, "width": width, "height": height, "address": control.address, "preArgs": "", "target": SESSION}
            if control.kind == "fader":
                low, high = control.limits
                widget |= {"range": {"min": low, "max": high}, "decimals": 2, "doubleTap": False, "horizontal": False, "pips": True}
            elif control.kind == "switch":
                widget |= {"mode": "toggle", "on": 1, "off": 0, "typeTags": "i"}
            else:
                # A tap sends the word or, with null, the address alone.
                widget |= {"mode": "tap", "on": control.word, "off": None, "typeTags": "s" if control.word else ""}
            widgets.append(widget)
        tabs.append({"type": "tab", "id": name, "label": name, "widgets": widgets, "tabs": []})
    begin = f"send('{SESSION}', '{PREFIX}subscribe', {{type: 's', value: 'state'}})"
    return json.dumps(
        {"createdWith": "Open Stage Control", "version": "1.25.0", "type": "session",
         "content": {"type": "root", "id": "root", "tabs": tabs, "widgets": [], "onCreate": begin}},
        indent=2, ensure_ascii=False) + "\n"


def prop(kind, key, value):
    return f"<property type={quoteattr(kind)}><key><![CDATA[{key}]]></key><value>{value}</value></property>"


def text(words):
    return f"<![CDATA[{words}]]>"


def frame(x, y, width, height):
    return prop("r", "frame", f"<x>{x}</x><y>{y}</y><w>{width}</w><h>{height}</h>")


def partial(kind, conversion, value, low=0, high=1):
    return (f"<partial><type>{kind}</type><conversion>{conversion}</conversion><value>{text(value)}</value>"
            f"<scaleMin>{low}</scaleMin><scaleMax>{high}</scaleMax></partial>")


def node(kind, name, place, properties="", values="", messages="", children=""):
    """Returns a node; its ID is made from its name, so that equal tables make equal files."""
    number = uuid.uuid5(uuid.NAMESPACE_URL, "proscenium/" + name)
    return (f"<node ID='{number}' type='{kind}'><properties>{prop('s', 'name', text(name))}{frame(*place)}{properties}</properties>"
            f"<values>{values}</values><messages>{messages}</messages><children>{children}</children></node>")


def value(key, standard):
    return (f"<value><key>{text(key)}</key><locked>0</locked><lockedDefaultCurrent>0</lockedDefaultCurrent>"
            f"<default>{text(standard)}</default><defaultPull>0</defaultPull></value>")


def message(control):
    """Returns the message of a control: its value as it moves, or a word when it is pressed."""
    low, high = control.limits or (0, 1)
    if control.kind == "button":
        arguments, condition, receives = partial("CONSTANT", "STRING", control.word) if control.word else "", "RISE", 0
    else:
        arguments, condition, receives = partial("VALUE", "FLOAT", "x", low, high), "ANY", 1
    return (f"<osc><enabled>1</enabled><send>1</send><receive>{receives}</receive><feedback>0</feedback><connections>00001</connections>"
            f"<triggers><trigger><var>{text('x')}</var><condition>{condition}</condition></trigger></triggers>"
            f"<path>{partial('CONSTANT', 'STRING', control.address)}</path><arguments>{arguments}</arguments></osc>")


def touch_osc(all_pages):
    """Returns the XML of a TouchOSC document."""
    bar, tabs = 40, []
    for name, rows in all_pages:
        inside = []
        for index, (control, x, y, width, height) in enumerate(places(rows)):
            own, label = f"{name}/{index + 1}", 24
            if control.kind == "fader":
                look = prop("i", "orientation", 0)
            else:
                # 1: toggles; 0: is on while it is pressed.
                look = prop("i", "buttonType", 1 if control.kind == "switch" else 0)
            inside.append(node(
                "FADER" if control.kind == "fader" else "BUTTON", own, (x, y, width, max(24, height - label)), look,
                value("x", 0) + value("touch", "false"), message(control)))
            inside.append(node(
                "LABEL", own + "/label", (x, y + max(24, height - label), width, label),
                prop("b", "interactive", 0) + prop("i", "textSize", 14), value("text", control.label) + value("touch", "false")))
        tabs.append(node(
            "GROUP", name, (0, bar, WIDTH, HEIGHT), prop("s", "tabLabel", text(name)), value("touch", "false"), children="".join(inside)))
    pager = node(
        "PAGER", "pages", (0, 0, WIDTH, HEIGHT + bar), prop("i", "tabbarSize", bar), value("page", 0) + value("touch", "false"),
        children="".join(tabs))
    root = node("GROUP", "proscenium", (0, 0, WIDTH, HEIGHT + bar), "", value("touch", "false"), children=pager)
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<lexml version='3'>{root}</lexml>\n"


def main(folder):
    found = pages()
    (folder / "open-stage-control.json").write_text(stage_control(found))
    (folder / "proscenium.tosc").write_bytes(zlib.compress(touch_osc(found).encode(), 9))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else HERE)
