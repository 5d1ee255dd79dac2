/** Pages of order responses that are as expensive as a client can store them, and Bundles of such pages. */
import { setImmediate } from 'node:timers/promises';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { DSTU2 } from '../../src/fhir/definitions/fhir-version.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';
import type { Repository, StoredVersion } from '../../src/fhir/stored/repository.ts';
import { createAsk, NO_STORE, TAKES_ALL } from './ask.ts';
import { type Input, PAGE_OF_RESOURCES_SHAPES } from './shapes.ts';

/** The text of an input is a stored order response, which a page repeats. */
export function pagesOf(edition: Edition): Input[] {
  let text = '';
  let isStorable = false;
  const page = (lengthMax: number, count: number): StoredVersion[] => {
    const stored = { id: 'a', version: 1, writtenAt: new Date(0).toISOString(), text };
    const length = Math.min(count, Math.max(1, Math.floor(lengthMax / text.length)));
    return Array.from({ length }, () => ({ ...stored, method: 'POST' as const }));
  };
  const store: Repository = {
    ...NO_STORE,
    search: async ({ lengthMax, count }) => {
      await setImmediate();
      const matches = page(lengthMax, count);
      return { kind: 'found', total: matches.length, matches, offset: 0 };
    },
    history: async ({ lengthMax, count }) => {
      await setImmediate();
      const versions = page(lengthMax, count);
      return { versions, total: versions.length, hasMore: false };
    },
  };
  const ask = createAsk(edition, TAKES_ALL, store);
  const input = (name: string, run: () => Promise<unknown>): Input => ({
    name,
    bytesMax: 40 * 1024,
    isRequest: true,
    hasTurns: true,
    ...PAGE_OF_RESOURCES_SHAPES,
    read: (stored) => {
      if (stored !== text) isStorable = isValid(stored);
      text = stored;
      return isStorable ? run() : undefined;
    },
  });
  const get = (name: string, path: string, query: string) =>
    input(name, () => ask({ method: 'GET', path, query: `_count=100&${query}` }));
  const bundle = (format: string) =>
    input(`batch of searches in ${format}`, () => {
      const headers = { 'content-type': 'application/json' };
      return ask({ method: 'POST', path: '/', query: `_format=${format}`, headers }, SEARCHES);
    });
  return [
    get('page in JSON', '/OrderResponse', '_format=json'),
    get('page in XML', '/OrderResponse', '_format=xml'),
    get('page of a summary', '/OrderResponse', '_format=json&_summary=data'),
    get('history in XML', '/OrderResponse/a/_history', '_format=xml'),
    bundle('json'),
    bundle('xml'),
  ];
}

/** Only what a create accepts is ever on a page. */
function isValid(stored: string): boolean {
  return decodeJson(Buffer.from(stored), DSTU2.definitions).findings.length === 0;
}

const SEARCHES = JSON.stringify({
  resourceType: 'Bundle',
  type: 'batch',
  entry: Array.from({ length: 50 }, () => ({
    request: { method: 'GET', url: 'OrderResponse?_count=100' },
  })),
});
