"""Tests that a sandbox without a namespace avoids the name of a server that libjack takes for active."""
import pathlib
import shutil
import subprocess
import unittest

SANDBOX = pathlib.Path(__file__).resolve().parents[1] / "jack-sandbox"
INSIDE = f"""
jackd -n sandbox-$(id -u)-1 -r -d dummy >/dev/null 2>&1 &
for _ in $(seq 100); do JACK_DEFAULT_SERVER=sandbox-$(id -u)-1 jack_lsp >/dev/null 2>&1 && break; sleep .1; done
'{SANDBOX}' --shared sh -c 'echo "name $JACK_DEFAULT_SERVER"; jack_lsp'
"""


@unittest.skipUnless(shutil.which("jackd") and shutil.which("jack_lsp"), "jackd is not installed")
class JackSandbox(unittest.TestCase):
    def test_the_next_name_is_taken(self):
        run = subprocess.run([SANDBOX, "sh", "-c", INSIDE], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"name sandbox-\d+-2\n")
        self.assertIn("system:playback_2", run.stdout)


if __name__ == "__main__":
    unittest.main()
