// A dialog that covers all controls while the session does not answer: the values below it may be out of date, and the
// controls have no effect.
import { spoken, word } from './words.js';

/** Time for the first connection of a page, milliseconds. */
const first = 600;

export class Cover {
  #dialog = document.getElementById('lost'); #session; #since; #ticking;

  constructor(session) {
    this.#session = session;
    // Escape does not close it, because the controls below have no effect.
    this.#dialog.addEventListener('cancel', event => event.preventDefault());
    this.#dialog.addEventListener('close', () => this.show());
  }

  /** Shows or hides the cover, depending on whether the session answers. */
  show() {
    const isLost = !this.#session.isThere;
    if (!isLost) {
      this.#since = undefined;
      clearInterval(this.#ticking);
      this.#ticking = undefined;
      this.#dialog.close();
      return;
    }
    if (performance.now() < first) { setTimeout(() => this.show(), first); return; }
    this.#since ??= Date.now();
    this.#ticking ??= setInterval(() => this.#tell(), 1000);
    this.#tell();
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  #tell() {
    const seconds = Math.floor((Date.now() - this.#since) / 1000);
    document.getElementById('lost-since').textContent =
      `${word('lostSince')} ${new Date(this.#since).toLocaleTimeString(spoken())} (${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')})`;
  }
}
