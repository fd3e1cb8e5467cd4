// The page of a measurement of a person or of headphones: the request to the person, the head beside the wanted direction,
// the plan with the verdict of each take, and the buttons. It shows the state of the measuring program (`measurement/...`).
import { Cover } from './cover.js';
import { drawHead } from './figure.js';
import { kept } from './folds.js';
import { Poses, cameras, seen, towards } from './head.js';
import { decibels } from './meters.js';
import { Session } from './session.js';
import { ask, connect, make } from './widgets.js';
import { help, languages, speak, spoken, translate, word } from './words.js';

const byID = id => document.getElementById(id);
// A plus sign in the token is literal, not a space as in a form.
const session = new Session(location.host, new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B')).get('token'));
connect(session, text => { byID('complaint').textContent = text; });
const cover = new Cover(session), poses = new Poses(), canvas = byID('head'), colours = {};
/** Whether the measurement has ended. The program then ends, and its last values stay in view. */
let isOver = false, isDue = true, toldAt = -Infinity;

const at = name => session.value(`measurement/${name}`);
/** Returns the facts of the entries of a list, from `…/1/` on. `facts`: names; every entry has the first one. */
const listed = (list, ...facts) => {
  const found = [];
  for (let number = 1; at(`${list}/${number}/${facts[0]}`) !== undefined; number++)
    found.push(Object.fromEntries(facts.map(fact => [fact, at(`${list}/${number}/${fact}`)])));
  return found;
};

/** Whether headphones are measured, a take for each fit; otherwise a room and a person's ears, a take for each look. */
const isOfHeadphones = () => at('subject') === 'headphones';
/** Returns the text of a key, otherwise `fallback`; for headphones their own text of the key, if it has one. */
const own = (key, fallback = key) => isOfHeadphones() ? word(`${key}.headphones`, word(key, fallback)) : word(key, fallback);
/** Returns the parts of the plan: looks, whose numbers are their yaws in degrees, or fits. */
const parts = () => {
  const [list, identity] = isOfHeadphones() ? ['fit', 'number'] : ['look', 'yaw'];
  return listed(list, identity, 'verdict', 'faults', 'reason').map(part => ({ ...part, number: part[identity] }));
};

/** Signs of the verdicts, beside their words. */
const signs = { open: '○', good: '✓', refused: '↻', skipped: '–' };
const round = angle => Math.round(angle * 10) / 10;
const signed = angle => `${round(angle) >= 0 ? '+' : '−'}${Math.abs(round(angle)).toFixed(1)}°`;
const direction = yaw => yaw === 0 ? word('frontal') : `${Math.abs(round(yaw))}° ${word(yaw > 0 ? 'toLeft' : 'toRight')}`;
/** Returns the name of a part of the plan. */
const nameOf = number => isOfHeadphones() ? `${word('fit')} ${number}` : direction(number);
/** Returns the difference of two yaws, degrees, within ±180. */
const apart = (yaw, wanted) => ((yaw - wanted + 540) % 360 + 360) % 360 - 180;

/** Returns the names of the faults of a take, in the user's language; empty without faults. */
const named = (faults = '') => faults.split(' ').filter(Boolean).map(each => own('fault.' + each, each)).join(', ');

/** Returns what the person has to do before the take of a part. */
function requestOf(wanted) {
  if (isOfHeadphones()) return `${nameOf(wanted)}: ${wanted === 1 ? word('wearFirst') : word('wearAgain')}`;
  return wanted === 0 ? word('lookFront') : `${word('turnTo')} ${direction(wanted)}`;
}

/** Returns the request to the person, and a remark on it: first the reason if a part is repeated. */
function promptWords() {
  const phase = at('phase'), wanted = at('wanted'), faults = named(parts().find(({ number }) => number === wanted)?.faults);
  switch (phase) {
    case undefined: return [word(session.values.size ? 'noMeasurement' : 'waitsForMeasurement'), ''];
    case 'turning': return [requestOf(wanted),
      [faults && `${word('verdict.refused')}: ${faults}.`, word(at('tracker') === 'none' ? 'byHand' : 'byTracker')].filter(Boolean).join(' ')];
    case 'sweeping': return [word('phase.sweeping'), nameOf(wanted)];
    case 'done': return [word('phase.done'), `${own('filesIn')} ${at('folder')}`];
    case 'ended': return [word('phase.ended'), at('reason') ?? ''];
    default: return [own('phase.' + phase), ''];
  }
}

/** Buttons by their ids: whether each has an effect now, and the part of the plan to which it refers. */
const buttons = {
  begin: () => [at('begins') === 'on'],
  repeat: () => [at('repeats') !== undefined, at('repeats')],
  skip: () => [at('skips') !== undefined, at('skips')],
  stop: () => [at('phase') !== undefined && !isOver],
};

/** Figures by their keys: the value and its unit. The measurement tells those of its result at its end. */
const figures = [['sweepLevel', 'level', 'dBFS'], ['earPeak', 'peaks', 'dBFS'], ['signalToNoise', 'margin', 'dB'],
  ['result.deviation', 'deviation', 'dB'], ['result.deviation-high', 'deviation-high', 'dB'], ['result.boost', 'boost', 'dB']];
/** Returns a level as text; of two, those of the left and of the right ear. */
const levelText = level => typeof level === 'number' ? decibels(level) : `${word('toLeft')} ${decibels(level[0])}, ${word('toRight')} ${decibels(level[1])}`;

function show() {
  const [prompt, more] = promptWords();
  // An unchanged text is not set again, because a screen reader would read it again.
  if (byID('prompt').textContent !== prompt) byID('prompt').textContent = prompt;
  if (byID('prompt-more').textContent !== more) byID('prompt-more').textContent = more;
  byID('plan').textContent = at('phase') === undefined ? ''
    : [isOfHeadphones() ? word('subsection.headphones') : at('layout'), listed('loudspeaker', 'name').map(({ name }) => name).join(' '), at('folder')].filter(Boolean).join(' · ');
  document.title = [prompt, 'Proscenium'].join(' · ');
  for (const [id, state] of Object.entries(buttons)) {
    const button = byID(id), [acts, part] = state(), text = word(button.dataset.word) + (part === undefined ? '' : ` (${nameOf(part)})`);
    // A button without effect is not disabled, so that it keeps the focus for the next take.
    button.ariaDisabled = String(!acts);
    if (button.textContent !== text) button.textContent = text;
    button.title = help(button.dataset.does, session.nodes.get(button.dataset.does)?.DESCRIPTION);
  }
  byID('sound').value = at('sound') ?? 0;
  byID('whole').value = at('progress') ?? 0;
  const left = at('left') ?? 0;
  byID('left').textContent = left > 0 && !isOver ? `${word('timeLeft')} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` : '';
  // The head has no direction to turn to for headphones.
  canvas.hidden = byID('yaw').hidden = isOfHeadphones();
  showParts();
  byID('levels').replaceChildren(...figures.filter(([, fact]) => at(fact) !== undefined)
    .map(([key, fact, unit]) => make('div', {}, make('dt', {}, word(key)), make('dd', {}, `${levelText(at(fact))} ${unit}`))));
  isDue = true;
}

/** Shows the plan: each look or fit with its verdict. */
function showParts() {
  const wanted = at('wanted');
  byID('looks-title').textContent = own('looks');
  byID('looks').replaceChildren(...parts().map(({ number, verdict, faults, reason }, index) => {
    const item = make('li', { className: number === wanted ? 'present' : '' }, make('span', { className: verdict, ariaHidden: 'true' }, signs[verdict] ?? ''), make('span', {}, nameOf(number)),
      make('span', { className: verdict, title: reason ?? '' }, [word('verdict.' + verdict, verdict), named(faults)].filter(Boolean).join(': ')));
    if (number === wanted) item.setAttribute('aria-current', 'step');
    item.dataset.look = index + 1;
    return item;
  }));
}

function recolour() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['ink', 'soft', 'line', 'accent', 'good', 'skin', 'card']) colours[name] = style.getPropertyValue('--' + name).trim();
  isDue = true;
}

/** Draws the head from above, the loudspeakers around it, and the wanted direction. */
function draw(now) {
  requestAnimationFrame(draw);
  if (canvas.hidden || !isDue && poses.isAtRest(now)) return;
  isDue = false;
  const ratio = devicePixelRatio || 1, context = canvas.getContext('2d'), [width, height] = [canvas.clientWidth, canvas.clientHeight].map(each => Math.round(each * ratio));
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const unit = Math.min(width, height) / 2.7, wanted = at('wanted'), isHeard = at('tracker') === 'heard';
  const place = point => {
    const { x, y } = seen(cameras.above, point);
    return { x: width / 2 + x * unit, y: height / 2 - y * unit };
  };
  const line = points => {
    context.beginPath();
    points.map(place).forEach(({ x, y }, index) => index ? context.lineTo(x, y) : context.moveTo(x, y));
  };
  // Without a tracker the drawing shows the wanted pose of the head.
  const pose = isHeard ? poses.at(now) : [wanted ?? 0, 0, 0], off = wanted === undefined ? NaN : apart(pose[0], wanted), isThere = Math.abs(off) <= (at('tolerance') ?? 0);
  context.clearRect(0, 0, width, height);
  context.lineJoin = 'round';
  context.lineWidth = 1.5 * ratio;
  context.strokeStyle = colours.line;
  line([...Array(73).keys()].map(step => towards(5 * step, 0)));
  context.stroke();
  if (wanted !== undefined) {
    const span = at('tolerance') ?? 0;
    context.fillStyle = context.strokeStyle = isThere && isHeard ? colours.good : colours.accent;
    context.globalAlpha = 0.3;
    line([[0, 0, 0], ...[-1, -0.5, 0, 0.5, 1].map(share => towards(wanted + share * span, 0))]);
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 3 * ratio;
    line([[0, 0, 0], towards(wanted, 0)]);
    context.stroke();
  }
  for (const { name, direction: [azimuth, elevation] } of listed('loudspeaker', 'name', 'direction')) {
    const { x, y } = place(towards(azimuth, elevation));
    context.beginPath();
    context.arc(x, y, 13 * ratio, 0, 7);
    context.fillStyle = colours.ink;
    context.fill();
    context.font = `${(name.length > 2 ? 9 : 11) * ratio}px system-ui, sans-serif`;
    [context.textAlign, context.textBaseline, context.fillStyle] = ['center', 'middle', colours.card];
    context.fillText(name, x, y);
  }
  drawHead({ context, place, camera: cameras.above, colours, outline: colours.ink, ratio, size: 0.4 }, pose);
  // Words that change sixty times per second cannot be read.
  if (now - toldAt < 150) { isDue = true; return; }
  toldAt = now;
  byID('yaw').textContent = isHeard ? `${word('head')} ${signed(pose[0])}${wanted === undefined ? '' : ` · ${word('wanted')} ${signed(wanted)} · ${word('deviation')} ${signed(off)}`}`
    : word(at('tracker') === 'silent' ? 'trackerSilent' : 'noTrackerHere');
  byID('yaw').classList.toggle('good', isHeard && isThere);
}

function layLanguages() {
  byID('language').replaceChildren(...Object.entries(languages).map(([code, [name]]) => make('option', { value: code, selected: code === spoken() }, name)));
  translate();
  show();
}

for (const id of Object.keys(buttons)) byID(id).dataset.does = `measure/${id}`;
byID('language').onchange = event => { speak(event.target.value); kept.set('language', spoken()); layLanguages(); };
for (const id of Object.keys(buttons)) byID(id).onclick = () => {
  if (!buttons[id]()[0]) return;
  id === 'stop' ? byID('stopping').showModal() : ask(byID(id).dataset.does);
};
byID('go-on').onclick = () => byID('stopping').close();
byID('stop-now').onclick = () => { byID('stopping').close(); ask(byID('stop').dataset.does); };
byID('ask-token').onsubmit = event => {
  event.preventDefault();
  session.token = event.target.elements.token.value;
  event.target.hidden = true;
};

const tellLoss = () => { if (!isOver) cover.show(); };
session.addEventListener('open', () => { byID('ask-token').hidden = true; isOver = false; cover.show(); });
session.addEventListener('close', tellLoss);
session.addEventListener('silence', tellLoss);
session.addEventListener('token', () => { byID('ask-token').hidden = false; byID('ask-token').elements.token.focus(); });
session.addEventListener('nodes', show);
session.addEventListener('state', () => { isOver = ['done', 'ended'].includes(at('phase')); show(); });
session.addEventListener('pose', ({ detail }) => { poses.take(detail.pose, performance.now()); isDue = true; });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
new ResizeObserver(() => { isDue = true; }).observe(canvas);

speak(kept.get('language') ?? navigator.language.slice(0, 2));
document.documentElement.dataset.theme = kept.get('theme') ?? 'auto';
recolour();
layLanguages();
cover.show();
requestAnimationFrame(draw);
/** Access for tests of the page. */
window.panel = { session, poses };
