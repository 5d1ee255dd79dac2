/** The questions about codes over HTTP: which code replaced one, and what an organisation belongs to. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../../web/related-records.ts';
import { type DirectoryServer, editionOf, startDirectory } from '../directory-server.ts';
import { organization } from '../records.ts';

const EDITION = editionOf(RELATED_RECORDS, 1, RELATED_CODE_SYSTEMS);
const NOW = Date.parse('2026-11-25T12:00:00Z');
const JSON_TYPE = { 'content-type': 'application/json' };
const CSV = { 'content-type': 'text/csv' };

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

async function post(path: string, body: unknown, type: Record<string, string> = JSON_TYPE) {
  const sent = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
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

  it('takes codes that are repeated or separated by commas', async () => {
    const { status, body } = await get('resolve?code=OLD1,%20gone1&code=X1,');
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map(({ code }: { code: string }) => code),
      ['OLD1', 'gone1', 'X1'],
    );
    const { body: names } = await get('match?name=LEEDS,%20NHS&name=B');
    assert.equal(names.results.length, 2);
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
      ',gone1,replaced,15F,NHS WEST YORKSHIRE ICB - 15F,2013-04-01',
      '',
    ]);
  });
});

describe('a table', () => {
  const ask = async (table: string) =>
    (await server.post('/fhir/resolve', table, CSV)).text.split('\r\n').slice(0, 2);

  it('has the answer of a short row in its columns', async () => {
    assert.deepEqual(await ask('code,note,more\nX\n'), [
      'code,note,more,outcome,now,nowName,replacedOn',
      'X,,,unknown,,,',
    ]);
  });

  it('may have 200 columns', async () => {
    const [head, row] = await ask(`code${','.repeat(199)}\nX\n`);
    assert.equal(head?.split(',').length, 204);
    assert.equal(row, `X${','.repeat(200)}unknown,,,`);
  });

  it('may begin with the line of spreadsheets that names the separator', async () => {
    const [head] = await ask('sep=;\r\nnote;code\r\n,;X\r\n');
    assert.equal(head, 'note,code,outcome,now,nowName,replacedOn');
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
    assert.deepEqual(unknown.body.results, [{ code: 'NEVER', outcome: 'unknown', levels: [] }]);
  });

  it('has a column for each level in CSV', async () => {
    const { text } = await server.post('/fhir/hierarchy', 'code\nA81000\nRR801\nNEVER\n', {
      'content-type': 'text/csv',
    });
    const [head, practice, site, unknown] = text.split('\r\n');
    assert.match(unknown ?? '', /^NEVER,unknown,,/);
    assert.match(head ?? '', /^code,outcome,operator,operatorName,network,networkName,subIcb,/);
    assert.match(practice ?? '', /^A81000,found,,,U10001,LEEDS PCN,15F,.*,QWO,.*,Y63,/);
    assert.match(site ?? '', /^RR801,found,RR8,/);
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
    ['no code', () => get('resolve'), 400, /^code is missing\. .* as in code=RTG\.$/],
    ['an empty code', () => get('resolve?code='), 400, /^code is empty\. .* code=RTG\.$/],
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
      /^Unknown query parameter "cod"\. Did you mean "code"\? The query parameters are code, on\.$/,
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
      /^The table has no column code\. Its columns are "a", "b"\. Say which one has the code with \?column=HEADING\.$/,
    ],
    [
      'an empty table',
      () => post('resolve', '', { 'content-type': 'text/csv' }),
      400,
      /table is empty/,
    ],
    [
      'a table without names of columns',
      () => post('resolve', 'OLD1', CSV),
      400,
      /^The table has no column code\./,
    ],
    [
      'a row with too many cells',
      () => post('resolve', 'code,b\nOLD1,1,\n', CSV),
      400,
      /^Row 2 has 3 cells, but the table has 2 columns/,
    ],
    [
      'a table of 1,001 rows',
      () => post('resolve', `code\n${'A\n'.repeat(1001)}`, CSV),
      400,
      /^The table has more than 1000 rows\. Divide it\.$/,
    ],
    ...['resolve', 'hierarchy', 'match', 'postcodes'].map(
      (name) =>
        [
          `a table of 201 columns for /${name}`,
          () => post(name, `code;name;postcode${';'.repeat(198)}\nA;B;C\n`, CSV),
          400,
          /^The table has more than 200 columns\. Remove those that are not needed\.$/,
        ] as const,
    ),
    [
      'both names of a column of an answer',
      () => post('resolve', 'code,Now,resolveNow\nOLD1,1,2\n', CSV),
      400,
      /^The table has the columns now and resolveNow already\. Rename or remove one\.$/,
    ],
    [
      'a table in UTF-16',
      () => post('resolve', Buffer.from('code\nOLD1', 'utf16le'), CSV),
      400,
      /^The table has no column code/,
    ],
    [
      'a table that ends in half a character',
      () => post('resolve', Buffer.from('code\nOLD1\xc3', 'latin1'), CSV),
      400,
      /^The table is not UTF-8/,
    ],
    [
      'a compressed table',
      () => post('resolve', 'code', { ...CSV, 'content-encoding': 'gzip' }),
      415,
      /Content-Encoding "gzip"/,
    ],
    [
      'a table in another charset',
      () => post('resolve', 'code', { 'content-type': 'text/csv; charset=utf-16' }),
      415,
      /charset "utf-16"/,
    ],
    [
      'codes in the URL and in the body',
      () => post('resolve?code=A', { codes: ['A'] }),
      400,
      /^Unknown query parameter "code"\. The query parameters are on, column\.$/,
    ],
    [
      'a member that is not known',
      () => post('resolve', { codes: ['A'], onn: '2022-01-01' }),
      400,
      /^Unknown member "onn" of the body\. The members are codes, rows, on\.$/,
    ],
    [
      'an item of rows with a member that is not known',
      () => post('resolve', { rows: [{ code: 'A' }, { code: 'B', kode: 'C' }] }),
      400,
      /^Unknown member "kode" of item 2\. Did you mean "code"\? The only member is code\.$/,
    ],
    [
      'a column with a list in JSON',
      () => post('resolve?column=Practice', { codes: ['A'] }),
      400,
      /^column is for tables in CSV\. Leave it out with JSON\.$/,
    ],
    [
      'two lists',
      () => post('resolve', { codes: ['A'], rows: [{ code: 'B' }] }),
      400,
      /^Give codes or rows, not both\.$/,
    ],
    [
      'different days',
      () => post('resolve?on=2021-01-01', { codes: ['A'], on: '2022-01-01' }),
      400,
      /^on differs/,
    ],
    [
      'a table with an open quotation mark',
      () => post('resolve', 'code,b\n"1,2', { 'content-type': 'text/csv' }),
      400,
      /^The table is not valid CSV near line 2: a cell begins with a quotation mark/,
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
    assert.deepEqual(JSON.parse(answer.text), {
      error: 'DELETE is not offered on /fhir/resolve. Use GET, HEAD or POST.',
    });
  });

  it('is no page in a browser, because the path is that of the question', async () => {
    const answer = await server.get('/fhir/resolve?code=', { accept: 'text/html' });
    assert.equal(answer.status, 400);
    assert.deepEqual(JSON.parse(answer.text), {
      error: 'code is empty. Give a value, as in code=RTG.',
    });
  });
});
