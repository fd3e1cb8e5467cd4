// What is read, in the reader's language. A word that a language lacks is said in English.
import { english } from './english.js';
import { german } from './german.js';

export const languages = { en: ['English', english], de: ['Deutsch', german] };

let language = 'en';

/** Takes a language; unknown ones leave English. */
export function speak(code) {
  language = code in languages ? code : 'en';
  document.documentElement.lang = language;
}

export const spoken = () => language;

/** A word by its key; `fallback` where no language has it, else the key. */
export const word = (key, fallback = key) => languages[language][1].words[key] ?? english.words[key] ?? fallback;

/** What a parameter or a figure is called. */
export const label = name => languages[language][1].labels[name] ?? english.labels[name] ?? plain(name);

const plain = name => {
  const words = name.replace(/^tracker\./, '').replaceAll('-', ' ');
  return words[0].toUpperCase() + words.slice(1);
};

/** What a parameter or a command does: in the reader's language, else as the session says it. `address` as in the table of parameters, or a
    command's; what stands behind an input, a loudspeaker or a plugin is theirs. */
export function help(address, said = '') {
  const parts = address.split('/');
  const key = parts[0] === 'plugin' && parts.length > 2 ? ['plugin', 'NAME', parts[2]].join('/')
    : parts[0] === 'loudspeaker' && parts.length > 2 ? parts[2] === 'test-noise' ? parts[2] : `loudspeaker-${parts[2]}`
    : parts[0] === 'input' && parts.length > 2 ? parts[2] : address;
  const own = languages[language][1].help[key];
  if (!own) return said;
  return own[0].toUpperCase() + own.slice(1) + (/; of all( inputs)?$/.test(said) ? `; ${word('ofAll')}` : '');
}

/** Puts the words of the page itself. */
export function translate() {
  for (const element of document.querySelectorAll('[data-word]')) element.textContent = word(element.dataset.word);
  for (const element of document.querySelectorAll('[data-label]')) element.ariaLabel = word(element.dataset.label);
}
