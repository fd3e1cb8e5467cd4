// The texts of the page in the user's language. Texts that a language lacks are in English.
import { english } from './english.js';
import { german } from './german.js';

export const languages = { en: ['English', english], de: ['Deutsch', german] };

let language = 'en';

/** Sets the language; English for an unknown code. */
export function speak(code) {
  language = code in languages ? code : 'en';
  document.documentElement.lang = language;
}

export const spoken = () => language;

/** Returns the text of a key: in the language, otherwise in English, otherwise `fallback`, which is the key by
    default. */
export const word = (key, fallback = key) => languages[language][1].words[key] ?? english.words[key] ?? fallback;

/** Returns the name of a parameter, a command (address as in the table) or a figure: the label in the page's
    language; without one, the English label; without both, a label made of the words of the name. */
export const label = name => languages[language][1].labels[name] ?? english.labels[name] ?? plain(name);

const plain = name => {
  const words = name.replace(/^tracker\./, '').replace('/NAME', '').replaceAll('/', ': ').replaceAll('-', ' ');
  return words[0].toUpperCase() + words.slice(1);
};

/** Returns what a parameter or a command does: in the user's language, otherwise in the words of the session
    (`said`). `address`: as in the table of parameters or of commands; of an address of an input, a loudspeaker or a
    plugin, the part after the name is used. */
export function help(address, said = '') {
  const parts = address.split('/');
  const key = parts[0] === 'plugin' && parts.length > 2 ? ['plugin', 'NAME', parts[2]].join('/')
    : parts[0] === 'loudspeaker' && parts.length > 2 ? parts[2] === 'test-noise' ? parts[2] : `loudspeaker-${parts[2]}`
    : parts[0] === 'input' && parts.length > 2 ? parts[2] : address;
  const own = languages[language][1].help[key];
  if (!own) return said;
  return own[0].toUpperCase() + own.slice(1) + (/; of all( inputs)?$/.test(said) ? `; ${word('ofAll')}` : '');
}

/** Sets the texts of the page itself. */
export function translate() {
  for (const element of document.querySelectorAll('[data-word]')) element.textContent = word(element.dataset.word);
  for (const element of document.querySelectorAll('[data-label]')) element.ariaLabel = word(element.dataset.label);
}
