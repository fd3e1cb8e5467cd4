// The plugins of this machine: a search by name, kind and maker. A click puts a plugin, with a preset if one is chosen,
// into a chain.
import { give } from './commands.js';
import { make } from './widgets.js';
import { word } from './words.js';

const byID = id => document.getElementById(id);
/** Command that lists the plugins of this machine. */
const known = 'plugin/known';
/** Greatest number of plugins that are listed; the search narrows them. */
const most = 200;
/** Returns a text in lower case and without accents. */
const plain = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export class PluginBrowser {
  #session; #inserted; #dialog = byID('browser'); #form = byID('browser-filter'); #known;

  /** `inserted`: called with the name of a plugin that was put in. */
  constructor(session, inserted) {
    [this.#session, this.#inserted] = [session, inserted];
    give(byID('browse'), known);
    byID('browse').onclick = () => this.#open();
    byID('browser-close').onclick = () => this.#dialog.close();
    this.#form.oninput = () => this.#show();
    this.#form.onsubmit = event => event.preventDefault();
  }

  /** Sets the list of chains: that of the ears and that of each input. */
  layPlaces(places) {
    const list = this.#form.elements.place, chosen = list.value;
    list.replaceChildren(...places.map(value => make('option', { value, selected: value === chosen }, value)));
  }

  /** Discards the list of plugins: the next opening requests it again, in the present language. */
  forget() { this.#known = undefined; }

  async #open() {
    byID('browser-refusal').textContent = '';
    this.#dialog.showModal();
    // The first scan of all plugins takes seconds.
    if (!this.#known) byID('browser-count').textContent = word('scanning');
    try { this.#known = (await this.#session.ask(known)).sort((a, b) => a.name.localeCompare(b.name)); } catch (error) { return this.#refuse(error); }
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
      return make('li', {}, button, ...each.presets ? [this.#presets(each)] : []);
    }));
  }

  /** Returns the list of a plugin's presets, which is requested when it is opened. A click on a preset inserts the
      plugin with it. */
  #presets(plugin) {
    const list = make('div', {}), details = make('details', {}, make('summary', {}, `${word('presets')} (${plugin.presets})`), list);
    let isAsked = false;
    details.ontoggle = async () => {
      if (!details.open || isAsked) return;
      isAsked = true;
      try {
        const { presets } = await this.#session.ask('plugin/describe', plugin.identifier);
        list.replaceChildren(...presets.map(preset => {
          const button = make('button', { type: 'button', ariaLabel: `${plugin.name}: ${preset.label}`, onclick: () => this.#insert(plugin, preset) }, preset.label);
          button.dataset.with = preset.label;
          return button;
        }));
      } catch (error) {
        isAsked = false;
        this.#refuse(error);
      }
    };
    return details;
  }

  /** Puts a plugin into the chosen chain, with a preset if one is given, and reports its name to `inserted`. */
  async #insert({ identifier }, preset) {
    byID('browser-refusal').textContent = '';
    const place = this.#form.elements.place.value;
    // A request separates its parts by commas and equals signs. A preset whose identifier contains them is loaded
    // afterwards.
    const isLater = preset && /[,=]/.test(preset.identifier);
    try {
      await this.#session.ask('plugin/add', `${place}=${identifier}${preset && !isLater ? `,preset=${preset.identifier}` : ''}`);
      const chain = (await this.#session.ask('plugin')).filter(each => each.place === place && each.identifier === identifier);
      const { name } = chain.sort((a, b) => a.position - b.position).at(-1);
      if (isLater) await this.#session.ask(`plugin/${name}/preset`, preset.identifier);
      this.#dialog.close();
      this.#inserted(name);
    } catch (error) { this.#refuse(error); }
  }
}
