// Groups of controls that can be folded. What was folded or opened is kept in the browser; on a phone one group of a
// set is open at a time.
import { make } from './widgets.js';

/** What the reader chose is the browser's to keep, where it may. */
export const kept = {
  get: key => { try { return localStorage.getItem(key); } catch { return null; } },
  set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* it is chosen again next time */ } },
};

const narrow = matchMedia('(max-width: 999px)');
narrow.addEventListener('change', () => { for (const each of document.querySelectorAll('details[data-set]')) bind(each); });

/** Whether one section at a time is shown. */
export const isNarrow = () => narrow.matches;

/** Details of one name are open one at a time. */
function bind(details) {
  if (narrow.matches) details.setAttribute('name', details.dataset.set);
  else details.removeAttribute('name');
}

/** A group that can be folded. `key`: what its state is kept by; `set`: of which one is open at a time on a phone;
    `isOpen`: its state before there is a choice. */
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
