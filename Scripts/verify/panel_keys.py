"""Checks the panel by keys: Tab follows the order of the screen, skip links lead to the section in view; the focus stays, or
goes to the nearest control, where controls are made anew, folded, hidden or covered by a dialog; and switches act on the
value in force while the display is frozen."""
from browser import pressing
from panel_faders import UNTIL, show
from takes import PATIENCE, Complaint

#: The scenes after the first one.
SCENES = "bcd"
#: Screens on which Tab is followed: a phone, a laptop, a larger screen. CSS pixels.
SCREENS = [(320, 568), (1280, 800), (1920, 1080)]

#: Script for the page: compares the order of Tab with the places on the screen, in each section.
ORDER = """
const faults = [], pause = () => new Promise(done => setTimeout(done, 60));
// The tabs follow the width of the window, a moment later.
const isSettled = () => Boolean(document.getElementById('tab-stage')) !== matchMedia('(min-width: 1000px)').matches
  && Boolean(document.getElementById('tab-meters')) !== matchMedia('(min-width: 1700px)').matches;
for (let tries = 0; tries < 200; tries++) {
  await pause();
  if (isSettled()) break;
}
let count = 0;
// What is shown of a part that scrolls with the page.
const shown = area => (area.closest('main') && getComputedStyle(document.querySelector('main')).display !== 'contents' ? document.querySelector('main') : area).getBoundingClientRect();
const areaOf = one => one.closest('header') ?? one.closest('nav, #link, #stage, #meters, #rest, #thumb');
const name = one => `${one.id || one.ariaLabel || one.textContent.trim() || one.tagName}`.slice(0, 30);
for (const tab of [...document.querySelectorAll('#tabs [role="tab"]')].map(each => each.id)) {
  document.getElementById(tab).click();
  await pause();
  // No element has a positive tabindex: Tab follows the document. Of radio buttons it reaches the chosen one.
  const stops = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
    .filter(each => each.tabIndex >= 0 && !each.disabled && each.checkVisibility() && !each.closest('dialog, .skip') && (each.type !== 'radio' || each.checked));
  const boxes = new Map(stops.map(each => [each, each.getBoundingClientRect()]));
  const areas = stops.map(areaOf), sequence = areas.filter((each, index) => each !== areas[index - 1]);
  if (sequence.includes(null)) throw new Error(`${tab}: ${name(stops[areas.indexOf(null)])} stands in no part of the page`);
  if (new Set(sequence).size !== sequence.length) faults.push(`${tab}: Tab returns: ${sequence.map(each => each?.id || each?.tagName)}`);
  for (let index = 1; index < sequence.length; index++) {
    const [before, after] = [sequence[index - 1], sequence[index]].map(shown);
    if (after.top < before.bottom - 2 && after.left < before.right - 2) faults.push(`${tab}: Tab goes from ${name(sequence[index - 1])} back to ${name(sequence[index])}`);
  }
  for (let index = 1; index < stops.length; index++) {
    if (areas[index] !== areas[index - 1]) continue;
    const [before, after] = [boxes.get(stops[index - 1]), boxes.get(stops[index])];
    const isAbove = after.bottom <= before.top + 1 && after.left < before.right - 1;
    const isLeft = after.top < before.bottom - 1 && after.bottom > before.top + 1 && after.right <= before.left + 1;
    if (isAbove || isLeft) faults.push(`${tab}: Tab goes from ${name(stops[index - 1])} back to ${name(stops[index])}`);
  }
  count += stops.length;
}
// The first link leads to the section in view, the second to what is at hand, and the address stays.
const address = location.href;
for (const [link, wanted] of [[0, () => document.querySelector('[role="tabpanel"]:not([hidden])')], [1, () => document.getElementById('thumb')]]) {
  document.querySelectorAll('.skip')[link].click();
  if (document.activeElement !== wanted()) faults.push(`skip link ${link + 1} leads to ${document.activeElement.outerHTML.slice(0, 80)}`);
}
if (location.href !== address) faults.push(`a skip link leads to ${location.href}`);
return { faults, count };
"""


def scenes(browser):
    """Reaches every scene with an arrow key: each step starts from the highlighted scene."""
    browser.look(1280, 800)
    show(browser, "scenes")
    browser.run(UNTIL + """
        const first = document.querySelector('[data-address="scene"] input[value="a"]');
        await until('scene a is not in force', () => session.value('scene') === 'a');
        first.focus();
        window.before = first;""", 1000 * PATIENCE)
    try:
        for scene in SCENES:
            browser.act(pressing("Right"))
            focused = browser.run(UNTIL + """
                const wish = given[1];
                await until(`an arrow key to scene ${wish} leads to ${session.value('scene')}`, () => session.value('scene') === wish);
                await until('the controls are not made anew', () => !window.before.isConnected);
                await new Promise(done => setTimeout(done, 300));
                window.before = document.querySelector('[data-address="scene"] input:checked');
                const one = document.activeElement;
                return [one.closest('[data-address]')?.dataset.address, one.value];""", 1000 * PATIENCE, scene)
            if focused != ["scene", scene]:
                raise Complaint(f"after scene {scene} the focus is on {focused}")
    finally:
        browser.run("""
            await panel.session.ask('scene', 'a');
            for (const scene of given[0]) await panel.session.ask('scene-clear', scene).catch(() => {});""", SCENES)
    return f"arrow keys lead from a to {SCENES[-1]}"


def focus(browser):
    """Makes all controls anew while one of them has the focus, which it keeps: a fader of three, a switch, a switch in the
    table of loudspeakers, and one that is always at hand."""
    found = browser.run(UNTIL + """
        const finds = {
          'the roll of an input': () => document.querySelectorAll('[data-address="input/main/place"] input[type="range"]')[2],
          'its number': () => document.querySelectorAll('[data-address="input/main/place"] input[type="number"]')[2],
          'a switch': () => document.querySelector('[data-group] button[role="switch"][data-address]'),
          'a switch of a loudspeaker': () => document.querySelectorAll('#loudspeaker-table button[role="switch"]')[3],
          'a switch at hand': () => document.querySelector('[data-thumb="dim"]'),
          'the heading of a group': () => document.querySelector('[data-input="main"] summary'),
          'a clip light': () => document.querySelectorAll('.light')[1],
        };
        const faults = [];
        for (const [what, find] of Object.entries(finds)) {
          const before = find(), section = before.closest('[data-tab]');
          if (section?.hidden) document.getElementById(`tab-${section.dataset.tab}`).click();
          for (let group = before.closest('details'); group; group = group.parentElement.closest('details'))
            if (!group.open) group.querySelector(':scope > summary').click();
          before.focus();
          if (document.activeElement !== before) throw new Error(`${what} takes no focus`);
          document.getElementById('refresh').click();
          await until(`${what} is not made anew`, () => !before.isConnected);
          if (document.activeElement !== find()) faults.push(`${what}: the focus is on ${document.activeElement.outerHTML.slice(0, 80)}`);
        }
        return { faults, controls: Object.keys(finds).length };""", 1000 * PATIENCE)
    if found["faults"]:
        raise Complaint("; ".join(found["faults"]))
    return f"{found['controls']} controls made anew keep the focus"


def order(browser):
    """Follows Tab through every section on every screen, and the skip links."""
    counts = []
    for width, height in SCREENS:
        browser.look(width, height, mobile=width < 1000)
        found = browser.run(ORDER)
        if found["faults"]:
            raise Complaint(f"{width}×{height}: {'; '.join(found['faults'][:4])}")
        counts.append(found["count"])
    browser.look(1280, 800)
    return f"{' + '.join(map(str, counts))} stops of Tab in the order of the screen; skip links lead to what is in view"


def kept(browser):
    """Takes a control from under the focus in other ways than by new controls of the session: lists in another language, a
    group that folds, a dialog that closes, a section that a narrower page does not show."""
    browser.look(1280, 800)
    show(browser, "plugins")
    found = browser.run(UNTIL + """
        const faults = [], active = () => document.activeElement, what = () => active().outerHTML.slice(0, 80);
        const speak = async (language, before) => {
          const list = document.getElementById('language');
          list.value = language;
          list.dispatchEvent(new Event('change'));
          await until('the list is not made anew', () => !before.isConnected);
        };
        const bypass = () => document.querySelector('[data-plugin="bands"] [role="switch"]');
        bypass().focus();
        await speak('de', bypass());
        if (active() !== bypass()) faults.push(`a plugin's switch: ${what()}`);
        await speak('en', bypass());
        const view = document.querySelectorAll('#views button')[1];
        view.focus();
        view.click();
        if (active() !== document.querySelectorAll('#views button')[1]) faults.push(`the view: ${what()}`);
        document.querySelectorAll('#views button')[0].click();
        const group = document.querySelector('[data-plugin="bands"] > .fold');
        for (const each of [group, ...group.querySelectorAll('details')]) each.open = true;
        [...group.querySelectorAll('input')].find(each => each.checkVisibility()).focus();
        group.open = false;
        await until(`a group that folds: ${what()}`, () => active() === group.querySelector('summary'));
        group.open = true;
        document.getElementById('tab-session').click();
        const quit = document.getElementById('quit');
        quit.focus();
        quit.click();
        document.getElementById('stay').click();
        if (active() !== quit) faults.push(`a dialog that closes: ${what()}`);
        document.querySelectorAll('#views button')[0].focus();
        return faults;""", 1000 * PATIENCE)
    browser.look(320, 568, 2, mobile=True)
    hidden = browser.run(UNTIL + """
        await until('the stage is shown', () => document.getElementById('stage').hidden);
        return document.activeElement.closest('#tabs') ? '' : document.activeElement.outerHTML.slice(0, 80);""", 1000 * PATIENCE)
    browser.look(1280, 800)
    if hidden:
        found.append(f"a section that is hidden: {hidden}")
    if found:
        raise Complaint("; ".join(found))
    return "it stays in a new list and another view, and goes to the heading of a group, before a dialog, to the tabs"


def frozen(browser):
    """Mutes and unmutes by the same switch while the display is frozen: it shows each, and the meters stand still."""
    meters = browser.run(UNTIL + """
        const hold = document.getElementById('hold'), mute = () => document.querySelector('[data-thumb="monitor-mute"]');
        let count = 0;
        const take = () => { count += 1; };
        const shows = word => until(`the switch is not ${word}: ${session.value('monitor-mute')}`,
          () => session.value('monitor-mute') === word && mute().getAttribute('aria-checked') === String(word === 'on'));
        await shows('off');
        hold.click();
        await until('the display is not frozen', () => hold.getAttribute('aria-checked') === 'true');
        try {
          await new Promise(done => setTimeout(done, 300));
          session.addEventListener('meters', take);
          for (const word of ['on', 'off', 'on', 'off']) {
            mute().click();
            await shows(word);
          }
          await new Promise(done => setTimeout(done, 300));
          const while_ = count;
          hold.click();
          await until('the meters do not go on', () => count > while_);
          return while_;
        } finally {
          session.removeEventListener('meters', take);
          if (!session.isListening) hold.click();
          await session.ask('monitor-mute', 'off');
        }""", 1000 * PATIENCE)
    if meters:
        raise Complaint(f"{meters} messages of the meters while the display is frozen")
    return "four presses of Mute on a frozen display, each in force and shown"
