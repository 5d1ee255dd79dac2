/** The answers to searches, in every kind of store: which matches are on a page. */
import type { SearchPageRequest, StoredVersion } from '../../fhir/stored/repository.ts';
import type { SearchAnswer } from '../threads/reader-answers.ts';

/** The page of these matches, until it is long enough. */
export function matchPage<Key>(
  { type, parameters, count, lengthMax }: SearchPageRequest,
  keys: Iterable<Key>,
  { offset, total }: { readonly offset: number; readonly total: number },
  versionWith: (key: Key) => StoredVersion | undefined,
): SearchAnswer {
  const matches: StoredVersion[] = [];
  let length = 0;
  let end = offset;
  for (const key of keys) {
    const version = versionWith(key);
    if (version?.text !== undefined) {
      length += version.text.length;
      if (matches.length > 0 && length > lengthMax) break;
      matches.push(version);
    }
    end += 1;
  }
  const hasNext = count > 0 && end < total;
  const resources = matches.map(({ id }) => id);
  return {
    kind: 'search',
    result: { kind: 'found', total, matches, ...(hasNext && { nextOffset: end }) },
    found: { type, parameters, outcome: 'found', total, resources },
  };
}

export function tooCostlyAnswer({ type, parameters }: SearchPageRequest): SearchAnswer {
  const found = { type, parameters, outcome: 'invalid', total: 0, resources: [] } as const;
  return { kind: 'search', result: { kind: 'too-costly' }, found };
}

export function expiredAnswer({ type, parameters }: SearchPageRequest): SearchAnswer {
  const found = { type, parameters, outcome: 'absent', total: 0, resources: [] } as const;
  return { kind: 'search', result: { kind: 'expired' }, found };
}
