/** Which code a name means, over HTTP: one name, many, and tables. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openEdition } from '../../../src/directory/edition/edition.ts';
import { type DirectoryServer, startDirectory } from '../directory-server.ts';
import { editionArrays } from '../edition-arrays.ts';
import { organization } from '../records.ts';
import { NAMES, namedEdition } from './match-names.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const CSV_TYPE = { 'content-type': 'text/csv' };
const EDITION = namedEdition();

let server: DirectoryServer;

before(async () => {
  const editions = { current: () => EDITION, byNumber: () => EDITION };
  server = await startDirectory({ editions, now: () => Date.parse('2026-11-25T12:00:00Z') });
});
after(() => server.close());

async function post(body: unknown) {
  const { status, text } = await server.post('/fhir/match', JSON.stringify(body), JSON_TYPE);
  return { status, body: JSON.parse(text) };
}

describe('match', () => {
  it('answers a name, with what else is known', async () => {
    const { status, text } = await server.get('/fhir/match?name=whittlesham+hc&postcode=pe133an');
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text), {
      on: '2026-11-25',
      results: [
        {
          name: 'whittlesham hc',
          outcome: 'certain',
          candidates: [
            {
              code: 'A10015',
              name: 'WHITTLESHAM HEALTH CENTRE',
              score: 1,
              why: ['name', 'postcode'],
            },
          ],
        },
      ],
    });
  });

  it('takes up to 1,000 names, or rows, by POST', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => NAMES[i % NAMES.length]?.name ?? '');
    const many = await post({ names });
    assert.equal(many.body.results.length, 1000);
    assert.equal(many.body.results[0].candidates[0].code, 'RX101');
    const { body } = await post({
      rows: [{ name: 'Park Surgery', town: 'Leeds' }, { name: 'Park Surgery' }, { name: '?' }],
    });
    assert.deepEqual(
      body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['certain', 'several', 'none'],
    );
  });

  it('adds columns to a table, also for an empty name', async () => {
    const table = 'id;Name;Postcode\n1;park surgery;LS8 1DF\n2;;\n3;"Park; Surgery";\n';
    const { text } = await server.post('/fhir/match', table, CSV_TYPE);
    assert.deepEqual(text.split('\r\n'), [
      'id,Name,Postcode,outcome,code,matchedName,score,why,unknown,differs',
      '1,park surgery,LS8 1DF,certain,A10001,PARK SURGERY,1,"name, postcode",,',
      '2,,,none,,,,,,',
      '3,"Park; Surgery",,several,A10001 A10002 A10003,"PARK SURGERY; PARK SURGERY; PARK SURGERY",1 1 1,"name; name; name",,',
      '',
    ]);
  });

  it('says which parts of a row mean nothing, and answers it', async () => {
    const rows = [
      { name: 'Park Surgery', postcode: '?', town: 'Xyzzy', role: 'wizard' },
      { name: 'Park Surgery', postcode: 'LS8', town: 'leeds', role: '' },
      { name: 'Park Surgery', postcode: 'ZZ99 9ZZ' },
    ];
    const { body } = await post({ rows });
    assert.deepEqual(
      body.results.map(({ unknown }: { unknown?: string[] }) => unknown),
      [['postcode', 'town', 'role'], undefined, undefined],
    );
    const table = 'name,town\nPark Surgery,Xyzzy\n';
    const { text } = await server.post('/fhir/match', table, CSV_TYPE);
    assert.match(text, /,town,"town; town; town"\r\n$/);
  });

  it('needs no relationships', async (context) => {
    const records = [organization('A1', { name: 'ELM SURGERY' })];
    const identity = { number: 1, publishedAt: '2026-09-01T10:00:00.000Z' };
    const bare = openEdition(identity, editionArrays(records, { hasLinks: false }));
    const editions = { current: () => bare, byNumber: () => bare };
    const other = await startDirectory({ editions });
    context.after(other.close);
    const { status, text } = await other.get('/fhir/match?name=elm+surg');
    assert.equal(status, 200);
    assert.equal(JSON.parse(text).results[0].candidates[0].code, 'A1');
    assert.equal((await other.get('/fhir/resolve?code=A1')).status, 404);
  });

  const REFUSED: readonly (readonly [
    title: string,
    ask: () => Promise<{ status: number; text: string }>,
    error: RegExp,
  ])[] = [
    ['no name', () => server.get('/fhir/match?postcode=LS8'), /^name is missing\. /],
    ['an empty name', () => server.get('/fhir/match?name='), /^name is empty\. /],
    [
      'an unknown parameter',
      () => server.get('/fhir/match?name=a&city=b'),
      /Did you mean "town"\? The query parameters are name, postcode, town, role, on\.$/,
    ],
    [
      'a table without the column',
      () => server.post('/fhir/match', 'names,town\na,b\n', CSV_TYPE),
      /^The table has no column name\. Did you mean "names"\? Its columns are "names", "town"\. Say/,
    ],
    [
      '1,001 names',
      () => server.post('/fhir/match', JSON.stringify({ names: Array(1001).fill('a') }), JSON_TYPE),
      /^There are 1001 rows\./,
    ],
    [
      'a row with a member that is not known',
      () => server.post('/fhir/match', '{"rows":[{"name":"Elm","city":"Leeds"}]}', JSON_TYPE),
      /^Unknown member "city" of item 1\. Did you mean "town"\? The members are name, postcode, town, role\.$/,
    ],
    [
      'a row without a name',
      () => server.post('/fhir/match', '{"rows":[{"town":"Leeds"}]}', JSON_TYPE),
      /^Row 1 has no name\.$/,
    ],
  ];

  for (const [title, ask, error] of REFUSED) {
    it(`is refused with the reason: ${title}`, async () => {
      const { status, text } = await ask();
      assert.equal(status, 400);
      assert.match(JSON.parse(text).error, error);
    });
  }
});
