#!/usr/bin/python3
"""Measures a simulated person over JACK with `proscenium measure me`.

The person sits in a room that `proscenium run` plays: KEMAR in the generated studio, whose head turns by OSC. The
sweeps go to this room's inputs, its binaural output takes the place of the microphones, and the same tracker reports
the head's direction to the measurement. Checked: the measured room and ears agree with the true ones; a head that
moved, exchanged microphones and a missing one are named, and only that take is repeated; the level begins at -40 dBFS
and respects its limit; a measurement that was killed, interrupted, without space or without a server continues with the
missing looks. The panel of a measurement begins it, repeats and skips looks, and shows the plan, the head and each
verdict, by HTTP and in Chromium. Headphones whose drivers are wired to the microphones are measured as flat; exchanged
ones are named. Their panel does the same for the fits: one with a microphone that is unplugged is refused and repeated, one is
left out and one recorded again, in English and German and by keys; the result is shown. Both panels refuse invalid requests and
those of other pages. The person's name is refused if a set has it, is not known before the measurement is finished, and is
then a set, a room and headphones for `render`, `hrtf list` and a playing session, which continues to play if the folder
is removed.

usage: measure_me.py PROGRAM
"""
import contextlib
import json
import math
import os
import pathlib
import queue
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from browser import Chromium, pressing
from free_ports import free_ports
from listening import floatwav
from measure_responses import RATE, in_band, interaural, sixths, sofa, truth
from renderings import Program as Renderer
from takes import PATIENCE, Complaint, Program, Stage, enter, said_inside

#: Ports of the trackers of the room and of the measurement, and of the room's control.
TRACKER, MINE, CONTROL = free_ports(3)
#: Short sweeps, and the ports of the room.
SHORT = ["--layout", "stereo", "--seconds", "1", "--decay", "0.4"]
ROOM = ["--connect-out", "proscenium:in_FL,proscenium:in_FR", "--connect-in", "proscenium:out_L,proscenium:out_R"]


class Head:
    """A tracker that sends the head's yaw, 50 times a second; the head turns to `yaw` by up to `speed` degrees a second."""

    def __init__(self):
        self.yaw, self.speed, self.ends = 0.0, 50.0, False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        threading.Thread(target=self.send, daemon=True).start()

    def send(self):
        now = 0.0
        while not self.ends:
            now += max(-self.speed / 50, min(self.speed / 50, self.yaw - now))
            packet = b"/ypr\0\0\0\0,fff\0\0\0\0" + struct.pack(">fff", now, 0, 0)
            for port in (TRACKER, MINE):
                self.socket.sendto(packet, ("127.0.0.1", port))
            time.sleep(0.02)


class Me(Program):
    """`proscenium measure me` or `headphones`, whose messages are read as they come."""

    def __init__(self, program, folder, *words, what="me"):
        super().__init__([program, "measure", what, *words], folder, stdout=subprocess.PIPE)
        self.lines, self.said = queue.Queue(), []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stderr:
            self.lines.put(line.strip())
        self.lines.put(None)

    def until(self, words):
        """Returns the next message that contains these words."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(queue.Empty):
                line = self.lines.get(timeout=0.5)
                if line is None:
                    raise Complaint(f"'{words}' was not said before the end: {self.said}")
                self.said.append(line)
                if words in line:
                    return line
        raise Complaint(f"'{words}' was not said: {self.said}")

    def end(self):
        """Returns the exit status and the standard output."""
        answer = self.process.stdout.read()
        status = self.process.wait(timeout=PATIENCE)
        with contextlib.suppress(queue.Empty):
            while (line := self.lines.get(timeout=2)) is not None:
                self.said.append(line)
        return status, answer


def follow(me, head):
    """Turns the head to each requested look, until all takes are kept. Returns the prompts."""
    prompts = []
    while True:
        line = me.until("")
        if found := re.search(r"look (?:to the front|([\d.]+)° to the (left|right)) and keep", line):
            prompts.append(line)
            head.yaw = 0.0 if not found[1] else float(found[1]) * (1 if found[2] == "left" else -1)
        if "good:" in line and line.endswith("(3 of 3)"):
            return prompts


def whole(program, folder, head, said):
    """Checks three looks: in one the head moves, and before another the command is killed."""
    words = ["me", "--person", "tester", *SHORT, *ROOM, "--head", f"osc:{MINE}", "--wait", "0.5"]
    with Me(program, folder, *words) as me:
        me.until("put the microphones")
        me.until("good:")
        me.until("look 30° to the left and keep")
        head.yaw = 30.0
        # The head reaches the look, keeps still for a second, and turns again during the take.
        time.sleep(3.2)
        head.yaw, head.speed = 32.0, 4.0
        refused = me.until("refused:")
        moved = re.search(r"the head moved by ([\d.]+)°", refused)
        # The take may end, and its tracker's delay with it, while the head still turns.
        said["a head that moves by 2° is named"] = bool(moved and 1.0 <= float(moved[1]) <= 2.6), refused
        head.yaw, head.speed = 30.0, 50.0
        me.until("(2 of 3)")
        head.yaw = -30.0
        time.sleep(3.5)
        me.process.send_signal(signal.SIGKILL)
        me.process.wait()
    kept = sorted(path.name for path in (folder / "me").glob("*.wav"))
    said["killed in the third take: two are kept, and the name is not known"] = (
        kept == ["look_0.wav", "look_30.wav"] and not list((folder / "data").rglob("tester")), str(kept))
    head.yaw = 0.0
    with Me(program, folder, *words, "--json") as me:
        me.until("continued: 2 of 3")
        prompts = follow(me, head)
        status, answer = me.end()
    said["the same line goes on with the third"] = status == 0 and len(prompts) == 1 and "right" in prompts[0], f"{status} {me.said}"
    if status:
        raise Complaint(f"the measurement ended with {status}: {me.said}")
    report = json.loads(answer)
    said["no fault is left"] = not any(take["faults"] for take in report["takes"]), str([take["remarks"] for take in report["takes"]])


def judged(program, folder, said):
    """Compares the room with the true responses."""
    renderer = Renderer(program)
    measured, yaws = sofa(folder / "me/room.sofa")
    levels, delays = [], []
    for look, yaw in enumerate(yaws):
        true = truth(renderer, yaw)
        for place in range(2):
            found, wanted = measured[look][place], in_band(true[place])
            levels += [sixths(found[:, ear]) - sixths(wanted[:, ear]) for ear in range(2)]
            delays.append(abs(interaural(found) - interaural(wanted)))
    worst = float(np.max(np.abs(levels)))
    said["levels in sixths of an octave, 80 Hz to 16 kHz, within 0.5 dB"] = worst <= 0.5, f"{worst:.2f} dB"
    said["times between the ears within 5 µs"] = max(delays) <= 5, f"{max(delays):.1f} µs"
    said["the looks are those of the tracker"] = bool(np.allclose(np.sort(yaws), [-30, 0, 30], atol=0.3)), str(yaws)
    checked = subprocess.run([program, "sofa", "check", "me/room.sofa", "me/ears.sofa"], cwd=folder, capture_output=True, text=True)
    said["sofa check takes both"] = checked.returncode == 0, checked.stdout
    floatwav.write(folder / "in.wav", 0.05 * np.random.default_rng(2).standard_normal((RATE // 2, 2)), RATE)
    for option, file in (("--room", "me/room.sofa"), ("--hrtf", "me/ears.sofa")):
        line = [program, "render", "-y", "in.wav", "out.wav", "--layout", "stereo", option, file, "--yaw=15"]
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True)
        loud = np.sqrt(np.mean(floatwav.read(folder / "out.wav")[0] ** 2)) if done.returncode == 0 else 0
        said[f"{file} plays"] = bool(loud > 1e-4), f"{done.stderr.strip()[-200:]} {20 * math.log10(loud + 1e-9):.0f} dB"


def named(program, folder, said):
    """Checks the person and the headphones by their name: listed, played, changed in a session, and with a removed
    folder."""
    for name in ("kemar", "../tester"):
        run = subprocess.run([program, "measure", "me", "--person", name], cwd=folder, capture_output=True, text=True)
        said[f"no person may be called {name}"] = run.returncode == 2 and "--person" in run.stderr, run.stderr[-200:]
    run = subprocess.run([program, "hrtf", "list", "--json"], cwd=folder, capture_output=True, text=True, check=True)
    found = {each["name"]: each for each in json.loads(run.stdout)["people"]}.get("tester", {})
    looks = found.get("looks_deg", [])
    said["hrtf list shows the person with date, loudspeakers, looks, headphones and folder"] = (
        bool(found.get("date")) and found["loudspeakers"] == ["FL", "FR"] and len(looks) == 3 and np.allclose(looks, [-30, 0, 30], atol=0.3)
        and found["problem"] is None and bool(found["headphones"]) and os.path.samefile(found["folder"], folder / "me"), str(found))
    line = [program, "render", "-y", "in.wav", "named.wav", "--layout", "stereo", "--hrtf", "tester", "--room", "tester", "--headphone-eq",
            "tester"]
    floatwav.write(folder / "in.wav", 0.05 * np.random.default_rng(2).standard_normal((RATE // 2, 2)), RATE)
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True)
    said["the name is a set, a room and headphones for render"] = done.returncode == 0, done.stderr.strip()[-300:]

    def ctl(*words):
        return subprocess.run([program, "ctl", *words, "--port", str(CONTROL)], cwd=folder, capture_output=True, text=True)
    taken = [ctl("hrtf", name).returncode for name in ("tester", "kemar")]
    (folder / "me").rename(folder / "away")
    gone = ctl("hrtf", "tester")
    (folder / "away").rename(folder / "me")
    still = ctl("status").stdout
    said["a session takes the name, and plays on where the folder is gone"] = (
        taken == [0, 0] and gone.returncode != 0 and "put its folder back" in gone.stdout + gone.stderr and "KEMAR" in still,
        f"{taken} {gone.returncode} {(gone.stdout + gone.stderr)[-300:]} {still[:200]}")


def faults(program, folder, said):
    """Checks exchanged and missing microphones."""
    for name, ports, words in [("exchanged microphones", "proscenium:out_R,proscenium:out_L", "are exchanged"),
                               ("no microphone", None, "too quiet")]:
        ears = ["--connect-in", ports] if ports else []
        with Me(program, folder, f"bad-{name.split()[0]}", *SHORT, *ROOM[:2], *ears, "--looks", "0", "--wait", "0.1", "--tries",
                "0", "--max-level=-34") as me:
            status, _ = me.end()
        said[f"named: {name}"] = status == 1 and any(words in line for line in me.said), f"{status} {me.said[-2:]}"


def level(program, folder, said):
    """Checks the level with a noise at the ears: it rises, to its limit at most."""
    random = np.random.default_rng(1)
    floatwav.write(folder / "noise.wav", 0.0005 * random.standard_normal((10 * RATE, 2)), RATE)
    with Me(program, folder, "loud", *SHORT, *ROOM, "--looks", "0", "--wait", "3", "--max-level=-28") as me:
        me.until("put the microphones")
        player = [program, "demo", "play", "noise.wav", "--into", "proscenium-measure", "--loop"]
        with Program(player, folder, stderr=subprocess.DEVNULL):
            me.until("good:")
        status, _ = me.end()
    tried = [float(found[1]) for line in me.said if (found := re.match(r"level (-?\d+) dBFS:", line))]
    said["the level begins at -40 dBFS, rises over the noise and keeps its limit"] = (
        status == 0 and tried == [-40, -34, -28], f"{status} {tried} {me.said[-2:]}")


def full_disk(program, folder, head, said):
    """Checks a full disk at the second take: the first take stays, and with space the measurement continues."""
    small = folder / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", small], capture_output=True).returncode != 0:
        said["a full disk"] = None, "no file system of one's own may be mounted here"
        return
    try:
        words = ["small/me", *SHORT, *ROOM, "--looks", "0,30", "--wait", "1.5"]
        (small / "ballast").write_bytes(bytes(3 << 20))
        with Me(program, folder, *words) as me:
            me.until("look 30°")
            head.yaw = 30.0
            status, _ = me.end()
        kept = sorted(path.name for path in (small / "me").glob("*"))
        full = status == 3 and any("space" in line or "full" in line for line in me.said)
        (small / "ballast").unlink()
        with Me(program, folder, *words) as again:
            status, _ = again.end()
        said["a full disk: the first take stays, then it goes on"] = (
            full and kept == ["look_0.wav", "sweeps.json"] and status == 0 and any("continued: 1 of 2" in line for line in again.said),
            f"{kept} {me.said[-2:]} {status} {again.said[-2:]}")
    finally:
        subprocess.run(["umount", small], capture_output=True)


def interrupted(program, folder, said):
    """Checks Ctrl-C during a take, then a server that ends during one."""
    words = ["cut", *SHORT, *ROOM, "--looks", "0,30", "--wait", "0.5"]
    with Me(program, folder, *words) as me:
        me.until("(1 of 2)")
        me.until("look 30°")
        time.sleep(1.5)
        me.process.send_signal(signal.SIGINT)
        status, _ = me.end()
    said["Ctrl-C in a take"] = status == 130 and len(list((folder / "cut").glob("*.wav"))) == 1, f"{status} {me.said[-1:]}"
    with Me(program, folder, *words) as me:
        me.until("continued: 1 of 2")
        me.until("look 30°")
        time.sleep(1.5)
        os.kill(int(os.environ["JACK_SANDBOX_SERVER_PID"]), signal.SIGKILL)
        status, _ = me.end()
    kept = len(list((folder / "cut").glob("*.wav")))
    said["the server is gone in a take"] = (
        status == 3 and kept == 1 and any("server is gone" in line and "kept" in line for line in me.said), f"{status} {me.said[-1:]}")


class Page:
    """The panel of a measurement: its state and commands by HTTP, and its page in Chromium, if that is installed."""

    def __init__(self, port, browser):
        self.base, self.browser = f"http://127.0.0.1:{port}/", browser

    def state(self):
        """Returns the values of the measurement, by their addresses without `measurement/`."""
        answer = json.loads(urllib.request.urlopen(self.base + "state", timeout=PATIENCE).read())["state"]
        return {name.removeprefix("measurement/"): value for name, value in answer.items()}

    def until(self, **wanted):
        """Returns the state once it has these values."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                if all((state := self.state()).get(name) == value for name, value in wanted.items()):
                    return state
            time.sleep(0.05)
        raise Complaint(f"the state never was {wanted}: {self.state()}")

    def ask(self, address, **arguments):
        """Sends a command by HTTP. Returns the reason of a refusal; None if it is carried out."""
        body = json.dumps({"address": address, **arguments}).encode()
        try:
            urllib.request.urlopen(urllib.request.Request(self.base + "command", body), timeout=PATIENCE)
            return None
        except urllib.error.HTTPError as error:
            return json.loads(error.read())["refused"]

    def send(self, path="command", body=None, **headers):
        """Sends any request. Returns the status of its reply."""
        try:
            return urllib.request.urlopen(urllib.request.Request(self.base + path, body, headers), timeout=PATIENCE).status
        except urllib.error.HTTPError as error:
            return error.code

    def refuses(self):
        """Sends invalid requests, and those of other pages. Returns those that were not refused, and a changed state."""
        before, stop = self.state(), json.dumps({"address": "measure/stop"}).encode()
        found = {
            "another host": self.send(body=stop, Host="elsewhere.example") != 403,
            "another page": self.send(body=stop, Origin="http://elsewhere.example") != 403,
            "another file": self.send("../Package.swift") != 404, "another method": self.send("state", body=stop) != 405}
        for text in (b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"address": 1}', b'{"address": ""}', b"[" * 20_000,
                     b'{"address": "' + b"a" * 200_000 + b'"}', b'{"address": "measure/nothing"}',
                     b'{"address": "measurement/phase", "arguments": "done"}', b'{"address": "measure/begin", "arguments": [1, 2]}',
                     b'{"address": "measurement/fit/1/verdict", "arguments": "good"}', b'{"address": "measure/begin", "arguments": [1e999]}'):
            found[str(text[:60])] = self.send(body=text) != 400
        after = self.state()
        found["the state"] = any(before[name] != after.get(name) for name in ("phase", "begins", "folder"))
        return [name for name, is_accepted in found.items() if is_accepted]

    def press(self, name):
        """Presses a button of the page; without a browser its command is sent."""
        if not self.browser:
            return self.ask("measure/" + name)
        return self.browser.run("""
            const button = document.getElementById(given[0]), end = performance.now() + given[1];
            while (button.ariaDisabled !== 'false') {
              if (performance.now() > end) throw new Error(`${given[0]} cannot be pressed; ${document.body.innerText}`);
              await new Promise(done => setTimeout(done, 20));
            }
            button.click();""", name, 1000 * PATIENCE)

    def shows(self, selector, *words):
        """Waits until an element of the page has a text with these words."""
        if self.browser:
            self.browser.run("""
                const [selector, patience, ...words] = given, end = performance.now() + patience, text = () => document.querySelector(selector)?.textContent ?? '';
                while (!words.every(word => text().includes(word))) {
                  if (performance.now() > end) throw new Error(`${selector} says '${text()}', not ${words}`);
                  await new Promise(done => setTimeout(done, 20));
                }""", selector, 1000 * PATIENCE, *words)


def stop_by_panel(me, page, browser, subject, said):
    """Checks the end of a measurement by its panel, and that the page reported no error."""
    reason = page.ask("measure/stop")
    status, _ = me.end()
    said[f"a measurement{subject} that its panel ends"] = reason is None and status == 130, f"{reason} {status} {me.said[-2:]}"
    if browser:
        errors = [each for each in browser.errors() if "ERR_CONNECTION" not in each and "ERR_SOCKET" not in each]
        said[f"the page of a measurement{subject} has no complaint"] = not errors, str(errors[:3])


def panel(program, folder, head, said):
    """Checks a measurement by its panel: begun, a look left out, a take interrupted and repeated; and one that is
    ended."""
    port = free_ports(1)[0]
    words = ["panel", *SHORT, *ROOM, "--head", f"osc:{MINE}", "--panel", str(port)]
    has_browser = all(map(shutil.which, ("chromium", "chromedriver")))
    head.yaw = 0.0
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(Chromium(1280, 800)) if has_browser else None
        page = Page(port, browser)
        with Me(program, folder, *words) as me:
            me.until("panel: http")
            plan = page.until(phase="waiting", begins="on")
            said["the plan of a panel: loudspeakers and looks"] = (
                [plan["loudspeaker/1/name"], plan["loudspeaker/2/direction"], plan["look/2/yaw"], plan["look/3/verdict"]]
                == ["FL", [-30, 0], 30, "open"] and "look/4/yaw" not in plan, str(plan))
            refusals = [page.ask("measure/repeat"), page.ask("measure/skip"), page.ask("input/main/level", arguments=-6)]
            said["a panel refuses what is not possible, with the reason"] = (
                all(refusals) and "no take" in refusals[0] and "not a session" in refusals[2], str(refusals))
            accepted = page.refuses()
            said["a panel refuses invalid requests, and those of other pages"] = not accepted, str(accepted)
            if browser:
                browser.open(page.base)
            page.shows("#prompt", "press Begin")
            page.shows("#looks [data-look='3']", "30° right", "to do")
            page.press("begin")
            me.until("good:")
            me.until("look 30° to the left")
            page.shows("#prompt", "Turn the head to 30° left")
            page.shows("#yaw", "target +30.0°")
            page.shows("#looks [data-look='1']", "0°, front", "good")
            page.shows("#levels", "Sweep level", "dBFS", "Signal-to-noise ratio")
            page.press("skip")
            me.until("left out: the look at 30°")
            me.until("look 30° to the right")
            page.shows("#looks [data-look='2']", "skipped")
            head.yaw = -30.0
            sweeping = page.until(phase="sweeping", wanted=-30)
            said["a panel tells the time left and what can be done"] = (
                sweeping["left"] > 0 and sweeping["repeats"] == sweeping["skips"] == -30 and 0 < sweeping["progress"] < 1, str(sweeping))
            page.press("repeat")
            me.until("once more: the look at -30°")
            me.until("(2 of 3)")
            status, _ = me.end()
            page.shows("#prompt", "Measurement complete")
            page.shows("#looks [data-look='3']", "good")
            if browser:
                said["the page shows the end, and covers nothing then"] = not browser.run(
                    "await new Promise(done => setTimeout(done, 1500)); return document.getElementById('lost').open;"), ""
        kept = sorted(path.name for path in (folder / "panel").glob("*") if path.suffix in (".wav", ".sofa") and "_former" not in path.name)
        said[f"a measurement by its panel{', in Chromium' if browser else ', by HTTP'}"] = (
            status == 0 and kept == ["ears.sofa", "look_-30.wav", "look_0.wav", "room.sofa"], f"{status} {kept} {me.said[-3:]}")
        # The same command line would continue with the look that was left out; here the measurement is ended instead.
        with Me(program, folder, *words, "--overwrite") as me:
            me.until("panel: http")
            page.until(phase="waiting")
            page.ask("measure/begin")
            me.until("continued: 2 of 3")
            me.until("look 30° to the left")
            stop_by_panel(me, page, browser, "", said)
    head.yaw = 0.0


def headphones(program, folder, said):
    """Checks headphones simulated by connections from the drivers to the microphones, and exchanged ones."""
    words = ["measure", "headphones"]
    options = ["--seconds", "1", "--wait", "0.2", "--connect-out"]
    ears = [f"proscenium-measure:ear_{side}" for side in ("left", "right")]
    run = subprocess.run([program, *words, "phones", "--person", "tester", "--fits", "2", *options, ",".join(ears)], cwd=folder,
                         capture_output=True, text=True, timeout=PATIENCE)
    if run.returncode:
        raise Complaint(f"measure headphones ended with {run.returncode}: {run.stderr}")
    with h5py.File(folder / "phones/headphones.sofa") as file:
        responses, rate = file["Data.IR"][:], float(file["Data.SamplingRate"][0])
        convention = file.attrs["SOFAConventions"]
    hertz = np.fft.rfftfreq(1 << 16, 1 / rate)
    levels = 20 * np.log10(np.abs(np.fft.rfft(responses, 1 << 16)))[..., (hertz > 100) & (hertz < 16_000)]
    said["wired headphones are flat, 100 Hz to 16 kHz"] = (
        responses.shape[:2] == (2, 2) and convention in (b"SimpleHeadphoneIR", "SimpleHeadphoneIR") and np.abs(levels).max() < 0.1,
        f"{responses.shape}, {levels.min():.3f} to {levels.max():.3f} dB")
    info = subprocess.run([program, "headphones", "info", "phones/headphones.sofa"], cwd=folder, capture_output=True, text=True)
    said["their inverse is made"] = info.returncode == 0 and "2 refits" in info.stdout, info.stdout.splitlines()[:3] or info.stderr
    run = subprocess.run([program, *words, "turned", "--fits", "1", "--tries", "0", *options, ",".join(ears[::-1])], cwd=folder,
                         capture_output=True, text=True, timeout=PATIENCE)
    said["headphones the wrong way round are named"] = (
        run.returncode == 1 and "wrong way round" in run.stderr and not (folder / "turned/headphones.sofa").exists(), run.stderr[-200:])


def press_by_key(page, name):
    """Presses a button of the page by the key Enter, once it has an effect; without a browser its command is sent."""
    if not page.browser:
        return page.ask("measure/" + name)
    page.browser.run("""
        const button = document.getElementById(given[0]), end = performance.now() + given[1];
        while (button.ariaDisabled !== 'false') {
          if (performance.now() > end) throw new Error(`${given[0]} has no effect; ${document.body.innerText}`);
          await new Promise(done => setTimeout(done, 20));
        }
        button.focus();""", name, 1000 * PATIENCE)
    return page.browser.act(pressing("Enter"))


def speak(page, code):
    """Selects the language of the page."""
    if page.browser:
        page.browser.run("""
            const list = document.getElementById('language');
            list.value = given[0];
            list.dispatchEvent(new Event('change'));""", code)


def headphones_panel(program, folder, said):
    """Checks a measurement of headphones by its panel: a fit that is refused and repeated, one that is recorded again, one that
    is left out, the result, and a measurement that is ended."""
    port = free_ports(1)[0]
    mine, ears = "proscenium-measure", [f"proscenium-measure:ear_{side}" for side in ("left", "right")]
    words = ["worn", "--fits", "4", "--seconds", "1", "--connect-out", ",".join(ears), "--panel", str(port)]
    has_browser = all(map(shutil.which, ("chromium", "chromedriver")))
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(Chromium(1280, 800)) if has_browser else None
        page = Page(port, browser)
        with Me(program, folder, *words, what="headphones") as me:
            me.until("panel: http")
            plan = page.until(phase="waiting", begins="on", subject="headphones")
            said["the plan of the headphones' panel: fits alone"] = (
                [plan[f"fit/{number}/verdict"] for number in range(1, 5)] == ["open"] * 4 and plan["fit/4/number"] == 4
                and not any(name.startswith(("fit/5", "look/", "loudspeaker/", "layout")) for name in plan), str(plan))
            refusals = [page.ask("measure/repeat"), page.ask("measure/skip"), page.ask("input/main/level", arguments=-6)]
            said["the headphones' panel refuses what is not possible, with the reason"] = (
                all(refusals) and "no take" in refusals[0] and "no fit" in refusals[1] and "not a session" in refusals[2], str(refusals))
            accepted = page.refuses()
            said["the headphones' panel refuses invalid requests, and those of other pages"] = not accepted, str(accepted)
            if browser:
                browser.open(page.base)
            page.shows("#prompt", "headphones over them", "press Begin")
            page.shows("#looks-title", "Fits of the headphones")
            page.shows("#looks [data-look='4']", "Fit 4", "to do")
            if browser:
                said["the headphones' page draws no head"] = browser.run(
                    "return ['head', 'yaw'].every(id => document.getElementById(id).offsetParent === null);"), ""
            press_by_key(page, "begin")
            page.until(phase="turning", wanted=1)
            page.shows("#prompt", "Fit 1", "Wear the headphones")
            press_by_key(page, "begin")
            me.until("(1 of 4)")
            page.until(phase="turning", wanted=2)
            page.shows("#prompt", "Fit 2", "Take the headphones off")
            page.shows("#looks [data-look='1']", "good")
            page.shows("#levels", "Peak at the ears", "left", "right")
            subprocess.run(["jack_disconnect", f"{mine}:right", ears[1]], check=True, timeout=PATIENCE)
            press_by_key(page, "begin")
            me.until("refused:")
            refused = page.until(phase="turning", wanted=2, **{"fit/2/verdict": "refused"})
            said["an unplugged microphone: the refused fit, its reason, and the peak of each microphone"] = (
                refused["fit/2/faults"] == "wrong-channel" and "right driver" in refused["fit/2/reason"]
                and refused["peaks"][1] < refused["peaks"][0] - 60 and refused["peak"] == refused["peaks"][0], str(refused))
            page.shows("#prompt-more", "driver not heard")
            page.shows("#looks [data-look='2']", "to be repeated")
            speak(page, "de")
            page.shows("#looks [data-look='2']", "Sitz 2", "zu wiederholen", "Wandler nicht")
            page.shows("#prompt", "Sitz 2", "Nimm den Kopfhörer ab")
            page.shows("#looks-title", "Sitze des Kopfhörers")
            speak(page, "en")
            subprocess.run(["jack_connect", f"{mine}:right", ears[1]], check=True, timeout=PATIENCE)
            press_by_key(page, "begin")
            me.until("(2 of 4)")
            page.until(phase="turning", wanted=3, repeats=2, skips=3)
            press_by_key(page, "repeat")
            me.until("once more: fit 2")
            page.until(phase="turning", wanted=2)
            press_by_key(page, "begin")
            me.until("good:")
            page.until(phase="turning", wanted=3)
            press_by_key(page, "skip")
            me.until("left out: fit 3")
            page.until(phase="turning", wanted=4)
            page.shows("#looks [data-look='3']", "skipped")
            press_by_key(page, "begin")
            status, _ = me.end()
            page.shows("#prompt", "Measurement complete")
            page.shows("#prompt-more", "headphones.sofa is in")
            page.shows("#levels", "Deviation of the fits", "Largest boost of the inverse")
        kept = sorted(path.name for path in (folder / "worn").glob("*") if path.suffix in (".wav", ".sofa"))
        said[f"headphones by their panel{', in Chromium by keys' if browser else ', by HTTP'}"] = (
            status == 0 and kept == ["fit_1.wav", "fit_2.wav", "fit_2_former.wav", "fit_4.wav", "headphones.sofa"], f"{status} {kept} {me.said[-3:]}")
        with Me(program, folder, *words, "--overwrite", what="headphones") as me:
            me.until("panel: http")
            page.until(phase="waiting")
            page.ask("measure/begin")
            me.until("continued: 3 of 4")
            page.until(phase="turning", wanted=3)
            stop_by_panel(me, page, browser, " of headphones", said)


def perform(program, folder):
    head, said = Head(), {}
    # The person's name is known to this check alone.
    os.environ["XDG_DATA_HOME"] = str(folder / "data")
    room = [program, "run", "--quiet", "--layout", "stereo", "--hrtf", "kemar", "--room", "studio", "--limiter", "off", "--gain", "0",
            "--yaw-pull", "0", "--on-route-loss", "continue", "--head", f"osc:{TRACKER}", "--control", str(CONTROL)]
    with Program(room, folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        end = time.monotonic() + PATIENCE
        while "proscenium:in_FR" not in subprocess.run(["jack_lsp"], capture_output=True, text=True).stdout:
            if time.monotonic() > end:
                raise Complaint("the room does not play")
            time.sleep(0.1)
        whole(program, folder, head, said)
        head.yaw = 0.0
        faults(program, folder, said)
        level(program, folder, said)
        full_disk(program, folder, head, said)
        panel(program, folder, head, said)
        headphones(program, folder, said)
        headphones_panel(program, folder, said)
        named(program, folder, said)
        interrupted(program, folder, said)
    judged(program, folder, said)
    plain = {name: (good if good is None else bool(good), text) for name, (good, text) in said.items()}
    (folder / "said").write_text(json.dumps(plain))


def main(program):
    from takes import tally
    return tally("measure me", said_inside(__file__, program))


if __name__ == "__main__":
    enter(__doc__, main, perform)
