#!/usr/bin/env python3
"""Does what the panel is opened for in Chromium and Firefox, with a real mouse in at most six clicks each, and in Chromium
with the keyboard alone: an equaliser found by its name, a band set, bypassed, the chains saved; a second scene and a blind
comparison; a recording with a marker; a tracker's mounting calibrated; the centre soloed, by the mouse on the stage itself.

usage: panel_tasks.py PROGRAM (PROSCENIUM_TASKS=chromium or firefox: only that browser)
"""
import json
import os
import pathlib
import shutil
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from browser import Chromium, Firefox, pressing
from free_ports import free_ports
from panel_calibration import Wearer
from portplay import Surface
from takes import PATIENCE, Complaint, Stage, enter, said_inside, tally

PACKAGES = HERE.parents[1] / ".build/venv"
if (PACKAGES / "packages").exists() and pathlib.Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin/python", [str(PACKAGES / "bin/python"), *sys.argv])

#: An equaliser of three bands; the words that are typed to find it; the symbol of a band.
EQUALISER, NAME, BAND = "http://plugin.org.uk/swh-plugins/dj_eq", "DJ EQ", "mid"
#: Greatest number of clicks of a task; presses of Tab until an element is reached, after which it counts as unreachable.
CLICKS, TABS = 6, 400
BROWSERS = {"chromium": Chromium, "firefox": Firefox}
#: Variable with the browser for this sandbox.
CHOSEN = "PROSCENIUM_TASKS"

#: Script for the page: waits until an element can be used, and brings it into view, as a wheel would.
PLACE = """
const [selector, patience, scrolls] = given, end = performance.now() + patience;
let one;
while (!(one = document.querySelector(selector)) || !one.checkVisibility() || one.disabled) {
  if (performance.now() > end) throw new Error(`${selector} ${one ? 'cannot be used' : 'is not there'}; ${document.getElementById('complaint').textContent}`);
  await new Promise(done => setTimeout(done, 10));
}
if (scrolls) one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
// A person aims at what stands still.
const placed = () => document.querySelector(selector)?.getBoundingClientRect() ?? one.getBoundingClientRect();
let box = placed(), former;
do {
  former = box;
  await new Promise(done => setTimeout(done, 50));
  box = placed();
} while (['left', 'top', 'width', 'height'].some(each => box[each] !== former[each]) && performance.now() < end);
window.struck = false;
window.addEventListener('click', event => { window.struck ||= event.composedPath().some(each => each.matches?.(selector)); },
  { capture: true, once: true });
return { x: box.left, y: box.top, width: box.width, height: box.height };
"""
#: Clicks of a task that may miss, because the page moved between the look at it and the click.
MISSES = 2
#: Whether an element, or a field within it, has the focus.
FOCUSED = """
const one = document.querySelector(given[0]);
return one === document.activeElement || Boolean(one?.contains(document.activeElement)) && document.activeElement.matches('input, select, button');
"""


class Hand:
    """Actions of a person at the page."""

    def __init__(self, browser):
        self.browser, self.clicks, self.pressed, self.missed = browser, 0, 0, 0

    def type(self, text):
        """Types into the element with the focus; a line feed is Enter."""
        names = ["Enter" if letter == "\n" else letter for letter in text]
        self.pressed += len(names)
        self.browser.act(pressing(*names))

    def until(self, what, condition, *arguments):
        """Waits until a condition in the page is true, and returns its value."""
        return self.browser.run(f"""
            const [patience, ...given_] = given, end = performance.now() + patience, value = address => panel.session.value(address);
            let found;
            while (!(found = ({condition}))) {{
              if (performance.now() > end) throw new Error(`never {what}; ${{document.getElementById('complaint').textContent}}`);
              await new Promise(done => setTimeout(done, 10));
            }}
            return found;""", 1000 * PATIENCE, *arguments)


class Mouse(Hand):
    """A mouse; the keyboard types names alone."""
    name = "mouse"

    def press(self, selector, share=0.5):
        """Clicks on an element, at a share of its width. A click that misses it is repeated, as a person would."""
        while True:
            box = self.browser.run(PLACE, selector, 1000 * PATIENCE, True)
            self.press_at(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
            if self.browser.run("return window.struck"):
                return
            self.missed += 1
            self.clicks -= 1
            if self.missed > MISSES:
                raise Complaint(f"{self.missed} clicks missed, the last one {selector}")

    def press_at(self, x, y):
        """Clicks at a place in the window, CSS pixels."""
        x, y = round(x), round(y)
        self.browser.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "x": x, "y": y, "duration": 0}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0}]})
        self.clicks += 1

    def choose(self, address, word):
        """Chooses a word of a parameter."""
        self.press(f'[data-address="{address}"] label:has(input[value="{word}"]), [data-address="{address}"] button[data-value="{word}"]')

    def slide(self, selector):
        """Moves a fader to three quarters of its way."""
        self.press(selector, 0.75)


class Keyboard(Hand):
    """The keyboard alone."""
    name = "keyboard"

    def reach(self, selector):
        """Presses Tab until an element has the focus."""
        self.browser.run(PLACE, selector, 1000 * PATIENCE, False)
        for _ in range(TABS):
            if self.browser.run(FOCUSED, selector):
                return
            self.pressed += 1
            self.browser.act(pressing("Tab"))
        raise Complaint(f"{selector} is not reached within {TABS} presses of Tab")

    def press(self, selector):
        self.reach(selector)
        # A button and a tab take Space; a field is only to be reached.
        if not self.browser.run("return document.querySelector(given[0]).matches('input:not([type=checkbox])')", selector):
            self.type(" ")

    def choose(self, address, word):
        group = f'[data-address="{address}"]'
        button = f'{group} button[data-value="{word}"]'
        if self.browser.run("return Boolean(document.querySelector(given[0]))", button):
            return self.press(button)
        self.reach(f'{group} .segments')
        for _ in range(20):
            if self.until("chosen", f"(value('{address}') === '{word}') ? 'yes' : document.activeElement.value === '{word}' ? 'focused' : 'no'") != "no":
                return
            self.pressed += 1
            self.browser.act(pressing("Right"))
            time.sleep(0.1)
        raise Complaint(f"the arrows do not reach {word} of {address}")

    def slide(self, selector):
        self.reach(selector)
        self.pressed += 5
        self.browser.act(pressing(*["Right"] * 5))


def equaliser(hand, stage, _):
    """Finds an equaliser by its name, sets a band, bypasses it, and saves the chains."""
    hand.press("#tab-plugins")
    hand.press("#browse")
    hand.until("the search had the focus", "document.activeElement.name === 'search'")
    hand.type(NAME)
    hand.press(f'#browser-list [data-identifier="{EQUALISER}"]')
    name = hand.until("an equaliser", "[...panel.session.values.keys()].find(each => each.endsWith('/set/' + given_[0]))?.split('/')[1]", BAND)
    address = f"plugin/{name}/set/{BAND}"
    before = hand.until("a band", "[value(given_[0])]", address)[0]
    hand.slide(f'label:has([data-address="{address}"]) input[type="range"]')
    hand.until("the band moved", "value(given_[0]) !== given_[1]", address, before)
    hand.press(f'[data-plugin="{name}"] [role="switch"]')
    hand.until("bypassed", "value(given_[0]) === 'on'", f"plugin/{name}/bypass")
    hand.press('#chains-folder [value="plugin/save"]')
    folder = pathlib.Path(stage.status["recordingsFolder"]) / "chains"
    end = time.monotonic() + PATIENCE
    while not any(folder.rglob("*.json")):
        if time.monotonic() > end:
            raise Complaint(f"nothing is saved in {folder}")
        time.sleep(0.05)
    return lambda: (Surface(stage.port).ask(f"/proscenium/plugin/{name}/remove"), shutil.rmtree(folder))


def scenes(hand, stage, _):
    """Makes a second scene, and compares the two blind."""
    hand.press("#tab-scenes")
    hand.choose("scene", "b")
    hand.until("scene B", "value('scene') === 'b'")
    hand.choose("abx", "ab")
    hand.until("a comparison", "value('abx') === 'ab' && value('abx-count') === 0")
    hand.choose("abx-listen", "x")
    hand.choose("abx-answer", "a")
    hand.until("an answer", "value('abx-count') === 1")
    hand.choose("abx", "off")
    hand.until("a result", "value('abx') === 'off' && document.getElementById('scene-facts').textContent.includes(value('abx-result'))")
    return lambda: [Surface(stage.port).ask(f"/proscenium/{command}", scene) for command, scene in (("scene", "a"), ("scene-clear", "b"))]


def record(hand, stage, _):
    """Records, with a marker that has a name."""
    hand.press("#tab-routes")
    hand.press("#record")
    hand.until("a recording", "value('record') === 'on'")
    hand.press("#marker [name=name]")
    hand.type("verse\n")
    hand.until("a marker", "value('record/markers') === 1")
    hand.press("#record")
    hand.until("complete", "value('record') === 'off'")
    return lambda: None


def calibrate(hand, stage, wearer):
    """Calibrates the tracker's mounting; from the second movement on they follow by themselves."""
    hand.press("#tab-tracking")
    hand.press("#calibrate")
    hand.press("#calibration-start")
    hand.until("the first movement", "value('calibration/step') === 'still' && value('calibration/phase') === 'waits'")
    hand.press("#calibration-step-now")
    for name in wearer.MOVES:
        hand.until(name, "value('calibration/step') === given_[0] && value('calibration/phase') === 'moves'", name)
        wearer.move(name)
        hand.until(f"the end of {name}", "value('calibration/phase') !== 'moves'")
        wearer.moving = None
        if refusal := hand.until("told", "[value('calibration/refusal') ?? '']")[0]:
            raise Complaint(f"{name}: {refusal}")
    hand.until("found", "value('calibration/phase') === 'found'")
    hand.press("#calibration-accept")
    hand.until("accepted", "value('calibration/of') === undefined && !document.getElementById('calibration').open")
    return lambda: None


def solo(hand, stage, _):
    """Solos the centre on the stage itself, or in the table of loudspeakers; and ends the solo by the lamp that shows
    it."""
    if hand.name == "mouse":
        place = hand.until("drawn", "(() => { const box = document.getElementById('view').getBoundingClientRect(), "
                           "found = panel.view.drawn.find(each => each.loudspeaker.name === 'FC'); return found && [box.left + found.x, box.top + found.y]; })()")
        hand.press_at(*place)
        hand.until("the switches", "document.getElementById('popover').matches(':popover-open')")
        hand.press('#popover [data-switch="loudspeaker/FC/solo"]')
    else:
        hand.press("#tab-loudspeakers")
        hand.press('[data-address="loudspeaker/FC/solo"]')
    hand.until("soloed", "value('loudspeaker/FC/solo') === 'on' && !document.getElementById('solo-lamp').hidden")
    hand.press("#solo-lamp")
    hand.until("over", "value('loudspeaker/FC/solo') === 'off' && document.getElementById('solo-lamp').hidden")
    return lambda: None


TASKS = {"equaliser": equaliser, "scenes": scenes, "record": record, "calibrate": calibrate, "solo": solo}


def perform(program, folder):
    """Does all tasks in one browser inside a sandbox, by mouse and by keyboard, and writes the outcomes to `said`."""
    said, kind = {}, os.environ[CHOSEN]
    port, web, tracker = (str(port) for port in free_ports(3))
    options = ["--panel", web, "--head", f"udp:{tracker},id=worn", "--fresh", "--hrtf", "generated", "--room", "none"]
    with Stage(program, folder, port, "take", *options, layout="5.1") as stage, Wearer(tracker, (10, 20, 30)) as wearer, \
            BROWSERS[kind](1280, 800) as browser:
        stage.status
        stage.ctl("start")
        # The tasks begin recordings of their own.
        Surface(port).ask("/proscenium/record/stop")
        # The window of a headless Firefox has no focus (`document.hasFocus()`), and a key clicks no button there, on no page.
        # In a window of an X server, real keys do all of it.
        for hand_of in (Mouse, Keyboard) if kind == "chromium" else (Mouse,):
            for name, task in TASKS.items():
                # Each task begins on a page that was opened anew, in the section of the stage.
                browser.open(f"http://127.0.0.1:{web}/")
                browser.run("localStorage.clear();")
                browser.open(f"http://127.0.0.1:{web}/?{hand_of.name}-{name}")
                hand = hand_of(browser)
                hand.until("shown", "window.panel?.picture.inputs.length && document.querySelector('[data-address=\"monitor-level\"]')")
                label, begin = f"{kind}, {hand.name}, {name}", time.monotonic()
                try:
                    clean = task(hand, stage, wearer)
                    took = f"{hand.clicks} clicks" if hand_of is Mouse else f"{hand.pressed} keys"
                    if hand.missed:
                        took += f", {hand.missed} missed"
                    said[label] = [hand.clicks <= (CLICKS if hand_of is Mouse else 0), f"{took}, {time.monotonic() - begin:.1f} s"]
                    clean()
                except Complaint as complaint:
                    said[label] = [False, str(complaint)]
                    # A recording that goes on would turn the next task's start of one into its end.
                    Surface(port).ask("/proscenium/record/stop")
                    if shots := os.environ.get("PROSCENIUM_SCREENSHOTS"):
                        browser.picture(pathlib.Path(shots) / f"task-{kind}-{hand.name}-{name}.png")
        if errors := browser.errors():
            said[f"{kind}, quiet"] = [False, f"complaints: {errors[:3]}"]
    (folder / "said").write_text(json.dumps(said))
    return None


def outcomes(program):
    for kind in os.environ.get(CHOSEN, " ".join(BROWSERS)).split():
        os.environ[CHOSEN] = kind
        needed = {"chromium": ("chromium", "chromedriver"), "firefox": ("firefox-esr",)}[kind]
        if not all(map(shutil.which, needed)):
            yield kind, None, f"{' and '.join(needed)} are not there (make setup)"
            continue
        yield from said_inside(__file__, program)


def main(program):
    return tally("panel_tasks", outcomes(program))


if __name__ == "__main__":
    enter(__doc__, main, perform)
