"""Tests the panel's wizard with a simulated wearer: four movements through the page's own controls find the mounting of
a tracker. An unusable movement is reported and repeated. The result is put in force and stored. Without a tracker the
wizard is refused with a message."""
import json
import math
import os
import pathlib
import socket
import threading
import time

from panel_looks import barriers, screens
from takes import PATIENCE, Complaint, Stage


def product(a, b):
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    return (aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw)


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    return (math.cos(half), *(math.sin(half) * each for each in axis))


def rotation(yaw, pitch, roll):
    """Returns Rz(yaw)·Ry(−pitch)·Rx(roll): left, up, right ear down, degrees."""
    return product(product(turn((0, 0, 1), yaw), turn((0, -1, 0), pitch)), turn((1, 0, 0), roll))


class Wearer:
    """Sends the orientations of a fused tracker mounted on a head by `mounting`, 100 times per second, while its block
    runs."""
    #: Extreme pose of the head in each movement, which returns from it.
    MOVES = {"still": (0, 0, 0), "left": (45, 0, 0), "up": (0, 35, 0), "right": (0, 0, 30)}

    def __init__(self, port, mounting=(0, 0, 0)):
        self.port, self.mounting = int(port), rotation(*mounting)
        self.rest, self.moving, self.began, self.shake = (0, 0, 0), None, 0.0, 0.0
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.send, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.end.set()
        self.thread.join()

    def move(self, step):
        """Starts a movement: out and back within 2.5 s, after half a second."""
        self.began, self.moving = time.monotonic(), step

    def pose(self):
        if self.shake:
            return tuple(self.shake * math.sin(5 * time.monotonic() + axis) for axis in range(3))
        if self.moving is None:
            return self.rest
        share = min(1, max(0, (time.monotonic() - self.began - 0.5) / 2.5))
        out = (1 - math.cos(2 * math.pi * share)) / 2
        return tuple(rest + out * angle for rest, angle in zip(self.rest, self.MOVES[self.moving]))

    def send(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            number = 0
            while not self.end.wait(0.01):
                number += 1
                w, x, y, z = product(rotation(*self.pose()), self.mounting)
                sender.sendto(f"quat,{number},{number * 10_000_000},{w:.7f},{x:.7f},{y:.7f},{z:.7f}".encode(), ("127.0.0.1", self.port))


#: Script for the page: waits for a state of the calibration.
WAIT = """
const [facts, patience] = given;
const end = performance.now() + patience;
const holds = () => Object.entries(facts).every(([name, wish]) => panel.session.value(`calibration/${name}`) === (wish ?? undefined));
while (!holds()) {
  if (performance.now() > end) throw new Error(`not ${JSON.stringify(facts)}: ${document.getElementById('calibration').innerText}`);
  await new Promise(done => setTimeout(done, 10));
}
"""
PRESS = """
const one = document.getElementById(given[0]), section = one.closest('[data-tab]');
if (section?.hidden) document.getElementById(`tab-${section.dataset.tab}`).click();
if (!one.checkVisibility() || one.disabled) throw new Error(`${given[0]} cannot be pressed`);
one.click();
"""


def wait(browser, **facts):
    browser.run(WAIT, facts, 1000 * PATIENCE)


def press(browser, name):
    browser.run(PRESS, name)


def step(browser, wearer, name, isLast=False):
    """Makes one movement when the wizard requests it; checks that the page shows its progress."""
    wait(browser, step=name, phase="waits")
    press(browser, "calibration-step-now")
    wait(browser, step=name, phase="moves")
    wearer.move(name)
    shown = browser.run("""
        const bar = document.getElementById('calibration-progress'), seen = new Set();
        while (panel.session.value('calibration/phase') === 'moves') {
          seen.add(bar.value);
          await new Promise(done => setTimeout(done, 50));
        }
        return seen.size;""")
    wearer.moving = None
    if shown < 5:
        raise Complaint(f"{name}: the progress showed {shown} places")


def check(browser, program, folder, ready):
    """Runs the whole calibration. Returns the result as text."""
    from free_ports import free_ports
    folder = pathlib.Path(folder) / "calibration"
    folder.mkdir()
    mounting = (20, -35, 50)
    port, web, tracker, bare = free_ports(4)
    base = f"http://127.0.0.1:{web}/"
    options = ["--hrtf", "generated", "--fresh"]
    with Stage(program, folder, port, "worn", "--panel", str(web), "--head", f"udp:{tracker},id=worn", "--name", "worn", *options) as stage, \
            Wearer(tracker, mounting) as wearer:
        stage.status
        ready(browser, base)
        press(browser, "calibrate")
        # Each movement begins when this check says so; panel_tasks.py lets them follow by themselves.
        press(browser, "calibration-flows")
        press(browser, "calibration-start")
        # The wearer moves: the wizard reports it and repeats the step.
        wearer.shake = 12
        wait(browser, step="still", phase="waits")
        press(browser, "calibration-step-now")
        wait(browser, step="still", phase="moves")
        wait(browser, step="still", phase="waits")
        refusal = browser.run("return document.getElementById('calibration-refusal').textContent")
        if "still" not in refusal:
            raise Complaint(f"a restless head is told '{refusal}'")
        wearer.shake = 0
        for name in wearer.MOVES:
            step(browser, wearer, name)
            if name == "left":
                # Looks at the wizard in mid-calibration.
                open_looks = [screens(browser, "calibration"), barriers(browser)]
        wait(browser, phase="found")
        found = browser.run("return { mounting: panel.session.value('calibration/mounting'), misfit: panel.session.value('calibration/misfit'),"
                            " shown: document.getElementById('calibration').innerText }")
        off = max(abs((a - b + 180) % 360 - 180) for a, b in zip(found["mounting"], mounting))
        if off > 2 or found["misfit"] > 2 or "good" not in found["shown"]:
            raise Complaint(f"found {found}, the tracker sits {mounting}")
        press(browser, "calibration-accept")
        wait(browser, of=None)
        browser.run("document.querySelector('[data-command=\"recentre/full\"]').click(); await new Promise(done => setTimeout(done, 1500));")
        wearer.rest = (25, 10, -5)
        seen = browser.run("""
            const end = performance.now() + given[1];
            while (panel.poses.pose.some((angle, axis) => Math.abs(angle - given[0][axis]) > 2)) {
              if (performance.now() > end) throw new Error(`the head is shown at ${panel.poses.pose}, it looks to ${given[0]}`);
              await new Promise(done => setTimeout(done, 20));
            }
            return panel.poses.pose.map(angle => angle.toFixed(1)).join('/');""", wearer.rest, 1000 * PATIENCE)
        kept = json.loads((pathlib.Path(os.environ["XDG_STATE_HOME"]) / "proscenium/trackers.json").read_text())["trackers"]["worn"]
        if len(kept["mounting"]) != 4:
            raise Complaint(f"remembered: {kept}")
        # A calibration that is started and cancelled changes nothing.
        press(browser, "calibrate")
        press(browser, "calibration-start")
        wait(browser, of="head", step="still", phase="waits")
        press(browser, "calibration-cancel")
        wait(browser, of=None)
    with Stage(program, folder, port, "bare", "--panel", str(bare), "--name", "bare", *options) as stage:
        stage.status
        ready(browser, f"http://127.0.0.1:{bare}/")
        press(browser, "calibrate")
        press(browser, "calibration-start")
        refused = browser.run("""
            const end = performance.now() + given[0];
            while (!document.getElementById('calibration-refusal').textContent) {
              if (performance.now() > end) throw new Error('nothing is said');
              await new Promise(done => setTimeout(done, 20));
            }
            return document.getElementById('calibration-refusal').textContent;""", 1000 * PATIENCE)
        if "--head" not in refused:
            raise Complaint(f"without a tracker: '{refused}'")
    return f"{off:.1f}° off where the tracker sits {mounting}, misfit {found['misfit']}°; a head at {wearer.rest} is shown at {seen}; refused without a tracker; open: {'; '.join(each or 'axe is not there' for each in open_looks)}"
