// Controls in their sections, made of what the session says can be set: what is new in it appears here by itself.
import { control, make } from './widgets.js';
import { layCommands } from './commands.js';
import { help, label, word } from './words.js';

/** What stands where, in order: names of parameters by their sections, as the session tells them. */
const inSection = (nodes, section) => [...nodes].filter(([, node]) => node.SECTION === section)
  .sort(([, one], [, other]) => one.ORDER - other.ORDER).map(([name]) => name);

/** What may be chosen by a name, where a file's name or a number is taken as well; undefined where a fader or buttons do it. */
const choices = (name, node, picture) => picture.choices[name] ?? (/^f+$/.test(node.TYPE ?? '') && !node.WRITTEN ? undefined : node.WORDS);

/** All controls there are, by address. */
export const made = new Map();

function put(box, address, node, choices) {
  const one = control(address, node, choices);
  made.set(address, one);
  box.append(one.element);
}

/** Makes all controls anew, for the present session. `nodes` as told; `picture` of the stage. */
export function lay(nodes, picture) {
  const focus = document.activeElement?.closest?.('[data-address]')?.dataset.address;
  made.clear();
  for (const box of document.querySelectorAll('[data-group]')) {
    box.replaceChildren();
    for (const name of inSection(nodes, box.dataset.group)) put(box, name, nodes.get(name), choices(name, nodes.get(name), picture));
  }
  const unknown = layCommands(nodes);
  document.getElementById('other').hidden = unknown === 0;
  layInputs(nodes, picture);
  if (focus) made.get(focus)?.element.querySelector('input, select, button')?.focus();
}

function layInputs(nodes, picture) {
  const list = document.getElementById('input-list');
  list.replaceChildren();
  const names = inSection(nodes, 'inputs');
  for (const input of picture.inputs) {
    const box = make('div', { className: 'controls' });
    const present = [...nodes.keys()].filter(address => address.startsWith(`input/${input.name}/`)).map(address => address.split('/')[2]);
    for (const name of [...names, ...present.filter(name => !names.includes(name))]) {
      const address = `input/${input.name}/${name}`, row = nodes.get(name) ?? {};
      // What was never said has no value; it can be said all the same.
      const node = nodes.get(address) ?? (row.UNSAID && !input.isEffect ? { ...row, ACCESS: 3 } : undefined);
      if (node?.TYPE || node?.RANGE) put(box, address, row.WRITTEN ? { TYPE: 's', DESCRIPTION: node.DESCRIPTION, ACCESS: 3 } : node, row.WRITTEN ? row.WORDS : undefined);
    }
    const heading = make('h2', { id: `input-${input.name}` }, `${word(input.isEffect ? 'effect' : 'input')} ${input.name} · ${input.layout}`);
    const card = make('section', { className: 'card' }, heading, box);
    card.setAttribute('aria-labelledby', heading.id);
    list.append(card);
  }
}

/** Loudspeakers as a table: what the picture has by pointing, for keys. */
export function layLoudspeakers(picture, values) {
  const table = document.getElementById('loudspeaker-table');
  const names = [...new Set(picture.inputs.flatMap(input => input.loudspeakers.map(each => each.name)))];
  const what = ['mute', 'solo', 'polarity', 'test-noise'].filter(each => names.some(name => values.has(`loudspeaker/${name}/${each}`)));
  const head = make('tr', {}, make('th', { scope: 'col' }, label('loudspeaker')), ...what.map(each => make('th', { scope: 'col' }, label(each))));
  const rows = names.map(name => make('tr', {}, make('th', { scope: 'row' }, name), ...what.map(each => {
    const address = `loudspeaker/${name}/${each}`;
    if (!values.has(address)) return make('td');
    const one = control(address, { TYPE: 'T', ACCESS: 3 });
    one.element.title = help(address);
    one.element.className = 'toggle small';
    one.element.ariaLabel = `${name}: ${label(each)}`;
    one.element.replaceChildren({ mute: 'M', solo: 'S', polarity: 'ø', 'test-noise': '~' }[each]);
    made.set(address, one);
    return make('td', {}, one.element);
  })));
  table.replaceChildren(make('thead', {}, head), make('tbody', {}, ...rows));
}
