/** The words of a text that people typed, and their possible spellings in the directory. */
import { fold } from '../../fhir/search/string.ts';

/** Folded; without the marks around words. `text` is at most `TYPED_LENGTH_MAX` long. */
export function wordsOf(text: string): string[] {
  return fold(text)
    .replace(APOSTROPHES, "'")
    .split(BETWEEN_WORDS)
    .map((word) => (word === '&' ? word : word.replace(MARKS_AROUND, '')))
    .filter((word) => word !== '');
}

/** `peter's` is also written `peters`, and `and` `&`. The word itself comes first. */
export function spellingsOf(word: string): readonly string[] {
  const known = SAME_WORDS.find((words) => words.includes(word));
  if (known !== undefined) return [word, ...known.filter((other) => other !== word)];
  if (word.includes("'")) return [word, word.replaceAll("'", '')];
  return POSSESSIVE.test(word) ? [word, `${word.slice(0, -1)}'s`] : [word];
}

/** The spellings of a whole text, such as a town: `st ives` is also `st. ives`. */
export function wholeSpellingsOf(text: string): readonly string[] {
  const words = wordsOf(text).join(' ');
  return [
    ...new Set([
      text,
      words,
      words.replaceAll("'", ''),
      words.replace(/'s$/, ''),
      words.replace(/^(?:saint|st) /, 'st '),
      words.replace(/^(?:saint|st) /, 'st. '),
    ]),
  ];
}

const SAME_WORDS = [
  ['&', 'and'],
  ['st', 'saint'],
];

const APOSTROPHES = /[\u2018\u2019\u02BC`]/g;
const BETWEEN_WORDS = /[\s,;.]+/;
const MARKS_AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const POSSESSIVE = /^\p{L}{3,}s$/u;
