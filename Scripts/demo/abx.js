'use strict';
// A blind test: X is A or B at random in each trial; X and the score are shown only at the end.

/** The chance of at least `right` right answers in `trials` by guessing: the upper tail of the binomial with p = 1/2. */
function chanceOfGuessing(right, trials) {
  // Terms C(n, k) / 2^n, from k = 0 up; in logarithms, so that many trials do not overflow.
  let logarithm = -trials * Math.LN2, sum = 0;
  for (let k = 0; k <= trials; k++) {
    if (k >= right) sum += Math.exp(logarithm);
    logarithm += Math.log(trials - k) - Math.log(k + 1);
  }
  return Math.min(1, sum);
}

/** 0 or 1, each as likely. */
function lot() { return crypto.getRandomValues(new Uint8Array(1))[0] & 1; }

/** One run of trials between two sounds. */
class BlindTest {
  #pair; #draw; #x; #answers = [];
  constructor(a, b, draw = lot) { this.#pair = [a, b]; this.#draw = draw; this.#x = draw(); }
  /** The sound to play for the letter A, B or X. */
  sound(letter) { return this.#pair[letter === 'X' ? this.#x : letter === 'B' ? 1 : 0]; }
  /** Takes the listener's word that X is A or B, and draws anew. */
  answer(letter) {
    this.#answers.push({x: this.#x, said: letter === 'B' ? 1 : 0});
    this.#x = this.#draw();
  }
  get trials() { return this.#answers.length; }
  /** What came of it; each answer as [X, said]. */
  result() {
    const right = this.#answers.filter(answer => answer.x === answer.said).length;
    return {
      trials: this.trials, right, chance: chanceOfGuessing(right, this.trials),
      answers: this.#answers.map(({x, said}) => ['AB'[x], 'AB'[said]]),
    };
  }
}

/** Connects a test to the page: `play(name)` lets a sound be heard, `blind(on)` hides what would tell which it is. */
function setUpBlindTest(names, titles, play, blind) {
  const element = id => document.getElementById('abx-' + id);
  let test = null;
  for (const [select, at] of [[element('first'), names.length - 1], [element('second'), 0]]) {
    names.forEach((name, index) => select.add(new Option(titles[name], name, index === at, index === at)));
  }
  const letters = ['A', 'B', 'X'];
  function show(letter) {
    for (const each of letters) element('hear-' + each).setAttribute('aria-pressed', each === letter);
  }
  function update() {
    const runs = test !== null;
    blind(runs);
    for (const id of ['first', 'second', 'begin']) element(id).disabled = runs;
    for (const id of ['hear-A', 'hear-B', 'hear-X', 'say-A', 'say-B', 'end']) element(id).disabled = !runs;
    if (runs) element('count').textContent = `trial ${test.trials + 1}`;
  }
  element('begin').onclick = () => {
    const [a, b] = [element('first').value, element('second').value];
    if (a === b) { element('result').textContent = 'Choose two different sounds.'; return; }
    test = new BlindTest(a, b);
    element('result').textContent = '';
    update(); show('X'); play(test.sound('X'));
  };
  for (const letter of letters) element('hear-' + letter).onclick = () => { show(letter); play(test.sound(letter)); };
  for (const letter of ['A', 'B']) {
    element('say-' + letter).onclick = () => { test.answer(letter); update(); show('X'); play(test.sound('X')); };
  }
  element('end').onclick = () => {
    const {trials, right, chance, answers} = test.result();
    test = null;
    update(); show(''); element('count').textContent = '';
    const list = answers.map(([x, said], index) => `${index + 1}: X was ${x}, you said ${said}`).join('; ');
    element('result').textContent = trials === 0 ? 'No trial was answered.' :
      `${right} of ${trials} right; by guessing one gets that many or more with a probability of ` +
      `${chance < 0.001 ? 'less than 0.001' : chance.toFixed(3)}. ${list}.`;
  };
  update();
}

if (typeof module !== 'undefined') module.exports = {chanceOfGuessing, BlindTest, lot, setUpBlindTest};
