"""The targets of Package.swift, their dependencies, and the tests that a change can reach."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "Package.swift"
#: Beginnings of the manifest's lists of targets.
HOUSE, TESTS, BENCHMARKS = "let house: [Target]", "let tests: [Target]", "let benchmarks: [Target]"


def targets(text):
    """Returns `{target: [dependencies]}` of a list of targets in the manifest; system libraries have no
    dependencies."""
    found = {}
    for entry in re.split(r"\n    \.(?:target|executableTarget|testTarget|systemLibrary)\(", text)[1:]:
        said = re.search(r"dependencies: \[(.*?)\]", entry, re.DOTALL)
        products = re.findall(r'\.product\(name: "(\w+)"', said[1]) if said else []
        plain = re.sub(r"\.product\(.*?\)", "", said[1], flags=re.DOTALL) if said else ""
        found[re.search(r'name: "([\w-]+)"', entry)[1]] = re.findall(r'"([\w-]+)"', plain) + products
    return found


def lists():
    """Returns the targets of the product, and those of the tests."""
    manifest = MANIFEST.read_text(encoding="utf-8")
    house, tests, benchmarks = (manifest.index(start) for start in (HOUSE, TESTS, BENCHMARKS))
    return targets(manifest[house:tests]), targets(manifest[tests:benchmarks])


def reached(changed):
    """Returns `{target: steps}` for the targets that a change of `changed` can reach: 0 for themselves, 1 for their
    importers, and so on.

    A fixture of the tests passes on only a change of its own: its dependencies have their own tests."""
    house, tests = lists()
    steps, ahead = {name: 0 for name in changed}, list(changed)
    while ahead:
        name = ahead.pop(0)
        for above, below in sorted({**house, **tests}.items()):
            is_proved_elsewhere = above in tests and not above.endswith("Tests") and name in house
            if name in below and above not in steps and not is_proved_elsewhere:
                steps[above] = steps[name] + 1
                ahead.append(above)
    return steps
