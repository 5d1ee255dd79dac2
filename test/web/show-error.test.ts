/** Errors for programs as pages: which answers they replace, and what they keep. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FhirResponse } from '../../src/fhir/request/request.ts';
import { createAddresses } from '../../src/web/parts/addresses.ts';
import type { Problem } from '../../src/web/parts/problems.ts';
import { createShowError, problemTitle } from '../../src/web/parts/show-error.ts';
import { SETTINGS, servedStu3 } from '../directory/directory-server.ts';

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];
const FHIR_TYPE = ['Content-Type', 'application/fhir+json; charset=utf-8'];
const TEXT_TYPE = ['Content-Type', 'text/plain; charset=utf-8'];

const problems: Problem[] = [];
const showError = createShowError({
  addresses: createAddresses(servedStu3(SETTINGS, 'http://a.test')),
  fail: async (problem) => {
    problems.push(problem);
    return { status: problem.status, headers: problem.headers ?? [], body: 'page' };
  },
});

const ERRORS: readonly (readonly [body: object | string, headers: string[], ...said: string[]])[] =
  [
    [{ error: 'It is missing.' }, JSON_TYPE, 'It is missing.'],
    [{ errorCode: 404, errorText: 'Not found' }, JSON_TYPE, 'Not found'],
    [{ errorCode: 404, errorText: 'A', errorHint: 'B' }, JSON_TYPE, 'A', 'B'],
    [
      { resourceType: 'OperationOutcome', issue: [{ diagnostics: 'A' }, {}, { diagnostics: 'B' }] },
      FHIR_TYPE,
      'A',
      'B',
    ],
    [
      'near needs postcodes.\nfrom is no day.\n',
      TEXT_TYPE,
      'near needs postcodes.',
      'from is no day.',
    ],
  ];

describe('the page of an error for programs', () => {
  for (const [body, headers, ...said] of ERRORS) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    it(`says what ${text.trim()} says`, async () => {
      for (const sent of [text, Buffer.from(text)]) {
        const more = ['Retry-After', '5', 'allow', 'GET', 'ETag', 'W/"1"'];
        const answer: FhirResponse = {
          status: 404,
          headers: [...headers, ...more],
          body: sent,
          interaction: 'read',
        };
        const shown = await showError(answer);
        assert.equal(shown.body, 'page');
        assert.equal(shown.interaction, 'read');
        const { title, paragraphs, link, ...problem } = problems.at(-1)!;
        assert.equal(title, 'Not found');
        assert.deepEqual(paragraphs, said);
        assert.equal(link?.href, '/api');
        assert.deepEqual(problem.headers, ['Retry-After', '5', 'allow', 'GET']);
      }
    });
  }

  const others: readonly (readonly [what: string, answer: Partial<FhirResponse>])[] = [
    ['no error', { status: 200 }],
    ['for the pages', { isUnhandled: true }],
    ['a page already', { headers: ['Content-Type', 'text/html; charset=utf-8'] }],
    ['compressed', { headers: [...JSON_TYPE, 'Content-Encoding', 'gzip'] }],
    ['XML', { headers: ['Content-Type', 'application/fhir+xml'], body: '<a/>' }],
    ['not JSON in spite of its type', { body: '{"error":' }],
    ['JSON of another kind', { body: 'null' }],
    ['without a sentence', { body: '{"jsonrpc":"2.0"}' }],
  ];
  for (const [what, change] of others) {
    it(`leaves an answer as it is, at once, if it is ${what}`, () => {
      const body = '{"error":"It is missing."}';
      const answer: FhirResponse = { status: 400, headers: JSON_TYPE, body, ...change };
      assert.equal(showError(answer), answer);
    });
  }

  it('has no search while the server has no time for one', async () => {
    for (const [status, hidesSearch] of [
      [400, undefined],
      [429, true],
      [503, true],
    ] as const) {
      await showError({ status, headers: JSON_TYPE, body: '{"error":"Wait."}' });
      assert.equal(problems.at(-1)?.hidesSearch, hidesSearch);
    }
  });

  it('has the words of the status as its title', () => {
    assert.equal(problemTitle(405), 'Method not allowed');
    assert.equal(problemTitle(499), 'Error');
  });
});
