"""Scripts/setup on a machine that is made for each test: only its programs are on the PATH."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Programs of Debian's essential packages that the scripts call.
ESSENTIAL = ["awk", "bash", "cat", "chmod", "dirname", "env", "grep", "mktemp", "paste", "rm", "sed", "tail", "touch"]
LISTED = [line.split() for line in (ROOT / "Scripts/setup-packages").read_text().splitlines() if line and line[0] != "#"]

#: Answers as apt 2.6 does to --assume-no, notes each call, and with rights makes programs: `$BIN/../brings` says which.
APT = """#!/bin/bash
echo "apt-get $*" >>"$NOTES"
case " $* " in
    *" update "*) touch "$BIN/../updated"; exit 0 ;;
    *" --assume-no "*)
        [ -e "$BIN/../updated" ] || [ -z "$OLD_LISTS" ] || { echo "E: Unable to locate package jackd2"; exit 100; }
        echo '0 upgraded, 96 newly installed, 0 to remove and 8 not upgraded.'
        echo 'Need to get 1,024 kB/77.1 MB of archives.'
        echo 'After this operation, 464 MB of additional disk space will be used.'
        exit 1 ;;
esac
for name in $BRINGS; do printf '#!/bin/bash\\n' >"$BIN/$name"; chmod +x "$BIN/$name"; done
"""


class Machine:
    """Programs in a folder; `lacks`: signs of the list that are not found. Modules, plugins and files of the list count as
    found; `listed`: another list."""

    def __init__(self, test, lacks, root=False, sudo=None, apt=True, python="", listed=None):
        folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, folder)
        self.bin, self.notes, self.scripts = (pathlib.Path(folder, name) for name in ("bin", "notes", "Scripts"))
        self.bin.mkdir()
        self.scripts.mkdir()
        shutil.copy(ROOT / "Scripts/setup", self.scripts)
        text = (ROOT / "Scripts/setup-packages").read_text()
        (self.scripts / "setup-packages").write_text(listed or re.sub(r"\b(py|lv2|file):\S+", "file:/", text))
        # In place of the environment for Python: what it would fetch, and a note of each call.
        self.program("../Scripts/python-env", f'echo "python-env $*" >>"$NOTES"; [ "$1" != --needs ] || echo -n "{python}"')
        self.notes.touch()
        for name in ESSENTIAL:
            (self.bin / name).symlink_to(shutil.which(name))
        for _, _, signs in LISTED:
            for sign in signs.split(","):
                if sign.startswith("run:") and sign not in lacks:
                    self.program(sign[4:], "exit 0")
        self.program("swift", "exit 0")
        self.program("id", f"echo {0 if root else 1000}")
        lacking = "|".join(sign[3:] for sign in lacks if sign.startswith("pc:")) or "none"
        if "run:pkg-config" not in lacks:
            self.program("pkg-config", f"case $2 in {lacking}) exit 1 ;; esac")
        if sudo is not None:
            self.program("sudo", f'echo "sudo $*" >>"$NOTES"; case $1 in -n) {sudo} || exit 1; shift ;; -v) {sudo}; exit ;; esac; "$@"')
        if apt:
            (self.bin / "apt-get").write_text(APT)
            (self.bin / "apt-get").chmod(0o755)
            self.program("apt-cache", "exit 0")

    def program(self, name, body):
        (self.bin / name).write_text(f"#!/bin/bash\n{body}\n")
        (self.bin / name).chmod(0o755)

    def setup(self, use, brings="", old="", stdin=subprocess.DEVNULL):
        done = subprocess.run(
            ["/bin/bash", self.scripts / "setup", use], capture_output=True, text=True, stdin=stdin, timeout=60,
            env={"PATH": str(self.bin), "HOME": str(self.bin), "BIN": str(self.bin), "NOTES": str(self.notes), "BRINGS": brings,
                 "OLD_LISTS": old})
        self.calls = self.notes.read_text().splitlines()
        return done.returncode, done.stdout, done.stderr


class Setup(unittest.TestCase):
    def test_where_all_is_there_it_says_nothing_and_asks_for_no_rights(self):
        machine = Machine(self, lacks=[], sudo="exit 1")
        for use in ("build", "demo"):
            self.assertEqual(machine.setup(use), (0, "", ""))
        self.assertFalse([call for call in machine.calls if call != "sudo -n true"])
        self.assertEqual(machine.setup("test"), (0, "setup: everything is installed.\n", ""))

    def test_what_only_tests_use_is_not_the_demos_matter(self):
        machine = Machine(self, lacks=["run:tmux", "run:ffmpeg", "run:espeak-ng", "pc:libebur128"], sudo="exit 1")
        self.assertEqual(machine.setup("demo"), (0, "", ""))
        code, _, complaint = machine.setup("test")
        self.assertEqual(code, 3)
        self.assertIn("sudo apt-get install --no-install-recommends libebur128-dev ffmpeg espeak-ng tmux\n", complaint)

    def test_the_renderer_to_compare_with_is_worth_no_password(self):
        machine = Machine(self, lacks=["run:ssr-binaural"], sudo="exit 1")
        self.assertEqual(machine.setup("demo"), (0, "", ""))
        machine = Machine(self, lacks=["run:ssr-binaural"], root=True)
        code, said, _ = machine.setup("demo", brings="ssr-binaural")
        self.assertEqual(code, 0)
        self.assertIn("soundscaperenderer-nox", said)

    def test_packages_of_python_are_announced_and_installed_with_those_of_debian(self):
        machine = Machine(self, lacks=["run:tmux"], root=True, python="PyPI gives two (20 MB)")
        code, said, complaint = machine.setup("test", brings="tmux")
        self.assertEqual((code, complaint), (0, ""))
        self.assertTrue(said.splitlines()[1].endswith("464 MB on disk. Then PyPI gives two (20 MB)"))
        self.assertEqual(machine.calls[-1], "python-env --quiet")
        machine = Machine(self, lacks=[], python="PyPI gives two (20 MB)")
        self.assertEqual(machine.setup("test"), (0, "setup: PyPI gives two (20 MB)\n", ""))
        self.assertEqual(machine.setup("demo"), (0, "", ""))
        self.assertEqual(machine.calls, ["python-env --needs", "python-env --quiet"])

    def test_what_tests_can_do_without_is_a_line_to_type(self):
        machine = Machine(self, lacks=["run:chromium", "run:ssr-binaural"], sudo="exit 1")
        code, said, complaint = machine.setup("test")
        self.assertEqual((code, complaint), (0, ""))
        self.assertIn("sudo apt-get install --no-install-recommends soundscaperenderer-nox chromium\n", said)

    def test_what_apt_does_not_have_is_left_out(self):
        machine = Machine(self, lacks=["run:chromium", "run:ffmpeg"], root=True)
        machine.program("apt-cache", "[ $2 != chromium ]")
        code, said, complaint = machine.setup("test", brings="ffmpeg")
        self.assertEqual((code, complaint), (0, ""))
        self.assertIn("not here: ffmpeg\n", said)

    def test_the_password_is_asked_for_once_after_the_figures(self):
        machine = Machine(self, lacks=["run:jackd"], sudo="[ $1 = -v ]")
        controller, terminal = os.openpty()
        self.addCleanup(os.close, controller)
        self.addCleanup(os.close, terminal)
        code, said, _ = machine.setup("demo", brings="jackd", stdin=terminal)
        self.assertEqual(code, 0)
        asked = [call for call in machine.calls if call.startswith("sudo -v")]
        self.assertEqual(len(asked), 1)
        self.assertLess(said.index("77.1 MB"), said.index("asks for your password"))
        # A refusal is one line to type, and no second question.
        machine = Machine(self, lacks=["run:jackd"], sudo="exit 1")
        code, _, complaint = machine.setup("demo", stdin=terminal)
        self.assertEqual(code, 3)
        self.assertTrue(complaint.endswith("\n  apt-get install --no-install-recommends jackd2\n"))

    def test_names_and_sizes_come_before_the_installation(self):
        machine = Machine(self, lacks=["run:jackd", "pc:soxr"], root=True)
        code, said, _ = machine.setup("demo", brings="jackd")
        # Nothing brings the library, which is told after the installation.
        self.assertEqual(code, 3)
        first, second = said.splitlines()[:2]
        self.assertEqual(first, "setup: make demo needs Debian packages that are not here: libsoxr-dev jackd2")
        self.assertEqual(second, "setup: with those that they need, apt installs 96, fetches 77.1 MB and takes 464 MB on disk.")
        self.assertRegex(machine.calls[0], "--assume-no")
        self.assertRegex(machine.calls[1], r"install -y --no-install-recommends libsoxr-dev jackd2$")

    def test_it_ends_well_once_the_signs_are_found(self):
        machine = Machine(self, lacks=["run:jackd"], sudo="exit 0")
        code, said, complaint = machine.setup("demo", brings="jackd")
        self.assertEqual((code, complaint), (0, ""))
        self.assertTrue(said.endswith("setup: done.\n"))
        self.assertTrue(any(call.startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y") for call in machine.calls))

    def test_old_lists_are_fetched_anew_before_the_figures(self):
        machine = Machine(self, lacks=["run:jackd"], root=True)
        code, said, _ = machine.setup("demo", brings="jackd", old="yes")
        self.assertEqual(code, 0)
        self.assertEqual([re.sub(r"^apt-get .*?(update|--assume-no|install -y).*", r"\1", call) for call in machine.calls],
                         ["--assume-no", "update", "--assume-no", "install -y"])

    def test_without_rights_one_line_says_what_to_type(self):
        for sudo, prefix in ((None, ""), ("exit 1", "sudo ")):
            machine = Machine(self, lacks=["run:jackd"], sudo=sudo)
            code, said, complaint = machine.setup("demo")
            self.assertEqual((code, said), (3, ""))
            self.assertEqual(complaint.splitlines()[1:], [f"  {prefix}apt-get install --no-install-recommends jackd2"])
            self.assertFalse([call for call in machine.calls if "install" in call])

    def test_another_system_is_told_what_is_looked_for(self):
        machine = Machine(self, lacks=["run:jackd", "pc:soxr"], root=True, apt=False)
        code, _, complaint = machine.setup("demo")
        self.assertEqual(code, 3)
        self.assertIn("libsoxr-dev by pc:soxr;jackd2 by run:jackd,run:jack_lsp", complaint)

    def test_modules_plugins_and_files_are_found_where_they_are(self):
        machine = Machine(self, lacks=[], listed="build a py:json\nbuild b py:no_such_module\nbuild c lv2:mine.lv2\n"
                          f"build d lv2:other-{os.getpid()}.lv2\nbuild e file:/proc/self\nbuild f file:/proc/none,run:swift\n")
        (machine.bin / ".lv2/mine.lv2").mkdir(parents=True)
        code, _, complaint = machine.setup("build")
        self.assertEqual(code, 3)
        self.assertTrue(complaint.endswith("--no-install-recommends b d f\n"))

    def test_make_test_sets_up_before_it_needs_python(self):
        machine = Machine(self, lacks=["run:python3"])
        (machine.bin / "make").unlink()
        (machine.bin / "make").symlink_to(shutil.which("make"))
        for name in ("setup", "where-time-goes", "outcome"):
            path = f"../Scripts/{name}"
            machine.program(path, f'echo "{name} $1 $(type -p python3)" >>"$NOTES"\n'
                            + (f'touch {machine.bin}/python3; chmod +x {machine.bin}/python3' if name == "setup" else ""))
        shutil.copy(ROOT / "Makefile", machine.scripts.parent)
        run = subprocess.run([machine.bin / "make", "test"], cwd=machine.scripts.parent, capture_output=True, text=True,
                             env={"PATH": str(machine.bin), "NOTES": str(machine.notes)})
        self.assertEqual(run.returncode, 0, run.stderr)
        notes = machine.notes.read_text().splitlines()
        self.assertEqual(notes[0], "setup test ")
        self.assertTrue(all(line.endswith("/python3") for line in notes[1:]) and len(notes) > 3, notes)

    def test_an_unknown_word_and_a_missing_toolchain_are_refused(self):
        machine = Machine(self, lacks=[])
        self.assertEqual(machine.setup("everything")[0], 2)
        (machine.bin / "swift").unlink()
        code, _, complaint = machine.setup("demo")
        self.assertEqual(code, 3)
        self.assertIn("swift.org/install", complaint)


if __name__ == "__main__":
    unittest.main()
