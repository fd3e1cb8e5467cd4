"""Performs every command of the session's table through the panel's own controls in a browser, and waits for the
session's answer. The program itself lists its commands: one without a line here is performed by its row under "More", and
a removed one must not remain."""
import json
import pathlib
import re
import subprocess
import time
import urllib.error
import urllib.request

from browser import pressing
from planted import AMP, use
from takes import PATIENCE, Complaint, Stage

#: A plugin with MIDI input and presets; AMP has neither.
TUNE = "http://gareus.org/oss/lv2/fat1"
#: Greatest median of the answers' delays on an idle machine, milliseconds; the judged limit is twenty times that.
ECHO = 50

#: Script for the page before each of the following: operates its own controls as a user would.
HANDS = """
const [patience, given0] = given;
for (const end = performance.now() + patience; !window.panel;) {
  if (performance.now() > end) throw new Error(`the page's script does not run within ${patience} ms`);
  await new Promise(done => setTimeout(done, 20));
}
const session = panel.session, value = address => session.value(address);
const pause = () => new Promise(done => setTimeout(done, 4));
const until = async (what, condition) => {
  const end = performance.now() + patience;
  let found;
  while (!(found = await condition())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${patience} ms; ${document.getElementById('complaint').textContent}`);
    await pause();
  }
  return found;
};
const at = selector => {
  const one = document.querySelector(selector);
  if (!one) throw new Error(`there is no ${selector}`);
  return one;
};
// What stands in another section, or is folded, is brought into view first.
const reveal = one => {
  const section = one.closest('[data-tab]');
  if (section?.hidden) document.getElementById(`tab-${section.dataset.tab}`).click();
  for (let group = one.closest('details'); group; group = group.parentElement.closest('details')) group.open = true;
};
const press = async selector => {
  const one = await until(selector, () => document.querySelector(selector));
  reveal(one);
  if (one.disabled || !one.checkVisibility()) throw new Error(`${selector} cannot be pressed`);
  one.click();
};
const write = (selector, text) => {
  const one = at(selector);
  reveal(one);
  if (!one.checkVisibility()) throw new Error(`${selector} cannot be seen`);
  one.focus();
  one.value = text;
  for (const kind of ['input', 'change']) one.dispatchEvent(new Event(kind, { bubbles: true }));
};
const open = name => { at(`[data-plugin="${name}"] details.more`).open = true; };
// What the page asks by itself after something was done may be answered before the next step begins.
const answers = window.answers ??= [];
if (!answers.hear) session.addEventListener('answer', answers.hear = ({ detail }) => answers.push(detail));
const before = answers.length;
const answered = (address, isByItself) => until(`an answer to ${address}`, () => answers.slice(isByItself ? 0 : before).findLast(each => each.address === address));
"""

#: By command: the script for the page (empty: the page acts by itself), the address whose answer is awaited if it
#: differs, and the expected state afterwards. `NAME` is the plugin's. Commands that only a button of the panel's own
#: making performs are not listed: `buttons` finds them.
RUNNING = {
    "start": ("await press('[data-command=\"start\"]')", None, "true"),
    "recentre": ("await press('#thumb [data-command=\"recentre\"]')", None, "true"),
    "loudness": ("", None, "/\\d/.test(at('#loudness').textContent)"),
    "picture": ("await press('#refresh')", None, "panel.picture.inputs.length > 0"),
    "status": ("await press('#show-status')", None, "JSON.parse(at('#status-text').textContent).client === value('client')"),
    "unsubscribe": ("await press('#hold')", None, "at('#hold').getAttribute('aria-checked') === 'true'"),
    "subscribe": ("await press('#hold')", None, "at('#hold').getAttribute('aria-checked') === 'false'"),
    "interrupt/begin": ("write('#interrupt [name=name]', 'phone'); write('#interrupt [name=level]', '-9'); await press('#interrupt button')", None,
                        "document.querySelector('#interruptions [data-how=\"resume\"]')"),
    "interrupt/end": ("await press('#interruptions [data-how=\"no-resume\"]')", None,
                      "at('#route-list').textContent.includes('waits for Resume') && !document.querySelector('#interruptions button')"),
    "resume": ("await press('#routes [data-command=\"resume\"]')", None, "!at('#route-list').textContent.includes('waits for Resume')"),
    "record/stop": ("await press('#record')", None, "value('record') === 'off'"),
    "record": ("await press('#record')", None, "value('record') === 'on' && at('#record').getAttribute('aria-checked') === 'true'"),
    "record/start": ("await press('#record'); await until('stopped', () => value('record') === 'off'); write('#take [name=file]', 'panel.wav');"
                     " await press('#take [data-does=\"record/start\"]')", None,
                     "value('record') === 'on' && String(value('record/file')).endsWith('panel.wav')"),
    "record/marker": ("write('#marker [name=name]', 'verse'); await press('#marker button')", None, "value('record/markers') === 1"),
    "surface/learn": ("write('#learn [name=address]', 'input/main/level'); await press('#learn [data-does=\"surface/learn\"]')", None,
                      "at('#learning').textContent.includes('input/main/level')"),
    "surface/cancel": ("await press('[data-command=\"surface/cancel\"]')", None, "at('#learning').textContent === ''"),
    "plugin/known": ("await press('#browse'); write('#browser-filter [name=search]', 'eg-amp')", None,
                     f"document.querySelector('#browser-list [data-identifier=\"{AMP}\"]')"),
    "plugin/describe": (f"write('#browser-filter [name=search]', '{TUNE}'); (await until('presets', () => document.querySelector('#browser-list summary'))).click()",
                        None, "document.querySelector('#browser-list [data-with]')"),
    "plugin/add": (f"await press('#browser-close'); write('#plugin-add [name=place]', 'main/FL'); write('#plugin-add [name=uri]', '{TUNE},name=tune');"
                   " await press('#plugin-add button')", None, "document.querySelector('[data-plugin=\"tune\"]')"),
    "plugin": ("", None, "document.querySelector('[data-plugin=\"tune\"]')"),
    "plugin/NAME/about": ("", "plugin/tune/about", "document.querySelector('[data-plugin=\"tune\"] [data-address]')"),
    "plugin/NAME/bypass": ("await press('[data-plugin=\"tune\"] [role=switch]')", None, "value('plugin/tune/bypass') === 'on'"),
    "plugin/NAME/preset": ("const list = await until('presets', () => document.querySelector('[data-plugin=\"tune\"] [name=preset] option:nth-child(2)'));"
                           " write('[data-plugin=\"tune\"] [name=preset]', list.value)", None, "true"),
    "plugin/NAME/midi": ("open('tune'); write('[data-plugin=\"tune\"] [data-of=midi] input', '144 60 100');"
                         " await press('[data-plugin=\"tune\"] [data-of=midi] button')", None, "true"),
    "plugin/NAME/set": ("const first = Object.keys(Object.fromEntries(session.values)).find(each => each.startsWith('plugin/tune/set/'));"
                        " open('tune'); const inputs = document.querySelectorAll('[data-plugin=\"tune\"] [data-of=set] input');"
                        " inputs[0].value = first.split('/').at(-1); inputs[1].value = String(value(first));"
                        " await press('[data-plugin=\"tune\"] [data-of=set] button')", None, "true"),
    "plugin/NAME/move": (f"write('#plugin-add [name=place]', 'main/FL'); write('#plugin-add [name=uri]', '{AMP},name=loud');"
                         " await press('#plugin-add button');"
                         " await press('[data-plugin=\"loud\"] .bar button:nth-of-type(2)')", "plugin/loud/move",
                         "[...document.querySelectorAll('[data-plugin]')].findIndex(each => each.dataset.plugin === 'loud') === 0"),
    "plugin/NAME/restart": ("open('tune'); await press('[data-plugin=\"tune\"] [data-of=restart] button')", None, "true"),
    "plugin/save": ("write('#chains-folder [name=folder]', given0 + '/chains'); await press('#chains-folder [value=\"plugin/save\"]')", None, "true"),
    "plugin/NAME/replace": (f"open('loud'); write('[data-plugin=\"loud\"] [data-of=replace] input', '{AMP},name=other');"
                            " await press('[data-plugin=\"loud\"] [data-of=replace] button')", "plugin/loud/replace",
                            "document.querySelector('[data-plugin=\"other\"]')"),
    "plugin/NAME/remove": ("await press('[data-plugin=\"other\"] .bar button:last-of-type')", "plugin/other/remove",
                           "!document.querySelector('[data-plugin=\"other\"]')"),
    "plugin/load": ("write('#chains-folder [name=folder]', given0 + '/chains'); await press('#chains-folder [value=\"plugin/load\"]')", None,
                    "document.querySelector('[data-plugin=\"loud\"]')"),
    "undo": ("await press('[data-command=\"undo\"]')", None, "!document.querySelector('[data-plugin=\"loud\"]')"),
    "redo": ("await press('[data-command=\"redo\"]')", None, "document.querySelector('[data-plugin=\"loud\"]')"),
    "quit": ("await press('#quit'); await press('#ending [data-command=\"quit\"]')", None, "!session.isOpen"),
}
#: The same for commands of a preview.
PREVIEW = {
    "pause": ("await press('#pause')", None, "value('player/paused') === 'on' && at('#pause').getAttribute('aria-checked') === 'true'"),
    "seek": ("write('#seek', '20')", None, "value('player/seconds') === 20"),
    "seek-by": ("await press('[data-does=\"seek-by\"][data-by=\"10\"]')", None, "value('player/seconds') === 30"),
    "skip": ("await press('[data-does=\"skip\"][data-by=\"1\"]')", None, "value('player/number') === 2"),
    "loop": ("await press('#loop')", None, "value('player/loops') === 'on'"),
    "gain-by": ("await press('[data-does=\"gain-by\"][data-by=\"-1\"]')", None, "value('player/gain') === -1"),
}
#: Sections in which the panel makes the buttons of the commands whose address alone performs them.
MADE = {"header", "hand", "meters", "tracking"}
#: Commands tested elsewhere: by the wizard's check, on a session with a token, refused over UDP only, without use in the
#: page (StateAnswerTests), or of a measurement (measure_me.py).
ELSEWHERE = {"calibrate/start", "calibrate/step", "calibrate/accept", "calibrate/cancel", "token", "watch", "state",
             "measure/begin", "measure/repeat", "measure/skip", "measure/stop"}


def table(base):
    """Returns all commands of the program: its refusal of an unknown command lists them."""
    body = json.dumps({"address": "there/is/no/such"}).encode()
    try:
        urllib.request.urlopen(urllib.request.Request(base + "command", body), timeout=PATIENCE)
    except urllib.error.HTTPError as error:
        words = json.loads(error.read())["refused"].split("known are ")[1].split(", ")
    known = [each.removeprefix("/proscenium/") for each in words]
    tree = json.loads(urllib.request.urlopen(base + "proscenium", timeout=PATIENCE).read())
    # Parameters have a place in the panel.
    parameters = {name for name, node in tree["CONTENTS"].items() if "ORDER" in node}
    return [each for each in known if each not in parameters and each not in ("input/NAME/level", "loudspeaker/NAME/mute")]


def buttons(base):
    """Returns the operations of the commands that have a button of the panel's own making and no row above: a press."""
    def nodes(node, path=""):
        for name, below in node.get("CONTENTS", {}).items():
            yield path + name, below
            yield from nodes(below, path + name + "/")
    tree = json.loads(urllib.request.urlopen(base + "proscenium", timeout=PATIENCE).read())
    return {word: (f"await press('[data-command=\"{word}\"]')", None, "true") for word, node in nodes(tree)
            if "PRESS" in node and node.get("SECTION") in MADE and word not in RUNNING}


def under_more(browser):
    """Returns the addresses with a row under "More", by their ids in the table (`NAME` for a plugin's name)."""
    rows = browser.run("return [...document.querySelectorAll('[data-more]')].map(each => [each.dataset.more, panel.session.nodes.get(each.dataset.more)]);")
    return {re.sub("^plugin/[^/]+/", "plugin/NAME/", address): (address, node) for address, node in rows}


def submitted(rows):
    """Returns the operations of the commands under "More" that have no row above: the least required arguments."""
    def words(node):
        ranges = node.get("RANGE", [])
        return " ".join({"s": "x", "T": "on", "N": ""}.get(kind) if kind in "sTN" else str(ranges[index]["MIN"] if index < len(ranges) else 1)
                        for index, kind in enumerate(node["TYPE"]))
    return {word: (f"write('[data-more=\"{address}\"] input', '{words(node)}'); await press('[data-more=\"{address}\"] button')", address, "true")
            for word, (address, node) in rows.items() if word not in RUNNING and word not in PREVIEW and word not in ELSEWHERE}


def unknown_row(browser):
    """Checks that a command with arguments and a section, which no element of the page sends, has a row under "More"
    that sends the typed arguments, and that the row goes with the command."""
    refused = browser.run(HANDS + """
        // The page may be replacing its commands by those of the session.
        await until('a row under More', () => {
          if (!session.nodes.has('no/such')) {
            session.nodes.set('no/such', { ACCESS: 2, TYPE: 'sf', SECTION: 'routes', DESCRIPTION: 'does nothing' });
            session.dispatchEvent(new Event('nodes'));
          }
          return document.querySelector('[data-more="no/such"]');
        });
        write('[data-more="no/such"] input', 'x 3');
        await press('[data-more="no/such"] button');
        const answer = await answered('no/such');
        session.nodes.delete('no/such');
        session.dispatchEvent(new Event('nodes'));
        await until('no row under More', () => !document.querySelector('[data-more="no/such"]'));
        return answer.refused ?? '';""", 1000 * PATIENCE, "")
    if "unknown address" not in refused:
        raise Complaint(f"a row under More for an unknown address is answered: {refused or 'done'}")


def do(browser, word, row, folder):
    """Performs a command through the page; returns the milliseconds to its answer, and the reason of a refusal."""
    script, address, condition = row
    address = address or word.replace("NAME", "tune")
    ends = "return { milliseconds: 0 };" if word == "quit" else f"""
        const answer = await answered('{address}', {json.dumps(not script)});
        if (answer.refused) return answer;
        await until('{word} shows', () => {condition});
        return answer;"""
    return browser.run(HANDS + script + (f"; await until('{word} shows', () => {condition});" if word == "quit" else ";") + ends,
                       1000 * PATIENCE, str(folder))


def all_of(browser, rows, folder, delays):
    for word, row in rows.items():
        found = do(browser, word, row, folder)
        if found.get("refused"):
            raise Complaint(f"{word}: refused: {found['refused']}")
        delays.append(found["milliseconds"])


def covered(base, pressed, rows):
    """Checks that exactly the commands of the table are performed here, those of `pressed` by their buttons and those of
    `rows` under "More", and that no command with an element of its own is under "More" too."""
    there = set(table(base))
    operations = RUNNING | PREVIEW | pressed
    here = set(operations) | ELSEWHERE | set(rows)
    if twice := [word for word in rows if word in ELSEWHERE or word in operations and "data-more" not in operations[word][0]]:
        raise Complaint(f"under More, though an element of the page sends them: {twice}")
    if there != here:
        raise Complaint(f"no operation in the page for {sorted(there - here)}; none of the table: {sorted(here - there)}")
    return len(there)


def preview(browser, program, folder, ready):
    """Tests the player's card, on a preview of two files."""
    import numpy as np

    from listening import floatwav
    for name in ("one", "two"):
        floatwav.write(folder / f"{name}.wav", np.zeros((48000 * 60, 2), np.float32), 48000)
    from free_ports import free_ports
    port, web = free_ports(2)
    base = f"http://127.0.0.1:{web}/"
    delays = []
    playing = subprocess.Popen([program, "preview", "one.wav", "two.wav", "--quiet", "--name", "film", "--hrtf", "generated", "--room", "none",
                                "--control", str(port), "--panel", str(web)], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        wait_for(base, playing)
        ready(browser, base)
        position(browser)
        all_of(browser, PREVIEW, folder, delays)
    finally:
        playing.kill()
        playing.wait()
    return delays


def position(browser):
    """Checks that the player's position advances after it was set, with the focus on it, and that an arrow key moves it
    from the present position."""
    browser.run(HANDS + """
        await until('a file', () => value('player/file') && document.getElementById('tab-player'));
        write('#seek', '20');
        const seek = at('#seek');
        await until('the file goes on', () => value('player/seconds') >= 22);
        await until(`the position stays at ${seek.value}`, () => seek.valueAsNumber >= 22);
        if (document.activeElement !== seek) throw new Error('the position has lost the focus');
        window.asked = [];
        session.ask = (address, ...words) => {
          if (address === 'seek') window.asked.push(words[0]);
          return Object.getPrototypeOf(session).ask.call(session, address, ...words);
        };""", 1000 * PATIENCE, "")
    browser.act(pressing("Right"))
    asked = browser.run(HANDS + """
        await until('an arrow key asks for nothing', () => window.asked.length);
        delete session.ask;
        return window.asked[0];""", 1000 * PATIENCE, "")
    if asked < 23:
        raise Complaint(f"an arrow key after 22 s goes to {asked} s")


def token(browser, program, folder, ready):
    """Tests a panel on a network: after a wrong token the page asks again; the right one opens it, also one of its
    address with a plus sign."""
    from free_ports import free_ports
    port, web = free_ports(2)
    with Stage(program, folder, port, "guarded", "--panel", str(web), "--token", "se+same", "--name", "guarded", "--hrtf", "generated", "--fresh"):
        base = f"http://127.0.0.1:{web}/"
        wait_for(base, None, {"Authorization": "Bearer se+same"})
        browser.open(base)
        for word, isOpen in (("barley", False), ("se+same", True)):
            browser.run(HANDS + f"""
                await until('the form', () => at('#ask-token').checkVisibility());
                write('#ask-token input', '{word}');
                await press('#ask-token button');
                await until('an answer', () => {'session.isOpen' if isOpen else "at('#ask-token').checkVisibility()"});""", 1000 * PATIENCE, "")
        # The address as it is typed, and as `panel` writes it. A change after # alone would load no other page.
        for number, word in enumerate(("se+same", "se%2Bsame")):
            ready(browser, f"{base}?{number}#token={word}")
    # The page's own requests without the token are refused, and the browser logs it.
    browser.errors()


def wait_for(base, process, headers=None):
    """Waits until a session's web interface answers and its stage is ready."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            answer = urllib.request.urlopen(urllib.request.Request(base + "state", headers=headers or {}), timeout=1).read()
            if "layout" in json.loads(answer)["state"]:
                return
        except OSError:
            pass
        if process and process.poll() is not None:
            raise Complaint(f"it ended: {process.stderr.read()[-400:]}")
        if time.monotonic() > end:
            raise Complaint("the session does not answer")
        time.sleep(0.05)


def check(browser, program, folder, ready):
    """Runs all parts, each on a separate session. Returns the results as text."""
    from free_ports import free_ports
    folder = pathlib.Path(folder) / "commands"
    folder.mkdir()
    use(program, folder)
    (folder / "map.json").write_text(json.dumps({"version": 1, "controls": []}))
    port, web, tracker = free_ports(3)
    base = f"http://127.0.0.1:{web}/"
    delays = []
    with Stage(program, folder, port, "asked", "--panel", str(web), "--head", f"udp:{tracker}", "--surface", "map.json", "--hrtf", "generated",
               "--fresh", "--name", "asked") as stage:
        stage.status
        from panel_calibration import Wearer
        with Wearer(tracker):
            ready(browser, base)
            pressed = buttons(base)
            rows = under_more(browser)
            count = covered(base, pressed, rows)
            unknown_row(browser)
            refused = browser.run("return await panel.session.ask('watch', 10).then(() => '', error => error.message);")
            if "UDP" not in refused:
                raise Complaint(f"watch over a WebSocket: {refused or 'taken'}")
            all_of(browser, {"start": RUNNING["start"]} | pressed | submitted(rows) | RUNNING, folder, delays)
        stage.process.wait(timeout=PATIENCE)
    delays += preview(browser, program, folder, ready)
    token(browser, program, folder, ready)
    delays = sorted(each for each in delays if each)
    half, most = delays[len(delays) // 2], delays[len(delays) * 95 // 100]
    if half > 20 * ECHO:
        raise Complaint(f"half of the commands are answered after {half:.0f} ms")
    return f"{count} in the table, each done by the page: half answered in {half:.0f} ms, 95 of 100 in {most:.0f} ms (wanted: half in {ECHO})"
