// Controls of addresses: they show the value in force and request other values. A requested value is shown when the
// session reports it; a refusal is shown in words.
import { numbers } from './faders.js';
import { isGiven } from './focus.js';
import { help, label, word } from './words.js';

let session, complain;

export function connect(to, complaint) { [session, complain] = [to, complaint]; }

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Sends a request, and shows a refusal in words. Returns the reply; undefined if the request was refused. */
export async function ask(address, ...words) {
  try {
    complain('');
    return await session.ask(address, ...words);
  } catch (error) {
    complain(error.message === 'closed' ? word('closed') : error.message);
    return undefined;
  }
}

/** Returns a control with a function that shows a value. `choices`: texts that the address accepts. */
export function control(address, node, choices) {
  const name = address.split('/').at(-1);
  const range = node.RANGE ?? [];
  const value = session.value(address);
  const isWord = typeof value === 'string' && node.ACCESS === 3;
  let made;
  if (choices) made = text(address, name, choices);
  else if (node.TYPE === 'T') made = toggle(address, name, node);
  else if (range[0]?.VALS) made = words(address, name, range[0].VALS.filter(each => each !== 'toggle'), node);
  else if (/^f+$/.test(node.TYPE ?? '') && !isWord) made = numbers(session, address, name, node);
  else made = text(address, name, isWord && ['on', 'off'].includes(value) ? ['on', 'off'] : []);
  made.element.dataset.address = address;
  made.element.title = help(address, node.DESCRIPTION);
  made.show(value);
  return made;
}

function toggle(address, name, node) {
  const button = make('button', { type: 'button', className: 'toggle' }, label(name));
  // A switch of all inputs or loudspeakers has no single value, so it toggles them.
  const isAll = node.ACCESS === 2;
  if (!isAll) button.setAttribute('role', 'switch');
  button.onclick = () => ask(address, isAll ? 'toggle' : session.value(address) === 'on' ? 'off' : 'on');
  return { element: button, show: value => { if (!isAll) button.setAttribute('aria-checked', value === 'on'); } };
}

function words(address, name, all, node) {
  if (node.ACCESS === 2 || all.length > 7) return node.ACCESS === 2 ? buttons(address, name, all) : select(address, name, all);
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

/** Returns buttons for words that are sent but are not values. */
function buttons(address, name, all) {
  const row = make('div', { className: 'segments' }, ...all.map(each => {
    const button = make('button', { type: 'button' }, word('value.' + each, each));
    button.onclick = () => ask(address, each);
    button.dataset.value = each;
    return button;
  }));
  return { element: make('fieldset', { className: 'choice' }, make('legend', {}, label(name)), row), show: () => {} };
}

let lists = 0;

function text(address, name, choices) {
  const list = make('datalist', { id: `choices-${++lists}` }, ...choices.map(each => make('option', { value: each })));
  const input = make('input', { type: 'text', spellcheck: false, autocomplete: 'off' });
  input.setAttribute('list', list.id);
  // The value in force is shown, with or without the focus. A text that is being typed, or has no reply yet, is not
  // overwritten.
  let isTyping = false;
  const show = value => { if (!isTyping && !input.ariaBusy) input.value = value === undefined ? '' : [value].flat().join(' '); };
  const settle = () => {
    isTyping = false;
    input.placeholder = '';
    show(session.value(address));
  };
  input.oninput = () => { isTyping = true; };
  input.onblur = settle;
  input.onchange = async () => {
    const wish = input.value.trim();
    isTyping = false;
    input.placeholder = '';
    if (wish) {
      // Loading an HRTF set or a room may take seconds. Until then the requested value is shown.
      input.ariaBusy = 'true';
      await ask(address, wish);
      input.ariaBusy = null;
    }
    show(session.value(address));
  };
  // A browser offers only choices that begin with the text in the field. The text is therefore removed to show the
  // whole list, unless the page gives the focus back to a field that was created again.
  input.onfocus = () => {
    if (isGiven()) return;
    if (choices.length <= 1) return input.select();
    [input.placeholder, input.value, isTyping] = [input.value, '', true];
  };
  return { element: make('label', { className: 'row' }, make('span', {}, label(name)), input, list), show };
}
