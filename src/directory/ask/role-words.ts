/** Finds the roles that a text may mean: by code, by name, or by an everyday word. */

import { fold } from '../../fhir/search/string.ts';
import { type Edition, perEdition } from '../edition/edition.ts';
import { wordsOf } from './words.ts';

/** The codes of the roles that a filter means by a code, with or without `RO`, or by a name. */
export function roleCodesOf(edition: Edition, text: string): readonly string[] {
  const code = roleCodeOf(edition, text);
  return code === undefined ? rolesMeant(edition, text) : [code];
}

/** The code of a role that the edition has, from its code with or without `RO`. */
export function roleCodeOf(edition: Edition, text: string): string | undefined {
  const known = knownRoles(edition);
  return [text, text.replace(/^RO/i, '')].find((each) => known.has(each));
}

const knownRoles = perEdition(
  (edition) =>
    new Set([...edition.codeSystems.roles.map(({ code }) => code), ...edition.roleCodes()]),
);

/** The codes of the roles that the text may mean; empty if it matches no role. */
export function rolesMeant({ codeSystems }: Edition, text: string): readonly string[] {
  const words = wordsOf(text).join(' ');
  const code = ROLE_CODE.exec(words)?.[1];
  if (code !== undefined) {
    return codeSystems.roles.filter((role) => role.code === code).map((role) => role.code);
  }
  const phrase = EVERYDAY_WORDS.get(words);
  const names = new Set([words, words.replace(/s$/, ''), words.replace(/ies$/, 'y')]);
  const found = codeSystems.roles.filter(({ display }) => {
    if (display === undefined) return false;
    const name = fold(display);
    return phrase === undefined ? names.has(name) : name.includes(phrase);
  });
  return [...new Set(found.map((role) => role.code))];
}

const ROLE_CODE = /^(?:ro)?(\d{1,4})$/;

/** Everyday words for organisations, and the words that the names of their roles have in common. */
const EVERYDAY_WORDS = new Map([
  ...['dentist', 'dentists', 'dental practice', "dentist's"].map(
    (word) => [word, 'dental practice'] as const,
  ),
  ...['doctor', 'doctors', "doctor's", 'gp', 'gps', 'gp surgery', 'doctors surgery'].map(
    (word) => [word, 'gp practice'] as const,
  ),
  ...['nursing home', 'nursing homes'].map((word) => [word, 'care home'] as const),
  ...['icb', 'icbs'].map((word) => [word, 'integrated care board'] as const),
  ...['pcn', 'pcns'].map((word) => [word, 'primary care network'] as const),
  ...['ccg', 'ccgs'].map((word) => [word, 'clinical commissioning group'] as const),
  ...['chemist', 'chemists'].map((word) => [word, 'pharmacy'] as const),
  ...['optician', 'opticians', 'optometrist'].map((word) => [word, 'optical'] as const),
]);
