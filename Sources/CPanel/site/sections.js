// Controls in their sections, made of what the session says can be set: what is new in it appears here by itself.
import { control, make } from './widgets.js';
import { layCommands, isCommand } from './commands.js';
import { help, label, word } from './words.js';

/** Where each parameter has its place; what has none comes under `other`. */
const groups = {
  tracking: ['reference', 'follow', 'yaw-pull'],
  monitor: ['monitor-level', 'monitor-mute', 'dim', 'dim-level', 'mono', 'monitor-source', 'compare', 'fold-down', 'headphone-eq',
    'talkback', 'talkback-level', 'talkback-dim', 'reference-trim', 'calibrated-level', 'reference-level', 'reference-input', 'talkback-input'],
  loudspeakers: ['solo-mode', 'solo-clear', 'loudspeaker-mute', 'loudspeaker-solo', 'loudspeaker-polarity', 'test-noise'],
  ears: ['layout', 'angles', 'hrtf', 'processing', 'diffuse-field', 'bass', 'phase', 'head-circumference', 'distance', 'voice-distance', 'room-name', 'room', 'room-level', 'room-early', 'room-tail', 'headphone-eq-file',
    'gain', 'lfe-gain', 'limiter', 'slice', 'ambisonics'],
  scenes: ['scene', 'scene-clear', 'abx', 'abx-listen', 'abx-answer', 'print-bus'],
};
/** What each input has, in this order; the rest follows. */
const ofInputs = ['level', 'mute', 'solo', 'polarity', 'solo-safe', 'mode', 'place', 'source-width', 'spatialize', 'rendition', 'upmix',
  'upmix-centre', 'upmix-width', 'upmix-ambience', 'mix', 'mix-intensity', 'mix-keep', 'camera-heading', 'camera-field',
  'programme-loudness', 'dialnorm', 'loudness-target', 'drc', 'drc-cut', 'drc-boost'];
/** Words that a number of the table takes beside numbers: they are written. */
const written = new Set(['loudness-target']);

/** What may be chosen by a name, where a file's name is taken as well. */
const choices = (name, picture) => picture.choices[name] ?? typed[name];
const typed = { 'headphone-eq-file': ['none'], 'head-circumference': ['set'], distance: ['set'], 'voice-distance': ['set'] };

/** All controls there are, by address. */
export const made = new Map();

function put(box, address, node, choices) {
  const one = control(address, node, choices);
  made.set(address, one);
  box.append(one.element);
}

/** Makes all controls anew, for what there is now. `nodes` as told; `picture` of the stage. */
export function lay(nodes, picture) {
  const focus = document.activeElement?.closest?.('[data-address]')?.dataset.address;
  made.clear();
  const placed = new Set(ofInputs);
  for (const [group, names] of Object.entries(groups)) {
    const box = document.querySelector(`[data-group="${group}"]`);
    box.replaceChildren();
    for (const name of names) {
      placed.add(name);
      const node = nodes.get(name);
      if (node) put(box, name, node, choices(name, picture));
    }
  }
  const others = document.querySelector('[data-group="other"]');
  others.replaceChildren();
  for (const [name, node] of nodes)
    if (!placed.has(name) && !isCommand(node) && !name.includes('/') && name !== 'record' && (node.ACCESS === 3 || node.ACCESS === 2)) put(others, name, node, choices(name, picture));
  const unknown = layCommands(nodes);
  document.getElementById('other').hidden = others.childElementCount + unknown === 0;
  layInputs(nodes, picture);
  if (focus) made.get(focus)?.element.querySelector('input, select, button')?.focus();
}

function layInputs(nodes, picture) {
  const list = document.getElementById('input-list');
  list.replaceChildren();
  for (const input of picture.inputs) {
    const box = make('div', { className: 'controls' });
    const present = [...nodes.keys()].filter(address => address.startsWith(`input/${input.name}/`)).map(address => address.split('/')[2]);
    for (const name of [...ofInputs, ...present.filter(name => !ofInputs.includes(name))]) {
      const address = `input/${input.name}/${name}`;
      // What was never said has no value; it can be said all the same.
      const node = nodes.get(address) ?? (isOpen(name, input) ? { ...nodes.get(name), ACCESS: 3 } : undefined);
      if (node?.TYPE || node?.RANGE) put(box, address, written.has(name) ? { TYPE: 's', DESCRIPTION: node.DESCRIPTION, ACCESS: 3 } : node,
        written.has(name) ? ['line', 'rf', 'off'] : undefined);
    }
    const heading = make('h2', { id: `input-${input.name}` }, `${word(input.isEffect ? 'effect' : 'input')} ${input.name} · ${input.layout}`);
    const card = make('section', { className: 'card' }, heading, box);
    card.setAttribute('aria-labelledby', heading.id);
    list.append(card);
  }
}

/** Whether something that stands nowhere can be said of an input. */
function isOpen(name, input) {
  return ['programme-loudness', 'dialnorm', 'loudness-target', 'drc'].includes(name) && !input.isEffect;
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
