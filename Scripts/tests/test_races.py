"""Tests that the check of types that are `@unchecked Sendable` finds one without a proof against races."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[1] / "check-races"
PROOF = """
// Forgotten is named in a comment alone.
let ring = Ring(minimumCapacity: 64), text = "Forgotten"
"""
PROVED = """
/// `@unchecked Sendable` in a comment does not count.
package struct Ring<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    let words = "@unchecked Sendable"
}
"""


class Races(unittest.TestCase):
    def check(self, text):
        """Returns exit status and output of the check of one source beside a proof."""
        with tempfile.TemporaryDirectory() as folder:
            sources, proof = pathlib.Path(folder) / "Sources", pathlib.Path(folder) / "Proof"
            (sources / "Signal").mkdir(parents=True)
            proof.mkdir()
            (sources / "Signal/Planted.swift").write_text(text, encoding="utf-8")
            (proof / "main.swift").write_text(PROOF, encoding="utf-8")
            run = subprocess.run([sys.executable, CHECK, sources, proof], capture_output=True, text=True, check=False)
            return run.returncode, run.stdout

    def test_a_type_with_a_proof_passes(self):
        status, said = self.check(PROVED)
        self.assertEqual((status, said), (0, "races: 1 types are @unchecked Sendable, each with a proof or a reason.\n"))

    def test_a_planted_type_is_found(self):
        for planted in ("package struct Forgotten: @unchecked Sendable {", "final class Forgotten: Base, @unchecked Sendable {",
                        "extension Forgotten: @unchecked Sendable {", "package struct Forgotten<Value>:\n    @unchecked Sendable\n{"):
            status, said = self.check(f"{PROVED}\n{planted}\n}}\n")
            self.assertEqual(status, 1, planted)
            self.assertIn("Signal/Planted.swift:7: Forgotten is @unchecked Sendable and not in Proof", said)

    def test_a_type_within_another_is_named_with_it(self):
        status, said = self.check("final class Outer: Sendable {\n    private struct Inner: @unchecked Sendable {}\n}\n")
        self.assertEqual(status, 1)
        self.assertIn("Signal/Planted.swift:2: Outer.Inner is", said)


if __name__ == "__main__":
    unittest.main()
