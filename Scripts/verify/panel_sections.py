"""Checks how the panel is laid out and operated: sections as tabs on screens from a phone to a wall, remembered; a cover
over every control while the session does not answer; inputs told apart on the stage; plugins found by name, kind and
maker; and tooltips in the words of the panel. The faders: see panel_faders.py."""
import os
import pathlib
import signal
import time

from panel_faders import faders, refused, typed
from panel_kept import described, lit
from panel_keys import focus, frozen, kept, order, scenes
from panel_looks import barriers, screens
from panel_resume import resume
from planted import AMP
from takes import PATIENCE, Complaint, Disturbed, Stage

#: A plugin with presets, and others with many controls.
TUNE, BANDS, COMPRESSOR = "http://gareus.org/oss/lv2/fat1", "http://gareus.org/oss/lv2/fil4#stereo", "http://gareus.org/oss/lv2/darc#stereo"
#: Screens: CSS pixels, and whether it is a phone.
SCREENS = [(320, 568, True), (1280, 800, False), (1920, 1080, False), (3840, 2160, False)]
#: The same in both languages: German words are longer.
SPOKEN = [(*screen, language) for screen in SCREENS for language in ("de", "en")]
#: Greatest length of a section on a phone, in screens; least size of type and share of the height for the stage on a
#: wall; greatest number of seconds until the cover appears, and until it disappears.
LONGEST, TYPE, STAGE_SHARE, COVERED, BACK = 2, 28, 0.4, 1, 2
#: Seconds of silence after which the page has given up its connection.
LONG = 6.3

#: Script for the page: measures all sections as they are, then with each of their groups open.
MEASURE = """
const [isPhone] = given, pause = (time = 60) => new Promise(done => setTimeout(done, time));
await pause(400);
const found = [], names = [...document.querySelectorAll('#tabs [role="tab"]')].map(each => each.id);
if (!names.length) throw new Error('the page has no tabs');
const inView = each => { const box = each.getBoundingClientRect(); return box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1; };
const scrolled = () => [...document.querySelectorAll('main, main > section, #rest, #bars, #tabs')].filter(each => each.checkVisibility() && each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY !== 'visible');
const measure = what => {
  const boxes = scrolled(), main = document.querySelector('main');
  found.push({ what, page: document.documentElement.scrollHeight - innerHeight, sections: [...document.querySelectorAll('[data-tab]')].filter(each => each.checkVisibility()).length,
    scrolls: boxes.map(each => `${each.id || each.tagName} ${each.scrollHeight} in ${each.clientHeight}`),
    screens: (innerHeight - main.clientHeight + main.scrollHeight) / innerHeight,
    atHand: ['#thumb .recentre', '[data-thumb="monitor-mute"]', '[data-thumb="dim"]'].filter(each => !inView(document.querySelector(each))) });
};
for (const name of names) {
  document.getElementById(name).click();
  await pause();
  measure(name);
  if (!isPhone) continue;
  for (const input of [...document.querySelectorAll('#input-names button')].filter(each => each.checkVisibility()).map(each => each.textContent)) {
    [...document.querySelectorAll('#input-names button')].find(each => each.textContent === input).click();
    for (const summary of [...document.querySelectorAll(`[data-input="${input}"] summary`)].filter(each => each.checkVisibility())) {
      summary.click();
      await pause();
      measure(`${name}, ${input}, ${summary.textContent}`);
    }
  }
  for (const summary of [...document.querySelectorAll('main summary')].filter(each => each.checkVisibility() && !each.closest('[data-input]'))) {
    const was = summary.parentElement.open;
    summary.click();
    await pause();
    measure(`${name}, ${summary.textContent}`);
    // A group within a group is opened beside it.
    for (const inner of [...summary.parentElement.querySelectorAll('summary')].slice(1).filter(each => each.checkVisibility())) {
      inner.click();
      await pause();
      measure(`${name}, ${summary.textContent}, ${inner.textContent}`);
    }
    if (summary.parentElement.open !== was) summary.click();
  }
}
return { found, type: parseFloat(getComputedStyle(document.documentElement).fontSize), stage: document.getElementById('view').clientHeight / innerHeight };
"""


def picture(browser, name):
    if shots := os.environ.get("PROSCENIUM_SCREENSHOTS"):
        browser.picture(pathlib.Path(shots) / f"{name}.png")


def choose(browser, name):
    """Opens a section by its tab, if it has one on this screen."""
    browser.run("document.getElementById('tab-' + given[0])?.click(); await new Promise(done => setTimeout(done, 150));", name)


def sections(browser):
    """Checks sections on every screen, and what the browser keeps of them."""
    said, faults = [], []
    for width, height, is_phone, language in SPOKEN:
        browser.look(width, height, 2 if is_phone else 1, mobile=is_phone)
        browser.run("localStorage.clear(); localStorage.setItem('language', given[0]);", language)
        browser.at("/refresh")
        shown(browser)
        told = browser.run(MEASURE, is_phone)
        for each in told["found"]:
            where = f"{width}×{height} {language}, {each['what']}"
            if each["page"] > 0 or each["atHand"]:
                faults.append(f"{where}: the page scrolls by {each['page']}; not at hand: {each['atHand']}")
            if is_phone and (each["sections"] != 1 or each["screens"] > LONGEST):
                faults.append(f"{where}: {each['sections']} sections, {each['screens']:.2f} screens long (at most {LONGEST})")
            if height >= 1080 and each["scrolls"]:
                faults.append(f"{where}: {each['scrolls']} scrolls")
        if width == 3840 and (told["type"] < TYPE or told["stage"] < STAGE_SHARE):
            faults.append(f"on a wall the type is {told['type']} px and the stage {told['stage']:.0%} of the height")
        if language != "en":
            continue
        said.append(f"{width}×{height}: {max(each['screens'] for each in told['found']):.1f} screens" if is_phone else f"{width}×{height}: {told['type']:.0f} px, stage {told['stage']:.0%}")
        for dark in (False, True):
            browser.look(width, height, 2 if is_phone else 1, dark=dark, mobile=is_phone)
            for name in ("stage", "meters", "inputs", "monitor", "plugins", "ears", "routes", "session", "tracking"):
                if os.environ.get("PROSCENIUM_SCREENSHOTS") and (is_phone or name not in ("stage", "meters")):
                    choose(browser, name)
                    picture(browser, f"section-{name}-{width}-{'dark' if dark else 'light'}")
    if faults:
        raise Complaint("; ".join(faults[:8]))
    browser.look(1280, 800)
    choose(browser, "inputs")
    open_before = browser.run("""
        const summary = document.querySelector('[data-input="main"] summary');
        summary.click();
        await new Promise(done => setTimeout(done, 100));
        return summary.parentElement.open;""")
    browser.at("/refresh")
    shown(browser)
    after = browser.run("return [document.querySelector('#tabs [aria-selected=\"true\"]').id, document.querySelector('[data-input=\"main\"] details').open]")
    if after != ["tab-inputs", open_before]:
        raise Complaint(f"not remembered: {after}, a group that was {'open' if open_before else 'folded'}")
    moved = browser.run("""
        const tab = document.getElementById('tab-inputs');
        tab.focus();
        tab.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
        return document.querySelector('#tabs [aria-selected="true"]') === document.activeElement && document.activeElement.id;""")
    if moved != "tab-loudspeakers":
        raise Complaint(f"the arrow key leads from inputs to {moved}")
    return "; ".join(said) + "; section and groups are kept over a reload"


def shown(browser):
    """Waits until a page that was loaded again shows the session."""
    browser.run("""
        const end = performance.now() + given[0];
        while (!window.panel || !panel.picture.inputs.length || !document.querySelector('[data-address="monitor-level"]') || !document.querySelector('[data-plugin] [data-address]')) {
          if (performance.now() > end) throw new Error('the page does not show the session');
          await new Promise(done => setTimeout(done, 50));
        }""", 1000 * PATIENCE)


def cover(browser, stage):
    """Stops the session's process and continues it: no control can be reached meanwhile, also in a section that is
    scrolled and below an open dialog."""
    # A frozen display has no messages of its own, and is not taken for a lost one.
    frozen = browser.run("""
        document.getElementById('hold').click();
        await new Promise(done => setTimeout(done, 2500));
        const isCovered = document.getElementById('lost').open, isFrozen = !panel.session.isListening;
        document.getElementById('hold').click();
        await new Promise(done => setTimeout(done, 300));
        return { isCovered, isFrozen };""")
    if frozen["isCovered"] or not frozen["isFrozen"]:
        raise Complaint(f"a frozen display: {frozen}")
    times = []
    for width, height, is_phone in SCREENS[:2]:
        browser.look(width, height, 2 if is_phone else 1, mobile=is_phone)
        choose(browser, "inputs")
        # The last time is long enough for the connection to be given up: another one is made then.
        for with_dialog, seconds in ((False, 0), (True, 0), (False, LONG)):
            browser.run("""
                if (given[0]) document.getElementById('ending').showModal();
                for (const each of document.querySelectorAll('main, #rest')) each.scrollTop = 1e6;
                await new Promise(done => setTimeout(done, 300));""", with_dialog)
            stopped = time.time()
            os.kill(stage.process.pid, signal.SIGSTOP)
            try:
                covered = browser.run("""
                    const end = performance.now() + given[0], cover = document.getElementById('lost');
                    while (!cover?.open) {
                      if (performance.now() > end) throw new Error('nothing covers the controls of a session that does not answer');
                      await new Promise(done => setTimeout(done, 5));
                    }
                    const at = performance.timeOrigin + performance.now();
                    const open = [...document.querySelectorAll('button, input, select, summary, canvas')].filter(each => each.checkVisibility() && !cover.contains(each)).filter(each => {
                      const box = each.getBoundingClientRect(), over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                      if (over && (over === each || each.contains(over))) return true;
                      each.focus();
                      return document.activeElement === each;
                    });
                    const box = cover.getBoundingClientRect();
                    return { at, open: open.map(each => each.outerHTML.slice(0, 80)), text: cover.innerText, inView: box.top >= 0 && box.bottom <= innerHeight && box.width > 0 };""", 1000 * PATIENCE)
                picture(browser, f"lost-{width}")
                time.sleep(seconds)
            finally:
                gone_on = time.time()
                os.kill(stage.process.pid, signal.SIGCONT)
            back = browser.run("""
                const end = performance.now() + given[0];
                while (document.getElementById('lost').open) {
                  if (performance.now() > end) throw new Error('the cover stays');
                  await new Promise(done => setTimeout(done, 5));
                }
                document.getElementById('ending').close();
                return performance.timeOrigin + performance.now();""", 1000 * PATIENCE)
            if covered["open"] or not covered["inView"]:
                raise Complaint(f"{width}×{height}: reached under the cover: {covered['open'][:3]}")
            if not any(mark in covered["text"] for mark in ("since", "seit")) or ":" not in covered["text"]:
                raise Complaint(f"the cover says '{covered['text']}'")
            times.append((covered["at"] / 1000 - stopped, back / 1000 - gone_on))
    browser.look(1280, 800)
    most = [max(each) for each in zip(*times)]
    if most[0] > COVERED or most[1] > BACK:
        raise Disturbed(f"covered after {most[0]:.2f} s, back after {most[1]:.2f} s")
    return f"covered after {most[0]:.2f} s at most (wanted {COVERED}), back after {most[1]:.2f} s (wanted {BACK}); {len(times)} times, scrolled, over a dialog and after {LONG} s too"


def apart(browser):
    """Checks that loudspeakers of two inputs differ in colour, ring and place, and that the end of the session is not
    the highlighted button."""
    browser.look(1280, 800)
    found = browser.run("""
        await new Promise(done => setTimeout(done, 300));
        const canvas = document.getElementById('view'), context = canvas.getContext('2d'), ratio = devicePixelRatio;
        const pixel = (x, y) => [...context.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data.slice(0, 3)];
        const of = (input, name) => panel.view.drawn.find(each => each.input === input && each.loudspeaker.name === name);
        const [one, other] = [of('main', 'FL'), panel.view.drawn.find(each => each.input === 'music')];
        const colours = [one, other].map(each => pixel(each.x, each.y - 0.62 * each.radius).join());
        const legend = [...document.querySelectorAll('#legend li')].map(each => each.textContent), discs = [...document.querySelectorAll('.disc')].map(each => getComputedStyle(each).backgroundColor);
        document.getElementById('tab-session').click();
        document.getElementById('quit').click();
        const dialog = document.getElementById('ending'), end = dialog.querySelector('[data-command="quit"]'), stay = document.getElementById('stay');
        const paints = [end, stay].map(each => getComputedStyle(each).backgroundColor), focused = document.activeElement.id;
        dialog.close();
        return { colours, legend, discs, paints, card: getComputedStyle(dialog).backgroundColor, focused, apart: Math.hypot(one.x - other.x, one.y - other.y), radius: one.radius };""")
    if found["colours"][0] == found["colours"][1] or len(set(found["discs"])) != 2 or found["legend"] != ["main", "music"] or found["apart"] < found["radius"]:
        raise Complaint(f"two inputs look alike: {found}")
    if found["paints"][0] != found["card"] or found["paints"][1] == found["card"] or found["focused"] != "stay":
        raise Complaint(f"the end of the session is highlighted: {found['paints']}, focus on {found['focused']}")
    return f"loudspeakers in {' and '.join(found['colours'])}, {found['apart']:.0f} px apart, a legend; 'Keep running' is the highlighted button"


def browse(browser):
    """Finds a plugin by name, kind and maker, inserts it by a click and tries a preset; checks groups of a long list."""
    browser.look(1280, 800)
    choose(browser, "plugins")
    browser.run("""
        document.getElementById('browse').click();
        const end = performance.now() + given[0];
        while (!document.querySelector('#browser-list button')) {
          if (performance.now() > end) throw new Error('no plugins are listed');
          await new Promise(done => setTimeout(done, 10));
        }""", 1000 * PATIENCE)
    looks = [screens(browser, "browser"), barriers(browser)]
    browser.run("document.getElementById('browser-close').click();")
    found = browser.run("""
        const [tune, bands, patience] = given;
        const until = async (what, holds) => {
          const end = performance.now() + patience;
          let is;
          while (!(is = holds())) {
            if (performance.now() > end) throw new Error(`${what}; ${document.getElementById('browser-refusal').textContent}`);
            await new Promise(done => setTimeout(done, 10));
          }
          return is;
        };
        document.getElementById('browse').click();
        const list = () => [...document.querySelectorAll('#browser-list button')], form = document.getElementById('browser-filter');
        const set = (name, value) => { form.elements[name].value = value; form.elements[name].dispatchEvent(new Event('input', { bubbles: true })); };
        await until('no plugins are listed', () => list().length);
        const all = document.getElementById('browser-count').textContent, counts = {};
        const known = await panel.session.ask('plugin/known'), wanted = known.find(each => each.identifier === tune);
        for (const [field, value, of] of [['search', wanted.name.split(' ')[0].toUpperCase(), each => `${each.name} ${each.kind} ${each.maker} ${each.identifier}`.toLowerCase().includes(wanted.name.split(' ')[0].toLowerCase())],
            ['kind', wanted.kind, each => each.kind === wanted.kind], ['maker', wanted.maker, each => each.maker === wanted.maker]]) {
          set(field, value);
          counts[field] = parseInt(document.getElementById('browser-count').textContent);
          if (counts[field] !== known.filter(of).length) throw new Error(`${field} ${value}: ${counts[field]} found of ${known.filter(of).length}`);
          if (counts[field] <= 200 && !list().some(each => each.dataset.identifier === tune)) throw new Error(`${field} ${value} does not find ${tune}`);
          set(field, '');
        }
        set('search', wanted.name);
        set('place', 'music');
        // Presets are listed before the plugin is there; a click on one inserts the plugin with it.
        const { presets, controls } = await panel.session.ask('plugin/describe', tune);
        if (wanted.presets !== presets.length || presets.length < 2) throw new Error(`${wanted.presets} presets told, ${presets.length} described`);
        const item = list().find(each => each.dataset.identifier === tune).closest('li');
        item.querySelector('details').open = true;
        await until('presets are not listed', () => item.querySelectorAll('[data-with]').length === presets.length);
        const names = () => [...document.querySelectorAll('[data-plugin]')].map(each => each.dataset.plugin), before = names();
        const values = name => Object.fromEntries(controls.map(each => [each.symbol, panel.session.value(`plugin/${name}/set/${each.symbol}`)]));
        const insert = async button => {
          const had = names();
          if (!document.getElementById('browser').open) document.getElementById('browse').click();
          button().click();
          const name = await until('a click inserts nothing', () => names().find(each => !had.includes(each)));
          await until('the inserted plugin is not in view', () => !document.getElementById('browser').open && document.activeElement.closest(`[data-plugin="${name}"]`));
          return name;
        };
        const last = () => [...item.querySelectorAll('[data-with]')].at(-1);
        const with_ = await insert(last), plain = await insert(() => list().find(each => each.dataset.identifier === tune));
        await panel.session.ask(`plugin/${plain}/preset`, presets.at(-1).label);
        await until(`${with_} ${JSON.stringify(values(with_))} is not ${plain} ${JSON.stringify(values(plain))}`, () => JSON.stringify(values(with_)) === JSON.stringify(values(plain)));
        if (JSON.stringify(values(with_)) === JSON.stringify(Object.fromEntries(controls.map(each => [each.symbol, each.initial])))) throw new Error('the preset changes nothing');
        const long = document.querySelector('[data-plugin="bands"] .fold');
        const groups = [...long.querySelectorAll('.fold')].map(each => [each.firstChild.textContent, each.querySelectorAll('[data-address]').length, each.open]);
        const few = long.querySelectorAll('.parameters').length;
        return { all, counts, groups, few };""", TUNE, BANDS, 1000 * PATIENCE)
    if len(found["groups"]) < 2 or max(count for _, count, _ in found["groups"]) > 12:
        raise Complaint(f"a long list is not grouped: {found['groups']}")
    return f"{found['all']} plugins; by name, kind, maker: {found['counts']}; inserted by a click, with a preset too; a list in {len(found['groups'])} groups; open: {'; '.join(each or 'axe is not there' for each in looks)}"


def tooltips(browser):
    """Checks that tooltips are written for the panel, not for the command line, and words that are not the field's."""
    found = browser.run("""
        const { english } = await import('/english.js'), { german } = await import('/german.js'), faults = [];
        const leaks = /`|--|\\bctl\\b|JSON|\\bOSC\\b|if wanted|wenn gewünscht|proscenium|as --plugin|\\bon, off\\b|[a-z]-(level|input|noise|intensity|mode)\\b/;
        for (const [language, { help }] of [['en', english], ['de', german]]) {
          // Without words of its own, English shows the sentence of the table's row.
          for (const key of Object.keys(help)) if (!(key in german.help)) faults.push(`${language} ${key}: not in German`);
          for (const [key, text] of Object.entries(help)) if (leaks.test(text)) faults.push(`${language} ${key}: ${text}`);
        }
        const titles = [...document.querySelectorAll('main [title], #thumb [title], header [title]')];
        for (const each of titles) if (leaks.test(each.title) && !each.closest('#other')) faults.push(each.title);
        for (const each of titles) if (each.title && each.title[0] !== each.title[0].toUpperCase()) faults.push(`small: ${each.title}`);
        const text = document.body.textContent;
        for (const words of ['Let go of', 'Learn nothing', 'Take back', 'Hold still', 'anew', 'Ask for the stage']) if (text.includes(words)) faults.push(`the page says '${words}'`);
        return { faults, titles: titles.length };""")
    if found["faults"]:
        raise Complaint("; ".join(found["faults"][:5]))
    return f"{found['titles']} tooltips in the panel's words, in both languages"


def check(browser, program, folder, ready, judge):
    """Runs all parts on one session of two inputs and three plugins."""
    from free_ports import free_ports
    folder = pathlib.Path(folder) / "sections"
    folder.mkdir()
    port, web, tracker = free_ports(3)
    options = ["--panel", str(web), "--head", f"udp:{tracker}", "--input", "music=stereo", "--room", "studio", "--hrtf", "generated", "--fresh",
               "--connect-out", "system:playback_{1,2}", "--on-route-loss", "mute", "--name", "sections", "--plugin", f"ears={BANDS},name=bands", "--plugin", f"main={COMPRESSOR},name=squeeze", "--plugin", f"main/FL={AMP},name=amp"]
    with Stage(program, folder, port, "sections", *options, layout="7.1.4") as stage:
        stage.status
        ready(browser, f"http://127.0.0.1:{web}/")
        for part in (sections, faders, typed, refused, order, scenes, focus, kept, frozen, resume, apart, tooltips, described, lit, browse):
            judge(part.__name__, part, browser)
        judge("cover", cover, browser, stage)
