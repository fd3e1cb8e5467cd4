"""Checks the panel's appearance in its present state: axe's rules in both themes, and nothing cut off or overlapping
from a phone to a wall."""
import os
import pathlib

from takes import Complaint

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ROOT / ".build/venv"
#: Screens: name, CSS pixels, device pixels per CSS pixel.
SCREENS = [("phone", 320, 568, 2), ("laptop", 1280, 800, 1), ("wall", 3840, 2160, 1)]


def barriers(browser):
    """Checks axe's rules in both themes, and keyboard access to every control."""
    axe = next(PACKAGES.glob("lib/python*/site-packages/axe_core_python/axe.min.js"), None)
    if axe is None:
        return None
    counts = []
    for dark in (False, True):
        browser.look(1280, 800, dark=dark)
        browser.devtools("Runtime.evaluate", expression=axe.read_text(encoding="utf-8"))
        found = browser.run("""
            document.documentElement.dataset.theme = given[0] ? 'dark' : 'light';
            await new Promise(done => setTimeout(done, 200));
            // Each section as it is shown; what a dialog covers is not.
            const open = document.querySelector('dialog[open]'), chosen = document.querySelector('#tabs [aria-selected="true"]').id;
            const violations = [];
            let passes = [];
            for (const tab of open ? [chosen] : [...document.querySelectorAll('#tabs [role="tab"]')].map(each => each.id)) {
              if (!open) document.getElementById(tab).click();
              const found = await axe.run(document, { resultTypes: ['violations'] });
              violations.push(...found.violations);
              if (found.passes.length > passes.length) passes = found.passes;
            }
            if (!open) document.getElementById(chosen).click();
            document.documentElement.dataset.theme = 'auto';
            return { passes: passes.length, violations: violations.map(({ id, nodes }) =>
              `${id}: ${nodes.length} × ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary.replaceAll('\\n', ' ').slice(0, 200)}`) };""", dark)
        if found["violations"]:
            raise Complaint("; ".join(found["violations"])[:1500])
        counts.append(found["passes"])
    unreachable = browser.run("""
        return [...document.querySelectorAll('button, input, select')].filter(each => each.tabIndex < 0 && !each.disabled).map(each => each.outerHTML.slice(0, 80));""")
    if unreachable:
        raise Complaint(f"not to be reached by keys: {unreachable[:3]}")
    return f"axe: no violation of {counts[0]} rules that apply, light and dark; every control is in the order of Tab"


def screens(browser, shown="panel"):
    """Checks for elements beyond the right edge, cut off or overlapping, from a phone to a wall; names pictures
    `shown`-..."""
    for name, width, height, scale in SCREENS:
        for dark in (False, True):
            browser.look(width, height, scale, dark, mobile=name == "phone")
            found = browser.run("""
                await new Promise(done => setTimeout(done, 400));
                const faults = [], shown = document.querySelector('dialog[open]'), chosen = document.querySelector('#tabs [aria-selected="true"]').id;
                for (const tab of shown ? [chosen] : [...document.querySelectorAll('#tabs [role="tab"]')].map(each => each.id)) {
                if (!shown) { document.getElementById(tab).click(); await new Promise(done => setTimeout(done, 50)); }
                if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
                // What is open over the page is what is there to be seen.
                const open = document.querySelector('dialog[open]');
                if (open) {
                  const box = open.getBoundingClientRect();
                  if (box.top < 0 || box.bottom > innerHeight) faults.push(`${open.id} goes beyond the screen`);
                }
                const kinds = ['button', 'select', 'input', 'legend', 'h2', 'h3', 'p', 'dd', 'canvas', 'progress'];
                const all = [...(open ?? document).querySelectorAll(open ? kinds : [...kinds.slice(0, 8).map(kind => `main ${kind}`), 'header button'])]
                  .filter(each => each.checkVisibility() && !each.closest('.scroll, #tabs') && getComputedStyle(each).opacity !== '0');
                for (const each of all) {
                  const box = each.getBoundingClientRect();
                  if (box.right > innerWidth + 1 || box.left < -1) faults.push(`${tab}: beyond the edge: ${each.outerHTML.slice(0, 90)}`);
                  if (each.matches('button') && each.scrollWidth > each.clientWidth + 2) faults.push(`${tab}: cut off: ${each.outerHTML.slice(0, 90)}`);
                }
                const buttons = all.filter(each => each.matches('button, select, input'));
                const boxes = buttons.map(each => each.getBoundingClientRect());
                for (let a = 0; a < boxes.length; a++) for (let b = a + 1; b < boxes.length; b++) {
                  const wide = Math.min(boxes[a].right, boxes[b].right) - Math.max(boxes[a].left, boxes[b].left);
                  const high = Math.min(boxes[a].bottom, boxes[b].bottom) - Math.max(boxes[a].top, boxes[b].top);
                  if (wide > 2 && high > 2) faults.push(`${tab}: on each other: ${buttons[a].outerHTML.slice(0, 70)} and ${buttons[b].outerHTML.slice(0, 70)}`);
                }
                }
                if (!shown) document.getElementById(chosen).click();
                return faults.slice(0, 5);""")
            if shots := os.environ.get("PROSCENIUM_SCREENSHOTS"):
                browser.picture(pathlib.Path(shots) / f"{shown}-{name}-{'dark' if dark else 'light'}.png", whole=name != "wall")
            if found:
                raise Complaint(f"{name}, {'dark' if dark else 'light'}: {'; '.join(found)}")
    browser.look(1280, 800)
    return f"{', '.join(f'{width}×{height}' for _, width, height, _ in SCREENS)}, light and dark: nothing cut off or on something else"
