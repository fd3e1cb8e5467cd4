"""Plugins for checks: those of Debian's packages by short names, and planted ones that misbehave, compiled from the sources that the
Swift tests have (Tests/PlantedPlugins/Effects)."""
import os
import pathlib
import shutil
import subprocess

EFFECTS = pathlib.Path(__file__).resolve().parent.parent.parent / "Tests/PlantedPlugins/Effects"
#: Where programs keep HRTF sets that are prepared.
SETS = pathlib.Path(os.environ.get("PROSCENIUM_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "proscenium")).joinpath("hrtf").resolve()
#: swh's limiter looks 240 frames ahead at 48 kHz, x42's 64.
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
    """The URI of a planted plugin."""
    return f"urn:proscenium:planted:{name}"


def plant(folder, name, *controls):
    """Makes the bundle of a plugin of one channel in `folder`: `controls` are (symbol, least, first, most)."""
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
    """A folder for what programs find out and keep: of plugins anew, so that nothing of a check stays behind; HRTF sets, which take a second
    and a half each, are those that this user's programs keep anyway."""
    SETS.mkdir(parents=True, exist_ok=True)
    folder.mkdir()
    (folder / "hrtf").symlink_to(SETS)
    return str(folder)


def use(program, folder, planted=None):
    """Has programs started from now on keep what they know of plugins in `folder`, and find those in `planted` beside the system's;
    what there is is found out once, so that no session must."""
    os.environ["PROSCENIUM_CACHE"] = cache(pathlib.Path(folder) / "cache")
    if planted:
        others = os.environ.get("LV2_PATH", "/usr/local/lib/lv2:/usr/lib/lv2")
        os.environ["LV2_PATH"] = f"{planted}:{others}"
    subprocess.run([program, "plugin", "list"], check=True, stdout=subprocess.DEVNULL)
