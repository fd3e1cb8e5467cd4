// Faders. Those of levels have an audio taper from −60 to +10 dB, with a scale below; those of other numbers are
// linear. Beside each fader is the exact number, with the whole range that the session accepts.
import { ask, make } from './widgets.js';
import { label, word } from './words.js';

/** The taper: level in dB, and position on the fader from 0 to 1, as on the 100 mm faders of consoles: 0 dB is at
    three quarters. Linear between these points. */
const taper = [[-60, 0], [-50, 0.06], [-40, 0.14], [-30, 0.24], [-20, 0.37], [-10, 0.54], [-5, 0.64], [0, 0.75], [5, 0.87], [10, 1]];

const along = (table, from, to, value) => {
  if (value <= table[0][from]) return table[0][to];
  const next = table.findIndex(each => each[from] >= value);
  if (next < 0) return table.at(-1)[to];
  const [low, high] = [table[next - 1], table[next]];
  return low[to] + (high[to] - low[to]) * (value - low[from]) / (high[from] - low[from]);
};

/** Returns functions that convert a level to the position, 0 to 1, of a fader from `low` to `high` dB, and back,
    and the ticks of its scale. */
export function audioTaper(low, high) {
  const [bottom, top] = [along(taper, 0, 1, low), along(taper, 0, 1, high)];
  return {
    place: level => Math.min(1, Math.max(0, (along(taper, 0, 1, level) - bottom) / (top - bottom))),
    level: place => Math.round(10 * along(taper, 1, 0, bottom + place * (top - bottom))) / 10,
    ticks: [-60, -40, -20, -10, 0, 10].filter(each => each >= low && each <= high),
  };
}

/** Ends of the fader of a level, dB; undefined for other numbers. */
const levels = ({ MIN: min, MAX: max }, unit) => unit === 'dB' && min <= -60 && max >= 0 ? [-60, Math.min(max, 10)] : undefined;

/** Range of a fader; for angles one turn at most. */
const reach = (unit, min, max) => unit === 'degrees' && max - min > 360 ? [-180, 180] : [min, max];

const shown = value => typeof value === 'number' ? Math.round(value * 100) / 100 : value;
const signed = level => `${level > 0 ? '+' : level < 0 ? '−' : ''}${Math.abs(level)}`;

/** Sends the exact number that is typed into a field, and otherwise shows the value in force, with or without the
    focus. A text that is being typed, or has no reply yet, is not overwritten. `send`: sends a number, and resolves
    with the reply; `inForce`: returns the present value; `round`: rounds it for display. Returns a function that shows
    a value. */
export function typed(exact, send, inForce, round) {
  let typing, answer;
  const show = number => { if (!typing) exact.value = number === undefined ? '' : round(number); };
  const settle = async () => {
    const before = typing;
    await answer;
    // A text typed meanwhile is kept.
    if (typing === before) typing = undefined;
    show(inForce());
  };
  exact.oninput = () => { typing = {}; };
  exact.onchange = () => {
    const wish = exact.valueAsNumber;
    if (Number.isFinite(wish)) answer = send(wish);
    settle();
  };
  exact.onblur = settle;
  return show;
}

/** Returns the controls of one number: a fader and its exact field. `send`: sends a number, and resolves with the
    reply; `inForce`: returns the present number. */
function fader(what, node, index, send, inForce) {
  const { MIN: min = 0, MAX: max = 1 } = node.RANGE?.[index] ?? {}, unit = node.UNIT?.[0];
  const step = max - min <= 2 ? 0.01 : max - min <= 12 ? 0.05 : node.WHOLE ? 1 : 0.1;
  const ends = levels({ MIN: min, MAX: max }, unit), curve = ends && audioTaper(...ends);
  const [low, high] = curve ? [0, 1] : reach(unit, min, max);
  const slide = make('input', { type: 'range', min: low, max: high, step: curve ? 0.002 : step, ariaLabel: what });
  const exact = make('input', { type: 'number', min, max, step: 'any', ariaLabel: `${what}, ${word('exact')}` });
  // Positive yaw is to the left, so the fader has its positive end there too.
  if (node.UNIT?.[index] === 'degrees' && low === -180 && index === 0) slide.dir = 'rtl';
  const row = make('div', { className: 'row' }, slide, exact);
  const showExact = typed(exact, send, inForce, shown);
  let held = -Infinity;
  const wished = () => curve ? curve.level(slide.valueAsNumber) : slide.valueAsNumber;
  slide.oninput = () => { held = performance.now(); send(wished()); };
  if (curve) {
    slide.dataset.taper = 'audio';
    // A double click sets 0 dB, as on a console.
    slide.ondblclick = () => send(0);
    const marks = curve.ticks.map(level => {
      const mark = make('span', {}, signed(level));
      mark.style.setProperty('--place', curve.place(level));
      return mark;
    });
    row.append(make('span', { className: 'scale', ariaHidden: 'true' }, ...marks));
    row.classList.add('levels');
  }
  return { row, slide,
    release() { held = -Infinity; },
    show(number) {
      // The fader does not move while the user holds it.
      if (performance.now() - held > 400) slide.value = curve ? curve.place(number ?? 0) : number ?? 0;
      slide.setAttribute('aria-valuetext', number === undefined ? '–' : `${signed(shown(number))} ${unit ? word('unit.' + unit, unit) : ''}`.trim());
      showExact(number);
    } };
}

/** Returns the control of an address with one number or several. `session`: source of the values in force. */
export function numbers(session, address, name, node) {
  const units = node.UNIT ?? [], count = node.TYPE.length;
  const axes = node.AXES ?? [];
  const group = make('fieldset', { className: 'numbers' },
    make('legend', {}, label(name) + (units[0] && !axes.length ? `, ${word('unit.' + units[0], units[0])}` : '')));
  const fields = [...Array(count).keys()].map(index => {
    const field = fader([label(name), axes[index] && word(axes[index])].filter(Boolean).join(' '), node, index, wish => send(index, wish),
      () => [session.value(address)].flat()[index]);
    field.slide.onchange = async () => {
      // Until the reply the fader stays where it was released, and the next press of an arrow key continues from there.
      await underWay;
      field.release();
      show(session.value(address));
    };
    if (axes[index]) field.row.prepend(make('span', { ariaHidden: 'true' }, word(axes[index])));
    group.append(field.row);
    return field;
  });
  let waiting, underWay;
  // While the user moves a fader, the newest number waits for the reply to the one before.
  function send(index, wish) {
    const now = [session.value(address)].flat().map(Number);
    waiting = count === 1 ? [wish] : fields.map((_, other) => other === index ? wish : waiting?.[other] ?? now[other] ?? 0);
    return underWay ??= askAll();
  }
  async function askAll() {
    while (waiting) {
      const wishes = waiting;
      waiting = undefined;
      await ask(address, ...wishes);
    }
    underWay = undefined;
  }
  const show = value => {
    const now = value === undefined ? [] : [value].flat();
    group.classList.toggle('unsaid', now[0] === undefined);
    fields.forEach((field, index) => field.show(now[index]));
  };
  return { element: group, show };
}
