// Levels, loudness, load: bars that are updated 25 times per second, and figures.
import { make } from './widgets.js';
import { label, word } from './words.js';

/** dBFS at the left end of a bar. */
const floor = -60;
const share = level => Math.max(0, Math.min(1, (level - floor) / -floor));
/** Returns a level as text; `−∞` for silence. */
export const decibels = level => level <= -99.9 ? '−∞' : level.toFixed(1).replace('-', '−');
/** Level from which a channel counts as clipped, dBFS, and time for which a peak is held, milliseconds. */
const clip = -0.05, hold = 1500;
/** Levels with a figure above the bars, dBFS. */
const ticks = [-60, -40, -20, -10, 0];

export class Meters {
  #rows = []; #bars; #peaks = []; #engine; #loudness; #figures = new Map();

  constructor(bars, loudness, engine) {
    [this.#bars, this.#loudness, this.#engine] = [bars, loudness, engine];
  }

  /** Creates a bar for each ear and channel. A clip light stays lit until the user clears it. */
  lay(picture) {
    const rows = [['ears', 0, word('meter.left')], ['ears', 1, word('meter.right')]];
    for (const input of picture.inputs) {
      const names = input.loudspeakers.filter(each => each.meter != null).map(each => each.name);
      input.meters.forEach((number, index) => {
        const extra = input.meters.length - names.length;
        const name = names[index] ?? (names.length || input.loudspeakers.length ? ['L', 'R'][index - names.length] ?? `${index + 1}` : `${index}`);
        rows.push(['inputs', number, `${input.name} ${extra === 1 && index >= names.length ? 'M' : name}`]);
      });
    }
    const marks = ticks.map(level => {
      const mark = make('span', {}, decibels(level).replace('.0', ''));
      mark.style.setProperty('--place', share(level));
      return mark;
    });
    const lit = new Set(this.#rows.filter(({ hasClipped }) => hasClipped).map(({ channel }) => channel));
    this.#bars.replaceChildren(make('div', { className: 'meter axis', ariaHidden: 'true' }, make('span', { className: 'name' }, 'dBFS'), make('span', { className: 'scale' }, ...marks)));
    for (const list of [this.#loudness, this.#engine]) list.replaceChildren();
    this.#figures.clear();
    this.#peaks = [];
    this.#rows = rows.map(([kind, number, name]) => {
      const fill = make('span', { className: 'fill' }), peak = make('span', { className: 'peak' });
      const figure = make('span', { className: 'figure' }, '−∞');
      const light = make('button', { type: 'button', className: 'light', ariaLabel: `Clip, ${name}: ${word('notClipped')}`, title: word('clipHelp') }, 'Clip');
      light.dataset.key = name;
      const bar = make('span', { className: 'bar-track', ariaHidden: 'true' }, fill, peak);
      this.#bars.append(make('div', { className: 'meter' }, make('span', { className: 'name' }, name), bar, figure, light));
      // The ears' names depend on the language.
      const row = { kind, number, name, channel: `${kind} ${kind === 'ears' ? number : name}`, fill, peak, figure, light };
      light.onclick = () => this.#clip(row, false);
      if (lit.has(row.channel)) this.#clip(row, true);
      return row;
    });
  }

  show(meters) {
    const now = performance.now();
    this.#rows.forEach((row, index) => {
      const level = meters[row.kind][row.number] ?? -200;
      const held = this.#peaks[index];
      if (!held || level >= held.level || now - held.at > hold) this.#peaks[index] = { level, at: now };
      row.fill.style.transform = `scaleX(${share(level)})`;
      row.peak.style.left = `${100 * share(this.#peaks[index].level)}%`;
      const text = decibels(this.#peaks[index].level);
      if (row.figure.textContent !== text) row.figure.textContent = text;
      if (level >= clip && !row.hasClipped) this.#clip(row, true);
    });
    this.#figure(this.#loudness, 'momentary', decibels(meters.momentary), 'LUFS');
    this.#figure(this.#loudness, 'shortTerm', decibels(meters.shortTerm), 'LUFS');
    this.#figure(this.#engine, 'reduction', decibels(meters.reduction), 'dB', meters.reduction < -0.05);
    this.#figure(this.#engine, 'guardClipped', word(meters.hasClipped ? 'yes' : 'no'), '', meters.hasClipped);
    this.#figure(this.#engine, 'load', (100 * meters.load).toFixed(1), '%', meters.load > 0.7);
    this.#figure(this.#engine, 'xruns', meters.xruns, '', false);
    this.#figure(this.#engine, 'skipped', meters.skipped, '', false);
  }

  /** Shows silence, because no sound is computed. */
  silence() {
    this.#peaks = [];
    for (const { fill, peak, figure } of this.#rows) {
      fill.style.transform = 'scaleX(0)';
      peak.style.left = '0';
      figure.textContent = '−∞';
    }
  }

  /** Shows the other readings of the loudness meters, which are requested twice a second. */
  showLoudness(status) {
    const { ears } = status;
    this.#figure(this.#loudness, 'integrated', decibels(ears.integrated ?? -200), 'LUFS');
    this.#figure(this.#loudness, 'range', (ears.range ?? 0).toFixed(1), 'LU');
    this.#figure(this.#loudness, 'truePeak', decibels(ears.truePeak ?? -200), 'dBTP', ears.truePeak > -1);
    for (const input of status.inputs)
      this.#figure(this.#loudness, 'integrated', decibels(input.readings.integrated ?? -200), 'LUFS', false, input.name);
  }

  showStatus(status) {
    this.#figure(this.#engine, 'period', `${status.period} / ${(status.sampleRate / 1000).toFixed(1)} kHz`, '');
    this.#figure(this.#engine, 'latency', `${status.latencyFrames}`, word('frames'));
  }

  clearClips() { for (const row of this.#rows) this.#clip(row, false); }

  #clip(row, on) {
    row.hasClipped = on;
    row.light.classList.toggle('on', on);
    row.light.ariaLabel = `Clip, ${row.name}: ${word(on ? 'clipped' : 'notClipped')}`;
  }

  #figure(list, name, value, unit, isBad = false, of = '') {
    const key = list.id + name + of;
    let figure = this.#figures.get(key);
    if (!figure) {
      figure = make('dd');
      this.#figures.set(key, figure);
      list.append(make('div', {}, make('dt', {}, (of && of + ' ') + label(name)), figure));
    }
    const text = `${value}${unit && ' ' + unit}`;
    if (figure.textContent !== text) figure.textContent = text;
    figure.classList.toggle('bad', isBad);
  }
}

/** The last minute: the modes of head tracking, the yaw, and lost periods. */
export class History {
  static #seconds = 60;
  #samples = []; #canvas; #lost = { xruns: undefined, skipped: undefined };
  #colours = {};

  constructor(canvas) {
    this.#canvas = canvas;
    this.recolour();
  }

  recolour() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['ink', 'soft', 'line', 'accent', 'warn', 'bad']) this.#colours[name] = style.getPropertyValue('--' + name).trim();
  }

  take(meters) {
    const now = performance.now() / 1000, { xruns, skipped } = meters;
    const isLost = xruns > this.#lost.xruns || skipped > this.#lost.skipped;
    this.#lost = { xruns, skipped };
    this.#samples.push({ at: now, mode: meters.mode, yaw: meters.yaw, isLost, reduction: meters.reduction });
    while (this.#samples[0].at < now - History.#seconds) this.#samples.shift();
  }

  /** Begins a time without reports, for which nothing is known. */
  breakOff() { this.#samples.push({ at: performance.now() / 1000, mode: 'unknown', yaw: NaN, isLost: false, reduction: 0 }); }

  draw() {
    const canvas = this.#canvas, ratio = devicePixelRatio || 1, context = canvas.getContext('2d'), colours = this.#colours;
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context.clearRect(0, 0, width, height);
    const now = performance.now() / 1000;
    const x = at => width * (1 - (now - at) / History.#seconds);
    const shades = { held: colours.warn, 'head only': colours.line, waiting: colours.line, front: colours.line, unknown: colours.soft };
    context.globalAlpha = 0.4;
    this.#samples.forEach((sample, index) => {
      const shade = shades[sample.mode], next = this.#samples[index + 1]?.at ?? now;
      if (!shade) return;
      context.fillStyle = shade;
      context.fillRect(x(sample.at), 0, Math.max(1, x(next) - x(sample.at)), height);
    });
    context.globalAlpha = 1;
    context.strokeStyle = colours.line;
    context.lineWidth = ratio;
    context.strokeRect(0, height / 2, width, 0);
    context.strokeStyle = colours.accent;
    context.lineWidth = 1.5 * ratio;
    context.beginPath();
    let last;
    for (const { at, yaw } of this.#samples) {
      const y = height / 2 * (1 - yaw / 180);
      Number.isNaN(yaw) || last === undefined || Math.abs(yaw - last) > 180 ? context.moveTo(x(at), y) : context.lineTo(x(at), y);
      last = Number.isNaN(yaw) ? undefined : yaw;
    }
    context.stroke();
    context.fillStyle = colours.bad;
    for (const { at, isLost } of this.#samples) if (isLost) context.fillRect(x(at) - ratio, 0, 2 * ratio, height);
  }

  /** The diagram in words. */
  get words() {
    const lost = this.#samples.filter(({ isLost }) => isLost).length;
    const held = this.#samples.filter(({ mode }) => mode === 'held').length / Math.max(1, this.#samples.length);
    return `${word('lastMinute')}: ${word('lostPeriods')} ${lost}, ${word('heldShare')} ${(100 * held).toFixed(0)} %`;
  }
}
