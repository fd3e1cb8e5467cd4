"""Faulty child processes of a session: invalid data in the memory shared with it, and invalid answers on its line."""
import json
import pathlib
import shutil
import subprocess
import time

from . import control, mutations, trackers
from .guarded import Guard
from .watching import Finding

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EFFECTS = ROOT / "Tests" / "PlantedPlugins" / "Effects"
TURTLE = """@prefix lv2: <http://lv2plug.in/ns/lv2core#> . @prefix doap: <http://usefulinc.com/ns/doap#> .
<urn:proscenium:planted:{name}> a lv2:Plugin ; lv2:binary <{name}.so> ; doap:name "{name}" ; lv2:port {ports} .
"""
AUDIO = ["[ a lv2:AudioPort , lv2:InputPort ; lv2:index 0 ; lv2:symbol \"in\" ; lv2:name \"In\" ]",
         "[ a lv2:AudioPort , lv2:OutputPort ; lv2:index 1 ; lv2:symbol \"out\" ; lv2:name \"Out\" ]"]
#: Forms of a child's answers, to be damaged.
ANSWERS = [
    {"number": 1, "report": {"controls": {"after": 100, "mode": 7}, "readings": {}, "properties": {}, "workerSeconds": 0, "lost": 0, "log": ["a line"]}},
    {"number": 0, "report": {"controls": {}, "readings": {"x": 1}, "properties": {"urn:x": {"text": {"_0": "y"}}}, "workerSeconds": 1e300, "lost": 2 ** 62, "log": []}},
    {"number": 2, "error": {"failed": {"identifier": "urn:x", "reason": "none"}}},
    {"progress": {"_0": 0.5}}, {"set": {"bytes": 100}}, {"responses": {"frames": 100}},
]


def control_port(index, symbol, least, most, first):
    return (f"[ a lv2:ControlPort , lv2:InputPort ; lv2:index {index} ; lv2:symbol \"{symbol}\" ; lv2:name \"{symbol}\" ; lv2:minimum {least} ; "
            f"lv2:maximum {most} ; lv2:default {first} ]")


def plant(folder):
    """Compiles the tests' own plugins to bundles: `gain`, which is right, and `scribble`, which is faulty. None without
    a compiler."""
    if not shutil.which("cc"):
        return None
    ports = {"gain": [*AUDIO, control_port(2, "gain", 0, 10, 1)],
             "scribble": [*AUDIO, control_port(2, "after", 0, 48_000, 4800), control_port(3, "mode", 0, 7, 0)]}
    for name, all_ports in ports.items():
        bundle = folder / f"{name}.lv2"
        bundle.mkdir(parents=True)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", f'-DPLANTED_URI="urn:proscenium:planted:{name}"', "-o", bundle / f"{name}.so",
                        EFFECTS / f"{name}.c", "-lm", "-lpthread"], check=True)
        (bundle / "plugin.ttl").write_text(TURTLE.format(name=name, ports=" , ".join(all_ports)))
        (bundle / "manifest.ttl").write_text(
            "@prefix lv2: <http://lv2plug.in/ns/lv2core#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
            f"<urn:proscenium:planted:{name}> a lv2:Plugin ; lv2:binary <{name}.so> ; rdfs:seeAlso <plugin.ttl> .\n")
    return folder


def lines(random):
    """Returns invalid answers of a child, a line each; sometimes one that is very long or very deep."""
    said = []
    for _ in range(200):
        kind = random.random()
        if kind < 0.8:
            said.append(mutations.of_text(random, json.dumps(random.choice(ANSWERS))).replace(b"\n", b" "))
        elif kind < 0.9:
            said.append(b"[" * random.choice((20, 600, 100_000)))
        else:
            said.append(b'{"number":0,"report":{"log":[' + b'"x",' * random.choice((10, 5000, 400_000)) + b'"x"]}}')
    return b"\n".join(said) + b"\n"


def children(rig, random, folder):
    """Runs a session with an isolated plugin that overwrites the shared memory, or writes invalid answers into the
    pipe of its process."""
    if rig.plugins is None:
        return
    (folder / "home").mkdir()
    (folder / "precious").mkdir()
    (folder / "precious" / "letter.txt").write_text("dear reader")
    guard = Guard(folder, rig.allowed)
    mode = random.choice((3, 3, 4, 4, 7, 7, 7, 0, 1, 2, 5, 6))
    (folder / "stdin.bin").write_bytes(lines(random))
    port = trackers.free_port()
    plugin = f"ears=urn:proscenium:planted:scribble,isolate=yes,mode={mode},after={random.choice((0, 1000, 20_000))}"
    running, line = control.begin(
        rig, ["run", "--quiet", "--layout", "stereo", "--hrtf", "generated", "--room", "none", "--control", port, "--name", f"fuzz{port}",
              "--plugin", plugin], folder, port,
        {"HOME": str(folder / "home"), "LV2_PATH": str(rig.plugins), "PROSCENIUM_CACHE": str(folder / "home" / "cache"),
         "SCRIBBLE_SEED": str(random.getrandbits(60) | 1), "SCRIBBLE_LINES": str(folder / "stdin.bin")})
    words = [b"plugin", b"plugin/scribble/about", b"status", b"plugin/scribble/restart", b"plugin/scribble/bypass"]
    try:
        begun = time.monotonic()
        while time.monotonic() - begun < 6:
            line.send(control.padded(b"/proscenium/" + random.choice(words)) + control.padded(","))
            time.sleep(0.05)
            line.drain()
            if running.poll():
                raise Finding(f"the session ended by itself ({running.status}): {running.last_words()}")
            if running.memory() > rig.memory:
                raise Finding(f"memory: {running.memory()} MB")
        if line.ask("status", 30) is None:
            raise Finding("hang: no answer within 30 s")
        running.end(25)
    finally:
        running.destroy()
    guard.judge()
