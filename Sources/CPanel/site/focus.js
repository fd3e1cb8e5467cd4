// The keyboard's focus while the page changes: it stays with its control if controls are created again. If the control
// was removed, folded, hidden or disabled, the focus goes to the nearest one.

/** Attributes by which a control, or an element that contains it, is recognised after it was created again. */
const marks = ['id', 'data-key', 'data-address', 'data-thumb', 'data-fold', 'data-plugin', 'data-input', 'data-body', 'data-command', 'data-of'];
const marked = marks.map(name => `[${name}]`).join();
const controls = 'a[href], button, input, select, summary, [tabindex]:not([tabindex="-1"])';

const mark = element => marks.find(name => element.getAttribute(name));
const isUsable = control => control.isConnected && !control.disabled && control.checkVisibility();
const within = home => [...home.querySelectorAll(controls)];

/** Returns the marks of a control and of the elements that contain it, up to the page. */
function path(control) {
  const found = [];
  for (let one = control.closest(marked); one; one = one.parentElement?.closest(marked)) found.push(`${mark(one)}=${one.getAttribute(mark(one))}`);
  return found.join(' ');
}

let isByPage = false;

/** Whether the page is setting the focus, and not the user. */
export const isGiven = () => isByPage;

function give(control) {
  isByPage = true;
  control.focus();
  isByPage = false;
}

/** Remembers which control has the focus, if it is in one of `boxes` (without boxes: anywhere). Returns a function
    that, after the page was changed, gives the focus to the same control again, or to the nearest one. */
export function holdFocus(...boxes) {
  const focused = document.activeElement;
  if (!focused || focused === document.body || boxes.length && !boxes.some(each => each.contains(focused))) return () => {};
  // Of several controls with the same marks, the one at the same place is meant.
  const key = path(focused), home = focused.closest(marked);
  const alike = root => [...root.matches(controls) ? [root] : [], ...within(root)].filter(each => path(each) === key);
  const selector = home && `[${mark(home)}="${CSS.escape(home.getAttribute(mark(home)))}"]`, number = home ? alike(home).indexOf(focused) : -1;
  // Elements that contain the control, from the innermost on, each with the index among its controls at which the part
  // with the focus begins.
  const homes = [];
  for (let part = focused; part.parentElement; part = part.parentElement) {
    const there = within(part.parentElement), first = there.findIndex(each => part.contains(each));
    homes.push({ home: part.parentElement, place: Math.max(0, first) });
  }
  return () => {
    const now = document.activeElement;
    // The user or a dialog has moved the focus.
    if (now && now !== document.body && now !== focused) return;
    if (isUsable(focused)) {
      if (now !== focused) give(focused);
      return;
    }
    const same = selector && number >= 0 ? [...document.querySelectorAll(selector)].flatMap(alike)[number] : undefined;
    const next = same && (isUsable(same) ? same : same.closest('details:not([open])')?.querySelector('summary'));
    const found = next && isUsable(next) ? next : nearest(homes, !focused.isConnected);
    if (found) give(found);
  };
}

/** Returns the usable control nearest to a place: the next one after a removed control, the one before a disabled
    or hidden control. */
function nearest(homes, isGone) {
  for (const { home, place } of homes) {
    if (!home.isConnected) continue;
    const there = within(home), after = there.slice(place).find(isUsable), before = there.slice(0, place).findLast(isUsable);
    const found = isGone ? after ?? before : before ?? after;
    if (found) return found;
  }
  return undefined;
}

let last;
document.addEventListener('focusin', ({ target }) => { last = target; });
// If a group that contains the focus is folded, the focus goes to its heading.
document.addEventListener('toggle', ({ target }) => {
  if (!(target instanceof HTMLDetailsElement) || target.open || !last || !target.contains(last)) return;
  const now = document.activeElement, summary = target.querySelector('summary');
  if ((!now || now === document.body || target.contains(now)) && now !== summary && isUsable(summary)) give(summary);
}, true);
