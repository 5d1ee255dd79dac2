/** The words in the names of an edition: how often each occurs, and how it is written there. */

import type { Pause } from '../../../threads/pauses.ts';
import { shareWork } from '../../../threads/shared-work.ts';
import { type Edition, perEdition } from '../../edition/edition.ts';
import { openIndexedRecords } from '../../record/indexed-record.ts';
import { compactPostalCode } from '../../record/postal-code.ts';
import { createVocabulary } from '../vocabulary.ts';
import { commonWords, nameWords, WEAK_WORDS, writtenWords } from './name-words.ts';
import type { Named } from './score.ts';

export interface KnownNames {
  /** How often a common word occurs. */
  countOf(word: string): number;
  /** The weight of a common word: 1 for the rarest, less for frequent ones. */
  weightOf(word: string): number;
  /** The common words of a written one. If it is misspelt, those of the known word that it means. */
  understand(written: string): { readonly words: readonly string[]; readonly isCorrected: boolean };
  /** Texts of which every name with the common word contains at least one. */
  writingsOf(word: string): readonly string[];
  /** To be read before the next one. */
  namedAt(row: number): Named;
  /** The rows of the organisations one of whose former names has the common word. */
  formerRows(word: string): readonly number[];
}

/** Of words that say little, such as `NHS`, and of initials. */
const WEAK_WEIGHT = 0.05;
const LETTER = /^\p{L}$/u;

/**
 * Reads all names once, in slices. For 350,000 names: about a second, and 30 MB. While no request waits
 * for them, the reading waits too. Rejects with the reason of the signal when it aborts.
 */
export async function knownNamesOf(edition: Edition, signal?: AbortSignal): Promise<KnownNames> {
  return await sharedNames(edition).wait(signal);
}

const sharedNames = perEdition((edition) =>
  shareWork((pause) => readNames(edition, pause), { whenLeft: 'sleep' }),
);

async function readNames(edition: Edition, pause: Pause): Promise<KnownNames> {
  const { rows } = edition;
  const vocabulary = createVocabulary();
  const writings = new Map<string, Set<string>>();
  const recordAt = openIndexedRecords(rows);
  const learn = (written: string): void => {
    const common = commonWords(written);
    // Both, because either can be misspelt.
    if (!common.includes(written)) vocabulary.add(written, 1);
    for (const word of common) {
      vocabulary.add(word, 1);
      // Most writings contain the common word.
      if (written.includes(word)) continue;
      const others = writings.get(word) ?? new Set();
      writings.set(word, others.add(written));
    }
  };
  for (let row = 0; row < rows.count; row++) {
    for (const written of writtenWords(recordAt(row).name ?? '')) learn(written);
    await pause();
  }
  const former = formerNamesOf(edition);
  for (const name of [...edition.formerNames().values()].flat()) writtenWords(name).forEach(learn);
  const rarest = Math.log(rows.count + 1);
  return {
    countOf: vocabulary.countOf,
    weightOf: (word) => {
      if (WEAK_WORDS.has(word) || LETTER.test(word)) return WEAK_WEIGHT;
      const share = Math.log(Math.max(1, vocabulary.countOf(word))) / rarest;
      return Math.max(WEAK_WEIGHT, 1 - share);
    },
    understand: (written) => {
      const words = commonWords(written);
      const [word, ...others] = words;
      const nearest =
        word === undefined || others.length > 0 ? undefined : vocabulary.nearest(word);
      return { words: nearest ? commonWords(nearest) : words, isCorrected: nearest !== undefined };
    },
    writingsOf: (word) => [word, ...(writings.get(word) ?? [])],
    namedAt: (row) => {
      const { name = '', address, roles, isActive } = recordAt(row);
      return {
        words: nameWords(name),
        formerNames: former.ofRow.get(row) ?? [],
        get postcode() {
          return compactPostalCode(address?.postalCode ?? '');
        },
        get town() {
          return nameWords(address?.city ?? '').join(' ');
        },
        roles,
        isActive,
      };
    },
    formerRows: (word) => former.rowsOf.get(word) ?? [],
  };
}

/** The common words of former names by row, and the rows by word. */
function formerNamesOf({ links, rows, formerNames }: Edition) {
  const ofRow = new Map<number, readonly (readonly string[])[]>();
  const rowsOf = new Map<string, number[]>();
  for (const [code, names] of formerNames()) {
    const row = links.rowOf(code);
    if (row === undefined || row >= rows.count) continue;
    ofRow.set(row, names.map(nameWords));
    for (const word of new Set(names.flatMap(nameWords))) {
      const found = rowsOf.get(word) ?? [];
      found.push(row);
      rowsOf.set(word, found);
    }
  }
  return { ofRow, rowsOf };
}
