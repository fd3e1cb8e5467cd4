"""Checks the panel's faders: their scales and tapers, those of the meters, and clip lights; the exact numbers beside
them by keys; and a handle whose value was refused."""
from browser import pressing
from takes import PATIENCE, Complaint

#: Script for the page before each of the following: waits for a condition.
UNTIL = """
const [patience] = given, session = panel.session;
const until = async (what, holds) => {
  const end = performance.now() + patience;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`${what}; ${document.getElementById('complaint').textContent}`);
    await new Promise(done => setTimeout(done, 5));
  }
};
"""
#: The exact number of an input's level.
EXACT = """
const exact = document.querySelector('[data-address="input/main/level"] input[type="number"]'), level = () => session.value('input/main/level');
const shows = number => until(`the field shows ${exact.value}, not ${number} in force`, () => level() === number && exact.value === String(number));
"""


def show(browser, name):
    """Opens a section by its tab."""
    browser.run("document.getElementById('tab-' + given[0]).click(); await new Promise(done => setTimeout(done, 150));", name)


def faders(browser):
    """Checks scales and tapers of faders and meters, and clip lights."""
    browser.look(1280, 800)
    show(browser, "inputs")
    found = browser.run("""
        const patience = given[0], session = panel.session, { audioTaper } = await import('/faders.js');
        const until = async (what, holds) => {
          const end = performance.now() + patience;
          while (!holds()) {
            if (performance.now() > end) throw new Error(what);
            await new Promise(done => setTimeout(done, 5));
          }
        };
        const curve = audioTaper(-60, 10), faults = [];
        if (Math.abs(curve.place(0) - 0.75) > 0.01 || curve.place(-60) !== 0 || curve.place(10) !== 1) faults.push('the taper has its 0 dB elsewhere');
        for (let place = 0.01; place <= 1; place += 0.01) if (Math.abs(curve.place(curve.level(place)) - place) > 0.01) faults.push(`the taper does not return at ${place}`);
        const levels = ['input/main/level', 'input/music/level', 'monitor-level', 'gain', 'lfe-gain', 'room-level'];
        for (const address of levels) {
          const one = document.querySelector(`[data-address="${CSS.escape(address)}"]`), slide = one.querySelector('input[type="range"]'), exact = one.querySelector('input[type="number"]');
          const marks = [...one.querySelectorAll('.scale span')].map(each => each.textContent).join(' ');
          if (slide.dataset.taper !== 'audio' || marks !== '−60 −40 −20 −10 0 +10') faults.push(`${address}: scale '${marks}'`);
          if (!['gain', 'lfe-gain', 'room-level'].includes(address)) {
            slide.value = curve.place(-20);
            slide.dispatchEvent(new Event('input', { bubbles: true }));
            slide.dispatchEvent(new Event('change', { bubbles: true }));
            await until(`${address} does not come to −20 dB: ${session.value(address)}`, () => Math.abs(session.value(address) + 20) < 0.3 && /^−/.test(slide.getAttribute('aria-valuetext')));
            exact.value = -90;
            exact.dispatchEvent(new Event('change', { bubbles: true }));
            await until(`${address} does not take −90 dB`, () => session.value(address) === -90 && slide.valueAsNumber === 0);
            slide.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
            await until(`${address} does not return to 0 dB`, () => session.value(address) === 0);
          }
        }
        document.getElementById('tab-meters').click();
        const axis = [...document.querySelectorAll('.meter.axis .scale span')].map(each => each.textContent).join(' ');
        if (axis !== '−60 −40 −20 −10 0') faults.push(`scale of the meters '${axis}'`);
        const light = document.querySelector('.meter .light');
        if (light?.innerText.toLowerCase() !== 'clip') faults.push(`a clip light is labelled '${light?.innerText}'`);
        let last;
        const take = ({ detail }) => { last = detail; };
        session.addEventListener('meters', take, { once: true });
        await until('no meters', () => last);
        session.dispatchEvent(new CustomEvent('meters', { detail: { ...last, ears: [0.3, -20] } }));
        const lit = [...document.querySelectorAll('.light.on')].map(each => each.ariaLabel);
        if (lit.length !== 1 || !/left/i.test(lit[0])) faults.push(`one ear over 0 dBFS lights ${lit}`);
        light.click();
        if (document.querySelector('.light.on')) faults.push('a click does not clear the light');
        return { faults, bars: document.querySelectorAll('.light').length };""", 1000 * PATIENCE)
    if found["faults"]:
        raise Complaint("; ".join(found["faults"][:4]))
    return f"levels by an audio taper from −60 to +10 dB, −90 dB by its number; {found['bars']} meters with a scale and labelled lights"


def typed(browser):
    """Types numbers into the field beside a fader: it shows what is in force, also while it has the focus, and keeps
    what is being typed; each press of an arrow key starts from the step before."""
    browser.look(1280, 800)
    show(browser, "inputs")
    browser.run(UNTIL + EXACT + """
        await session.ask('input/main/level', -6);
        await shows(-6);
        exact.closest('details')?.setAttribute('open', '');
        exact.focus();
        exact.value = -12;
        for (const kind of ['input', 'change']) exact.dispatchEvent(new Event(kind, { bubbles: true }));
        await shows(-12);
        if (document.activeElement !== exact) throw new Error('the field has lost the focus');""", 1000 * PATIENCE)
    browser.act(pressing("Up", "Up", "Up"))
    browser.run(UNTIL + EXACT + """
        await shows(-9);
        // Another panel moves it while a number is half typed; what was not asked for is given up with the focus.
        exact.value = '3';
        exact.dispatchEvent(new Event('input', { bubbles: true }));
        await session.ask('input/main/level', -20);
        await until('−20 dB are not in force', () => level() === -20);
        if (exact.value !== '3') throw new Error(`what is typed was replaced by ${exact.value}`);
        exact.blur();
        await shows(-20);
        await session.ask('input/main/level', 0);
        await shows(0);""", 1000 * PATIENCE)
    return "shown as they are in force, with the focus on the field; three arrow keys, three steps"


def refused(browser):
    """Moves a plugin's fader to a value that the session refuses: the handle returns."""
    show(browser, "plugins")
    address = browser.run(UNTIL + """
        const exact = [...document.querySelectorAll('[data-plugin] input[type="number"][data-address]')].find(each => each.closest('label').querySelector('input[type="range"]'));
        const slide = exact.closest('label').querySelector('input[type="range"]'), before = slide.valueAsNumber;
        session.ask = () => Promise.reject(new Error('refused by the check'));
        try {
          slide.value = before > (Number(slide.min) + Number(slide.max)) / 2 ? slide.min : slide.max;
          for (const kind of ['input', 'change']) slide.dispatchEvent(new Event(kind, { bubbles: true }));
          await until(`the handle stays at ${slide.value}, from ${before}`, () => slide.valueAsNumber === before);
        } finally {
          delete session.ask;
        }
        return exact.dataset.address;""", 1000 * PATIENCE)
    return f"the handle of {address} returns"
