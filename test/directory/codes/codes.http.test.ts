/** The questions about codes over HTTP: which code replaced one, and what an organisation belongs to. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../../web/related-records.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { organization } from '../records.ts';

const EDITION = editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS);
const NOW = Date.parse('2026-11-25T12:00:00Z');
const JSON_TYPE = { 'content-type': 'application/json' };

let server: DirectoryServer;

before(async () => {
  const editions = { current: () => EDITION, byNumber: () => EDITION };
  server = await startDirectory({ editions, now: () => NOW });
});
after(() => server.close());

async function get(path: string) {
  const { status, text, headers } = await server.get(`/fhir/${path}`);
  return { status, body: JSON.parse(text), headers };
}

async function post(path: string, body: unknown, type = JSON_TYPE) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const { status, text } = await server.post(`/fhir/${path}`, sent, type);
  return { status, body: JSON.parse(text) };
}

describe('resolve', () => {
  it('answers each code on the day, in any case', async () => {
    const { status, body, headers } = await get('resolve?code=old1&code=15F&code=NEVER');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(body, {
      on: '2026-11-25',
      results: [
        {
          code: 'old1',
          outcome: 'replaced',
          now: [
            {
              code: '15F',
              name: 'NHS WEST YORKSHIRE ICB - 15F',
              via: [{ from: 'OLD1', to: '15F', day: '2020-04-01' }],
            },
          ],
        },
        {
          code: '15F',
          outcome: 'current',
          now: [{ code: '15F', name: 'NHS WEST YORKSHIRE ICB - 15F', via: [] }],
        },
        { code: 'NEVER', outcome: 'unknown', now: [] },
      ],
    });
    const past = await get('resolve?code=OLD1&on=2015-01-01');
    assert.equal(past.body.results[0].outcome, 'current');
    assert.equal(past.body.on, '2015-01-01');
  });

  it('takes up to 1,000 codes by POST, and tables in CSV', async () => {
    const codes = Array.from({ length: 1000 }, (_, i) => (i === 7 ? 'OLD1' : `X${i}`));
    const { body } = await post('resolve', { codes, on: '2026-01-01' });
    assert.equal(body.results.length, 1000);
    assert.equal(body.results[7].outcome, 'replaced');
    const table = '\uFEFFnote;Code\r\n"a;b";OLD1\r\n;gone1\r\n';
    const { status, text, headers } = await server.post('/fhir/resolve', table, {
      'content-type': 'text/csv',
    });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.deepEqual(text.split('\r\n'), [
      'note,Code,outcome,now,nowName,replacedOn',
      '"a;b",OLD1,replaced,15F,NHS WEST YORKSHIRE ICB - 15F,2020-04-01',
      ',gone1,unknown,,,',
      '',
    ]);
  });
});

describe('hierarchy', () => {
  it('has the levels from the nearest upwards', async () => {
    const { body } = await get('hierarchy?code=A81000');
    const [{ code, levels }] = body.results;
    assert.equal(code, 'A81000');
    assert.deepEqual(
      levels.map((level: { by: string; code: string }) => `${level.by} ${level.code}`),
      ['RE8 U10001', 'RE4 15F', 'RE5 QWO', 'RE5 Y63'],
    );
    const unknown = await post('hierarchy', { codes: ['NEVER'] });
    assert.deepEqual(unknown.body.results, [{ code: 'NEVER', levels: [], isUnknown: true }]);
  });

  it('has a column for each level in CSV', async () => {
    const { text } = await server.post('/fhir/hierarchy', 'A81000\nRR801\n', {
      'content-type': 'text/csv',
    });
    const [head, practice, site] = text.split('\r\n');
    assert.match(head ?? '', /^code,operator,operatorName,network,networkName,subIcb,/);
    assert.match(practice ?? '', /^A81000,,,U10001,LEEDS PCN,15F,.*,QWO,.*,Y63,/);
    assert.match(site ?? '', /^RR801,RR8,/);
  });
});

describe('a request that cannot be answered', () => {
  const MANY = { codes: Array.from({ length: 1001 }, () => 'A') };
  const CASES: readonly (readonly [
    name: string,
    ask: () => Promise<{ status: number; body: { error: string } }>,
    status: number,
    error: RegExp,
  ])[] = [
    ['no code', () => get('resolve'), 400, /^There is no code\. Give at least one\.$/],
    ['an empty code', () => get('resolve?code='), 400, /^Row 1 has no code\.$/],
    [
      'a day of another form',
      () => get('resolve?code=A&on=1.4.2021'),
      400,
      /^on must be a date YYYY-MM-DD/,
    ],
    ['an impossible day', () => get('resolve?code=A&on=2021-02-30'), 400, /^on must be a date/],
    [
      'an unknown parameter',
      () => get('resolve?cod=A'),
      400,
      /^Unknown query parameter "cod"\. Use code, on\.$/,
    ],
    [
      'a repeated day',
      () => get('resolve?code=A&on=2021-01-01&on=2021-01-01'),
      400,
      /on is repeated/,
    ],
    ['an empty list', () => post('resolve', { codes: [] }), 400, /^There is no code/],
    ['1,001 codes', () => post('resolve', MANY), 400, /^There are 1001 rows\. At most 1000/],
    ['no list', () => post('resolve', {}), 400, /must have a list codes/],
    ['a number for a code', () => post('resolve', { codes: ['A', 7] }), 400, /^Item 2 of the list/],
    ['a number for a day', () => post('resolve', { codes: ['A'], on: 2021 }), 400, /^on must be/],
    ['no JSON', () => post('resolve', '{'), 400, /not valid JSON/],
    [
      'another type',
      () => post('resolve', 'A', { 'content-type': 'text/plain' }),
      415,
      /not supported here/,
    ],
    [
      'a table without the column',
      () => post('resolve', 'a,b\n1,2', { 'content-type': 'text/csv' }),
      400,
      /^The table has no column code\. Its columns are "a", "b"\.$/,
    ],
    [
      'an empty table',
      () => post('resolve', '', { 'content-type': 'text/csv' }),
      400,
      /table is empty/,
    ],
    [
      'a table with an open quotation mark',
      () => post('resolve', 'code,b\n"1,2', { 'content-type': 'text/csv' }),
      400,
      /^The table is not valid CSV: .* line/,
    ],
  ];

  for (const [name, ask, status, error] of CASES) {
    it(`has the reason: ${name}`, async () => {
      const answer = await ask();
      assert.equal(answer.status, status);
      assert.match(answer.body.error, error);
    });
  }

  it('is 404 without relationships, and 405 for other methods', async (context) => {
    const bare = await startDirectory({ records: [organization('A1')] });
    context.after(bare.close);
    const answer = await server.get('/fhir/resolve?code=A', {}, 'DELETE');
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  });
});
