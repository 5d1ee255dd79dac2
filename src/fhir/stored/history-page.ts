/** Cuts a history into pages, for every store. */
import type { HistoryRequest, StoredVersion } from './repository.ts';

/** One page of a history. Reads only as many versions as the page needs. */
export function historyPage<Version extends StoredVersion>(
  ordered: Iterable<Version>,
  { count, lengthMax }: Pick<HistoryRequest, 'count' | 'lengthMax'>,
): { readonly versions: readonly Version[]; readonly hasMore: boolean } {
  const versions: Version[] = [];
  let length = 0;
  for (const stored of ordered) {
    length += stored.text?.length ?? 0;
    if (versions.length === count || (versions.length > 0 && length > lengthMax)) {
      return { versions, hasMore: true };
    }
    versions.push(stored);
  }
  return { versions, hasMore: false };
}
