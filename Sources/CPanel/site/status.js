// What the status tells of trackers and routes, as figures and words.
import { ask, make } from './widgets.js';
import { help, label, spoken, word } from './words.js';

const number = (value, digits, unit) => value === undefined || value === null ? '–' : `${value.toFixed(digits)} ${unit}`;

/** Trackers: rate, age, jitter, loss, skew, bias, drift. */
export function showTrackers(box, status) {
  const parts = [['head', status.head], ['device', status.device]].filter(([, tracker]) => tracker);
  if (!parts.length) return box.replaceChildren(make('p', { className: 'note' }, word('noTracker')));
  box.replaceChildren(...parts.map(([what, tracker]) => {
    const rows = [
      ['connection', word('connection.' + tracker.connection, tracker.connection), tracker.connection !== 'open'],
      ['format', tracker.format ?? '–'],
      ['rate', number(tracker.rateHertz, 0, 'Hz')],
      ['age', number(tracker.ageSeconds && tracker.ageSeconds * 1000, 0, 'ms'), !tracker.fresh],
      ['jitter', number(tracker.jitterMilliseconds, 1, 'ms')],
      ['loss', number(tracker.loss && tracker.loss * 100, 1, '%'), tracker.loss > 0.05],
      ['skew', number(tracker.skewPPM, 0, 'ppm')],
      ['bias', tracker.biasDegreesPerSecond?.map(each => each.toFixed(2)).join(', ').concat(' °/s') ?? '–'],
      ['drift', number(tracker.driftDegreesPerMinute, 2, '°/min')],
      ['noise', number(tracker.noiseDegrees, 2, '°')],
      ['dropped', Object.values(tracker.dropped).reduce((sum, each) => sum + each, 0)],
    ];
    const list = make('dl', { className: 'figures' }, ...rows.map(([name, value, isBad]) =>
      make('div', {}, make('dt', {}, label('tracker.' + name)), make('dd', { className: isBad ? 'bad' : '' }, String(value)))));
    return make('section', {}, make('h3', {}, `${word(what)}: ${tracker.tracker}`), list,
      ...tracker.complaints.map(each => make('p', { className: 'bad' }, each.words)));
  }));
}

/** Where the ears go, which interruptions have the stage, and why nothing is heard where that is so. */
export function showRoutes(box, status) {
  const { playback } = status, lines = [[word('playback.' + playback.state, playback.state), ['held', 'paused', 'unconnected'].includes(playback.state)]];
  for (const [ear, ports] of [['leftEar', playback.left], ['rightEar', playback.right]])
    lines.push([`${word(ear)}: ${ports.join(', ') || '–'}`]);
  if (playback.lost.length) lines.push([`${word('lost')}: ${playback.lost.join(', ')}`, true]);
  for (const each of playback.interruptions)
    lines.push([`${word('interruptedBy')} ${each.name} (${each.effect})${each.awaitsResume ? ', ' + word('awaitsResume') : ''}`, true]);
  if (status.serverGoneFor !== undefined) lines.push([`${word('serverGone')} ${status.serverGoneFor.toFixed(0)} s`, true]);
  for (const input of status.programmes.filter(each => each.isSilenced || each.isMuted))
    lines.push([`${input.name}: ${word(input.isMuted ? 'isMuted' : 'isSilenced')}`]);
  box.replaceChildren(...lines.map(([text, isBad]) => make('p', { className: isBad ? 'bad' : '' }, text)));
}

/** Who has the stage, with what gives it back; made anew where others have it. */
export function showInterruptions(box, { playback }) {
  const interruptions = playback.interruptions.filter(({ awaitsResume }) => !awaitsResume);
  const key = JSON.stringify([...interruptions.map(({ name, effect }) => [name, effect]), spoken()]);
  if (box.dataset.shown === key) return;
  box.dataset.shown = key;
  box.replaceChildren(...interruptions.map(({ name, effect }) => make('div', { className: 'bar' }, make('span', {}, `${name} (${effect})`),
    ...[['resume', 'giveBack'], ['no-resume', 'giveBackHeld']].map(([how, text]) => {
      const button = make('button', { type: 'button', title: help('interrupt/end'), onclick: () => ask('interrupt/end', name, how) }, word(text));
      button.dataset.how = how;
      return button;
    }))));
}

/** What is recorded. */
export function showRecording(box, status) {
  const lines = status.recordings.map(each => [each.file, each.number && `#${each.number}`, each.seconds && `${each.seconds.toFixed(1)} s`,
    each.markers !== undefined && `${word('markers')} ${each.markers}`, each.lost && `${word('lost')} ${each.lost}`, each.ended].filter(Boolean).join(' · '));
  box.replaceChildren(...lines.map(line => make('p', {}, line)));
}

/** The pose in words, and how old what is drawn is. */
export function poseInWords([yaw, pitch, roll], mode, age, roundTrip) {
  const degrees = number => `${number >= 0 ? '+' : '−'}${Math.abs(number).toFixed(1)}°`;
  let words = `${word('yaw')} ${degrees(yaw)}, ${word('pitch')} ${degrees(pitch)}, ${word('roll')} ${degrees(roll)} · ${word('mode.' + mode, mode)}`;
  if (Number.isFinite(age)) words += ` · ${word('trackerAge')} ${(age * 1000).toFixed(0)} ms`;
  if (Number.isFinite(roundTrip)) words += ` · ${word('answeredIn')} ${roundTrip.toFixed(0)} ms`;
  return words;
}
