// Controls for what stands at an address: they show what is in force, and ask for something else. What was asked for is shown when the
// session says that it is in force, and refused in words.
import { help, label, word } from './words.js';

let session, complain;

export function connect(to, complaint) { [session, complain] = [to, complaint]; }

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Asks, and says in words what was refused. */
export async function ask(address, ...words) {
  try {
    complain('');
    return await session.ask(address, ...words);
  } catch (error) {
    complain(error.message === 'closed' ? word('closed') : error.message);
    return undefined;
  }
}

const shown = value => typeof value === 'number' ? Math.round(value * 100) / 100 : value;

/** A control and how it shows a value. `choices`: what a text may be. */
export function control(address, node, choices) {
  const name = address.split('/').at(-1);
  const range = node.RANGE ?? [];
  const value = session.value(address);
  const isWord = typeof value === 'string' && node.ACCESS === 3;
  let made;
  if (choices) made = text(address, name, choices);
  else if (node.TYPE === 'T') made = toggle(address, name, node);
  else if (range[0]?.VALS) made = words(address, name, range[0].VALS.filter(each => each !== 'toggle'), node);
  else if (/^f+$/.test(node.TYPE ?? '') && !isWord) made = numbers(address, name, node, range);
  else made = text(address, name, isWord && ['on', 'off'].includes(value) ? ['on', 'off'] : []);
  made.element.dataset.address = address;
  made.element.title = help(address, node.DESCRIPTION);
  made.show(value);
  return made;
}

function toggle(address, name, node) {
  const button = make('button', { type: 'button', className: 'toggle' }, label(name));
  // One of all inputs or loudspeakers has no one value: it is turned over.
  const isAll = node.ACCESS === 2;
  if (!isAll) button.setAttribute('role', 'switch');
  button.onclick = () => ask(address, isAll ? 'toggle' : session.value(address) === 'on' ? 'off' : 'on');
  return { element: button, show: value => { if (!isAll) button.setAttribute('aria-checked', value === 'on'); } };
}

function words(address, name, all, node) {
  if (node.ACCESS === 2 || all.length > 6) return node.ACCESS === 2 ? buttons(address, name, all) : select(address, name, all);
  const group = make('fieldset', { className: 'choice' }, make('legend', {}, label(name)));
  const row = group.appendChild(make('div', { className: 'segments' }));
  const inputs = all.map(each => {
    const input = make('input', { type: 'radio', name: address, value: each });
    row.append(make('label', {}, input, make('span', {}, word('value.' + each, each))));
    input.onchange = () => { show(session.value(address)); ask(address, each); };
    return input;
  });
  const show = value => { for (const input of inputs) input.checked = input.value === value; };
  return { element: group, show };
}

function select(address, name, all) {
  const list = make('select', {}, ...all.map(each => make('option', { value: each }, word('value.' + each, each))));
  const show = value => { list.value = value ?? ''; };
  list.onchange = () => { const wish = list.value; show(session.value(address)); ask(address, wish); };
  return { element: make('label', { className: 'row' }, make('span', {}, label(name)), list), show };
}

/** Words that are said and do not last. */
function buttons(address, name, all) {
  const row = make('div', { className: 'segments' }, ...all.map(each => {
    const button = make('button', { type: 'button' }, word('value.' + each, each));
    button.onclick = () => ask(address, each);
    return button;
  }));
  return { element: make('fieldset', { className: 'choice' }, make('legend', {}, label(name)), row), show: () => {} };
}

function numbers(address, name, node, range) {
  const units = node.UNIT ?? [], count = node.TYPE.length;
  const axes = count === 3 && units[0] === 'degrees' || name === 'follow' ? ['yaw', 'pitch', 'roll'] : [];
  const group = make('fieldset', { className: 'numbers' },
    make('legend', {}, label(name) + (units[0] && !axes.length ? `, ${word('unit.' + units[0], units[0])}` : '')));
  const fields = [...Array(count).keys()].map(index => {
    const { MIN: min = 0, MAX: max = 1 } = range[index] ?? {};
    const step = max - min <= 2 ? 0.01 : max - min <= 12 ? 0.05 : name === 'dialnorm' ? 1 : 0.1;
    const what = [label(name), axes[index] && word(axes[index])].filter(Boolean).join(' ');
    const [low, high] = reach(name, min, max);
    const slide = make('input', { type: 'range', min: low, max: high, step, ariaLabel: what });
    const exact = make('input', { type: 'number', min, max, step: 'any', ariaLabel: what + ', ' + word('exact') });
    slide.oninput = () => { held = performance.now(); send(index, slide.valueAsNumber); };
    slide.onchange = () => { held = -Infinity; show(session.value(address)); };
    exact.onchange = () => {
      const wish = exact.valueAsNumber;
      show(session.value(address), true);
      if (Number.isFinite(wish)) send(index, wish);
    };
    const row = make('div', { className: 'row' }, slide, exact);
    if (axes[index]) row.prepend(make('span', { ariaHidden: 'true' }, word(axes[index])));
    group.append(row);
    return { slide, exact };
  });
  let held = -Infinity, waiting, isUnderWay = false;
  // While a hand moves it, the newest wish waits until the one before it was answered.
  async function send(index, wish) {
    const now = [session.value(address)].flat().map(Number);
    waiting = count === 1 ? [wish] : fields.map((_, other) => other === index ? wish : waiting?.[other] ?? now[other] ?? 0);
    if (isUnderWay) return;
    isUnderWay = true;
    while (waiting) {
      const wishes = waiting;
      waiting = undefined;
      await ask(address, ...wishes);
    }
    isUnderWay = false;
  }
  const show = (value, all = false) => {
    const numbers = value === undefined ? [] : [value].flat();
    fields.forEach(({ slide, exact }, index) => {
      const number = numbers[index];
      group.classList.toggle('unsaid', number === undefined);
      // Never moved away under a hand.
      if (performance.now() - held > 400) slide.value = number ?? 0;
      if (all || document.activeElement !== exact) exact.value = number === undefined ? '' : shown(number);
    });
  };
  return { element: group, show };
}

/** What a fader reaches: the useful part of what is taken. */
function reach(name, min, max) {
  if (/level|gain|trim/.test(name) && max - min > 60) return [Math.max(min, -60), Math.min(max, 20)];
  if (name === 'place') return [-180, 180];
  return [min, max];
}

let lists = 0;

function text(address, name, choices) {
  const list = make('datalist', { id: `choices-${++lists}` }, ...choices.map(each => make('option', { value: each })));
  const input = make('input', { type: 'text', spellcheck: false, autocomplete: 'off' });
  input.setAttribute('list', list.id);
  const show = value => { if (document.activeElement !== input) input.value = value === undefined ? '' : [value].flat().join(' '); };
  input.onchange = () => {
    const wish = input.value.trim();
    input.blur();
    show(session.value(address));
    if (wish) ask(address, ...(name === 'upmix' ? wish.split(/\s+/) : [wish]));
  };
  input.onfocus = () => input.select();
  return { element: make('label', { className: 'row' }, make('span', {}, label(name)), input, list), show };
}
