// The page. It passes values and events of the session to the parts that show them, at the display's rate, and sends
// the user's commands to the session.
import { Calibration } from './calibration.js';
import * as commands from './commands.js';
import { Cover } from './cover.js';
import { PluginBrowser } from './browser.js';
import { holdFocus } from './focus.js';
import { kept } from './folds.js';
import { Poses } from './head.js';
import { History, Meters } from './meters.js';
import { Plugins } from './plugins.js';
import * as sections from './sections.js';
import { Session } from './session.js';
import { StageView, layLegend, loudspeakers, talkers } from './stage.js';
import * as status from './status.js';
import { Tabs } from './tabs.js';
import { ask, connect, make } from './widgets.js';
import { help, label, languages, speak, spoken, translate, word } from './words.js';

const byID = id => document.getElementById(id);
// A plus sign in the token is literal, not a space as in a form.
const session = new Session(location.host, new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B')).get('token'));
connect(session, text => { byID('complaint').textContent = text; });
const [meters, view, history] = [new Meters(byID('bars'), byID('loudness'), byID('engine')), new StageView(byID('view')), new History(byID('history'))];
const [poses, plugins, calibration] = [new Poses(), new Plugins(byID('plugin-list'), session), new Calibration(session)];
const [cover, browser] = [new Cover(session), new PluginBrowser(session, name => plugins.reveal(name))];
/** Command for the description of the stage. */
const pictured = 'picture';
let picture = { inputs: [], choices: {} }, newest, isDue = true, poseAt = 0;

speak(kept.get('language') ?? navigator.language.slice(0, 2));
const theme = kept.get('theme') ?? 'auto', tabs = new Tabs(kept);

function recolour(choice) {
  document.documentElement.dataset.theme = choice;
  view.recolour();
  history.recolour();
  calibration.recolour();
  isDue = true;
}

const views = ['above', 'behind', 'perspective'];
if (views.includes(kept.get('view'))) view.camera = kept.get('view');

function layChoices() {
  const giveFocus = holdFocus(byID('views'));
  byID('language').replaceChildren(...Object.entries(languages).map(([code, [name]]) => make('option', { value: code, selected: code === spoken() }, name)));
  byID('theme').replaceChildren(...['auto', 'dark', 'light'].map(each => make('option', { value: each, selected: each === document.documentElement.dataset.theme }, word(each))));
  byID('views').replaceChildren(...views.map(each => {
    const button = make('button', { type: 'button', onclick: () => { view.camera = each; kept.set('view', each); layChoices(); isDue = true; } }, word(each));
    button.setAttribute('aria-pressed', view.camera === each);
    return button;
  }));
  giveFocus();
}

byID('language').onchange = event => { speak(event.target.value); kept.set('language', spoken()); retell(); };
byID('theme').onchange = event => { kept.set('theme', event.target.value); recolour(event.target.value); };
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => recolour(document.documentElement.dataset.theme));
commands.wire(session);
byID('clips-reset').onclick = () => meters.clearClips();
commands.give(byID('refresh'), pictured);
byID('refresh').onclick = () => { look(); askForStatus(); };
commands.give(byID('ask-token').elements.token, 'token');
byID('ask-token').onsubmit = event => {
  event.preventDefault();
  session.token = event.target.elements.token.value;
  event.target.hidden = true;
};

/** Creates all controls again, because parameters, inputs or the language have changed. */
function lay() {
  const giveFocus = holdFocus();
  sections.lay(session.nodes, picture);
  commands.show(session);
  sections.layLoudspeakers(picture, session.values, session.nodes);
  meters.lay(picture);
  layLegend(byID('legend'), picture);
  byID('addresses').replaceChildren(...[...session.nodes].filter(([, node]) => node.ACCESS === 3).map(([value]) => make('option', { value })));
  const places = ['ears', ...picture.inputs.map(each => each.name)];
  byID('chains').replaceChildren(...places.map(value => make('option', { value })));
  browser.layPlaces(places);
  const switches = ['monitor-mute', 'dim'].map(address => {
    const button = make('button', { type: 'button', className: 'toggle', onclick: () => ask(address, session.value(address) === 'on' ? 'off' : 'on') }, label(address));
    button.setAttribute('role', 'switch');
    button.setAttribute('aria-checked', session.value(address) === 'on');
    button.dataset.thumb = address;
    button.title = help(address, session.nodes.get(address)?.DESCRIPTION);
    return button;
  });
  document.querySelector('#thumb .switches').replaceChildren(...switches);
  giveFocus();
}

function retell() {
  translate();
  layChoices();
  tabs.lay();
  browser.forget();
  lay();
  plugins.forget();
  calibration.show();
  askForStatus();
  showFacts();
  isDue = true;
}

async function look() {
  const seen = await session.ask(pictured).catch(() => undefined);
  if (seen) picture = seen;
  lay();
  isDue = true;
}

function showFacts() {
  const at = address => session.value(address), giveFocus = holdFocus(document.querySelector('header'), byID('link'), byID('routes'));
  byID('client').textContent = at('client') ?? '';
  const isBlind = (at('abx') ?? 'off') !== 'off';
  const facts = [!isBlind && at('layout'), !isBlind && at('hrtf-name'), at('sample-rate') && `${at('sample-rate') / 1000} kHz`, at('period') && `${at('period')}`].filter(Boolean);
  byID('facts').textContent = facts.join(' · ');
  document.title = at('client') ? `${at('client')} · Proscenium` : 'Proscenium';
  commands.show(session);
  tabs.offer('player', Boolean(at('player/file')));
  calibration.show();
  const scenes = [`${word('scenesThere')}: ${String(at('scenes') ?? '').split('').join(', ')}`];
  if (at('abx-count') !== undefined) scenes.push(`${at('abx-count')} ${word(at('abx-count') === 1 ? 'trial' : 'trials')}`);
  if (at('abx-result')) scenes.push(at('abx-result'));
  byID('scene-facts').textContent = scenes.join(' · ');
  byID('blind').hidden = (at('abx') ?? 'off') === 'off';
  showLamps();
  showSilence();
  giveFocus();
  cover.show();
}

/** Shows in one line why the ears are silent, with the button that ends it. */
function showSilence() {
  const at = address => session.value(address), isHeld = at('playback') === 'held';
  const isWaiting = session.isOpen && !session.values.has('client');
  const isLost = at('server') === 'gone';
  const text = isWaiting ? word('waitsForStage') : isLost ? word('serverLost')
    : ['held', 'paused', 'unconnected'].includes(at('playback')) ? status.playbackInWords(at('playback'), commands.hasPorts(session)) : '';
  byID('link-text').textContent = text;
  byID('link-resume').hidden = isLost || !isHeld;
  byID('link').hidden = text === '';
  if (isLost) meters.silence();
}

/** Level of the ears up to which a lamp warns of a low level, dB. */
const low = -30;

/** Shows the lamps that are visible in every section: recording, solos, a low level of the ears. */
function showLamps() {
  const level = session.value('monitor-level');
  byID('level-lamp').hidden = !(level <= low);
  byID('level-lamp').textContent = `${word('lowLevel')} ${level?.toFixed(0).replace('-', '−')} dB`;
  byID('recording').hidden = session.value('record') !== 'on';
  byID('solo-lamp').hidden = ![...session.values.keys()].some(each => /^(input|loudspeaker)\/.+\/solo$/.test(each) && session.value(each) === 'on');
}
const clearSolos = commands.give(byID('solo-lamp'), 'solo-clear');
byID('solo-lamp').onclick = () => clearSolos('all');
byID('facts').onclick = () => tabs.choose('ears');
byID('all-plugins').onclick = () => {
  const open = [...document.querySelectorAll('#plugins article > .fold[open]')];
  for (const each of open) each.open = false;
  // The button is then hidden.
  open[0]?.querySelector('summary').focus();
};
// A skip link leads to the section in view. The default action is prevented, so that the URL keeps its token.
for (const link of document.querySelectorAll('.skip')) link.onclick = event => {
  event.preventDefault();
  byID(link.hash === '#thumb' ? 'thumb' : tabs.shown).focus();
};

session.addEventListener('open', () => { byID('ask-token').hidden = true; showFacts(); });
session.addEventListener('close', () => { history.breakOff(); showFacts(); });
session.addEventListener('silence', () => cover.show());
session.addEventListener('token', () => { byID('ask-token').hidden = false; byID('ask-token').elements.token.focus(); });
session.addEventListener('nodes', look);
session.addEventListener('state', ({ detail }) => {
  for (const address of detail.changed) {
    sections.made.get(address)?.show(session.value(address));
    plugins.take(address);
    document.querySelector(`[data-thumb="${CSS.escape(address)}"]`)?.setAttribute('aria-checked', session.value(address) === 'on');
  }
  // If the stage has changed, its loudspeakers may have changed too.
  if (!detail.isOther && detail.changed.some(each => ['layout', 'angles', 'scene', 'hrtf', 'fold-down'].includes(each))) look();
  if (detail.changed.includes('plugin-changes')) askForPlugins();
  showFacts();
  isDue = true;
});
session.addEventListener('pose', ({ detail }) => {
  poseAt = performance.now();
  poses.take(detail.pose, poseAt);
  isDue = true;
});
session.addEventListener('meters', ({ detail }) => {
  newest = detail;
  history.take(detail);
  meters.show(detail);
  isDue = true;
});
session.addEventListener('event', ({ detail: { event, of } }) => {
  const list = byID('event-list');
  const text = Object.entries(of).flatMap(([name, value]) => name === 'effect' ? status.effectInWords(value) : typeof value === 'boolean' ? word(value ? 'yes' : 'no') : value).join(' ');
  list.prepend(make('li', {}, `${new Date().toLocaleTimeString(spoken())} ${word('event.' + event, event)} ${text}`));
  while (list.childElementCount > 20) list.lastElementChild.remove();
});

/** Requests the plugins, after some were added, removed or moved. */
const askForPlugins = () => session.ask('plugin').then(now => plugins.show(now), () => {});

/** Requests slow values. It is called twice a second, and does nothing while the page is hidden or frozen, or no
    stage plays. */
async function askForStatus() {
  if (!session.isOpen || !session.isListening || document.hidden || !session.values.has('client')) return;
  // Without a JACK server there is a status, but no loudness.
  const [now, loudness] = await Promise.all([session.ask('status'), session.ask('loudness').catch(() => undefined)]).catch(() => []);
  if (!now) return;
  calibration.bodies = ['head', 'device'].filter(each => now[each]);
  status.showTrackers(byID('trackers'), now);
  status.showRoutes(byID('route-list'), now, commands.hasPorts(session));
  sections.showSources(now);
  status.showInterruptions(byID('interruptions'), now);
  status.showRecording(byID('record-facts'), now);
  plugins.show(now.plugins);
  meters.showStatus(now);
  if (loudness) meters.showLoudness(loudness);
  byID('happened').textContent = history.words;
}
setInterval(askForStatus, 500);

// The picture is drawn at the display's rate while something in it moves.
let words = 0;
function draw(now) {
  if (isDue || calibration.isOpen || !poses.isAtRest(now)) {
    isDue = false;
    const head = poses.at(now);
    const mode = newest?.mode ?? 'waiting';
    view.draw({
      found: loudspeakers(picture, session.values, head), levels: session.value('server') === 'gone' ? [] : newest?.inputs ?? [], head,
      talkers: talkers(picture, session.values, head, newest?.talkers ?? []),
      reference: session.value('reference') ?? 'static', isHeld: mode === 'held', isTracked: mode === 'relative',
    });
    history.draw();
    calibration.draw(head, now);
    // Words that change sixty times per second cannot be read.
    if (now - words > 150) {
      words = now;
      byID('pose').textContent = status.poseInWords(head, mode, newest?.trackerAge, session.roundTrip);
      byID('pose').classList.toggle('bad', ['front', 'held'].includes(mode));
    } else isDue = true;
  }
  requestAnimationFrame(draw);
}
new ResizeObserver(() => { isDue = true; }).observe(byID('view'));

// Pointing at the stage: a click on a loudspeaker shows its switches; dragging it turns its input.
let hand;
const canvas = byID('view');
const pointed = event => {
  const box = canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  return { x, y, angle: Math.atan2(-(x - box.width / 2), -(y - box.height / 2)) * 180 / Math.PI,
    hit: view.drawn.findLast(each => Math.hypot(each.x - x, each.y - y) <= each.radius) };
};
canvas.onpointerdown = event => {
  const at = pointed(event);
  if (!at.hit) return;
  canvas.setPointerCapture(event.pointerId);
  hand = { ...at, place: session.value(`input/${at.hit.input}/place`) ?? [0, 0, 0], isMoving: false, isUnderWay: false };
};
canvas.onpointermove = async event => {
  const at = pointed(event);
  const turns = view.camera === 'above';
  canvas.style.cursor = hand?.isMoving ? 'grabbing' : at.hit ? turns ? 'grab' : 'pointer' : '';
  canvas.title = at.hit ? `${at.hit.input}: ${at.hit.loudspeaker.title}\n${word(turns ? 'pressOrDrag' : 'press')}` : '';
  if (!hand || view.camera !== 'above' || !session.values.has(`input/${hand.hit.input}/place`)) return;
  if (!hand.isMoving && Math.hypot(at.x - hand.x, at.y - hand.y) < 6) return;
  hand.isMoving = true;
  hand.wish = Math.round(((hand.place[0] + at.angle - hand.angle + 540) % 360 + 360) % 360 - 180);
  if (hand.isUnderWay) return;
  hand.isUnderWay = true;
  const mine = hand;
  while (mine.wish !== undefined) {
    const yaw = mine.wish;
    mine.wish = undefined;
    await ask(`input/${mine.hit.input}/place`, yaw, mine.place[1], mine.place[2]);
  }
  mine.isUnderWay = false;
};
canvas.onpointercancel = () => { hand = undefined; };
let pressed;
canvas.onpointerup = () => {
  pressed = hand?.isMoving ? undefined : hand?.hit;
  hand = undefined;
};
// The switches are shown at the click, because the release of the button would close the popover.
canvas.onclick = event => {
  if (pressed) showSwitches(pressed, event);
  pressed = undefined;
};

function showSwitches({ loudspeaker, input }, event) {
  const box = byID('popover');
  const switches = sections.loudspeakerWords(session.values, [loudspeaker.name], session.nodes).map(each => {
    const address = `loudspeaker/${loudspeaker.name}/${each}`;
    const button = make('button', { type: 'button', className: 'toggle' }, label(each));
    button.setAttribute('role', 'switch');
    button.dataset.switch = address;
    button.setAttribute('aria-checked', session.value(address) === 'on');
    button.onclick = async () => {
      await ask(address, session.value(address) === 'on' ? 'off' : 'on');
      box.hidePopover();
    };
    return button;
  });
  box.replaceChildren(make('p', {}, `${input}: ${loudspeaker.title}`), ...switches);
  box.showPopover();
  box.style.left = `${Math.min(event.clientX, innerWidth - box.offsetWidth - 8)}px`;
  box.style.top = `${Math.min(event.clientY + 10, innerHeight - box.offsetHeight - 8)}px`;
  switches[0]?.focus();
}

recolour(theme);
retell();
requestAnimationFrame(draw);
/** Access for measurements of the page: values in force, what was drawn, and when. */
window.panel = { session, view, poses, tabs, get picture() { return picture; }, get poseAt() { return poseAt; } };
