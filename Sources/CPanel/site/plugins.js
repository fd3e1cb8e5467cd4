// Plugins, chain by chain, as the command `plugin` returns them. Each control shows the value at its address.
import { claim } from './commands.js';
import { typed } from './faders.js';
import { holdFocus } from './focus.js';
import { fold, isNarrow } from './folds.js';
import { ask, make } from './widgets.js';
import { help, label, word } from './words.js';

/** Last parts of the addresses of the commands that the elements of a plugin send. */
const commands = ['about', 'bypass', 'midi', 'move', 'preset', 'remove', 'replace', 'restart', 'set'];
claim(...commands.map(each => `plugin/NAME/${each}`));

/** Greatest number of controls in a list without groups, and in a group without a common name. */
const most = 10;

/** Returns a long list of controls in groups: those that the plugin declares, and groups of the other controls by
    their names. */
export function grouped(rows) {
  if (rows.length <= most) return [{ title: '', of: rows }];
  const declared = new Map();
  for (const each of rows) if (each.about?.group) declared.set(each.about.group, [...declared.get(each.about.group) ?? [], each]);
  return [...named(rows.filter(each => !each.about?.group)), ...[...declared].map(([title, of]) => ({ title, of }))];
}

/** Returns groups of controls with the same number in their names (the bands of an equaliser), then with the same
    first word, then of ten controls. */
function named(rows) {
  if (!rows.length) return [];
  const name = ({ symbol, about }) => about?.name ?? symbol;
  const count = (key, all) => all.reduce((counts, each) => { const word = key(each); if (word) counts.set(word, (counts.get(word) ?? 0) + 1); return counts; }, new Map());
  const number = each => name(each).match(/\d+/)?.[0], first = each => name(each).match(/^[\p{L}]{2,}/u)?.[0];
  const numbers = count(number, rows), words = count(first, rows.filter(each => !(numbers.get(number(each)) > 1)));
  const parts = new Map();
  for (const each of rows) {
    const title = numbers.get(number(each)) > 1 ? number(each) : words.get(first(each)) > 2 ? first(each) : '';
    parts.set(title, [...parts.get(title) ?? [], each]);
  }
  // A group that contains all controls is dropped. Long groups are divided into tens, named after their first and last
  // controls.
  return [...parts].flatMap(([title, of]) => of.length <= most ? [{ title: /^\d/.test(title) ? `${name(of[0])} …` : title, of }]
    : Array.from({ length: Math.ceil(of.length / most) }, (_, index) => of.slice(index * most, (index + 1) * most))
      .map(part => ({ title: `${name(part[0])} – ${name(part.at(-1))}`, of: part })));
}

export class Plugins {
  #box; #session; #shown = ''; #controls = new Map(); #about = new Map(); #opened = new Set(); #wanted = ''; #newest = [];

  constructor(box, session) { [this.#box, this.#session] = [box, session]; }

  /** Scrolls to a plugin as soon as it is shown. */
  reveal(name) {
    this.#wanted = name;
    const bypass = this.#box.querySelector(`[data-plugin="${CSS.escape(name)}"] .toggle`);
    if (!bypass) return;
    this.#wanted = '';
    bypass.closest('article').scrollIntoView({ block: 'nearest' });
    bypass.focus({ preventScroll: true });
  }

  /** Creates all elements again at the next call of `show`, because the language has changed. */
  forget() { this.#shown = ''; }

  /** Shows the plugins of all chains. */
  async show(plugins) {
    this.#newest = plugins;
    for (const { name, identifier } of plugins) {
      if (this.#about.has(identifier)) continue;
      // Until the description arrives, the controls are plain numbers. If the connection was lost, the next call of
      // `show` requests the description again. After a refusal it is not requested again.
      this.#about.set(identifier, {});
      const about = await this.#session.ask(`plugin/${name}/about`).catch(error => error.message === 'closed' ? undefined : {});
      if (about) {
        this.#about.set(identifier, about);
        this.#shown = '';
      } else this.#about.delete(identifier);
    }
    // A newer list may have arrived while the descriptions were requested.
    plugins = this.#newest;
    // The elements are created again only if a plugin was added, removed or moved; otherwise only their values are
    // updated.
    const kind = JSON.stringify(plugins.map(each => [each.name, each.place, each.position, each.identifier, Object.keys(each.controls)]));
    if (kind !== this.#shown) {
      this.#shown = kind;
      this.#lay(plugins);
    }
    for (const plugin of plugins) {
      const figures = this.#box.querySelector(`[data-plugin="${CSS.escape(plugin.name)}"] .figures-line`);
      if (!figures) continue;
      figures.textContent = `${word('latency')} ${plugin.latency} · ${plugin.median.toFixed(0)} / ${plugin.p99.toFixed(0)} µs`
        + (plugin.isIsolated ? ` · ${word('isolated')}` : '') + (plugin.fault ? ` · ${plugin.fault}` : '');
      figures.classList.toggle('bad', Boolean(plugin.fault));
    }
  }

  /** Shows the value in force at an address of a plugin. */
  take(address) { this.#controls.get(address)?.(this.#session.value(address)); }

  #lay(plugins) {
    const giveFocus = holdFocus(this.#box);
    this.#controls.clear();
    this.#box.replaceChildren();
    if (!plugins.length) this.#box.append(make('p', { className: 'note' }, word('noPlugins')));
    const places = [...new Set(plugins.map(each => each.place))];
    for (const place of places) {
      const chain = plugins.filter(each => each.place === place).sort((a, b) => a.position - b.position);
      const box = make('section', { className: 'chain' }, make('h3', {}, place));
      for (const plugin of chain) box.append(this.#plugin(plugin, chain.length));
      this.#box.append(box);
    }
    giveFocus();
    if (this.#wanted) this.reveal(this.#wanted);
  }

  #plugin(plugin, count) {
    const at = rest => `plugin/${plugin.name}/${rest}`;
    const button = (key, text, act, properties = {}) => {
      const made = make('button', { type: 'button', onclick: act, ...properties }, text);
      made.dataset.key = key;
      return made;
    };
    // At the end of its chain a plugin cannot move further. The button stays, so that it keeps the focus.
    const move = (key, sign, position) => {
      const isAtEnd = position < 0 || position === count;
      return button(key, sign, () => { if (!isAtEnd) ask(at('move'), position); },
        { ariaDisabled: String(isAtEnd), ariaLabel: `${plugin.name}: ${word(key)}`, title: help(at('move')) });
    };
    const bypass = button('bypass', word('bypass'), () => ask(at('bypass'), this.#session.value(at('bypass')) === 'on' ? 'off' : 'on'), { className: 'toggle', title: help(at('bypass')) });
    bypass.setAttribute('role', 'switch');
    this.#on(at('bypass'), value => bypass.setAttribute('aria-checked', value === 'on'));
    const { presets = [], controls = [] } = this.#about.get(plugin.identifier) ?? {};
    const preset = make('select', { name: 'preset', ariaLabel: `${plugin.name}: ${word('preset')}`, title: help(at('preset')) },
      make('option', { value: '' }, word('preset')), ...presets.map(each => make('option', { value: each.label }, each.label)));
    preset.dataset.key = 'preset';
    preset.onchange = () => { if (preset.value) ask(at('preset'), preset.value); };
    const box = make('article', {}, make('h4', {}, `${plugin.name} · ${plugin.title}`), make('p', { className: 'note figures-line' }),
      make('div', { className: 'bar' }, bypass,
        move('up', '↑', plugin.position - 1), move('down', '↓', plugin.position + 1),
        ...presets.length ? [preset] : [],
        ...plugin.fault ? [button('restart', word('restart'), () => ask(at('restart')), { title: help(at('restart')) })] : [],
        button('remove', word('remove'), () => ask(at('remove')), { ariaLabel: `${plugin.name}: ${word('remove')}`, title: help(at('remove')) })));
    box.dataset.plugin = plugin.name;
    box.append(this.#more(plugin, at));
    const known = controls.map(each => each.symbol);
    const rows = [...known.filter(each => each in plugin.controls), ...Object.keys(plugin.controls).filter(each => !known.includes(each)).sort()]
      .map(symbol => ({ symbol, about: controls.find(each => each.symbol === symbol) }));
    // A narrow screen shows the controls of one plugin at a time.
    const isOpen = !isNarrow(), key = `plugin.${plugin.name}`;
    const parts = grouped(rows).map(({ title, of }, index, all) => {
      const controls = make('div', { className: 'parameters' }, ...of.map(({ symbol, about }) => this.#control(at('set/' + symbol), symbol, about)));
      return all.length === 1 ? controls : fold(`${key}.${title}`, key, `${title || word('general')} (${of.length})`, isOpen && index === 0, controls);
    });
    if (rows.length) box.append(fold(key, 'plugins', `${word('controls')} (${rows.length})`, isOpen, ...parts));
    return box;
  }

  /** Returns the controls for rare tasks: replacing the plugin, MIDI, a property by its URI. */
  #more(plugin, at) {
    const form = (command, fields, act) => {
      const inputs = fields.map(([key, properties]) => make('input', { required: true, ariaLabel: `${plugin.name}: ${word(key)}`, placeholder: word(key), ...properties }));
      const row = make('form', { className: 'bar' }, ...inputs, make('button', { title: help(at(command)) }, word(command === 'set' ? 'assign' : command)));
      row.dataset.of = command;
      row.onsubmit = event => {
        event.preventDefault();
        act(...inputs.map(each => each.value.trim()));
      };
      return row;
    };
    const details = make('details', { className: 'more' }, make('summary', {}, word('moreOf')),
      form('replace', [['replaceBy', {}]], uri => ask(at('replace'), uri)),
      form('midi', [['midiBytes', { pattern: '\\s*\\d+(\\s+\\d+){0,2}\\s*', placeholder: '144 60 100' }]], bytes => ask(at('midi'), ...bytes.split(/\s+/).map(Number))),
      form('restart', [], () => ask(at('restart'))),
      form('set', [['property', {}], ['propertyValue', {}]], (property, value) => ask(at('set'), property, Number.isFinite(Number(value)) ? Number(value) : value)));
    // Opened details stay open when the list is created again.
    details.open = this.#opened.has(plugin.name);
    details.ontoggle = () => this.#opened[details.open ? 'add' : 'delete'](plugin.name);
    return details;
  }

  /** Returns a control as the plugin describes it: a switch, a choice or a fader; a number without a description.
      */
  #control(address, symbol, about) {
    if (!about) return this.#number(address, symbol);
    const name = `${about.name}${about.unit ? `, ${about.unit}` : ''}`;
    if (about.kind === 'toggle') {
      const button = make('button', { type: 'button', className: 'toggle', onclick: () => ask(address, this.#session.value(address) > 0 ? 0 : 1) }, name);
      button.setAttribute('role', 'switch');
      button.dataset.address = address;
      this.#on(address, value => button.setAttribute('aria-checked', value > 0));
      return button;
    }
    if (about.kind === 'choice' && about.choices.length > 1) {
      const list = make('select', {}, ...about.choices.map(each => make('option', { value: each.value }, each.label)));
      list.onchange = () => {
        const wish = Number(list.value);
        list.value = this.#session.value(address);
        ask(address, wish);
      };
      list.dataset.address = address;
      this.#on(address, value => { list.value = value; });
      return make('label', { className: 'row' }, make('span', {}, name), list);
    }
    const row = this.#number(address, name), [low, high] = about.range;
    if (!(high > low) || !Number.isFinite(high - low)) return row;
    // The fader of a logarithmic control has a logarithmic scale.
    const isLogarithmic = about.isLogarithmic && low > 0;
    const [to, from] = isLogarithmic ? [Math.log, Math.exp] : [each => each, each => each];
    const whole = about.kind === 'whole';
    const slide = make('input', { type: 'range', min: to(low), max: to(high), step: whole && !isLogarithmic ? 1 : (to(high) - to(low)) / 500, ariaLabel: name });
    let held = -Infinity, answer;
    const show = value => { if (performance.now() - held > 400) slide.value = to(value ?? low); };
    slide.oninput = () => { held = performance.now(); answer = ask(address, whole ? Math.round(from(slide.valueAsNumber)) : from(slide.valueAsNumber)); };
    slide.onchange = async () => {
      const last = answer;
      await last;
      if (answer !== last) return;
      held = -Infinity;
      show(this.#session.value(address));
    };
    this.#on(address, show, true);
    row.insertBefore(slide, row.lastElementChild);
    return row;
  }

  #number(address, symbol) {
    const exact = make('input', { type: 'number', step: 'any' });
    exact.dataset.address = address;
    this.#on(address, typed(exact, wish => ask(address, wish), () => this.#session.value(address), value => Math.round(value * 1e4) / 1e4));
    return make('label', { className: 'row' }, make('span', {}, symbol), exact);
  }

  #on(address, show, isBeside = false) {
    const before = isBeside ? this.#controls.get(address) : undefined;
    this.#controls.set(address, value => { before?.(value); show(value); });
    show(this.#session.value(address));
  }
}
