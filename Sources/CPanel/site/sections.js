// Controls in their sections, created from the parameters that the session reports: a new parameter appears without a
// change here.
import { control, make } from './widgets.js';
import { layCommands } from './commands.js';
import { fold, isNarrow, kept } from './folds.js';
import { help, label, word } from './words.js';

/** Returns the names of the parameters of a section, in the order that the session reports. */
const inSection = (nodes, section) => [...nodes].filter(([, node]) => node.SECTION === section && node.ORDER !== undefined)
  .sort(([, one], [, other]) => one.ORDER - other.ORDER).map(([name]) => name);

/** Returns the names from which a parameter may be chosen, if it also accepts a file name or a number; undefined if
    a fader or buttons set it. */
const choices = (name, node, picture) => picture.choices[name] ?? (/^f+$/.test(node.TYPE ?? '') && !node.WRITTEN ? undefined : node.WORDS);

/** All controls, by address. */
export const made = new Map();

function put(box, address, node, choices) {
  const one = control(address, node, choices);
  made.set(address, one);
  box.append(one.element);
}

/** Creates a section's controls in their subsections; those without a subsection come first. `rows`: subsection,
    address, node and choices of each control; `of`: input of the section. */
function laySubsections(box, section, rows, areOpen, of = '') {
  const boxes = new Map();
  for (const [name = '', address, node, choices] of rows) {
    if (!boxes.has(name)) boxes.set(name, make('div', { className: 'controls' }));
    put(boxes.get(name), address, node, choices);
  }
  const first = boxes.get('');
  box.replaceChildren(...first ? [first] : [], ...[...boxes].filter(([name]) => name)
    .map(([name, controls]) => fold([section, of, name].filter(Boolean).join('.'), section + of, word('subsection.' + name), areOpen, controls)));
}

/** Creates all controls again, for the present session. `nodes`: as the session reports them; `picture`:
    description of the stage. */
export function lay(nodes, picture) {
  made.clear();
  for (const box of document.querySelectorAll('[data-group]')) {
    const section = box.dataset.group;
    const rows = inSection(nodes, section).map(name => [nodes.get(name).SUBSECTION, name, nodes.get(name), choices(name, nodes.get(name), picture)]);
    laySubsections(box, section, rows, !isNarrow());
  }
  const unknown = layCommands(nodes);
  document.getElementById('other').hidden = unknown === 0;
  layInputs(nodes, picture);
}

function layInputs(nodes, picture) {
  const list = document.getElementById('input-list'), names = inSection(nodes, 'inputs');
  list.replaceChildren(...picture.inputs.map(input => {
    const present = [...nodes.keys()].filter(address => address.startsWith(`input/${input.name}/`)).map(address => address.split('/')[2]);
    const rows = [];
    for (const name of [...names, ...present.filter(name => !names.includes(name))]) {
      const address = `input/${input.name}/${name}`, row = nodes.get(name) ?? {};
      // A parameter that was never set has no value, but it can be set.
      const node = nodes.get(address) ?? (row.UNSAID && !input.isEffect ? { ...row, ACCESS: 3 } : undefined);
      if (node?.TYPE || node?.RANGE) rows.push([row.SUBSECTION, address, row.WRITTEN ? { TYPE: 's', DESCRIPTION: node.DESCRIPTION, ACCESS: 3 } : node, row.WRITTEN ? row.WORDS : undefined]);
    }
    const heading = make('h3', { id: `input-${input.name}` }, `${word(input.isEffect ? 'effect' : 'input')} ${input.name} · ${input.layout}`, make('span', { className: 'bad source' }));
    const box = make('div', { className: 'groups' }), strip = make('section', { className: 'strip' }, heading, box);
    // With more than two inputs, the subsections are folded at first.
    laySubsections(box, 'inputs', rows, !isNarrow() && picture.inputs.length <= 2, input.name);
    strip.dataset.input = input.name;
    strip.setAttribute('aria-labelledby', heading.id);
    return strip;
  }));
  layInputNames(picture);
}

/** Shows beside an input's name whether no port of the input has a source. */
export function showSources({ playback }) {
  for (const strip of document.querySelectorAll('[data-input]'))
    strip.querySelector('.source').textContent = playback.unconnectedInputs?.includes(strip.dataset.input) ? ` · ${word('noSource')}` : '';
}

/** Creates the list of inputs. On a narrow screen one input is shown at a time; the choice is stored. */
function layInputNames(picture) {
  const names = picture.inputs.map(each => each.name), box = document.getElementById('input-names');
  const chosen = names.includes(kept.get('input')) ? kept.get('input') : names[0];
  for (const strip of document.querySelectorAll('[data-input]')) strip.classList.toggle('chosen', strip.dataset.input === chosen);
  box.replaceChildren(...names.length < 2 ? [] : names.map(name => {
    const button = make('button', { type: 'button', onclick: () => { kept.set('input', name); layInputNames(picture); box.querySelector('[aria-pressed="true"]').focus(); } }, name);
    button.dataset.key = name;
    button.setAttribute('aria-pressed', name === chosen);
    return button;
  }));
}

/** Returns the parameters of virtual loudspeakers, in the order of the table of parameters. `values`: values in
    force. */
export const loudspeakerWords = (values, names, nodes) => {
  const place = word => (nodes.get(`loudspeaker-${word}`) ?? nodes.get(word))?.ORDER ?? Infinity;
  const words = [...values.keys()].map(address => address.split('/')).filter(([kind, name]) => kind === 'loudspeaker' && names.includes(name)).map(parts => parts[2]);
  return [...new Set(words)].sort((one, other) => place(one) - place(other));
};

/** Shows the loudspeakers as a table, which offers to the keyboard what the picture offers to a pointer. */
export function layLoudspeakers(picture, values, nodes) {
  const table = document.getElementById('loudspeaker-table');
  const names = [...new Set(picture.inputs.flatMap(input => input.loudspeakers.map(each => each.name)))];
  const what = loudspeakerWords(values, names, nodes);
  const head = make('tr', {}, make('th', { scope: 'col' }, label('loudspeaker')), ...what.map(each => make('th', { scope: 'col' }, label(each))));
  const rows = names.map(name => make('tr', {}, make('th', { scope: 'row' }, name), ...what.map(each => {
    const address = `loudspeaker/${name}/${each}`;
    if (!values.has(address)) return make('td');
    const one = control(address, { TYPE: 'T', ACCESS: 3 });
    one.element.title = help(address);
    one.element.className = 'toggle small';
    one.element.ariaLabel = `${name}: ${label(each)}`;
    one.element.replaceChildren(word('sign.' + each, each[0].toUpperCase()));
    made.set(address, one);
    return make('td', {}, one.element);
  })));
  table.replaceChildren(make('thead', {}, head), make('tbody', {}, ...rows));
}
