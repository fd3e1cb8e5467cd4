// The plugins of this machine, to be found by name, kind and maker, and put into a chain by a click; presets of what
// was put in are tried there.
import { make } from './widgets.js';
import { word } from './words.js';

const byID = id => document.getElementById(id);
/** Plugins that are listed at most; the search narrows them. */
const most = 200;
/** Letters without case and accents. */
const plain = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export class PluginBrowser {
  #session; #dialog = byID('browser'); #form = byID('browser-filter'); #known;

  constructor(session) {
    this.#session = session;
    byID('browse').onclick = () => this.#open();
    byID('browser-close').onclick = () => this.#dialog.close();
    this.#form.oninput = () => this.#show();
    this.#form.onsubmit = event => event.preventDefault();
  }

  /** Takes the chains that there are: the ears' and each input's. */
  layPlaces(places) {
    const list = this.#form.elements.place, chosen = list.value;
    list.replaceChildren(...places.map(value => make('option', { value, selected: value === chosen }, value)));
  }

  /** Has the lists made anew the next time: other words are read. */
  forget() { this.#known = undefined; }

  async #open() {
    byID('browser-inserted').hidden = true;
    byID('browser-refusal').textContent = '';
    this.#dialog.showModal();
    // A first look at all plugins takes seconds.
    if (!this.#known) byID('browser-count').textContent = word('scanning');
    try { this.#known = (await this.#session.ask('plugin/known')).sort((a, b) => a.name.localeCompare(b.name)); } catch (error) { return this.#refuse(error); }
    for (const what of ['kind', 'maker']) {
      const list = this.#form.elements[what], chosen = list.value, counts = new Map();
      for (const each of this.#known) if (each[what]) counts.set(each[what], (counts.get(each[what]) ?? 0) + 1);
      list.replaceChildren(make('option', { value: '' }, word('value.all')), ...[...counts].sort(([a], [b]) => a.localeCompare(b))
        .map(([value, count]) => make('option', { value, selected: value === chosen }, `${value} (${count})`)));
    }
    this.#show();
  }

  #refuse(error) { byID('browser-refusal').textContent = error.message === 'closed' ? word('closed') : error.message; }

  #show() {
    const { search, kind, maker } = this.#form.elements, words = plain(search.value).split(/\s+/).filter(Boolean);
    const found = (this.#known ?? []).filter(each => (!kind.value || each.kind === kind.value) && (!maker.value || each.maker === maker.value)
      && words.every(word => plain(`${each.name} ${each.kind} ${each.maker} ${each.identifier}`).includes(word)));
    byID('browser-count').textContent = `${found.length} ${word('of')} ${this.#known?.length ?? 0}${found.length > most ? `; ${word('firstShown')} ${most}` : ''}`;
    byID('browser-list').replaceChildren(...found.slice(0, most).map(each => {
      const button = make('button', { type: 'button', title: each.identifier, onclick: () => this.#insert(each) },
        make('strong', {}, each.name), make('span', {}, [each.kind, each.maker, `${each.inputs}→${each.outputs}`].filter(Boolean).join(' · ')));
      button.dataset.identifier = each.identifier;
      return make('li', {}, button);
    }));
  }

  /** Puts a plugin into the chosen chain, and offers the presets that it has. */
  async #insert({ identifier, name }) {
    byID('browser-refusal').textContent = '';
    const place = this.#form.elements.place.value;
    try {
      await this.#session.ask('plugin/add', `${place}=${identifier}`);
      const chain = (await this.#session.ask('plugin')).filter(each => each.place === place && each.identifier === identifier);
      const added = chain.sort((a, b) => a.position - b.position).at(-1);
      const { presets = [] } = added ? await this.#session.ask(`plugin/${added.name}/about`) : {};
      const box = byID('browser-inserted');
      box.hidden = false;
      box.replaceChildren(make('p', {}, `${name} → ${place}`), ...presets.slice(0, most).map(({ label }) => {
        const button = make('button', { type: 'button' }, label);
        button.dataset.preset = label;
        button.onclick = async () => {
          try { await this.#session.ask(`plugin/${added.name}/preset`, label); } catch (error) { return this.#refuse(error); }
          for (const other of box.querySelectorAll('button')) other.setAttribute('aria-pressed', other === button);
        };
        button.setAttribute('aria-pressed', false);
        return button;
      }), ...presets.length ? [] : [make('p', { className: 'note' }, word('noPresets'))]);
    } catch (error) { this.#refuse(error); }
  }
}
