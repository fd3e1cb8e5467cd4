"""The packages of each use, held against what that use imports, runs and links."""

import ast
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts"))
from package_graph import lists

FOLDERS = [ROOT / "Scripts/demo", ROOT / "Scripts", ROOT / "Scripts/listening"]
#: Where the demonstration begins: `demo bus`, and `demo bus --live`.
BEGINNINGS = ["bus.py", "bus_live.py"]
#: Programs of Debian's essential packages.
ESSENTIAL = {"chrt", "env", "mount", "unshare", "flock", "setsid", "timeout"}


def rows():
    """Returns (use, package, signs) of each line of the list."""
    text = (ROOT / "Scripts/setup-packages").read_text()
    found = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return [(use, package, signs.split(",")) for use, package, signs in found]


def signs(*uses, kind):
    return {sign[len(kind) + 1:] for use, _, all_signs in rows() if use in uses for sign in all_signs if sign.startswith(kind + ":")}


class Script:
    """What a Python script imports and starts, and the scripts of the house among it."""

    def __init__(self, path):
        self.tree = ast.parse(path.read_text())
        self.modules, self.programs, self.optional, self.scripts = set(), set(), set(), set()
        # Names bound to a text.
        self.texts = {
            target.id: node.value.value for node in ast.walk(self.tree) if isinstance(node, ast.Assign) and
            isinstance(node.value, ast.Constant) for target in node.targets if isinstance(target, ast.Name)}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                self.modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                self.modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.ImportFrom):
                self.modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.Call):
                self.call(node)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                self.scripts |= set(re.findall(r"^/?(\w+\.py)$", node.value))

    def call(self, node):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if not node.args:
            return
        first = node.args[0].elts[0] if isinstance(node.args[0], ast.List) and node.args[0].elts else node.args[0]
        said = self.texts.get(first.id) if isinstance(first, ast.Name) else getattr(first, "value", None)
        if isinstance(said, str) and name == "which":
            self.optional.add(said)
        elif isinstance(said, str) and name in ("run", "start", "Popen"):
            self.programs.add(said)


def demonstration():
    """Returns modules of other packages, programs that it starts, and those without which it goes on."""
    modules, programs, optional, done, ahead = set(), set(), set(), set(), list(BEGINNINGS)
    while ahead:
        name = ahead.pop()
        path = next((folder / name for folder in FOLDERS if (folder / name).exists()), None)
        if name in done or path is None:
            continue
        done.add(name)
        script = Script(path)
        programs |= script.programs
        optional |= script.optional
        ahead += script.scripts
        for module in script.modules:
            parts = module.split(".")
            ahead += [f"{part}.py" for part in parts]
            is_house = any((folder / f"{parts[0]}.py").exists() or (folder / parts[0]).is_dir() for folder in FOLDERS)
            if parts[0] not in sys.stdlib_module_names and not is_house:
                modules.add(parts[0])
    return modules, programs, optional, done


def libraries(targets, names):
    """Returns the Debian packages that the manifest names for the system libraries below `names`."""
    manifest = (ROOT / "Package.swift").read_text()
    wanted, ahead = set(), list(names)
    while ahead:
        name = ahead.pop()
        if name not in wanted:
            wanted.add(name)
            ahead += targets.get(name, [])
    found = re.findall(r'systemLibrary\(\s*name: "(\w+)".*?pkgConfig: "([\w-]+)".*?apt\(\["([\w.+-]+)"\]\)', manifest, re.DOTALL)
    return {(package, f"pc:{sign}") for name, sign, package in found if name in wanted}


class Packages(unittest.TestCase):
    def test_the_walk_reaches_all_scripts_of_the_ride(self):
        done = demonstration()[3]
        self.assertLessEqual({"bus_ride.py", "judge.py", "make_scene.py", "send_imu.py", "peer_ssr.py", "kemar.py", "live_page.py"}, done)

    def test_the_demo_has_the_modules_that_its_scripts_import_and_no_others(self):
        self.assertEqual(demonstration()[0], signs("build", "demo", kind="py"))

    def test_the_program_looks_for_the_modules_that_set_up_installs(self):
        swift = (ROOT / "Sources/proscenium/Demo/DemoCommand.swift").read_text()
        said = re.search(r'"import ([\w, ]+)"', swift)[1].split(", ")
        self.assertEqual(set(said), signs("demo", kind="py"))

    def test_the_demo_has_the_programs_that_its_scripts_start(self):
        _, programs, optional, _ = demonstration()
        sandbox = (ROOT / "Scripts/jack-sandbox").read_text()
        programs |= set(re.findall(r"\b(jackd|jack_\w+)\b(?= (?:is not|\"\$|>))", sandbox))
        self.assertLessEqual({"jackd", "jack_lsp"}, programs)
        needed = {name for name in programs if "/" not in name} - ESSENTIAL - optional
        self.assertLessEqual(needed, signs("build", "demo", kind="run"))

    def test_the_demo_installs_no_program_that_it_never_starts(self):
        _, programs, optional, _ = demonstration()
        used = programs | optional | {"jackd", "jack_lsp", "python3"}
        self.assertLessEqual(signs("demo", "demo?", kind="run"), used)

    def test_programs_that_the_demo_can_do_without_are_not_insisted_on(self):
        optional = demonstration()[2]
        self.assertIn("ssr-binaural", optional)
        self.assertFalse((optional - {"jack_rec"}) & signs("build", "demo", kind="run"))

    def test_browsers_video_speech_and_servers_for_tests_are_not_of_the_demo(self):
        early = {package for use, package, _ in rows() if use.rstrip("?") in ("build", "demo")}
        late = {package for use, package, _ in rows() if use.rstrip("?") == "test"}
        self.assertLessEqual({"chromium", "firefox-esr", "ffmpeg", "espeak-ng", "librsvg2-bin", "pipewire"}, late)
        self.assertFalse(early & late)

    def test_the_build_has_the_libraries_of_the_program_and_the_tests_the_rest(self):
        house, tests = lists()
        product = libraries(house, ["proscenium"])
        self.assertGreater(len(product), 6)
        listed = {(package, sign) for use, package, all_signs in rows() if use == "build" for sign in all_signs if sign.startswith("pc:")}
        # Its headers come with those of lilv; CPlugins includes them by itself.
        self.assertEqual(product, listed - {("lv2-dev", "pc:lv2")})
        further = {(package, sign) for use, package, all_signs in rows() if use == "test" for sign in all_signs if sign.startswith("pc:")}
        self.assertEqual(libraries({**house, **tests}, tests) - product, further)

    def test_the_debian_package_recommends_what_the_demo_needs(self):
        said = re.search(r"^Recommends: (.*)$", (ROOT / "Scripts/deb").read_text(), re.MULTILINE)[1].split(", ")
        # The program itself opens this library where it exists, for media keys.
        opened = {"libsystemd0"}
        self.assertEqual(set(said) - opened | {"python3"}, {package for use, package, _ in rows() if use == "demo"})


if __name__ == "__main__":
    unittest.main()
