// The wizard that finds out how a tracker sits: which movement now, shown by a head that makes it, beside the head as the session tells it.
// How far it has come is the session's to say (`calibration/...`), at every page that is open.
import { give } from './commands.js';
import { drawHead } from './figure.js';
import { holdFocus } from './focus.js';
import { rotation, seen, turned } from './head.js';
import { make } from './widgets.js';
import { label, word } from './words.js';

const byID = id => document.getElementById(id);
const steps = ['still', 'left', 'up', 'right'];
/** Degrees of yaw, pitch and roll of the movement that is shown, there and back in three seconds. */
const shown = { still: [0, 0, 0], left: [40, 0, 0], up: [0, 30, 0], right: [0, 0, 25] };
/** Commands of the buttons, by the last part of their ids. */
const commands = { start: 'calibrate/start', 'step-now': 'calibrate/step', accept: 'calibrate/accept', cancel: 'calibrate/cancel' };
/** Seconds between a movement and the next. */
const pause = 3;
/** Degrees by which movements may miss their axes: that is good, that is fair; beyond 20 the session refuses. */
const [good, fair] = [6, 12];

export class Calibration {
  /** Whose trackers are followed. */
  bodies = [];
  #session; #dialog = byID('calibration'); #canvas = byID('heads'); #colours = {}; #body = 'head'; #laid = ''; #refused = ''; #due = ''; #isUnderWay = false; #timer;

  constructor(session) {
    this.#session = session;
    for (const [name, address] of Object.entries(commands)) give(byID(`calibration-${name}`), address);
    byID('calibrate').onclick = () => { this.#refused = ''; this.#dialog.showModal(); this.show(); };
    byID('calibration-start').onclick = () => { this.#isUnderWay = false; this.#ask(commands.start, this.#at('of') ?? this.#body); };
    byID('calibration-step-now').onclick = () => { this.#isUnderWay = true; this.#ask(commands['step-now']); };
    byID('calibration-flows').onchange = () => this.#flow(false);
    this.#dialog.onclose = () => { this.#isUnderWay = false; this.#flow(false); };
    byID('calibration-accept').onclick = async () => { if (await this.#ask(commands.accept)) this.#dialog.close(); };
    byID('calibration-cancel').onclick = async () => {
      if (this.#at('of')) await this.#ask(commands.cancel);
      this.#dialog.close();
    };
    this.recolour();
  }

  get isOpen() { return this.#dialog.open; }

  recolour() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['ink', 'accent', 'skin', 'line', 'soft']) this.#colours[name] = style.getPropertyValue('--' + name).trim();
  }

  #at(fact) { return this.#session.value(`calibration/${fact}`); }

  /** Asks, and says here what is refused: what stands below a dialog is not seen. Whether it is done. */
  async #ask(address, ...words) {
    this.#refused = '';
    try {
      await this.#session.ask(address, ...words);
      return true;
    } catch (error) {
      this.#refused = error.message === 'closed' ? word('closed') : error.message;
      return false;
    } finally {
      this.show();
    }
  }

  /** Shows how it stands. */
  show() {
    if (!this.isOpen) return;
    const of = this.#at('of'), phase = this.#at('phase'), step = this.#at('step');
    this.#layBodies(of);
    const number = steps.indexOf(step) + 1;
    byID('calibration-step').textContent = !of ? word('calibrationClosed') : phase === 'found' ? word('calibrationFound')
      : `${number}/${steps.length} ${word('calibrate.' + step)}: ${word('calibrate.' + phase)}`;
    byID('calibration-progress').value = !of ? 0 : phase === 'found' ? 1 : (number - 1 + (this.#at('progress') ?? 0)) / steps.length;
    const facts = [];
    if (phase === 'moves' && step !== 'still') facts.push(`${word('turned')} ${this.#at('turn')}°`);
    if (phase === 'found') {
      const misfit = this.#at('misfit');
      facts.push(`${word('fits')} ${misfit}° (${word(misfit <= good ? 'good' : misfit <= fair ? 'fair' : 'poor')})`,
        `${word('mounting')}: ${['yaw', 'pitch', 'roll'].map((axis, index) => `${word(axis)} ${this.#at('mounting')[index]}°`).join(', ')}`);
      if (this.#at('bias')) facts.push(`${label('tracker.bias')} ${this.#at('bias').join(', ')} °/s`);
    }
    byID('calibration-facts').textContent = facts.join(' · ');
    byID('calibration-refusal').textContent = this.#refused || (this.#at('refusal') ?? '');
    byID('calibration-start').textContent = word(of ? 'calibrateAgain' : 'calibrateStart');
    const stepNow = byID('calibration-step-now'), hadFocus = document.activeElement === stepNow;
    stepNow.hidden = phase !== 'waits' && phase !== 'moves';
    stepNow.disabled = phase === 'moves';
    byID('calibration-accept').hidden = phase !== 'found';
    const due = `${step} ${phase}`;
    if (due !== this.#due) this.#flow(this.#isUnderWay && phase === 'waits' && number > 1 && !this.#at('refusal') && byID('calibration-flows').checked);
    if (due !== this.#due && phase !== 'moves') byID(!of ? 'calibration-start' : phase === 'found' ? 'calibration-accept' : 'calibration-step-now').focus();
    // During the movement there is nothing to press: the focus is on what is to be done.
    else if (hadFocus && stepNow.disabled) byID('calibration-step').focus();
    this.#due = due;
  }

  /** Begins the next movement after some seconds, counted on the button, where a movement was found: the hands of the
      wearer are free. A movement that was refused waits for them. */
  #flow(goesOn, left = pause) {
    clearTimeout(this.#timer);
    byID('calibration-step-now').textContent = `${word('calibrateStep')}${goesOn ? ` (${left})` : ''}`;
    if (goesOn) this.#timer = setTimeout(() => left > 1 ? this.#flow(true, left - 1) : this.#ask(commands['step-now']), 1000);
  }

  #layBodies(of) {
    const key = JSON.stringify([this.bodies, of, this.#body, word('head')]);
    if (key === this.#laid) return;
    this.#laid = key;
    const giveFocus = holdFocus(byID('calibrated'));
    byID('calibrated').replaceChildren(...this.bodies.map(each => {
      const button = make('button', { type: 'button', disabled: of !== undefined && of !== each, onclick: () => { this.#body = each; this.show(); } }, word(each));
      button.dataset.key = each;
      button.setAttribute('aria-pressed', (of ?? this.#body) === each);
      return button;
    }));
    giveFocus();
  }

  /** Draws both heads at a moment: what to do, and the head as it is told. */
  draw(head, now) {
    if (!this.isOpen) return;
    const canvas = this.#canvas, ratio = devicePixelRatio || 1, context = canvas.getContext('2d');
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context.clearRect(0, 0, width, height);
    context.lineJoin = 'round';
    const step = this.#at('phase') === 'found' ? 'still' : this.#at('step') ?? 'still';
    // Out and back, slower at the ends.
    const share = (1 - Math.cos(now / 1500 * Math.PI)) / 2;
    const unit = Math.min(width / 4, height / 2) * 0.62;
    const camera = this.#camera;
    for (const [middle, pose] of [[width / 4, shown[step].map(each => each * share)], [width * 3 / 4, head]])
      drawHead({ context, camera, colours: this.#colours, outline: this.#colours.ink, ratio, size: 1,
        place: point => {
          const { x, y } = seen(camera, point);
          return { x: middle + x * unit, y: height / 2 - y * unit };
        } }, pose);
  }

  /** As in a mirror: left is left. */
  #camera = slanted();
}

/** A mirror before the head, 25° to its right and somewhat above, so that a nod and a tilt can be told apart. */
function slanted() {
  const rows = rotation([-25, 8, 0]);
  return { right: turned(rows, [0, -1, 0]), up: turned(rows, [0, 0, 1]), eye: Infinity, isMirror: true };
}
