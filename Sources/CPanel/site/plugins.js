// Plugins, chain by chain: as `plugin` answers, with each control as it stands at its address.
import { ask, make } from './widgets.js';
import { label, word } from './words.js';

export class Plugins {
  #box; #session; #shown = ''; #controls = new Map();

  constructor(box, session) { [this.#box, this.#session] = [box, session]; }

  /** Has all of it made anew the next time: other words are read. */
  forget() { this.#shown = ''; }

  /** Shows what the chains hold. */
  show(plugins) {
    // Made anew where a plugin came, went or moved; figures are entered where they stand.
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

  /** Shows what is in force at an address below a plugin. */
  take(address) { this.#controls.get(address)?.(this.#session.value(address)); }

  #lay(plugins) {
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
  }

  #plugin(plugin, count) {
    const at = rest => `plugin/${plugin.name}/${rest}`;
    const button = (text, act, properties = {}) => make('button', { type: 'button', onclick: act, ...properties }, text);
    const bypass = button(word('bypass'), () => ask(at('bypass'), this.#session.value(at('bypass')) === 'on' ? 'off' : 'on'), { className: 'toggle' });
    bypass.setAttribute('role', 'switch');
    this.#on(at('bypass'), value => bypass.setAttribute('aria-checked', value === 'on'));
    const preset = make('input', { name: 'preset', placeholder: word('preset'), ariaLabel: `${plugin.name}: ${word('preset')}` });
    preset.onchange = () => { if (preset.value) ask(at('preset'), preset.value); preset.value = ''; };
    const box = make('article', {}, make('h4', {}, `${plugin.name} · ${plugin.title}`), make('p', { className: 'note figures-line' }),
      make('div', { className: 'bar' }, bypass,
        button('↑', () => ask(at('move'), plugin.position - 1), { disabled: plugin.position === 0, ariaLabel: `${plugin.name}: ${word('up')}` }),
        button('↓', () => ask(at('move'), plugin.position + 1), { disabled: plugin.position === count - 1, ariaLabel: `${plugin.name}: ${word('down')}` }),
        preset,
        ...plugin.fault ? [button(word('restart'), () => ask(at('restart')))] : [],
        button(word('remove'), () => ask(at('remove')), { ariaLabel: `${plugin.name}: ${word('remove')}` })));
    box.dataset.plugin = plugin.name;
    for (const symbol of Object.keys(plugin.controls).sort()) box.append(this.#control(at('set/' + symbol), symbol));
    return box;
  }

  #control(address, symbol) {
    const exact = make('input', { type: 'number', step: 'any' });
    exact.dataset.address = address;
    exact.onchange = () => {
      const wish = exact.valueAsNumber;
      exact.value = this.#session.value(address) ?? '';
      if (Number.isFinite(wish)) ask(address, wish);
    };
    this.#on(address, value => { if (document.activeElement !== exact) exact.value = value === undefined ? '' : Math.round(value * 1e4) / 1e4; });
    return make('label', { className: 'row' }, make('span', {}, symbol), exact);
  }

  #on(address, show) {
    this.#controls.set(address, show);
    show(this.#session.value(address));
  }
}
