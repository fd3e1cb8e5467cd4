#!/usr/bin/env python3
"""Checks the layouts in Examples/surfaces, as files and with a session: they equal the output of make.py, both formats
have the same controls, and a session on a private JACK server accepts all messages of their faders, switches and
buttons.

usage: surface_layouts.py PROGRAM
"""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from takes import PATIENCE, Complaint, Stage, enter, free_ports, tally

EXAMPLES = HERE.parent.parent / "Examples/surfaces"
PORT, HEAD = map(str, free_ports(2))
#: Controls without an effect in this session, and the texts of their refusals.
REFUSALS = {"recentre": "has sent nothing", "room": "no room is loaded",
            "undo": "nothing to undo", "redo": "nothing was undone", "scene-clear": "scene", "abx": "no scene",
            "abx-listen": "'abx ab' begins", "abx-answer": "'abx ab' begins"}


def stage_control(data):
    """Returns {address: the messages it can send, a set of tuples of arguments}; ranges by their ends."""
    found = {}
    for tab in json.loads(data)["content"]["tabs"]:
        for widget in tab["widgets"]:
            sent = found.setdefault(widget["address"], set())
            if widget["type"] == "fader":
                sent |= {(float(widget["range"]["min"]),), (float(widget["range"]["max"]),)}
            elif widget["mode"] == "toggle":
                sent |= {(float(widget["on"]),), (float(widget["off"]),)}
            else:
                sent.add((widget["on"],) if widget["on"] is not None else ())
    return found


def touch_osc(data):
    """Returns the same of a TouchOSC document."""
    found = {}
    for osc in xml.etree.ElementTree.fromstring(zlib.decompress(data)).iter("osc"):
        parts = [part.findtext("value") for part in osc.find("path")]
        sent = found.setdefault("".join(parts), set())
        arguments = list(osc.find("arguments"))
        if not arguments:
            sent.add(())
        for part in arguments:
            if part.findtext("type") == "VALUE":
                sent |= {(float(part.findtext("scaleMin")),), (float(part.findtext("scaleMax")),)}
            else:
                sent.add((part.findtext("value"),))
    return found


def files():
    """Checks that the files equal the output of make.py; returns the messages that both can send."""
    specification = importlib.util.spec_from_file_location("make", EXAMPLES / "make.py")
    make = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(make)
    with tempfile.TemporaryDirectory() as name:
        make.main(pathlib.Path(name))
        new = {path.name: path.read_bytes() for path in pathlib.Path(name).iterdir()}
    old = {name: (EXAMPLES / name).read_bytes() for name in new}
    # Compressors differ; the compressed contents must not.
    same = {name: old[name] == new[name] or name.endswith(".tosc") and zlib.decompress(old[name]) == zlib.decompress(new[name])
            for name in new}
    one, other = stage_control(old["open-stage-control.json"]), touch_osc(old["proscenium.tosc"])
    return same, one, other


def beyond(make_rows, address, sent):
    """Returns values outside the table's range of a fader, if the fader goes to the ends of that range."""
    numbers = sorted(value[0] for value in sent if value and isinstance(value[0], float))
    if len(numbers) != 2 or tuple(numbers) == (0.0, 1.0):
        return []
    name = address.rsplit("/", 1)[-1]
    limits = make_rows.get(name, (None,))[0]
    return [(limits[0] - 1.0,), (limits[1] + 1.0,)] if limits else []


def perform(program, folder):
    """Sends all messages, inside a sandbox, to a session with the parts that the layouts control: a wide layout and a
    head tracker."""
    sys.path.insert(0, str(EXAMPLES))
    import make
    rows, wanted = make.table(), touch_osc((EXAMPLES / "proscenium.tosc").read_bytes())
    counts, wrong = {"taken": 0, "refused": 0}, []
    with Stage(program, folder, PORT, "ears", "--hrtf", "generated", "--head", f"osc:{HEAD}", "--reference-input", "on",
               "--talkback-input", "on", layout="7.1.4") as stage:
        stage.status
        stage.ctl("start")
        from portplay import Surface
        surface = Surface(PORT)
        surface.ask("/proscenium/calibrated-level", 85.0)

        def answer(address, arguments):
            """Returns the session's refusal; None if it accepts."""
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    surface.ask(address, *arguments)
                    return None
                except RuntimeError as refusal:
                    # One scene after the other.
                    if "ask again" not in str(refusal) or time.monotonic() > end:
                        return str(refusal)
                time.sleep(0.05)

        for address, sent in sorted(wanted.items()):
            for arguments in sorted(sent, key=repr):
                refusal = answer(address, arguments)
                expected = REFUSALS.get(address.removeprefix("/proscenium/"))
                if refusal is None or expected and expected in refusal:
                    counts["taken"] += 1
                else:
                    wrong.append(f"{address} {arguments}: {refusal}")
            for arguments in beyond(rows, address, sent):
                if answer(address, arguments) is None:
                    wrong.append(f"{address} {arguments} is beyond the table's range and was taken")
                else:
                    counts["refused"] += 1
        if answer("/proscenium/not-there", (1.0,)) is None:
            wrong.append("an address that does not exist was taken")
        stage.ctl("quit")
        stage.process.wait(timeout=60)
    print(json.dumps({"wrong": wrong, **counts}))
    return None


def main(program):
    outcomes = []
    same, one, other = files()
    outcomes += [(f"{name} is made of the table", good, "as make.py makes it" if good else "other than make.py makes it: run it")
                 for name, good in sorted(same.items())]
    alike = one == other
    different = sorted(set(one) ^ set(other)) or [address for address in one if one[address] != other.get(address)]
    outcomes.append(("both layouts", alike, f"{len(one)} addresses in each" if alike else f"differ in {different[:5]}"))
    with tempfile.TemporaryDirectory() as name:
        inside = subprocess.run(
            [HERE.parent / "jack-sandbox", "--sync", sys.executable, __file__, "--inside", program, name],
            capture_output=True, text=True)
    try:
        found = json.loads(inside.stdout.strip().splitlines()[-1])
        good = not found["wrong"] and found["taken"] == sum(len(sent) for sent in one.values()) and found["refused"] > 0
        what = "; ".join(found["wrong"][:5]) or f"{found['taken']} messages taken, {found['refused']} beyond a range refused"
    except (IndexError, ValueError, KeyError):
        good, what = False, f"{inside.stdout[-200:]}{inside.stderr[-400:]}"
    outcomes.append(("at a session", good, what))
    return tally("touch surfaces", outcomes)


if __name__ == "__main__":
    enter(__doc__, main, perform)
