#!/usr/bin/env python3
"""Tests the panel in real browsers, on a session on a JACK server: every control and every command makes a round trip
through the page; the wizard finds a tracker's mounting; an incoming pose is sent and drawn; the page reconnects after
an end of the session; it requests nothing from elsewhere and logs no errors; axe finds no barrier; and nothing is cut
off or overlaps on screens from a phone to a wall. Delays depend on this computer and are printed.

usage: panel.py PROGRAM (PROSCENIUM_PANEL_PART=page, layout or operations: only
that part; PROSCENIUM_SCREENSHOTS=FOLDER)
"""
import json
import math
import os
import pathlib
import shutil
import signal
import sys
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from browser import Chromium, Firefox
from free_ports import free_ports
import panel_calibration
import panel_commands
import panel_sections
from panel_looks import barriers, screens
from takes import PATIENCE, Complaint, Stage, enter, said_inside, tally

ROOT = HERE.parents[1]
PACKAGES = ROOT / ".build/venv"
if (PACKAGES / "packages").exists() and pathlib.Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin/python", [str(PACKAGES / "bin/python"), *sys.argv])

PORT, WEB, TRACKER = (str(port) for port in free_ports(3))
#: Greatest size of the page with all its files, bytes.
MOST = 300_000
OPTIONS = ["--panel", WEB, "--head", f"udp:{TRACKER}", "--input", "music=stereo", "--room", "studio", "--reference-input", "on",
           "--talkback-input", "on", "--fresh", "--hrtf", "generated"]

#: Script for the page: moves a control as a user would, and waits until the value in force and the value shown are the
#: requested one.
MOVE = """
const [address, patience] = given;
const { made } = await import('/sections.js');
const session = panel.session, element = () => document.querySelector(`[data-address="${CSS.escape(address)}"]`);
const one = element();
if (!one) return { missing: true };
const value = () => JSON.stringify(session.value(address));
const before = value();
const tell = (input, kinds) => kinds.forEach(kind => input.dispatchEvent(new Event(kind, { bubbles: true })));
let began, shown;
if (one.matches('button[role="switch"]')) {
  began = performance.now();
  one.click();
  shown = () => (element().getAttribute('aria-checked') === 'true') === (session.value(address) === 'on');
} else if (one.querySelector('input[type="radio"]')) {
  const other = [...one.querySelectorAll('input[type="radio"]')].find(each => !each.checked);
  if (!other) throw new Error(`${address}: nothing else to choose`);
  began = performance.now();
  other.click();
  shown = () => element().querySelector('input:checked')?.value === session.value(address);
} else if (one.querySelector('select')) {
  const list = one.querySelector('select');
  const other = [...list.options].find(each => each.value !== session.value(address));
  began = performance.now();
  list.value = other.value;
  tell(list, ['change']);
  shown = () => element().querySelector('select').value === session.value(address);
} else if (one.querySelector('input[type="range"]')) {
  const slide = one.querySelector('input[type="range"]');
  const [low, high] = [Number(slide.min), Number(slide.max)], isLevel = slide.dataset.taper === 'audio';
  const wish = low + (slide.valueAsNumber - low > (high - low) / 2 ? 0.3 : 0.7) * (high - low);
  began = performance.now();
  slide.value = wish;
  tell(slide, ['input', 'change']);
  shown = () => {
    const now = element(), value = [session.value(address)].flat()[0] ?? 0;
    return Math.abs(Number(now.querySelector('input[type="number"]').value) - value) <= 0.01
      && (isLevel || Math.abs(now.querySelector('input[type="range"]').valueAsNumber - value) <= Number(slide.step));
  };
} else return { other: true };
while (value() === before || !shown()) {
  const refused = document.getElementById('complaint').textContent;
  if (refused && value() === before) return { refused, before, now: value(), shown: shown() };
  if (performance.now() - began > patience) return { refused: document.getElementById('complaint').textContent, before, now: value(), shown: shown() };
  await new Promise(done => setTimeout(done, 1));
}
return { milliseconds: performance.now() - began, before, now: value() };
"""
#: Values that rebuild the stage, which takes time, and values that add or remove many others: moved last, or in another
#: part.
BUILT = {"layout", "hrtf", "room-name", "angles", "processing", "slice", "gain", "lfe-gain", "limiter", "room-early", "room-tail", "room-level",
         "scene", "abx", "print-bus", "ambisonics"}


def url(rest=""):
    return f"http://127.0.0.1:{WEB}/{rest}"


def ready(browser, base=None, what="layout"):
    """Opens the page, of another session at `base`, and waits until it shows the session."""
    browser.open(base or url())
    browser.run("""
        const end = performance.now() + given[1] * 1000;
        while (!window.panel || !panel.session.values.has(given[0]) || !document.querySelector('[data-address="monitor-level"]') || !panel.picture.inputs.length) {
          if (performance.now() > end) throw new Error('the page does not show the session');
          await new Promise(done => setTimeout(done, 50));
        }""", what, PATIENCE)


def files():
    """Returns the files of the page and their sizes."""
    page = urllib.request.urlopen(urllib.request.Request(url(), headers={"Accept": "text/html"}), timeout=PATIENCE)
    policy, text = page.headers["Content-Security-Policy"], page.read()
    size = len(text)
    for source in sorted((ROOT / "Sources/CPanel/site").iterdir()):
        if source.name != "index.html":
            size += len(urllib.request.urlopen(url(source.name), timeout=PATIENCE).read())
    if "default-src 'none'" not in (policy or "") or size > MOST:
        raise Complaint(f"{size} bytes; policy {policy}")
    # A client that does not request a page is answered as by any web interface.
    if "CONTENTS" not in json.loads(urllib.request.urlopen(url(), timeout=PATIENCE).read()):
        raise Complaint("no OSC Query at / for a client that asks for no page")
    try:
        urllib.request.urlopen(urllib.request.Request(url(), headers={"Accept": "text/html", "Host": "elsewhere.example"}), timeout=PATIENCE)
        raise Complaint("the page is served under any name")
    except urllib.error.HTTPError as error:
        if error.code != 403:
            raise Complaint(f"a strange name is answered with {error.code}") from None
    return f"{size / 1000:.0f} kB in all (at most {MOST // 1000})"


def controls(browser):
    """Moves every control of the page to another value and back."""
    addresses = browser.run("return [...document.querySelectorAll('[data-address]')].map(each => each.dataset.address)")
    values = json.loads(urllib.request.urlopen(url("state"), timeout=PATIENCE).read())["state"]
    # Values that are read-only or set by a command have no control; all others must have one.
    tree = json.loads(urllib.request.urlopen(url("proscenium"), timeout=PATIENCE).read())

    def settable(node):
        if node.get("ACCESS") == 3:
            yield node["FULL_PATH"].removeprefix("/proscenium/")
        for below in node.get("CONTENTS", {}).values():
            yield from settable(below)

    missing = [each for each in settable(tree) if each not in addresses and each != "record"]
    if missing:
        raise Complaint(f"no control for {', '.join(missing)}")
    delays, failures, moved, refusals = [], [], 0, 0
    for address in addresses:
        if address in BUILT or address not in values:
            continue
        found = browser.run(MOVE, address, 1000 * PATIENCE)
        if "milliseconds" in found:
            moved += 1
            delays.append(found["milliseconds"])
        elif found.get("refused") and found["shown"]:
            # A value that this session cannot take is refused with a message, and the control returns to its former
            # position.
            refusals += 1
        elif "other" not in found:
            failures.append(f"{address} {found}")
            break
    if failures:
        raise Complaint("; ".join(failures[:4]))
    delays.sort()
    return f"{moved} controls there and back, {refusals} refused in words, half of them in {delays[len(delays) // 2]:.0f} ms, 95 of 100 in {delays[len(delays) * 95 // 100]:.0f} ms"


def built(browser):
    """Sets values that rebuild the stage, through the page: each is reported when the new stage plays."""
    for address in ("layout", "room-tail", "slice"):
        wish = {"layout": "7.1", "room-tail": "shared", "slice": "128"}[address]
        browser.run("""
            const [address, wish, patience] = given;
            const one = document.querySelector(`[data-address="${address}"]`), end = performance.now() + patience;
            const radio = one.querySelector(`input[value="${wish}"]`), text = one.querySelector('input[type="text"], select');
            if (radio) radio.click();
            else { text.focus(); text.value = wish; text.dispatchEvent(new Event('change', { bubbles: true })); }
            while (panel.session.value(address) !== wish) {
              if (performance.now() > end) throw new Error(`${address} ${wish}: ${document.getElementById('complaint').textContent}`);
              await new Promise(done => setTimeout(done, 20));
            }""", address, wish, 1000 * PATIENCE)
    names = browser.run("""
        const end = performance.now() + given[0];
        const drawn = () => panel.view.drawn.filter(each => each.input === 'main').map(each => each.loudspeaker.name);
        while (drawn().length !== 8) {
          if (performance.now() > end) throw new Error(`drawn: ${drawn()}`);
          await new Promise(done => setTimeout(done, 20));
        }
        return drawn();""", 1000 * PATIENCE)
    return f"layout, slice and the room's tail chosen; drawn: {', '.join(sorted(names))}"


class Swinging(panel_calibration.Wearer):
    """A head that swings from side to side."""

    def pose(self):
        return (60 * math.sin(0.8 * time.monotonic()), 0, 0)


def pose(browser):
    """Sends poses to the tracker's port and waits for them in the page's messages and drawing."""
    with Swinging(TRACKER):
        found = browser.run("""
            const end = performance.now() + 1000 * given[0];
            while (!panel.poses.pose.some(angle => Math.abs(angle) > 5)) {
              if (performance.now() > end) throw new Error('no pose comes');
              await new Promise(done => setTimeout(done, 20));
            }
            const told = [], drawn = [];
            let last = 0;
            const take = ({ detail }) => told.push([performance.timeOrigin + performance.now(), detail.pose[0]]);
            panel.session.addEventListener('pose', take);
            const since = performance.now();
            const frames = [];
            await new Promise(done => requestAnimationFrame(function frame(now) {
              frames.push(now);
              if (panel.poseAt !== last) { last = panel.poseAt; drawn.push(now - panel.poseAt); }
              performance.now() - since < 2000 ? requestAnimationFrame(frame) : done();
            }));
            panel.session.removeEventListener('pose', take);
            return { told: told.length, frames: frames.length, frame: (frames.at(-1) - frames[0]) / (frames.length - 1),
                     drawn: drawn.sort((a, b) => a - b), shown: document.getElementById('pose').textContent };""", PATIENCE)
    if found["told"] < 50 or not found["drawn"]:
        raise Complaint(f"{found['told']} poses told in 2 s, {len(found['drawn'])} drawn")
    late = found["drawn"][len(found["drawn"]) * 99 // 100]
    if found["drawn"][len(found["drawn"]) // 2] > 2 * found["frame"]:
        raise Complaint(f"poses wait {found['drawn'][len(found['drawn']) // 2]:.0f} ms for their pictures, which come every {found['frame']:.0f} ms")
    return (f"{found['told'] / 2:.0f} poses per second told, {found['frames'] / 2:.0f} pictures; a pose waits {late:.0f} ms at most "
            f"(99 of 100) for its picture, a picture every {found['frame']:.0f} ms; '{found['shown']}'")


def german(browser):
    """Checks that controls have German tooltips: for every parameter and every command of the program, and for all
    elements of the page."""
    missing = browser.run("""
        const list = document.getElementById('language'), words = given[0];
        const [{ german }, { english: own }, { isCommand }] = [await import('/german.js'), await import('/english.js'), await import('/commands.js')], { help } = german;
        const rows = [...panel.session.nodes].filter(([address, node]) => node.DESCRIPTION && !address.includes('/') && node.ACCESS >= 2 && !isCommand(node)).map(([address]) => address);
        const missing = [...new Set([...rows, ...words])].filter(each => !help[each] && each !== 'watch');
        // A label that English lacks is made of the parameter's name.
        for (const [kind, of, beside] of [['words', own, german], ['words', german, own], ['labels', own, german]])
          missing.push(...Object.keys(of[kind]).filter(each => !(each in beside[kind])).map(each => `${kind}: ${each}`));
        const stale = Object.keys(help).filter(each => !rows.includes(each) && !words.includes(each));
        list.value = 'de';
        list.dispatchEvent(new Event('change'));
        await new Promise(done => setTimeout(done, 300));
        const controls = [...document.querySelectorAll('[data-address], button[data-command], button[data-does]')].filter(each => !each.closest('[data-plugin]'));
        const english = controls.filter(each => !each.title || [...panel.session.nodes.values()].some(({ DESCRIPTION }) => DESCRIPTION === each.title) || Object.values(own.help).includes(each.title))
          .map(each => each.dataset.address ?? each.dataset.command ?? each.dataset.does);
        list.value = 'en';
        list.dispatchEvent(new Event('change'));
        await new Promise(done => setTimeout(done, 300));
        return { missing, stale, english, rows: rows.length, controls: controls.length };""", panel_commands.table(url()))
    if missing["missing"] or missing["stale"] or missing["english"]:
        raise Complaint(f"no German for {missing['missing']}; for nothing {missing['stale']}; English over {missing['english'][:8]}")
    return f"{missing['rows']} parameters and all commands, over {missing['controls']} controls"


def quiet(browser, asked, errors):
    """Checks the page's requests and its logged errors."""
    own = (url(), f"ws://127.0.0.1:{WEB}/", "data:", "about:", "chrome:", "chrome-untrusted:", "chrome-extension:", "devtools:")
    elsewhere = [each for each in asked if not each.startswith(own)]
    if elsewhere or errors:
        raise Complaint(f"asked elsewhere: {elsewhere[:3]}; complaints: {errors[:3]}")
    return f"{len(asked)} requests, all of its own session; no complaint"


def returns(browser, program, folder, stage):
    """Kills the session and restarts it with another layout: the page shows the new one without reloading."""
    os.kill(stage.process.pid, signal.SIGKILL)
    stage.process.wait()
    browser.run("""
        const end = performance.now() + 1000 * given[0];
        while (!document.getElementById('lost').open) {
          if (performance.now() > end) throw new Error('the page does not say that the session is gone');
          await new Promise(done => setTimeout(done, 20));
        }""", PATIENCE)
    with Stage(program, folder, PORT, "again", *OPTIONS, "--connect-out", "system:playback_{1,2}", layout="7.1.4") as other:
        end = time.monotonic() + PATIENCE
        while True:
            if other.process.poll() is not None:
                raise Complaint(f"the session ended: {other.process.stderr.read()[-400:]}")
            try:
                urllib.request.urlopen(url("state"), timeout=1)
                break
            except OSError:
                if time.monotonic() > end:
                    raise Complaint("the session does not come back") from None
                time.sleep(0.01)
        opened = time.time() * 1000
        back = browser.run("""
            const end = performance.now() + 1000 * given[0];
            while (!panel.session.isOpen) {
              if (performance.now() > end) throw new Error('the page does not find back');
              await new Promise(done => setTimeout(done, 5));
            }
            return performance.timeOrigin + performance.now();""", PATIENCE)
        browser.run("""
            const end = performance.now() + 2000 * given[0];
            while (panel.view.drawn.filter(each => each.input === 'main').length !== 12 || !document.getElementById('link').hidden || document.getElementById('lost').open) {
              if (performance.now() > end) throw new Error(`drawn: ${panel.view.drawn.map(each => each.loudspeaker.name)}`);
              await new Promise(done => setTimeout(done, 20));
            }""", PATIENCE)
    return f"back {max(0, back - opened) / 1000:.2f} s after the door opened, with the other layout's 12 loudspeakers"


def fox(folder):
    """Opens the page in Firefox: it shows the session, and a control moves to another value and
    back, a section is chosen by its tab."""
    with Firefox() as browser:
        ready(browser)
        found = browser.run(MOVE, "monitor-level", 1000 * PATIENCE)
        if "milliseconds" not in found:
            raise Complaint(f"monitor-level: {found}")
        hidden = browser.run("""
            document.getElementById('tab-inputs').click();
            await new Promise(done => setTimeout(done, 200));
            const one = document.querySelector('[data-address="input/main/level"]'), box = one.getBoundingClientRect();
            return [...document.querySelectorAll('#rest > [data-tab]')].filter(each => each.checkVisibility()).map(each => each.id).join() === 'inputs'
              && box.width > 100 && box.right <= innerWidth && getComputedStyle(one.querySelector('.scale')).position === 'relative' ? '' : one.outerHTML;""")
        if hidden:
            raise Complaint(f"the section of the inputs is not shown: {hidden[:200]}")
        if shots := os.environ.get("PROSCENIUM_SCREENSHOTS"):
            browser.picture(pathlib.Path(shots) / "panel-firefox.png")
        drawn = browser.run("""
            const end = performance.now() + 1000 * given[0];
            while (!panel.view.drawn.length) {
              if (performance.now() > end) throw new Error('nothing is drawn');
              await new Promise(done => setTimeout(done, 20));
            }
            return panel.view.drawn.length;""", PATIENCE)
        quiet(browser, browser.requests(), browser.errors())
    return f"{drawn} loudspeakers drawn, a fader there and back in {found['milliseconds']:.0f} ms, no complaint"


def page(program, folder, judge):
    """Tests the page itself, on one session."""
    with Stage(program, folder, PORT, "take", *OPTIONS) as stage:
        stage.status
        stage.ctl("start")
        judge("files", files)
        with Chromium() as browser:
            ready(browser)
            asked, errors = browser.requests(), browser.errors()
            judge("pose", pose, browser)
            judge("screens", screens, browser)
            judge("German", german, browser)
            judge("barriers", barriers, browser)
            judge("controls", controls, browser)
            judge("built", built, browser)
            asked, errors = asked + browser.requests(), errors + browser.errors()
            judge("quiet", quiet, browser, asked, errors)
            if shutil.which("firefox-esr"):
                judge("Firefox", fox, folder)
            judge("returns", returns, browser, program, folder, stage)


def calmly(browser, base=None, what="layout"):
    """Does the same as `ready`, with the page limited to twenty pictures a second: the rate is judged elsewhere, and
    the full rate would take half a core."""
    ready(browser, base, what)
    browser.run("window.requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 50);")


def operations(program, folder, judge):
    """Tests every command and the wizard, each on separate sessions."""
    with Chromium() as browser:
        judge("commands", panel_commands.check, browser, program, folder, calmly)
        judge("calibration", panel_calibration.check, browser, program, folder, calmly)
        # Expected errors: sessions ended, and one requires a token; the browser logs both.
        errors = [each for each in browser.errors() if not any(word in each for word in ("ERR_CONNECTION", "ERR_SOCKET_NOT_CONNECTED", "401", "Authentication"))]
        judge("quiet beside", lambda: "no complaint" if not errors else fail(f"complaints: {errors[:3]}"))


def layout(program, folder, judge):
    """Tests how the page is laid out and operated, on a session with two inputs and three plugins."""
    panel_commands.use(program, folder)
    with Chromium() as browser:
        panel_sections.check(browser, program, folder, ready, judge)


def fail(what):
    raise Complaint(what)


PARTS = {part.__name__: part for part in (page, layout, operations)}
#: Variable with the part for this sandbox.
PART = "PROSCENIUM_PANEL_PART"


def perform(program, folder):
    """Runs one part inside a sandbox. Returns an error, or None."""
    said = {}

    def judge(name, part, *arguments):
        try:
            found = part(*arguments)
            said[name] = found if isinstance(found, tuple) else \
                [None if found is None else True, found or "the package axe-core-python is not there (Scripts/python-env)"]
        except Complaint as complaint:
            said[name] = [False, str(complaint)]

    try:
        PARTS[os.environ[PART]](program, folder, judge)
    except (Complaint, RuntimeError, OSError) as complaint:
        return str(complaint)
    (folder / "said").write_text(json.dumps(said))
    return None


def outcomes(program):
    for part in os.environ.get(PART, " ".join(PARTS)).split():
        os.environ[PART] = part
        yield from said_inside(__file__, program)


def main(program):
    if not shutil.which("chromedriver") or not shutil.which("chromium"):
        return tally("panel", [("all", None, "chromium and chromium-driver are not there (make setup)")])
    return tally("panel", outcomes(program))


if __name__ == "__main__":
    enter(__doc__, main, perform)
