"""Checks that keys go on where they are while the panel's controls are made anew, as by a change of the scene, and that
switches act on the value in force while the display is frozen."""
from browser import pressing
from panel_faders import UNTIL, show
from takes import PATIENCE, Complaint

#: The scenes after the first one.
SCENES = "bcd"


def scenes(browser):
    """Reaches every scene with an arrow key: each step goes on from the scene that is lit."""
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
