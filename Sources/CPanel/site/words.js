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

/** A word by its key; `fallback` where nobody has it, else the key. */
export const word = (key, fallback = key) => languages[language][1].words[key] ?? english.words[key] ?? fallback;

/** What a parameter or a figure is called. */
export const label = name => languages[language][1].labels[name] ?? english.labels[name] ?? plain(name);

const plain = name => {
  const words = name.replace(/^tracker\./, '').replaceAll('-', ' ');
  return words[0].toUpperCase() + words.slice(1);
};

/** Puts the words of the page itself. */
export function translate() {
  for (const element of document.querySelectorAll('[data-word]')) element.textContent = word(element.dataset.word);
  for (const element of document.querySelectorAll('[data-label]')) element.ariaLabel = word(element.dataset.label);
}
