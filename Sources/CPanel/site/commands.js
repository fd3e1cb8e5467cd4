// What the session can do beside setting values: the page's own buttons for it, and a row for each thing that has none.
import { ask, make } from './widgets.js';
import { help, label, spoken, word } from './words.js';

/** Whether a node is a command: it is asked for, has no value, and has not the place of a parameter (OSC Query). */
export const isCommand = node => node.ACCESS === 2 && node.ORDER === undefined;
/** Commands of one plugin, which stand where the plugin does. */
const ofPlugins = /^plugin\/[^/]+\/(about|bypass|midi|move|preset|remove|replace|restart|set)$/;
/** Over UDP alone: the WebSocket has `subscribe` in its place. */
const ofDatagrams = new Set(['watch']);

/** What the page's own elements ask for. */
const had = () => new Set([...document.querySelectorAll('[data-command], [data-does]')]
  .flatMap(each => (each.dataset.command ?? each.dataset.does).split(' ')));

/** Gives the page's buttons what they do as their titles, and a row to each command that has none. How many have none. */
export function layCommands(nodes) {
  for (const element of document.querySelectorAll('[data-command], [data-does]')) {
    const address = (element.dataset.command ?? element.dataset.does).split(' ')[0];
    if (element.matches('button, input')) element.title = help(address, nodes.get(address)?.DESCRIPTION);
  }
  const known = had();
  const rows = [...nodes].filter(([address, node]) => isCommand(node) && !known.has(address) && !ofPlugins.test(address) && !ofDatagrams.has(address));
  const box = document.getElementById('other-commands'), key = JSON.stringify([...rows.map(([address]) => address), spoken()]);
  // What is being typed there stays.
  if (box.dataset.shown === key) return rows.length;
  box.dataset.shown = key;
  box.replaceChildren(...rows.map(([address, node]) => {
    const words = make('input', { ariaLabel: `${address}: ${word('arguments')}` });
    const row = make('form', { className: 'bar' }, make('label', { className: 'grow' }, make('span', {}, address), words), make('button', { title: help(address, node.DESCRIPTION) }, address));
    row.onsubmit = event => {
      event.preventDefault();
      ask(address, ...words.value.trim().split(/\s+/).filter(Boolean).map(each => Number.isFinite(Number(each)) ? Number(each) : each));
    };
    return row;
  }));
  return rows.length;
}

/** What a form's fields hold, by name. */
const said = form => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
const onSubmit = (id, act) => {
  document.getElementById(id).onsubmit = event => {
    event.preventDefault();
    act(said(event.target), event.submitter, event.target);
  };
};

/** Whether a hand moves the player's position, and how many positions were asked for and are not answered yet. */
const seeking = { isHeld: false, asked: 0 };

/** Has the page's own elements ask for what they are there for. `session`: whom. */
export function wire(session) {
  for (const button of document.querySelectorAll('[data-command]')) button.onclick = () => ask(button.dataset.command);
  for (const button of document.querySelectorAll('[data-by]')) button.onclick = () => ask(button.dataset.does, Number(button.dataset.by));
  const turns = (id, address, told = address) => {
    document.getElementById(id).onclick = () => ask(address, session.value(told) === 'on' ? 'off' : 'on');
  };
  document.getElementById('record').onclick = () => session.value('record') === 'on' ? ask('record/stop') : ask('record', 'on');
  turns('pause', 'pause', 'player/paused');
  turns('loop', 'loop', 'player/loops');
  const seek = document.getElementById('seek');
  seek.oninput = () => { seeking.isHeld = true; };
  seek.onchange = async () => {
    seeking.isHeld = false;
    seeking.asked += 1;
    const answer = await ask('seek', seek.valueAsNumber);
    seeking.asked -= 1;
    // A position that is taken is told with the next second; until then it stays where it was asked for.
    if (answer === undefined) show(session);
  };
  // Nothing has changed where it is let go at its former place.
  seek.onpointerup = seek.onpointercancel = seek.onblur = () => { seeking.isHeld = false; };
  onSubmit('marker', ({ name }, _, form) => { ask('record/marker', ...name ? [name] : []); form.reset(); });
  onSubmit('take', ({ file }) => ask('record/start', ...file ? [file] : []));
  onSubmit('learn', ({ address }) => ask('surface/learn', address));
  onSubmit('chains-folder', ({ folder }, button) => ask(button.value, folder));
  onSubmit('interrupt', ({ name, level, pauses, lease }) =>
    ask('interrupt/begin', name, ...pauses ? ['pause'] : ['duck', Number(level)], ...lease ? [Number(lease)] : []));
  onSubmit('plugin-add', async ({ place, uri }, _, form) => {
    if (await ask('plugin/add', `${place}=${uri}`)) form.elements.uri.value = '';
  });
  const hold = document.getElementById('hold');
  hold.onclick = async () => {
    await session.listen(!session.isListening).catch(() => {});
    hold.setAttribute('aria-checked', !session.isListening);
  };
  const ending = document.getElementById('ending');
  document.getElementById('quit').onclick = () => ending.showModal();
  document.getElementById('stay').onclick = () => ending.close();
  ending.addEventListener('click', ({ target }) => { if (target.dataset.command) ending.close(); });
  const text = document.getElementById('status-text');
  document.getElementById('show-status').onclick = async () => {
    const status = await ask('status');
    text.hidden = !status;
    text.textContent = status ? JSON.stringify(status, null, 1) : '';
  };
}

/** Whether the ears have ports: while the route is held, something that Resume leads to. */
export const hasPorts = session => session.value('ears-connected') !== 'off';

const time = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Shows what of the state the commands' own elements tell. */
export function show(session) {
  const at = address => session.value(address);
  const record = document.getElementById('record');
  record.setAttribute('aria-checked', at('record') === 'on');
  record.textContent = word(at('record') === 'on' ? 'recordStop' : 'record');
  document.querySelector('#marker button').disabled = at('record') !== 'on';
  // Nothing is resumed to while the ears have no ports.
  const isInVain = at('playback') === 'held' && !hasPorts(session);
  for (const button of document.querySelectorAll('[data-command="resume"]')) {
    button.disabled = isInVain;
    button.title = isInVain ? word('playback.heldWithoutPorts') : help('resume', session.nodes.get('resume')?.DESCRIPTION);
  }
  document.getElementById('hold').setAttribute('aria-checked', !session.isListening);
  const learning = at('surface/learning');
  document.getElementById('learning').textContent = learning ? `${word('learning')} ${learning}` : '';
  const file = at('player/file');
  if (!file) return;
  document.getElementById('pause').setAttribute('aria-checked', at('player/paused') === 'on');
  document.getElementById('loop').setAttribute('aria-checked', at('player/loops') === 'on');
  const seek = document.getElementById('seek');
  seek.max = at('player/duration');
  if (!seeking.isHeld && seeking.asked === 0) seek.value = at('player/seconds');
  const facts = [file.split('/').at(-1), `${at('player/number')} ${word('of')} ${at('player/count')}`, `${time(at('player/seconds'))} ${word('of')} ${time(at('player/duration'))}`,
    at('player/gain') ? `${at('player/gain').toFixed(0)} dB` : '', at('player/paused') === 'on' ? word('paused') : '', at('player/loops') === 'on' ? word('repeats') : ''];
  document.getElementById('player-facts').textContent = facts.filter(Boolean).join(' · ');
}
