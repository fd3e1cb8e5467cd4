// Sections as tabs: one at a time on a narrow screen; beside the stage on a wider one; beside the stage and the meters
// on a still wider one. The browser stores the chosen section.
import { holdFocus } from './focus.js';
import { make } from './widgets.js';
import { word } from './words.js';

/** Sections that are always visible if the page has at least this width in CSS pixels. */
const docked = { stage: matchMedia('(min-width: 1000px)'), meters: matchMedia('(min-width: 1700px)') };
const byID = id => document.getElementById(id);

/** Moves an element before another one, unless it is already there. */
function put(element, parent, before) {
  if (element.parentElement !== parent || element.nextElementSibling !== before) parent.insertBefore(element, before);
}

export class Tabs {
  #list = byID('tabs'); #kept; #chosen; #sections = [...document.querySelectorAll('[data-tab]')];

  /** `kept`: storage of the choice, with `get(key)` and `set(key, value)`. */
  constructor(kept) {
    this.#kept = kept;
    this.#chosen = kept.get('section') ?? 'stage';
    for (const media of Object.values(docked)) media.addEventListener('change', () => this.lay());
    this.#list.onkeydown = event => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity }[event.key];
      if (!step) return;
      event.preventDefault();
      const names = this.#offered, last = names.length - 1, next = names.indexOf(this.shown) + step;
      // The first follows the last, and the last precedes the first.
      this.choose(names[Number.isFinite(next) ? (next + names.length) % names.length : step < 0 ? 0 : last]);
      this.#list.querySelector('[aria-selected="true"]').focus();
    };
    this.lay();
  }

  /** Names of the sections with a tab. */
  get #offered() { return this.#sections.map(each => each.dataset.tab).filter(each => !this.#isDocked(each) && !this.#isAbsent(each)); }
  #isDocked(name) { return docked[name]?.matches ?? false; }
  #isAbsent(name) { return this.#sections.find(each => each.dataset.tab === name)?.dataset.absent !== undefined; }

  /** The section in view: the chosen one, or the monitor section if the chosen one has no tab. */
  get shown() { return this.#offered.includes(this.#chosen) ? this.#chosen : 'monitor'; }

  /** Shows a section and stores the choice. */
  choose(name) {
    this.#chosen = name;
    this.#kept.set('section', name);
    this.lay();
    document.querySelector('main').scrollTop = 0;
  }

  /** Adds or removes the tab of a section that is not always present, such as that of a preview's player. */
  offer(name, isThere) {
    const section = this.#sections.find(each => each.dataset.tab === name);
    if ((section.dataset.absent === undefined) === isThere) return;
    isThere ? delete section.dataset.absent : section.dataset.absent = '';
    this.lay();
  }

  /** Creates the tabs and shows the section in view. Must be called again after a change of the language or of the
      page's width. */
  lay() {
    const { shown } = this, giveFocus = holdFocus(), within = document.activeElement?.closest('[data-tab]');
    this.#order();
    for (const section of this.#sections) {
      const name = section.dataset.tab, isDocked = this.#isDocked(name);
      section.hidden = !isDocked && name !== shown;
      // It is the target of skip links.
      section.tabIndex = -1;
      section.classList.toggle('docked', isDocked);
      section.setAttribute('role', isDocked ? 'region' : 'tabpanel');
    }
    this.#list.replaceChildren(...this.#offered.map(name => {
      const tab = make('button', { type: 'button', id: `tab-${name}`, onclick: () => this.choose(name) }, word('tab.' + name, word(name)));
      tab.setAttribute('role', 'tab');
      tab.setAttribute('aria-selected', name === shown);
      tab.setAttribute('aria-controls', name);
      return tab;
    }));
    const chosen = this.#list.querySelector('[aria-selected="true"]');
    if (within?.hidden) chosen?.focus();
    giveFocus();
    // On a narrow screen the list of tabs is wider than the screen.
    if (chosen) this.#list.scrollLeft = chosen.offsetLeft - (this.#list.clientWidth - chosen.offsetWidth) / 2;
  }

  /** Puts the parts of the page into the order in which they appear on the screen, for Tab and screen readers. The
      quick controls are last on a narrow screen, otherwise in the header beside the stage. The tabs precede their
      section. */
  #order() {
    const nav = document.querySelector('nav'), main = document.querySelector('main'), header = document.querySelector('header'), thumb = byID('thumb');
    if (this.#isDocked('stage')) {
      put(nav, main, byID(this.#isDocked('meters') ? 'rest' : 'meters'));
      put(thumb, header, header.querySelector('.bar'));
    } else {
      put(nav, document.body, byID('link'));
      put(thumb, document.body, byID('ending'));
    }
  }
}
