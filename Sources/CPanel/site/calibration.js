// The dialog that finds how a tracker is mounted. It shows the next movement by a moving head, beside the tracked head.
// The session holds the progress (`calibration/...`), so that all open pages show the same.
import { give } from './commands.js';
import { drawHead } from './figure.js';
import { holdFocus } from './focus.js';
import { rotation, seen, turned } from './head.js';
import { make } from './widgets.js';
import { label, word } from './words.js';

const byID = id => document.getElementById(id);
const steps = ['still', 'left', 'up', 'right'];
/** Yaw, pitch and roll of each movement in degrees, as it is shown: there and back in three seconds. */
const shown = { still: [0, 0, 0], left: [40, 0, 0], up: [0, 30, 0], right: [0, 0, 25] };
/** Commands of the buttons, by the last part of their ids. */
const commands = { start: 'calibrate/start', 'step-now': 'calibrate/step', accept: 'calibrate/accept', cancel: 'calibrate/cancel' };
/** Seconds between two movements. */
const pause = 3;
/** Deviation of a movement from its axis, degrees: good up to the first value, fair up to the second; the session
    refuses more than 20. */
const [good, fair] = [6, 12];

export class Calibration {
  /** Bodies with a tracker: `head`, `device`. */
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

  /** Sends a command, and shows a refusal in the dialog, which covers the rest of the page. Returns whether the
      command was carried out. */
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

  /** Shows the progress. */
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
    // During the movement its button is disabled, so the focus moves to the instruction.
    else if (hadFocus && stepNow.disabled) byID('calibration-step').focus();
    this.#due = due;
  }

  /** Counts down on the button and begins the next movement, if `goesOn`: the wearer's hands are free. After a
      movement that was refused, the wearer must press the button. */
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

  /** Draws both heads at a moment: the one that shows the movement, and the tracked one. */
  draw(head, now) {
    if (!this.isOpen) return;
    const canvas = this.#canvas, ratio = devicePixelRatio || 1, context = canvas.getContext('2d');
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context.clearRect(0, 0, width, height);
    context.lineJoin = 'round';
    const step = this.#at('phase') === 'found' ? 'still' : this.#at('step') ?? 'still';
    // There and back, slower at the ends.
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

  /** The camera shows a mirror image: left is left. */
  #camera = slanted();
}

/** Returns a camera like a mirror in front of the head, 25° to its right and somewhat above it, so that a nod and a
    tilt look different. */
function slanted() {
  const rows = rotation([-25, 8, 0]);
  return { right: turned(rows, [0, -1, 0]), up: turned(rows, [0, 0, 1]), eye: Infinity, isMirror: true };
}
