"""The targets of Package.swift, what each names as its dependencies, and which tests a change can reach."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "Package.swift"
#: Where the manifest's lists of targets begin.
HOUSE, TESTS, BENCHMARKS = "let house: [Target]", "let tests: [Target]", "let benchmarks: [Target]"


def targets(text):
    """`{target: [dependencies]}` of a list of targets in the manifest; system libraries have none."""
    found = {}
    for entry in re.split(r"\n    \.(?:target|executableTarget|testTarget|systemLibrary)\(", text)[1:]:
        said = re.search(r"dependencies: \[(.*?)\]", entry, re.DOTALL)
        products = re.findall(r'\.product\(name: "(\w+)"', said[1]) if said else []
        plain = re.sub(r"\.product\(.*?\)", "", said[1], flags=re.DOTALL) if said else ""
        found[re.search(r'name: "([\w-]+)"', entry)[1]] = re.findall(r'"([\w-]+)"', plain) + products
    return found


def lists():
    """The targets of the product, and those of the tests."""
    manifest = MANIFEST.read_text(encoding="utf-8")
    house, tests, benchmarks = (manifest.index(start) for start in (HOUSE, TESTS, BENCHMARKS))
    return targets(manifest[house:tests]), targets(manifest[tests:benchmarks])


def reached(changed):
    """`{target: steps}` of what a change of some targets can reach: 0 for themselves, 1 for what imports one of them, and so on.

    A fixture of the tests hands on a change of its own alone: what it is made of is proved elsewhere."""
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
