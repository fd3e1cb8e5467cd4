// The stage as a picture: loudspeakers where they stand, the head in it, what it is held to.
import { cameras, rotation, seen, towards, turned } from './head.js';
import { word } from './words.js';

const zero = [0, 0, 0];
/** dBFS from which a loudspeaker glows. */
const floor = -60;

/** What is drawn: each loudspeaker of each input in the stage's frame. `values` as in force, `head` as it is drawn now. */
export function loudspeakers(picture, values, head) {
  const found = [];
  const isSoloed = picture.inputs.some(({ loudspeakers }) => loudspeakers.some(({ name }) => values.get(`loudspeaker/${name}/solo`) === 'on'));
  for (const input of picture.inputs) {
    const at = address => values.get(`input/${input.name}/${address}`);
    const place = rotation(at('place') ?? zero);
    const carry = at('mode') === 'fixed' ? rotation(head) : null;
    for (const loudspeaker of input.loudspeakers) {
      const of = address => values.get(`loudspeaker/${loudspeaker.name}/${address}`);
      let point = loudspeaker.isLowFrequency ? [0.3, -0.62, -0.2] : turned(place, towards(loudspeaker.azimuth, loudspeaker.elevation));
      if (carry && !loudspeaker.isLowFrequency) point = turned(carry, point);
      const isSilent = of('mute') === 'on' || isSoloed && of('solo') !== 'on' || at('mute') === 'on';
      found.push({ input: input.name, loudspeaker, point, isSilent, isSolo: of('solo') === 'on', isInverted: of('polarity') === 'on' });
    }
  }
  return found;
}

export class StageView {
  camera = 'above';
  /** Where each loudspeaker was drawn last, for whoever points at it. */
  drawn = [];
  #canvas; #context; #colours = {};

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.recolour();
  }

  /** Takes the colours of the style in force. */
  recolour() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['ink', 'soft', 'line', 'card', 'accent', 'glow', 'warn', 'bad', 'skin'])
      this.#colours[name] = style.getPropertyValue('--' + name).trim();
  }

  /** The size of the picture in its box, by the screen's own pixels. */
  #fit() {
    const canvas = this.#canvas, ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    this.unit = Math.min(width / 2.9, height / 2.75);
    this.ratio = ratio;
    this.middle = { x: width / 2, y: height / 2 };
  }

  #at(point) {
    const { x, y, depth, scale } = seen(cameras[this.camera], point);
    return { x: this.middle.x + x * this.unit, y: this.middle.y - y * this.unit, depth, scale };
  }

  /** Draws a moment. `state`: `found` (see `loudspeakers`), `levels` of the meters, `head` and what it is held to. */
  draw({ found, levels, head, reference, isHeld, isTracked }) {
    this.#fit();
    const context = this.#context, colours = this.#colours;
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.lineJoin = 'round';
    this.#floor();
    if (reference === 'device') this.#device(isTracked);
    this.drawn = [];
    const things = found.map(each => ({ ...each, spot: this.#at(each.point) }));
    const [behind, before] = [things.filter(each => each.spot.depth < 0), things.filter(each => each.spot.depth >= 0)];
    const nearer = (a, b) => a.spot.depth - b.spot.depth;
    for (const each of behind.sort(nearer)) this.#loudspeaker(each, levels);
    this.#head(head, isHeld ? colours.warn : colours.ink);
    for (const each of before.sort(nearer)) this.#loudspeaker(each, levels);
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

  /** The horizon at the loudspeakers' distance, with the degrees, and the plane to the front. */
  #floor() {
    const context = this.#context, colours = this.#colours;
    context.strokeStyle = colours.line;
    context.lineWidth = 1.2 * this.ratio;
    const circle = (make, from = 0, to = 360) => {
      const points = [];
      for (let angle = from; angle <= to; angle += 5) points.push(make(angle));
      this.#path(points, to - from === 360);
      context.stroke();
    };
    circle(angle => towards(angle, 0));
    if (this.camera !== 'above') circle(angle => towards(0, angle), 0, 180);
    if (this.camera !== 'above') circle(angle => towards(90, angle), 0, 180);
    if (this.camera === 'behind') return;
    for (let angle = -180; angle < 180; angle += 30) {
      this.#path([towards(angle, 0, 0.97), towards(angle, 0, 1.03)], false);
      context.stroke();
    }
    this.#path([towards(0, 0, 0.3), towards(0, 0, 0.97)], false);
    context.setLineDash([3 * this.ratio, 5 * this.ratio]);
    context.stroke();
    context.setLineDash([]);
    for (const angle of [0, 90, 180, -90]) {
      const { x, y } = this.#at(towards(angle, 0, 1.27));
      this.#text(`${angle}°`, x, y, 11, colours.soft);
    }
  }

  /** The device that the stage stays with, before the listener. */
  #device(isTracked) {
    const context = this.#context, [near, far] = [0.62, 0.62];
    this.#path([[near, 0.16, -0.32], [far, 0.16, -0.14], [far, -0.16, -0.14], [near, -0.16, -0.32]]);
    context.fillStyle = this.#colours.card;
    context.strokeStyle = isTracked ? this.#colours.accent : this.#colours.line;
    context.lineWidth = 2 * this.ratio;
    context.fill();
    context.stroke();
  }

  #loudspeaker(each, levels) {
    const context = this.#context, colours = this.#colours, { loudspeaker, spot } = each;
    const level = loudspeaker.meter === undefined || loudspeaker.meter === null ? floor : levels[loudspeaker.meter] ?? floor;
    const share = each.isSilent ? 0 : Math.max(0, Math.min(1, (level - floor) / -floor));
    const radius = (loudspeaker.isLowFrequency ? 11 : 14) * this.ratio * spot.scale * Math.max(0.8, Math.min(1.6, this.unit / this.ratio / 170));
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
    context.fillStyle = each.isSilent ? colours.card : colours.ink;
    context.fill();
    context.lineWidth = (each.isSolo ? 3 : 1.5) * this.ratio;
    context.strokeStyle = each.isSolo ? colours.accent : each.isInverted ? colours.warn : colours.soft;
    context.setLineDash(each.isSilent ? [3 * this.ratio, 3 * this.ratio] : []);
    context.stroke();
    context.setLineDash([]);
    const size = Math.max(8, radius / this.ratio * (loudspeaker.name.length > 3 ? 0.5 : loudspeaker.name.length > 2 ? 0.66 : 0.8));
    this.#text(loudspeaker.name, spot.x, spot.y, size, each.isSilent ? colours.soft : colours.card);
    if (each.isInverted) this.#text('ø', spot.x + radius * 1.25, spot.y - radius * 1.05, size * 1.2, colours.warn);
    this.drawn.push({ ...each, x: spot.x / this.ratio, y: spot.y / this.ratio, radius: Math.max(16, radius / this.ratio) });
  }

  /** A head with nose and headphones, as it looks. */
  #head(pose, outline) {
    const context = this.#context, colours = this.#colours, rows = rotation(pose), { skin } = colours;
    const camera = cameras[this.camera];
    const size = 0.2;
    const at = point => turned(rows, point.map(each => each * size));
    context.lineWidth = 2 * this.ratio;
    context.strokeStyle = outline;
    const parts = [];
    // Where the face looks is farther or nearer than the head's middle: that decides what covers what.
    const add = (middle, draw) => parts.push({ depth: seen(camera, at(middle)).depth, draw });
    add([0, 0, 0], () => {
      // The outline of an ellipsoid, as the hull of its rings.
      const points = [];
      for (let ring = -75; ring <= 75; ring += 15)
        for (let angle = 0; angle < 360; angle += 15) {
          const [x, y, z] = towards(angle, ring);
          points.push(this.#at(at([x, y * 0.8, z * 1.15])));
        }
      hull(points, context);
      context.fillStyle = skin;
      context.fill();
      context.stroke();
    });
    add([1.05, 0, 0], () => {
      hull([[0.85, 0.22, -0.15], [0.85, -0.22, -0.15], [1.35, 0, -0.1], [0.92, 0, 0.35]].map(point => this.#at(at(point))), context);
      context.fillStyle = skin;
      context.fill();
      context.stroke();
    });
    for (const side of [1, -1]) add([0, 0.95 * side, 0], () => {
      const points = [];
      for (let angle = 0; angle < 360; angle += 20)
        for (const out of [0.8, 1.08]) points.push(this.#at(at([0.42 * Math.cos(angle * 0.01745), out * side, 0.5 * Math.sin(angle * 0.01745)])));
      hull(points, context);
      context.fillStyle = colours.accent;
      context.fill();
      context.stroke();
    });
    for (const { draw } of parts.sort((a, b) => a.depth - b.depth)) draw();
    // The band over the head.
    const band = [];
    for (let angle = -80; angle <= 80; angle += 8)
      band.push(at([0, 1.02 * Math.sin(angle * 0.01745), 1.3 * Math.cos(angle * 0.01745)]));
    this.#path(band, false);
    context.strokeStyle = colours.accent;
    context.lineWidth = 3 * this.ratio;
    context.stroke();
  }
}

/** The convex hull of points as a path (Andrew's monotone chain). */
function hull(points, context) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const turn = (o, a, b) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  const half = all => all.reduce((line, point) => {
    while (line.length > 1 && turn(line.at(-2), line.at(-1), point) <= 0) line.pop();
    line.push(point);
    return line;
  }, []);
  const outline = [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
  context.beginPath();
  outline.forEach(({ x, y }, index) => index ? context.lineTo(x, y) : context.moveTo(x, y));
  context.closePath();
}

/** The pose in words, and how old what is drawn is. */
export function poseInWords([yaw, pitch, roll], mode, age, roundTrip) {
  const degrees = number => `${number >= 0 ? '+' : '−'}${Math.abs(number).toFixed(1)}°`;
  let words = `${word('yaw')} ${degrees(yaw)}, ${word('pitch')} ${degrees(pitch)}, ${word('roll')} ${degrees(roll)} · ${word('mode.' + mode, mode)}`;
  if (Number.isFinite(age)) words += ` · ${word('trackerAge')} ${(age * 1000).toFixed(0)} ms`;
  if (Number.isFinite(roundTrip)) words += ` · ${word('answeredIn')} ${roundTrip.toFixed(0)} ms`;
  return words;
}
