// The session on the other side of the WebSocket: what is in force there, what happens, and what is asked of it.
// Nothing is taken for done before the session says so.

/** Milliseconds: between tries to connect at most; a connection that is not made by then is given up. */
const longestWait = 1000, longestTry = 1500;
/** Milliseconds without a message after which a word is asked of the session; after which the panel counts it as
    gone; after which another connection is tried. */
const quiet = 250, gone = 600, dead = 4000;

/** Ends what the session tells by itself. */
export const freeze = 'unsubscribe';

export class Session extends EventTarget {
  /** Every value in force, by its address. */
  values = new Map();
  /** What can be set, by address: type, range, unit, what it is for (OSC Query). */
  nodes = new Map();
  isOpen = false;
  /** Whether the session answers: the connection is there and something came through it lately. */
  isThere = false;
  /** Milliseconds that a question takes to be answered; NaN before there was one. */
  roundTrip = NaN;
  #token; #socket; #waiting = new Map(); #number = 0; #wait = 0; #timer; #listening; #nodesAsked = 0; #isListening = true; #heard = 0; #looked = 0; #asked = 0;

  constructor(place, token) {
    super();
    this.place = place;
    this.#token = token;
    this.#open();
    setInterval(() => this.#watch(), 100);
    addEventListener('online', () => this.#again(0));
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.#again(0); });
  }

  /** The word that the session asks for; tried at once. */
  set token(word) { this.#token = word; this.#wait = 0; this.#again(0); }

  /** Asks for something; resolves to the answer, rejects with the reason why it is refused. */
  ask(address, ...words) {
    if (!this.isOpen) return Promise.reject(new Error('closed'));
    const id = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, address, since: performance.now() });
      this.#socket.send(JSON.stringify({ id, address, arguments: words }));
    });
  }

  value(address) { return this.values.get(address); }

  /** Has told what is new from now on, or the values in force alone: every switch shows and changes what is in force,
      whether the display is frozen or not. */
  listen(on) {
    this.#isListening = on;
    if (on) return this.ask('subscribe', 'state', 'events', 'meters', 'pose');
    return Promise.all([this.ask(freeze), this.ask('subscribe', 'state')]);
  }

  get isListening() { return this.#isListening; }

  #open() {
    const query = this.#token ? `?token=${encodeURIComponent(this.#token)}` : '';
    const socket = new WebSocket(`ws://${this.place}/${query}`);
    this.#socket = socket;
    // A session that neither answers nor refuses is asked again.
    this.#listening = setTimeout(() => socket.close(), longestTry);
    socket.onopen = () => {
      clearTimeout(this.#listening);
      this.#wait = 0;
      this.isOpen = this.isThere = true;
      this.#heard = performance.now();
      this.values.clear();
      this.listen(true).catch(() => {});
      this.#say('open');
    };
    socket.onmessage = message => this.#take(JSON.parse(message.data));
    socket.onclose = () => { if (socket === this.#socket) this.#lost(); };
  }

  async #lost() {
    clearTimeout(this.#listening);
    const was = this.isOpen;
    this.isOpen = this.isThere = false;
    for (const { reject } of this.#waiting.values()) reject(new Error('closed'));
    this.#waiting.clear();
    if (was) this.#say('close');
    this.#again(this.#wait);
    this.#wait = Math.min(longestWait, this.#wait * 2 || 100);
    // A browser does not tell why a WebSocket is refused; the same request without one is answered with the reason.
    if (!was) {
      const answer = await fetch('/state', { headers: this.#headers }).catch(() => null);
      if (answer?.status === 401) this.#say('token');
    }
  }

  #again(milliseconds) {
    if (this.isOpen || this.#socket?.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), milliseconds);
  }

  get #headers() { return this.#token ? { Authorization: `Bearer ${this.#token}` } : {}; }

  /** A session that stopped, or a network that went, closes nothing: what is not heard of any more is asked, and
      given up in the end. */
  #watch() {
    const now = performance.now(), wasAsleep = now - this.#looked > 400;
    this.#looked = now;
    if (!this.isOpen) return;
    // A page that was not looked at had its timers held back, and hears what came meanwhile first.
    if (document.hidden || wasAsleep) { this.#heard = Math.max(this.#heard, now - quiet); return; }
    const silence = now - this.#heard;
    if (silence > quiet && now - this.#asked > quiet) {
      this.#asked = now;
      // The door itself refuses this one, whatever the session is busy with.
      this.ask('watch').catch(() => {});
    }
    if (silence > gone && this.isThere) {
      this.isThere = false;
      this.#say('silence');
    }
    if (silence > dead) {
      const socket = this.#socket;
      this.#socket = undefined;
      socket.close();
      this.#lost();
    }
  }

  #take(told) {
    this.#heard = performance.now();
    if (!this.isThere && this.isOpen) {
      this.isThere = true;
      this.#say('silence');
    }
    if ('id' in told) {
      const asked = this.#waiting.get(told.id);
      this.#waiting.delete(told.id);
      if (asked) {
        this.roundTrip = performance.now() - asked.since;
        this.#say('answer', { address: asked.address, milliseconds: this.roundTrip, refused: told.refused });
        'refused' in told ? asked.reject(new Error(told.refused)) : asked.resolve(told.reply);
      }
    } else if (told.state) {
      if (told.whole) this.values.clear();
      let isOther = told.whole === true;
      for (const [address, value] of Object.entries(told.state)) {
        if (value === null) isOther = this.values.delete(address) || isOther;
        else {
          isOther ||= !this.values.has(address);
          this.values.set(address, value);
        }
      }
      this.#say('state', { changed: Object.keys(told.state), isOther });
      if (isOther) this.#askForNodes();
    } else if (told.pose) this.#say('pose', told);
    else if (told.meters) this.#say('meters', told.meters);
    else if (told.event) this.#say('event', told);
  }

  /** What can be set, which is other once other things are there. */
  async #askForNodes() {
    const number = ++this.#nodesAsked;
    const answer = await fetch('/proscenium', { headers: this.#headers }).catch(() => null);
    // An answer that is cut off, as when the page is left, is none.
    const found = answer?.ok ? await answer.json().catch(() => null) : null;
    if (!found || number !== this.#nodesAsked) return;
    const nodes = new Map();
    const walk = node => {
      if (node.ACCESS) nodes.set(node.FULL_PATH.replace('/proscenium/', ''), node);
      for (const below of Object.values(node.CONTENTS ?? {})) walk(below);
    };
    walk(found);
    this.nodes = nodes;
    this.#say('nodes');
  }

  #say(what, detail) { this.dispatchEvent(new CustomEvent(what, { detail })); }
}
