// Commands of the session: the page's own buttons for them, and a row for each command without an element of its own.
import { freeze } from './session.js';
import { ask, make } from './widgets.js';
import { help, label, spoken, word } from './words.js';

const byID = id => document.getElementById(id);
/** Whether a node is a command: it is write-only, and has no place among the parameters (OSC Query). */
export const isCommand = node => node.ACCESS === 2 && node.ORDER === undefined;
/** Commands that need no row under "More": commands of the page's own elements, commands that the page sends without
    the user, `watch`, which OSC over UDP has in place of the WebSocket's `subscribe`, and `state`, whose values the page
    gets by `subscribe`. */
const claimed = new Set(['watch', 'state', 'subscribe', 'loudness', 'plugin', 'plugin/describe', 'record/stop']);
/** Command that ends a muting or pause of the ears; two buttons send it. */
const resume = 'resume';

/** Address of a command in the table: `NAME` stands for a plugin's name. */
const inTable = address => address.replace(/^plugin\/[^/]+\/([^/]+).*/, 'plugin/NAME/$1');

/** Marks commands as sent by elements of the page, so that they get no row under "More". Addresses as in the table. */
export function claim(...addresses) { for (const each of addresses) claimed.add(each); }

/** Gives an element of the page its command, whose help becomes the element's title. Returns a function that sends
    the command. */
export function give(element, address) {
  element.dataset.does = address;
  claim(address);
  return (...words) => ask(address, ...words);
}

/** Gives a button a command that needs no arguments. */
function press(button, address) {
  button.dataset.command = address;
  claim(address);
  button.onclick = () => ask(address);
  return button;
}

/** Creates the buttons of the sections whose buttons follow the session's table: commands that need no arguments,
    in the order of the table. Other elements of a section follow these buttons. */
function layButtons(nodes) {
  for (const box of document.querySelectorAll('[data-commands]')) {
    const rows = [...nodes].filter(([, node]) => isCommand(node) && node.SECTION === box.dataset.commands && node.PRESS !== undefined)
      .sort(([, one], [, other]) => one.PRESS - other.PRESS);
    for (const former of box.querySelectorAll(':scope > [data-command]')) former.remove();
    box.prepend(...rows.map(([address], index) => {
      const name = label(address), sign = word(`sign.${address}`, '');
      const button = press(make('button', { type: 'button', className: sign ? 'icon' : index ? '' : box.dataset.first ?? '' }, sign || name), address);
      if (sign) button.ariaLabel = name;
      return button;
    }));
  }
}

/** Creates the buttons of commands, sets the titles of the page's own elements, and creates a row for each command
    without an element of its own, in whatever section. Returns the number of these rows. */
export function layCommands(nodes) {
  layButtons(nodes);
  for (const element of document.querySelectorAll('[data-command], [data-does]')) {
    const address = element.dataset.command ?? element.dataset.does;
    element.title = help(address, nodes.get(address)?.DESCRIPTION);
  }
  const rows = [...nodes].filter(([address, node]) => isCommand(node) && !claimed.has(inTable(address)));
  const box = byID('other-commands'), key = JSON.stringify([...rows.map(([address]) => address), spoken()]);
  // Unchanged rows are kept, because the user may be typing in one.
  if (box.dataset.shown === key) return rows.length;
  box.dataset.shown = key;
  box.replaceChildren(...rows.map(([address, node]) => {
    const words = make('input', { ariaLabel: `${address}: ${word('arguments')}` });
    const form = make('form', { className: 'bar' }, make('label', { className: 'grow' }, make('span', {}, address), words), make('button', { title: help(address, node.DESCRIPTION) }, label(inTable(address))));
    form.dataset.more = address;
    form.onsubmit = event => {
      event.preventDefault();
      ask(address, ...words.value.trim().split(/\s+/).filter(Boolean).map(each => Number.isFinite(Number(each)) ? Number(each) : each));
    };
    return form;
  }));
  return rows.length;
}

/** Returns the values of a form's fields, by name. */
const said = form => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
/** Sends a command when a form is submitted. `wordsOf` returns the arguments from the fields by name. `then` is
    called with the form and the promise of the reply. */
function onSubmit(id, address, wordsOf, then = () => {}) {
  const form = byID(id), request = give(form.querySelector('button:not([type="button"])'), address);
  form.onsubmit = event => {
    event.preventDefault();
    then(form, request(...wordsOf(said(form))));
  };
}

/** Buttons that send a number to the player, by command and id. */
const steps = { skip: { previous: -1, next: 1 }, 'seek-by': { back: -10, ahead: 10 }, 'gain-by': { softer: -1, louder: 1 } };
/** Buttons that send the folder of the chains. */
const folders = { 'save-chains': 'plugin/save', 'load-chains': 'plugin/load' };

/** Whether the user is moving the player's position, and the number of positions that were sent and have no reply
    yet. */
const seeking = { isHeld: false, asked: 0 };

/** Connects the page's own elements to their commands. `session`: receiver of the commands. */
export function wire(session) {
  for (const id of ['link-resume', 'resume']) press(byID(id), resume);
  press(byID('start'), 'start');
  press(byID('learn-nothing'), 'surface/cancel');
  press(byID('quit-now'), 'quit');
  for (const [address, buttons] of Object.entries(steps)) for (const [id, by] of Object.entries(buttons)) {
    const request = give(byID(id), address);
    byID(id).dataset.by = by;
    byID(id).onclick = () => request(by);
  }
  const turns = (id, told) => {
    const request = give(byID(id), id);
    byID(id).onclick = () => request(session.value(told) === 'on' ? 'off' : 'on');
  };
  const begin = give(byID('record'), 'record');
  byID('record').onclick = () => session.value('record') === 'on' ? ask('record/stop') : begin('on');
  turns('pause', 'player/paused');
  turns('loop', 'player/loops');
  const seek = byID('seek'), go = give(seek, 'seek');
  seek.oninput = () => { seeking.isHeld = true; };
  seek.onchange = async () => {
    seeking.isHeld = false;
    seeking.asked += 1;
    const answer = await go(seek.valueAsNumber);
    seeking.asked -= 1;
    // The session reports an accepted position within a second. Until then the requested one is shown; a refused one is
    // replaced at once.
    if (answer === undefined) show(session);
  };
  // If the slider is released at its former place, there is no change event.
  seek.onpointerup = seek.onpointercancel = seek.onblur = () => { seeking.isHeld = false; };
  onSubmit('marker', 'record/marker', ({ name }) => name ? [name] : [], form => form.reset());
  onSubmit('take', 'record/start', ({ file }) => file ? [file] : []);
  onSubmit('learn', 'surface/learn', ({ address }) => [address]);
  onSubmit('interrupt', 'interrupt/begin', ({ name, level, pauses, lease }) =>
    [name, ...pauses ? ['pause'] : ['duck', Number(level)], ...lease ? [Number(lease)] : []]);
  onSubmit('plugin-add', 'plugin/add', ({ place, uri }) => [`${place}=${uri}`], async (form, answer) => {
    if (await answer) form.elements.uri.value = '';
  });
  for (const [id, address] of Object.entries(folders)) {
    give(byID(id), address);
    byID(id).value = address;
  }
  byID('chains-folder').onsubmit = event => {
    event.preventDefault();
    ask(event.submitter.value, said(event.target).folder);
  };
  const hold = byID('hold');
  give(hold, freeze);
  hold.onclick = async () => {
    await session.listen(!session.isListening).catch(() => {});
    hold.setAttribute('aria-checked', !session.isListening);
  };
  const ending = byID('ending');
  byID('quit').onclick = () => ending.showModal();
  byID('stay').onclick = () => ending.close();
  ending.addEventListener('click', ({ target }) => { if (target.dataset.command) ending.close(); });
  const text = byID('status-text'), askForStatus = give(byID('show-status'), 'status');
  byID('show-status').onclick = async () => {
    const status = await askForStatus();
    text.hidden = !status;
    text.textContent = status ? JSON.stringify(status, null, 1) : '';
  };
}

/** Whether the ears are connected to ports. If not, Resume has no effect on a held route. */
export const hasPorts = session => session.value('ears-connected') !== 'off';

const time = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Shows the state in the commands' own elements. */
export function show(session) {
  const at = address => session.value(address);
  const record = byID('record');
  record.setAttribute('aria-checked', at('record') === 'on');
  record.textContent = word(at('record') === 'on' ? 'recordStop' : 'record');
  document.querySelector('#marker button').disabled = at('record') !== 'on';
  // While the ears have no ports, Resume has no effect.
  const isInVain = at('playback') === 'held' && !hasPorts(session);
  for (const button of document.querySelectorAll(`[data-command="${resume}"]`)) {
    button.disabled = isInVain;
    button.title = isInVain ? word('playback.heldWithoutPorts') : help(resume, session.nodes.get(resume)?.DESCRIPTION);
  }
  byID('hold').setAttribute('aria-checked', !session.isListening);
  const learning = at('surface/learning');
  byID('learning').textContent = learning ? `${word('learning')} ${learning}` : '';
  const file = at('player/file');
  if (!file) return;
  byID('pause').setAttribute('aria-checked', at('player/paused') === 'on');
  byID('loop').setAttribute('aria-checked', at('player/loops') === 'on');
  const seek = byID('seek');
  seek.max = at('player/duration');
  if (!seeking.isHeld && seeking.asked === 0) seek.value = at('player/seconds');
  const facts = [file.split('/').at(-1), `${at('player/number')} ${word('of')} ${at('player/count')}`, `${time(at('player/seconds'))} ${word('of')} ${time(at('player/duration'))}`,
    at('player/gain') ? `${at('player/gain').toFixed(0)} dB` : '', at('player/paused') === 'on' ? word('paused') : '', at('player/loops') === 'on' ? word('repeats') : ''];
  byID('player-facts').textContent = facts.filter(Boolean).join(' · ');
}
