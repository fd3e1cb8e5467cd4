"""Checks *Resume* on the panel: while the ears are not connected it cannot be pressed, and the page states why; with a
connection it can be pressed."""
import contextlib

from panel_faders import UNTIL, show
from portplay import Patchbay
from takes import PATIENCE, Complaint

#: The ears of the session and the ports of the sound card.
EARS = [("sections:out_L", "system:playback_1"), ("sections:out_R", "system:playback_2")]

#: Script for the page: whether its two buttons can be pressed, and the reasons beside them.
OFFER = """
const buttons = [document.getElementById('link-resume'), document.querySelector('#routes [data-command="resume"]')];
const text = () => document.getElementById('link-text').textContent;
const shows = isOffered => buttons.every(each => each.checkVisibility() && each.disabled !== isOffered);
const reasons = () => buttons.map(each => `${each.title} ${document.getElementById(each.getAttribute('aria-describedby')).textContent}`);
"""


def resume(browser):
    """Disconnects both ears, connects one again, and resumes."""
    show(browser, "routes")
    bay = Patchbay("panel-patchbay")
    try:
        for pair in EARS:
            bay.disconnect(*pair)
        said = browser.run(UNTIL + OFFER + """
            await until(`the route is ${session.value('playback')}`, () => session.value('playback') === 'held' && session.value('ears-connected') === 'off');
            await until('Resume is offered without ports', () => shows(false));
            await until(`no reason beside it: ${reasons()}`, () => reasons().every(each => each.split('out_L').length > 2));
            return text();""", 1000 * PATIENCE)
        bay.connect(*EARS[0])
        browser.run(UNTIL + OFFER + """
            await until('Resume is not offered with a port', () => session.value('ears-connected') === 'on' && shows(true));
            if (text().includes('out_L')) throw new Error(`with a port the page says '${text()}'`);
            buttons[0].focus();
            buttons[0].click();
            await until(`the route is ${session.value('playback')}`, () => session.value('playback') === 'playing');
            await until('the line stays', () => document.getElementById('link').hidden);
            if (document.activeElement === document.body || !document.activeElement.checkVisibility()) throw new Error('the focus is lost');""", 1000 * PATIENCE)
        bay.connect(*EARS[1])
    except RuntimeError as error:
        raise Complaint(str(error)) from None
    finally:
        # Further parts need both connections.
        for pair in EARS:
            with contextlib.suppress(RuntimeError):
                bay.connect(*pair)
        bay.close()
    return f"'{said}'; offered again with a port, and resumed"
