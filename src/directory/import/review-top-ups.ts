/** Compares what top-ups changed since the last release with what the next release says. */

import type { NamedArrays } from '../arrays/arrays.ts';
import type { Edition } from '../edition/edition.ts';
import { openEdition } from '../edition/edition.ts';
import type { EditionInfo, EditionStore } from '../edition/edition-store.ts';
import { sourceRecordAt } from '../edition/source-record.ts';
import { organisationElement } from '../record/organisation-element.ts';
import { lastUpdatedMs, type SourceRecord } from '../record/record.ts';
import { TOP_UP } from './apply-top-up.ts';
import { EXAMPLES_MAX, type Tally } from './collector.ts';

/** Counts of the records that top-ups changed. */
export interface TopUpReview {
  /** The number of top-ups since the last release. */
  readonly editions: number;
  readonly records: number;
  /** The release says the same. */
  readonly confirmed: number;
  /** The record changed again before the release was made. */
  readonly newer: number;
  /** The release was made before the change, and does not have it yet. */
  readonly older: number;
  /** The release says something else about the same change. Examples have the elements that differ. */
  readonly different: Tally;
}

export interface ReviewOptions {
  readonly store: EditionStore;
  readonly current: EditionInfo;
  /** The arrays of the current edition, and of the next one. */
  readonly before: NamedArrays;
  readonly next: NamedArrays;
}

/** Undefined if the current edition is a release, or if the next one is a top-up too. */
export async function reviewTopUps(options: ReviewOptions): Promise<TopUpReview | undefined> {
  const { store, current } = options;
  const before = openEdition(current, options.before);
  const next = openEdition(current, options.next);
  const editions = topUpsOf(before);
  if (editions === 0 || topUpsOf(next) > 0) return undefined;
  const counts = { confirmed: 0, newer: 0, older: 0 };
  const different: string[] = [];
  const codes = await changedCodes(store, current.number, editions);
  for (const code of codes) {
    const outcome = compare(recordOf(before, code), recordOf(next, code));
    if (typeof outcome === 'string') counts[outcome] += 1;
    else different.push(`${code}: ${outcome.join(', ')}`);
  }
  const examples = different.slice(0, EXAMPLES_MAX);
  const tally = { count: different.length, examples };
  return { editions, records: codes.size, ...counts, different: tally };
}

function topUpsOf({ manifests }: Edition): number {
  return manifests.filter(({ publicationType }) => publicationType === TOP_UP).length;
}

/** The catalogue keeps these codes even after it has removed the data of an edition. */
async function changedCodes(
  store: EditionStore,
  current: number,
  editions: number,
): Promise<ReadonlySet<string>> {
  const codes = new Set<string>();
  let number: number | undefined = current;
  for (let i = 0; i < editions && number !== undefined; i++) {
    const difference = await store.differences(number);
    const { added = [], changed = [], removed = [] } = difference ?? {};
    for (const code of [...added, ...changed, ...removed]) codes.add(code);
    number = difference?.comparedTo;
  }
  return codes;
}

function recordOf(edition: Edition, code: string): SourceRecord | undefined {
  const row = edition.links.rowOf(code);
  return row === undefined ? undefined : sourceRecordAt(edition, row);
}

/** The names of the elements that differ, or why the record needs no comparison. */
function compare(
  before: SourceRecord | undefined,
  next: SourceRecord | undefined,
): 'confirmed' | 'newer' | 'older' | readonly string[] {
  if (before === undefined || next === undefined) {
    if (before === next) return 'confirmed';
    return [next === undefined ? 'not in the release' : 'still in the release'];
  }
  const [one, other] = [before, next].map(elementsOf);
  const names = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]);
  const differing = [...names].filter((name) => one?.get(name) !== other?.get(name));
  if (differing.length === 0) return 'confirmed';
  const laterMs = lastUpdatedMs(next) - lastUpdatedMs(before);
  return laterMs > 0 ? 'newer' : laterMs < 0 ? 'older' : differing;
}

/** The elements of a record as text. The order of roles, relationships and successions is free. */
function elementsOf(record: SourceRecord): ReadonlyMap<string, string> {
  const { roles, relationships = [], successions = [] } = record;
  const element = organisationElement({
    ...record,
    roles: roles.toSorted(byId),
    relationships: relationships.toSorted(byId),
    successions: successions.toSorted(byId),
  });
  return new Map(Object.entries(element).map(([name, value]) => [name, JSON.stringify(value)]));
}

function byId(one: { readonly uniqueId?: number }, other: { readonly uniqueId?: number }): number {
  return (one.uniqueId ?? 0) - (other.uniqueId ?? 0);
}
