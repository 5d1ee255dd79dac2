/** The search of a repository without any index: compares the entries of every resource. */
import { randomUUID } from 'node:crypto';
import {
  type FieldEntry,
  matches,
  type ResourceCriterion,
} from '../../src/fhir/search/criterion.ts';
import { versionEntries } from '../../src/fhir/search/resource-parameter.ts';
import type { SortKey } from '../../src/fhir/search/resource-search.ts';
import type {
  RepositorySearchResult,
  SearchPageRequest,
  SearchStart,
  StoredVersion,
} from '../../src/fhir/stored/repository.ts';

export interface Kept {
  readonly type: string;
  readonly versions: [StoredVersion, ...StoredVersion[]];
  entries: readonly FieldEntry[];
}

export function matchesAll(kept: Kept, criteria: readonly ResourceCriterion[]): boolean {
  const { text } = currentOf(kept);
  return text !== undefined && criteria.every((each) => matches(each, entriesWithVersion(kept)));
}

/** `all`: every resource in the order of creation. */
export function createMemorySearch(now: () => Date) {
  const results = new Map<
    string,
    { readonly type: string; readonly members: readonly Kept[]; readonly untilMs: number }
  >();
  return (request: SearchPageRequest, all: readonly Kept[]): RepositorySearchResult => {
    if ('result' in request) {
      const kept = results.get(request.result);
      if (kept === undefined || kept.type !== request.type || kept.untilMs <= now().getTime()) {
        return { kind: 'expired' };
      }
      const page = pageOf(kept.members, request, request.offset, request.before);
      return page.kind === 'found' ? { ...page, result: request.result } : page;
    }
    const members = naiveSearch(request, all);
    if (members.length > request.candidatesMax) return { kind: 'too-costly' };
    const page = pageOf(members, request, 0);
    if (page.kind !== 'found' || page.nextOffset === undefined) return page;
    const result = randomUUID();
    results.set(result, { type: request.type, members, untilMs: now().getTime() + request.keepMs });
    return { ...page, result };
  };
}

/** The matching resources in order. */
export function naiveSearch(
  { type, criteria, sort }: Pick<SearchStart, 'type' | 'criteria' | 'sort'>,
  all: readonly Kept[],
): readonly Kept[] {
  return all
    .filter((kept) => kept.type === type && matchesAll(kept, criteria))
    .toReversed()
    .sort((a, b) => sort.reduce((order, key) => order || compare(a, b, key), 0));
}

function pageOf(
  members: readonly Kept[],
  { count, lengthMax }: SearchPageRequest,
  offset: number,
  before?: number,
): RepositorySearchResult {
  const matches: StoredVersion[] = [];
  let length = 0;
  let shown = 0;
  const part = members.slice(offset, Math.min(offset + count, before ?? members.length));
  for (const kept of before === undefined ? part : part.toReversed()) {
    const current = currentOf(kept);
    length += current.text?.length ?? 0;
    if (matches.length > 0 && length > lengthMax) break;
    if (current.text !== undefined) matches.push(current);
    shown += 1;
  }
  if (before !== undefined) matches.reverse();
  const start = before === undefined ? offset : offset + part.length - shown;
  const end = start + shown;
  const next = count > 0 && end < members.length ? { nextOffset: end } : {};
  return { kind: 'found', total: members.length, matches, offset: start, ...next };
}

/** Resources without a value come last. */
function compare(a: Kept, b: Kept, key: SortKey): number {
  const [one, other] = [a, b].map((kept) => sortValue(kept, key));
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  return key.isDescending ? compareValues(other, one) : compareValues(one, other);
}

/** The least value in ascending order, the greatest in descending order. */
function sortValue(kept: Kept, { field, isDescending }: SortKey): string | number | undefined {
  const values = entriesWithVersion(kept)
    .filter((entry) => entry.field === field)
    .map(valueIn)
    .sort(compareValues);
  return values.at(isDescending ? -1 : 0);
}

function valueIn(entry: FieldEntry): string | number {
  if ('start' in entry) return entry.start;
  if ('prefix' in entry) return entry.id;
  return 'code' in entry ? entry.code : entry.folded;
}

/** Texts are compared by their bytes in UTF-8. */
function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function entriesWithVersion(kept: Kept): FieldEntry[] {
  const { id, writtenAt } = currentOf(kept);
  return [...kept.entries, ...versionEntries(id, writtenAt)];
}

export function currentOf({ versions }: Kept): StoredVersion {
  return versions.at(-1) ?? versions[0];
}
