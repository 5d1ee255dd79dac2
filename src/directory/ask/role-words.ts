/** Finds the roles that a text may mean: by code, by name, or by an everyday word. */

import { nearestName, unknownName } from '../../fhir/request/unknown-name.ts';
import { fold } from '../../fhir/search/string.ts';
import { roleConcepts } from '../edition/code-systems.ts';
import { type Edition, perEdition } from '../edition/edition.ts';
import { prefixedId } from '../record/ids.ts';
import { EVERYDAY_WORDS, type EverydayWord } from './everyday-words.ts';
import { wordsOf } from './words.ts';

/**
 * The codes, without `RO`, of the roles that the text may mean; empty if it matches no role. A text
 * of many words takes no longer than one of the longest name of a role.
 */
export function rolesMeant(edition: Edition, text: string): readonly string[] {
  const [, inText = text] = WITH_NAME.exec(text) ?? [];
  const code = roleCodeOf(edition, inText);
  if (code !== undefined) return [code];
  if (text.length > TEXT_LENGTH_MAX) return [];
  const { byName, names } = knownRoles(edition);
  const spellings = spellingsOf(text);
  const named = [...new Set(spellings.flatMap((name) => byName.get(name) ?? []))];
  if (named.length > 0) return named;
  const everyday = everydayOf(spellings);
  return everyday === undefined ? [] : meantBy(everyday, names);
}

/** Whether the text more likely is a word of names than what it means as a role. */
export function isWordOfNames(text: string): boolean {
  return everydayOf(spellingsOf(text))?.isInNames === true;
}

function everydayOf(spellings: readonly string[]): EverydayWord | undefined {
  return EVERYDAY_WORDS.find(({ words }) => spellings.some((one) => words.includes(one)));
}

/** Longer than the name of every role. */
const TEXT_LENGTH_MAX = 200;

/** A role as messages and tables show it: `RO182 (PHARMACY)`. */
const WITH_NAME = /^\s*((?:RO)?\d{1,4}) \([^()]*(?:\([^()]*\)[^()]*)*\)\s*$/i;

/** The code of a role that the edition has, from its code with or without `RO`. */
export function roleCodeOf(edition: Edition, text: string): string | undefined {
  const { codes } = knownRoles(edition);
  const trimmed = text.trim();
  return [trimmed, trimmed.replace(/^RO/i, '')].find((each) => codes.has(each));
}

/**
 * The text about a role that the edition does not have. It names the nearest one. `listedAt`: where
 * the reader finds the list of roles.
 */
export function unknownRole(edition: Edition, text: string, listedAt = ROLE_LIST): string {
  const { names, shown } = knownRoles(edition);
  const nearest = nearestRole(edition, text);
  const name = nearest === undefined ? undefined : names.get(nearest);
  return unknownName({
    kind: 'role',
    sent: text,
    known: [...shown.values()],
    listedAt,
    nearest: nearest && `${shown.get(nearest)}${name === undefined ? '' : ` (${name})`}`,
  });
}

const ROLE_LIST = '/roles or "gazetteer roles"';

/** The code of the role whose code or name is the most similar. */
function nearestRole(edition: Edition, text: string): string | undefined {
  const { byName, shown } = knownRoles(edition);
  const id = text
    .trim()
    .toUpperCase()
    .replace(/^(?=\d)/, 'RO');
  const ids = [...shown.values()];
  const isCode = /^RO\d/.test(id);
  if (isCode) return [...shown.keys()][ids.indexOf(nearestName({ sent: id, known: ids }) ?? '')];
  const everyday = EVERYDAY_WORDS.flatMap(({ words }) => words);
  const known = [...byName.keys(), ...everyday];
  const name = nearestName({ sent: text, known });
  return name === undefined ? undefined : rolesMeant(edition, name)[0];
}

interface KnownRoles {
  readonly codes: ReadonlySet<string>;
  /** Folded name → codes. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** Code → name. A code that only records use has none. */
  readonly names: ReadonlyMap<string, string>;
  /** Code → `RO177`. */
  readonly shown: ReadonlyMap<string, string>;
}

const knownRoles = perEdition((edition): KnownRoles => {
  const concepts = roleConcepts(edition);
  const named = concepts.flatMap(({ code, display }) =>
    display === undefined ? [] : [{ code, display }],
  );
  const byName = Map.groupBy(named, ({ display }) => spellingsOf(display)[0] ?? '');
  return {
    codes: new Set(concepts.map(({ code }) => code)),
    byName: new Map(Array.from(byName, ([name, found]) => [name, found.map((one) => one.code)])),
    names: new Map(named.map(({ code, display }) => [code, display])),
    shown: new Map(concepts.map(({ code }) => [code, prefixedId('RO', code)])),
  };
});

/** The text in small letters and without marks, as it is and in the singular. */
function spellingsOf(text: string): readonly string[] {
  const words = wordsOf(text.replaceAll('-', ' ')).join(' ');
  return [...new Set([words, words.replace(/s$/, ''), words.replace(/ies$/, 'y')])];
}

function meantBy({ names = [], parts = [] }: EverydayWord, known: ReadonlyMap<string, string>) {
  return Array.from(known)
    .filter(([, display]) => {
      const name = fold(display);
      return names.includes(name) || parts.some((part) => name.includes(part));
    })
    .map(([code]) => code);
}
