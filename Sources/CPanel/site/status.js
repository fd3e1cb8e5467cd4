// Trackers, routes and recordings of the status, as figures and words.
import { claim } from './commands.js';
import { holdFocus } from './focus.js';
import { fold, isNarrow } from './folds.js';
import { ask, make } from './widgets.js';
import { help, label, spoken, word } from './words.js';

/** Command of the buttons that end an interruption. */
const end = 'interrupt/end';
claim(end);

/** Line of the last recording that was shown. */
let saved = '';

const number = (value, digits, unit) => value === undefined || value === null ? '–' : `${value.toFixed(digits)} ${unit}`;

/** Returns the figures of a tracker: name, value, whether the value is bad. The first ones are always visible, the
    others in a fold. */
const figures = tracker => [
  tracker.connection === 'open' && !tracker.fresh ? ['connection', word('connection.silent'), true]
    : ['connection', tracker.connection.replace(/^\w+/, state => word('connection.' + state, state)), tracker.connection !== 'open'],
  ['rate', tracker.fresh ? number(tracker.rateHertz, 0, 'Hz') : '–'],
  ['age', number(tracker.ageSeconds && tracker.ageSeconds * 1000, 0, 'ms'), !tracker.fresh],
  ['loss', number(tracker.loss && tracker.loss * 100, 1, '%'), tracker.loss > 0.05],
  ['format', tracker.format ?? '–'],
  ['jitter', number(tracker.jitterMilliseconds, 1, 'ms')],
  ['skew', number(tracker.skewPPM, 0, 'ppm')],
  ['bias', tracker.biasDegreesPerSecond?.map(each => each.toFixed(2)).join(', ').concat(' °/s') ?? '–'],
  ['drift', number(tracker.driftDegreesPerMinute, 2, '°/min')],
  ['noise', number(tracker.noiseDegrees, 2, '°')],
  ['dropped', Object.values(tracker.dropped).reduce((sum, each) => sum + each, 0)],
];
const first = 4;

/** Shows the trackers: their figures and faults. Elements are created again only if trackers or language have
    changed, so that a fold keeps the focus. */
export function showTrackers(box, status) {
  const parts = [['head', status.head], ['device', status.device]].filter(([, tracker]) => tracker);
  const key = JSON.stringify([parts.map(([what, { tracker }]) => [what, tracker]), spoken()]);
  if (box.dataset.shown !== key) {
    box.dataset.shown = key;
    const giveFocus = holdFocus(box);
    box.replaceChildren(...parts.length ? parts.map(layTracker) : [make('p', { className: 'note' }, word('noTracker'))]);
    giveFocus();
  }
  for (const [what, tracker] of parts) {
    const section = box.querySelector(`[data-body="${what}"]`);
    for (const [name, value, isBad] of figures(tracker)) {
      const figure = section.querySelector(`[data-figure="${name}"]`);
      figure.textContent = String(value);
      figure.classList.toggle('bad', Boolean(isBad));
    }
    section.querySelector('.complaints').replaceChildren(...tracker.complaints.map(each => make('p', { className: 'bad' }, each.words)));
  }
}

function layTracker([what, tracker]) {
  const list = named => make('dl', { className: 'figures' }, ...named.map(([name]) => {
    const figure = make('dd');
    figure.dataset.figure = name;
    return make('div', {}, make('dt', {}, label('tracker.' + name)), figure);
  }));
  const all = figures(tracker);
  const section = make('section', {}, make('h3', {}, `${word(what)}: ${tracker.tracker}`), list(all.slice(0, first)), make('div', { className: 'complaints' }),
    fold(`tracker.${what}`, 'trackers', word('moreFigures'), !isNarrow(), list(all.slice(first))));
  section.dataset.body = what;
  return section;
}

/** Returns in words that the session plays, or why nothing is audible. `hasPorts`: whether the ears are connected
    to ports. */
export const playbackInWords = (state, hasPorts) => word(`playback.${state === 'held' && !hasPorts ? 'heldWithoutPorts' : state}`, state);

/** Returns in words what an interruption does to the other inputs (`duck:-12` or `pause`). */
export const effectInWords = effect => effect.startsWith('duck:') ? `${word('duckedBy')} ${effect.slice(5).replace('-', '')} dB` : word('isMuted');

/** Shows the connections of the ears, the interruptions, and the reason if nothing is audible. */
export function showRoutes(box, status, hasPorts) {
  const { playback } = status, isLost = status.serverGoneFor !== undefined;
  const lines = isLost ? [] : [[playbackInWords(playback.state, hasPorts), ['held', 'paused', 'unconnected'].includes(playback.state)]];
  for (const [ear, ports] of [['leftEar', playback.left], ['rightEar', playback.right]])
    lines.push([`${word(ear)}: ${ports.join(', ') || '–'}`]);
  if (playback.lost.length) lines.push([`${word('lost')}: ${playback.lost.join(', ')}`, true]);
  for (const each of playback.interruptions)
    lines.push([`${word('interruptedBy')} ${each.name} (${effectInWords(each.effect)})${each.awaitsResume ? ', ' + word('awaitsResume') : ''}`, true]);
  if (isLost) lines.push([`${word('serverGone')} ${status.serverGoneFor.toFixed(0)} s`, true]);
  for (const input of playback.unconnectedInputs ?? []) lines.push([`${input}: ${word('noSource')}`, true]);
  for (const input of status.programmes.filter(each => each.isSilenced || each.isMuted))
    lines.push([`${input.name}: ${word(input.isMuted ? 'isMuted' : 'isSilenced')}`]);
  box.replaceChildren(...lines.map(([text, isBad]) => make('p', { className: isBad ? 'bad' : '' }, text)));
}

/** Shows the interruptions, each with buttons that end it. Elements are created again only if the interruptions or
    the language have changed. */
export function showInterruptions(box, { playback }) {
  const interruptions = playback.interruptions.filter(({ awaitsResume }) => !awaitsResume);
  const key = JSON.stringify([...interruptions.map(({ name, effect }) => [name, effect]), spoken()]);
  if (box.dataset.shown === key) return;
  box.dataset.shown = key;
  const giveFocus = holdFocus(box);
  box.replaceChildren(...interruptions.map(({ name, effect }) => make('div', { className: 'bar' }, make('span', {}, `${name} (${effectInWords(effect)})`),
    ...[['resume', 'giveBack'], ['no-resume', 'giveBackHeld']].map(([how, text]) => {
      const button = make('button', { type: 'button', title: help(end), onclick: () => ask(end, name, how) }, word(text));
      button.dataset.how = how;
      button.dataset.key = `${name} ${how}`;
      return button;
    }))));
  giveFocus();
}

/** Shows the present recordings; without any, the last one; before the first one, the folder of takes. */
export function showRecording(box, status) {
  const lines = status.recordings.map(each => [each.file, each.number && `#${each.number}`, each.seconds && `${each.seconds.toFixed(1)} s`,
    each.markers !== undefined && `${word('markers')} ${each.markers}`, each.lost && `${word('lost')} ${each.lost}`, each.ended].filter(Boolean).join(' · '));
  if (lines.length) saved = lines.join(' · ');
  else if (saved) lines.push(`${word('saved')}: ${saved}`);
  else if (status.recordingsFolder) lines.push(`${word('takesGoTo')} ${status.recordingsFolder}`);
  box.replaceChildren(...lines.map(line => make('p', {}, line)));
}

/** Returns the pose in words, with the age of the tracker's sample and the round-trip time. */
export function poseInWords([yaw, pitch, roll], mode, age, roundTrip) {
  // Rounded before the sign is chosen: −0.04° is +0.0°.
  const degrees = number => { const round = Math.round(number * 10) / 10; return `${round >= 0 ? '+' : '−'}${Math.abs(round).toFixed(1)}°`; };
  let words = `${word('yaw')} ${degrees(yaw)}, ${word('pitch')} ${degrees(pitch)}, ${word('roll')} ${degrees(roll)} · ${word('mode.' + mode, mode)}`;
  if (Number.isFinite(age)) words += ` · ${word('trackerAge')} ${(age * 1000).toFixed(0)} ms`;
  if (Number.isFinite(roundTrip)) words += ` · ${word('answeredIn')} ${roundTrip.toFixed(0)} ms`;
  return words;
}
