"""Plugins for checks: Debian's by short names, and faulty ones, compiled from the sources of the Swift tests
(Tests/PlantedPlugins/Effects)."""
import os
import pathlib
import shutil
import subprocess

EFFECTS = pathlib.Path(__file__).resolve().parent.parent.parent / "Tests/PlantedPlugins/Effects"
#: Folder in which programs keep prepared HRTF sets.
SETS = pathlib.Path(os.environ.get("PROSCENIUM_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "proscenium")).joinpath("hrtf").resolve()
#: Look-ahead limiters: swh's has a latency of 240 frames at 48 kHz, x42's of 64.
AHEAD, DPL = "http://plugin.org.uk/swh-plugins/fastLookaheadLimiter", "http://gareus.org/oss/lv2/dpl#stereo"
AMP, SAMPLER, PARAMS = (f"http://lv2plug.in/plugins/eg-{name}" for name in ("amp", "sampler", "params"))
CONVOLVER = "http://gareus.org/oss/lv2/zeroconvolv#CfgStereo"
PARAMETRIC = "http://plugin.org.uk/swh-plugins/singlePara"

MANIFEST = """@prefix lv2: <http://lv2plug.in/ns/lv2core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<{uri}> a lv2:Plugin ; lv2:binary <{name}.so> ; rdfs:seeAlso <plugin.ttl> .
"""
TURTLE = """@prefix lv2: <http://lv2plug.in/ns/lv2core#> .
@prefix doap: <http://usefulinc.com/ns/doap#> .
<{uri}> a lv2:Plugin ; doap:name "Planted {name}" ;
    doap:license <https://www.apache.org/licenses/LICENSE-2.0> ; lv2:port {ports} .
"""
AUDIO = """[ a lv2:AudioPort , lv2:{kind}Port ; lv2:index {index} ; lv2:symbol "{symbol}" ; lv2:name "{symbol}" ]"""
CONTROL = """[ a lv2:ControlPort , lv2:InputPort ; lv2:index {index} ; lv2:symbol "{symbol}" ; lv2:name "{symbol}" ;
    lv2:default {first} ; lv2:minimum {least} ; lv2:maximum {most} ]"""


def uri(name):
    """Returns the URI of a planted plugin."""
    return f"urn:proscenium:planted:{name}"


def plant(folder, name, *controls):
    """Creates the bundle of a plugin of one channel in `folder`: `controls` are (symbol, least, default, most)."""
    bundle = pathlib.Path(folder) / f"{name}.lv2"
    bundle.mkdir(parents=True)
    ports = [AUDIO.format(kind="Input", index=0, symbol="in"), AUDIO.format(kind="Output", index=1, symbol="out")]
    ports += [CONTROL.format(index=2 + n, symbol=symbol, least=least, first=first, most=most)
              for n, (symbol, least, first, most) in enumerate(controls)]
    (bundle / "manifest.ttl").write_text(MANIFEST.format(uri=uri(name), name=name))
    (bundle / "plugin.ttl").write_text(TURTLE.format(uri=uri(name), name=name, ports=" , ".join(ports)))
    compiler = shutil.which("clang") or shutil.which("cc")
    subprocess.run([compiler, "-std=c11", "-shared", "-fPIC", "-fvisibility=hidden", "-O2", f'-DPLANTED_URI="{uri(name)}"', "-o",
                    bundle / f"{name}.so", EFFECTS / f"{name}.c", "-lm"], check=True)


def cache(folder):
    """Returns a cache folder: empty for plugins, so that no data of a check remain; with this user's HRTF sets, which
    take a second and a half each to prepare."""
    SETS.mkdir(parents=True, exist_ok=True)
    folder.mkdir()
    (folder / "hrtf").symlink_to(SETS)
    return str(folder)


def use(program, folder, planted=None):
    """Makes later programs cache plugin data in `folder` and search `planted` beside the system's plugins; scans all
    plugins once, so that no session must."""
    os.environ["PROSCENIUM_CACHE"] = cache(pathlib.Path(folder) / "cache")
    if planted:
        others = os.environ.get("LV2_PATH", "/usr/local/lib/lv2:/usr/lib/lv2")
        os.environ["LV2_PATH"] = f"{planted}:{others}"
    subprocess.run([program, "plugin", "list"], check=True, stdout=subprocess.DEVNULL)
