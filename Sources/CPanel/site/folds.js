// Groups of controls that can be folded. The browser stores which ones are open. On a narrow screen one group of a set
// is open at a time.
import { make } from './widgets.js';

/** Choices of the user, stored by the browser if it permits this. */
export const kept = {
  get: key => { try { return localStorage.getItem(key); } catch { return null; } },
  set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* it is chosen again next time */ } },
};

const narrow = matchMedia('(max-width: 999px)');
narrow.addEventListener('change', () => { for (const each of document.querySelectorAll('details[data-set]')) bind(each); });

/** Whether the screen is narrow and shows one section at a time. */
export const isNarrow = () => narrow.matches;

/** On a narrow screen the groups of a set get the same name, so that only one of them is open at a time. */
function bind(details) {
  if (narrow.matches) details.setAttribute('name', details.dataset.set);
  else details.removeAttribute('name');
}

/** Returns a group that can be folded. `key`: key of its stored state; `set`: set of which one group is open at a
    time on a narrow screen; `isOpen`: state before the user has chosen one. */
export function fold(key, set, title, isOpen, ...children) {
  const summary = make('summary', {}, title), details = make('details', { className: 'fold' }, summary, ...children);
  details.dataset.fold = key;
  details.dataset.set = set;
  const chosen = kept.get(`fold.${key}`);
  details.open = chosen === null ? isOpen : chosen === 'open';
  summary.addEventListener('click', () => kept.set(`fold.${key}`, details.open ? 'folded' : 'open'));
  bind(details);
  return details;
}
