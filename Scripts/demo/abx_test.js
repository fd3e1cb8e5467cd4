'use strict';
// node abx_test.js: tests the blind test's arithmetic, that X is random and hidden, and the page's buttons.
const assert = require('node:assert');
const {chanceOfGuessing, BlindTest, lot, setUpBlindTest} = require('./abx.js');

const near = (a, b) => assert(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);
near(chanceOfGuessing(0, 0), 1);
near(chanceOfGuessing(0, 10), 1);
near(chanceOfGuessing(10, 10), 1 / 1024);
near(chanceOfGuessing(12, 16), 2517 / 65536);
near(chanceOfGuessing(1, 1), 0.5);
assert(chanceOfGuessing(1010, 2000) > 0.3 && chanceOfGuessing(1010, 2000) < 0.36);

// Only `sound('X')` and the result reveal X.
const draws = [0, 1, 1, 0, 1];
const test = new BlindTest('one', 'two', () => draws.shift());
assert.deepStrictEqual(Object.keys(test), []);
assert.strictEqual(test.sound('A') + test.sound('B') + test.sound('X'), 'onetwoone');
test.answer('A');
assert.strictEqual(test.sound('X'), 'two');
test.answer('A');
test.answer('B');
assert.deepStrictEqual(test.result(), {
  trials: 3, right: 2, chance: 0.5, answers: [['A', 'A'], ['B', 'A'], ['B', 'B']]});

let ones = 0;
for (let i = 0; i < 10000; i++) ones += lot();
assert(Math.abs(ones - 5000) < 300, `${ones} of 10000 draws were B`);

// The page: a listener who always answers correctly scores in every trial, and no result is shown before the end.
const elements = {};
global.document = {getElementById: id => elements[id] ??= {
  options: [], add(option) { this.options.push(option); if (option.selected) this.value = option.value; },
  attributes: {}, setAttribute(name, value) { this.attributes[name] = value; }, textContent: ''}};
global.Option = class { constructor(text, value, _, selected) { Object.assign(this, {text, value, selected}); } };
let heard = null, blinded = null;
setUpBlindTest(['one', 'two'], {one: 'One', two: 'Two'}, name => { heard = name; }, on => { blinded = on; });
const press = id => elements['abx-' + id].onclick();
assert(!blinded && elements['abx-first'].value === 'two' && elements['abx-second'].value === 'one');
press('begin');
assert(blinded && elements['abx-begin'].disabled && !elements['abx-say-A'].disabled);
for (let trial = 0; trial < 12; trial++) {
  press('hear-X');
  const x = heard;
  press('hear-A');
  press(x === heard ? 'say-A' : 'say-B');
  assert.strictEqual(elements['abx-result'].textContent, '');
}
press('end');
assert(!blinded && elements['abx-result'].textContent.startsWith('12 of 12 right; by guessing'));
assert(elements['abx-result'].textContent.includes('less than 0.001'));
console.log('blind test: arithmetic, secrecy and buttons are as they should be');
