"""Tests that the check of stored properties finds a class that has too many, and counts what is stored."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[1] / "check-properties"
#: Twelve stored properties in the forms that the sources have.
TWELVE = """
/// let no = comment
package final class Planted {
    let first: Int
    package private(set) var second: [String: Int] = [:]
    private let third = PlanarBlock(channels: 2, frames: 4096), fourth: Dictionary<String, Int>
    @Lock(\\.one) private var fifth: (Int, Int) -> Void
    let (sixth, _) = (6, "let, var {")
    lazy var seventh: Int = {
        let inside = 7
        return inside
    }()
    var eighth: Int { didSet { look() } }
    var ninth = 9 {
        willSet { look() }
    }
    private var tenth: Int {
        didSet { look() }
    }
    weak var eleventh: Planted?
    let twelfth: Int,
        NAMES
    static let ofType = 1
    class var ofClass: Int { 1 }
    var computed: Int { first }
    private var alsoComputed: Int {
        get { second.count }
        set { look() }
    }

    struct Part {
        let a = 1, b = 2, c = 3
    }

    func look() {
        let local = 1
        _ = local
    }
}
"""


class Properties(unittest.TestCase):
    def check(self, text):
        """Returns exit status and output of the check of a folder with one file."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "Planted.swift").write_text(text, encoding="utf-8")
            run = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True, check=False)
            return run.returncode, run.stdout

    def test_twelve_stored_properties_pass(self):
        self.assertEqual(self.check(TWELVE.replace(",\n        NAMES", ""))[0], 0)

    def test_the_thirteenth_is_found(self):
        for kind in ("class", "actor"):
            status, said = self.check(TWELVE.replace("NAMES", "thirteenth: Int").replace("final class", kind))
            self.assertEqual(status, 1)
            self.assertIn(f"Planted.swift:3: {kind} Planted has 13 stored properties", said)

    def test_a_structure_may_have_more(self):
        self.assertEqual(self.check(TWELVE.replace("NAMES", "thirteenth: Int").replace("final class", "struct"))[0], 0)


if __name__ == "__main__":
    unittest.main()
