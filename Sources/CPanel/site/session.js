// The session at the other end of the WebSocket: its values in force, its events, and requests to it. A request counts
// as carried out only when the session has confirmed it.

/** Longest pause between two attempts to connect, and timeout of an attempt, milliseconds. */
const longestWait = 1000, longestTry = 1500;
/** Times without a message, milliseconds: after `quiet` the session is sent a request, after `gone` it counts as
    gone, after `dead` another connection is opened. */
const quiet = 250, gone = 600, dead = 4000;

/** Command that ends the messages of the session's subscription. */
export const freeze = 'unsubscribe';

export class Session extends EventTarget {
  /** Every value in force, by its address. */
  values = new Map();
  /** Parameters and commands by address: type, range, unit, description (OSC Query). */
  nodes = new Map();
  isOpen = false;
  /** Whether the session answers: the connection is open and a message arrived recently. */
  isThere = false;
  /** Time from a request to its reply, milliseconds; NaN before the first reply. */
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

  /** Token for the session. Setting it opens a connection at once. */
  set token(word) { this.#token = word; this.#wait = 0; this.#again(0); }

  /** Sends a request. Resolves to the reply; rejects with the reason of a refusal. */
  ask(address, ...words) {
    if (!this.isOpen) return Promise.reject(new Error('closed'));
    const id = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, address, since: performance.now() });
      this.#socket.send(JSON.stringify({ id, address, arguments: words }));
    });
  }

  value(address) { return this.values.get(address); }

  /** Subscribes to all news, or only to the values in force: even while the display is frozen, every switch shows
      and changes the value in force. */
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
    // If the session neither accepts nor refuses the connection, another attempt follows.
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
    // A browser does not give the reason why a WebSocket was refused. The reply to the same request without a WebSocket
    // shows it.
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

  /** Checks the connection. A stopped session or a broken network does not close it: after a silence a request is
      sent, and finally the connection is given up. */
  #watch() {
    const now = performance.now(), wasAsleep = now - this.#looked > 400;
    this.#looked = now;
    if (!this.isOpen) return;
    // The timers of a hidden page are delayed. Such a page first receives the messages that arrived meanwhile.
    if (document.hidden || wasAsleep) { this.#heard = Math.max(this.#heard, now - quiet); return; }
    const silence = now - this.#heard;
    if (silence > quiet && now - this.#asked > quiet) {
      this.#asked = now;
      // The web interface itself refuses this request, even if the session is busy.
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

  /** Requests the parameters and commands again after they have changed. */
  async #askForNodes() {
    const number = ++this.#nodesAsked;
    const answer = await fetch('/proscenium', { headers: this.#headers }).catch(() => null);
    // A reply that is cut off, for example when the user leaves the page, is ignored.
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
