/** Control characters in each text that a client can send: no answer repeats them as they are. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { describedServices } from '../../scripts/described-services.ts';
import { NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import { fitsXml } from '../../src/fhir/definitions/primitives.ts';
import { startBudget } from '../../src/fhir/format/limits.ts';
import { readXml } from '../../src/fhir/format/xml-reader.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import type { FhirResponse } from '../../src/fhir/request/request.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { editionOf, SOFTWARE } from './directory-server.ts';
import { RECORDS } from './records.ts';

/** Characters that neither JSON nor XML can have as they are, and some that they can. */
const SENT = encodeURIComponent('a\0\u{1}\u{b}\u{1f}\u{7f}\u{85}\u{fffe}\u{1ffff}b');

const EDITION = editionOf(RECORDS);
const described = describedServices({
  editions: { current: () => EDITION, byNumber: () => EDITION },
  editionFiles: { pathOf: () => '', forget: () => {} },
  history: NO_HISTORY,
  store: createMemoryRepository(),
  authorize: () => ({ issuer: 'i', subject: 's', scopes: [] }),
});
after(() => described.web.close());
const handle = createHandle({
  ...described,
  software: SOFTWARE,
  onFault: (error) => {
    throw error;
  },
});

async function get(path: string, query: string): Promise<FhirResponse> {
  const request = { method: 'GET', path, query, headers: {}, id: 'test' };
  const answer = await handle(request);
  return answer.isUnhandled ? await described.web.handle(request) : answer;
}

async function textOf({ body = '', pieces }: FhirResponse): Promise<string> {
  if (pieces === undefined) return Buffer.from(body as string).toString();
  return Buffer.concat(await Array.fromAsync(pieces)).toString();
}

/** Holds an answer to what its format allows. */
async function assertWhole(path: string, query: string): Promise<void> {
  const answer = await get(path, query);
  const source = `${path}?${query}`;
  for (const header of answer.headers) assert.match(header, /^[ -~]*$/, source);
  const type = answer.headers[answer.headers.indexOf('Content-Type') + 1] ?? '';
  if (/zip|sqlite/.test(type)) return;
  const text = await textOf(answer);
  assert.ok(fitsXml(text), `${source}: ${JSON.stringify(text.slice(0, 500))}`);
  if (/\bjson/.test(type) && text !== '') JSON.parse(text);
  if (/\bxml/.test(type)) readXml(text, startBudget({}));
}

interface Description {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: Parameters } }>>;
}

type Parameters = readonly { readonly name: string; readonly in: string }[];

describe('an answer', () => {
  it('repeats no character that its format cannot hold, in each parameter of each endpoint', async () => {
    const { paths }: Description = JSON.parse(await textOf(await get('/openapi.json', '')));
    let asked = 0;
    for (const [path, { get: operation }] of Object.entries(paths)) {
      if (operation === undefined) continue;
      for (const format of ['json', 'xml']) {
        await assertWhole(path.replaceAll(/\{\w+\}/g, SENT), `_format=${format}`);
        const known = path.replaceAll(/\{\w+\}/g, 'RR8');
        const names = (operation.parameters ?? [])
          .filter((parameter) => parameter.in === 'query')
          .map(({ name }) => name);
        for (const name of [...names, SENT]) {
          await assertWhole(known, `${name}=${SENT}&_format=${format}`);
          asked += 1;
        }
      }
    }
    assert.ok(asked > 500, String(asked));
  });
});
