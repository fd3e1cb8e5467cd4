// The picture of the stage: the loudspeakers, the head, and the reference of the stage.
import { drawHead } from './figure.js';
import { cameras, rotation, seen, towards, turned } from './head.js';

const zero = [0, 0, 0];
/** Level from which a loudspeaker glows, dBFS. */
const floor = -60;
/** Number of inputs with different colours, and distance of each input's loudspeakers from the head in the picture,
    so that loudspeakers of two inputs at the same place are drawn side by side. */
const hues = 6, circles = [1, 0.84, 0.69, 0.55];
const circleOf = number => circles[number % circles.length];

/** Shows the legend of the inputs if there are several: a disc as in the picture, and the name. */
export function layLegend(list, { inputs }) {
  list.hidden = inputs.length < 2;
  list.replaceChildren(...inputs.map(({ name }, number) => {
    const disc = Object.assign(document.createElement('span'), { className: 'disc', ariaHidden: 'true' }), item = document.createElement('li');
    disc.style.setProperty('--hue', `var(--input-${number % hues + 1})`);
    disc.classList.toggle('ringed', number > 0);
    item.append(disc, name);
    return item;
  }));
}

/** Returns each loudspeaker of each input in the stage's frame. `values`: values in force; `head`: pose that is
    drawn now. */
export function loudspeakers(picture, values, head) {
  const found = [];
  const isSoloed = picture.inputs.some(({ loudspeakers }) => loudspeakers.some(({ name }) => values.get(`loudspeaker/${name}/solo`) === 'on'));
  for (const [number, input] of picture.inputs.entries()) {
    const at = address => values.get(`input/${input.name}/${address}`);
    const place = rotation(at('place') ?? zero);
    const carry = at('mode') === 'fixed' ? rotation(head) : null;
    for (const loudspeaker of input.loudspeakers) {
      const of = address => values.get(`loudspeaker/${loudspeaker.name}/${address}`);
      let point = loudspeaker.isLowFrequency ? [0.3, -0.62, -0.2] : turned(place, towards(loudspeaker.azimuth, loudspeaker.elevation));
      if (carry && !loudspeaker.isLowFrequency) point = turned(carry, point);
      const isSilent = of('mute') === 'on' || isSoloed && of('solo') !== 'on' || at('mute') === 'on';
      // Loudspeakers of further inputs are drawn nearer, on a circle of their own.
      point = point.map(each => each * circleOf(number));
      found.push({ input: input.name, number, loudspeaker, point, isSilent, isSolo: of('solo') === 'on', isInverted: of('polarity') === 'on' });
    }
  }
  return found;
}

/** Returns the talkers that an Audio Mix has detected in the sound field, for drawing. `told`: talkers in the
    meters, numbered from 1. The lower the probability of speech, the paler a talker is drawn. */
export function talkers(picture, values, head, told) {
  const input = picture.inputs.find(each => !each.isEffect && !each.loudspeakers.length)?.name;
  const at = address => values.get(`input/${input}/${address}`);
  const carry = at('mode') === 'fixed' ? rotation(head) : null;
  return input === undefined ? [] : told.map(({ azimuth, elevation, presence }, index) => {
    const point = turned(rotation(at('place') ?? zero), towards(azimuth, elevation));
    return { input, point: carry ? turned(carry, point) : point, presence, number: index + 1 };
  });
}

export class StageView {
  camera = 'above';
  /** Last drawn position of each loudspeaker, for pointing at it. */
  drawn = [];
  #canvas; #context; #colours = {}; #hues = []; #turned;

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.recolour();
  }

  /** Reads the colours of the present style. */
  recolour() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['ink', 'soft', 'line', 'card', 'accent', 'glow', 'warn', 'bad', 'skin'])
      this.#colours[name] = style.getPropertyValue('--' + name).trim();
    this.#hues = [...Array(hues).keys()].map(number => style.getPropertyValue(`--input-${number + 1}`).trim());
  }

  /** Sets the size of the picture to that of its box, in device pixels. */
  #fit() {
    const canvas = this.#canvas, ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    this.unit = Math.min(width / 2.9, height / 2.75);
    this.ratio = ratio;
    // Above a radius of 400 pixels, lines become wider with the picture.
    this.pen = ratio * Math.max(1, this.unit / ratio / 400);
    this.middle = { x: width / 2, y: height / 2 };
  }

  #at(point) {
    if (this.turn) point = turned(this.#turned, point);
    const { x, y, depth, scale } = seen(cameras[this.camera], point);
    return { x: this.middle.x + x * this.unit, y: this.middle.y - y * this.unit, depth, scale };
  }

  /** Draws the present state: `found` (see `loudspeakers`), `levels` of the meters, `talkers`, `head`, its
      `reference`; `turn`: degrees by which the stage itself has turned relative to the viewer. */
  draw({ found, levels, talkers = [], head, reference, isHeld, isTracked, turn = 0 }) {
    this.#fit();
    this.turn = turn;
    this.#turned = rotation([turn, 0, 0]);
    const context = this.#context, colours = this.#colours;
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.lineJoin = 'round';
    this.#floor(new Set(found.map(({ number = 0 }) => number)));
    if (reference === 'device') this.#device(isTracked);
    this.drawn = [];
    const things = found.map(each => ({ ...each, spot: this.#at(each.point) }));
    const [behind, before] = [things.filter(each => each.spot.depth < 0), things.filter(each => each.spot.depth >= 0)];
    const nearer = (a, b) => a.spot.depth - b.spot.depth;
    for (const each of behind.sort(nearer)) this.#loudspeaker(each, levels);
    drawHead({ context, place: point => this.#at(point), camera: cameras[this.camera], colours, outline: isHeld ? colours.warn : colours.ink,
      ratio: this.pen }, head);
    for (const each of before.sort(nearer)) this.#loudspeaker(each, levels);
    for (const each of talkers) this.#talker(each);
  }

  #talker({ point, presence, number }) {
    const context = this.#context, colours = this.#colours, { x, y, scale } = this.#at(point);
    const radius = 13 * this.ratio * scale;
    context.globalAlpha = 0.35 + 0.65 * Math.min(1, 2 * presence);
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.fillStyle = colours.accent;
    context.fill();
    this.#text(`${number}`, x, y, 12, colours.card);
    context.globalAlpha = 1;
  }

  #path(points, isClosed = true) {
    const context = this.#context;
    context.beginPath();
    points.forEach((point, index) => {
      const { x, y } = this.#at(point);
      index ? context.lineTo(x, y) : context.moveTo(x, y);
    });
    if (isClosed) context.closePath();
  }

  #text(text, x, y, size, colour, align = 'center') {
    const context = this.#context;
    context.font = `${size * this.ratio}px system-ui, sans-serif`;
    context.textAlign = align;
    context.textBaseline = 'middle';
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }

  /** Draws the horizon at the loudspeakers' distance with degrees, the circles of further inputs, the upper halves
      of the median and the frontal plane, and the direction to the front. */
  #floor(numbers) {
    const context = this.#context, colours = this.#colours;
    context.strokeStyle = colours.line;
    context.lineWidth = 1.2 * this.pen;
    const circle = (make, from = 0, to = 360) => {
      const points = [];
      for (let angle = from; angle <= to; angle += 5) points.push(make(angle));
      this.#path(points, to - from === 360);
      context.stroke();
    };
    circle(angle => towards(angle, 0));
    for (const number of numbers) {
      if (number % circles.length === 0) continue;
      context.setLineDash([2 * this.pen, 4 * this.pen]);
      circle(angle => towards(angle, 0, circleOf(number)));
      context.setLineDash([]);
    }
    if (this.camera !== 'above') circle(angle => towards(0, angle), 0, 180);
    if (this.camera !== 'above') circle(angle => towards(90, angle), 0, 180);
    if (this.camera === 'behind') return;
    for (let angle = -180; angle < 180; angle += 30) {
      this.#path([towards(angle, 0, 0.97), towards(angle, 0, 1.03)], false);
      context.stroke();
    }
    this.#path([towards(0, 0, 0.3), towards(0, 0, 0.97)], false);
    context.setLineDash([3 * this.pen, 5 * this.pen]);
    context.stroke();
    context.setLineDash([]);
    for (const angle of [0, 90, 180, -90]) {
      const { x, y } = this.#at(towards(angle, 0, 1.27));
      this.#text(`${angle}°`, x, y, Math.max(11, this.unit / this.ratio / 22), colours.soft);
    }
  }

  /** Draws the device to which the stage is fixed, in front of the listener. */
  #device(isTracked) {
    const context = this.#context, [near, far] = [0.62, 0.62];
    this.#path([[near, 0.16, -0.32], [far, 0.16, -0.14], [far, -0.16, -0.14], [near, -0.16, -0.32]]);
    context.fillStyle = this.#colours.card;
    context.strokeStyle = isTracked ? this.#colours.accent : this.#colours.line;
    context.lineWidth = 2 * this.pen;
    context.fill();
    context.stroke();
  }

  #loudspeaker(each, levels) {
    const context = this.#context, colours = this.#colours, { loudspeaker, spot } = each;
    const level = loudspeaker.meter === undefined || loudspeaker.meter === null ? floor : levels[loudspeaker.meter] ?? floor;
    const share = each.isSilent ? 0 : Math.max(0, Math.min(1, (level - floor) / -floor));
    const radius = (loudspeaker.isLowFrequency ? 11 : 14) * this.ratio * spot.scale * Math.max(0.8, Math.min(2.6, this.unit / this.ratio / 170));
    if (share > 0) {
      const glow = context.createRadialGradient(spot.x, spot.y, radius * 0.6, spot.x, spot.y, radius * (1.2 + 2.2 * share));
      glow.addColorStop(0, colours.glow);
      glow.addColorStop(1, colours.glow + '00');
      context.globalAlpha = 0.25 + 0.6 * share;
      context.fillStyle = glow;
      context.beginPath();
      context.arc(spot.x, spot.y, radius * (1.2 + 2.2 * share), 0, 7);
      context.fill();
      context.globalAlpha = 1;
    }
    context.beginPath();
    loudspeaker.isLowFrequency ? context.rect(spot.x - radius, spot.y - radius, 2 * radius, 2 * radius) : context.arc(spot.x, spot.y, radius, 0, 7);
    const colour = each.colour ?? (each.number === undefined ? colours.ink : this.#hues[each.number % hues]);
    context.fillStyle = each.isSilent ? colours.card : colour;
    context.fill();
    context.lineWidth = (each.isSolo ? 3 : 1.5) * this.pen;
    context.strokeStyle = each.isSolo ? colours.accent : each.isInverted ? colours.warn : colours.soft;
    context.setLineDash(each.isSilent ? [3 * this.pen, 3 * this.pen] : []);
    context.stroke();
    context.setLineDash([]);
    if (each.number > 0) {
      // A ring distinguishes further inputs even without their colours.
      context.beginPath();
      context.arc(spot.x, spot.y, radius * 1.32, 0, 7);
      context.lineWidth = 2.5 * this.pen;
      context.strokeStyle = colour;
      context.stroke();
    }
    const size = Math.max(8, radius / this.ratio * (loudspeaker.name.length > 3 ? 0.5 : loudspeaker.name.length > 2 ? 0.66 : 0.8));
    this.#text(loudspeaker.name, spot.x, spot.y, size, each.isSilent ? colours.soft : colours.card);
    if (each.isInverted) this.#text('ø', spot.x + radius * 1.25, spot.y - radius * 1.05, size * 1.2, colours.warn);
    this.drawn.push({ ...each, x: spot.x / this.ratio, y: spot.y / this.ratio, radius: Math.max(16, radius / this.ratio) });
  }
}
