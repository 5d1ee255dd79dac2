/** The page that checks a list, over HTTP: what it understands, and its CSV. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { startWeb, type WebAnswerText, type WebServer } from '../web-server.ts';
import { LIST_EDITIONS } from './list-records.ts';

/** Rows that do not fit in one piece. */
const LONG = 9000;

type Fields = Readonly<Record<string, string>>;

describe('the page that checks a list', () => {
  let server: WebServer;
  before(async () => {
    server = await startWeb({ editions: LIST_EDITIONS, now: () => new Date('2026-10-01') });
  });
  after(async () => {
    assert.deepEqual(server.faults, []);
    await server.close();
  });

  function check(fields: Fields, path = '/check-a-list'): Promise<WebAnswerText> {
    return server.get(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** The CSV by the names of its columns. */
  async function rowsOf(fields: Fields): Promise<readonly Fields[]> {
    const { status, headers, text } = await check(fields, '/check-a-list.csv');
    assert.equal(status, 200, text);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(headers.get('content-disposition') ?? '', /checked-list\.csv/);
    return parse<Fields>(text, { columns: true });
  }

  it('has a form with the day of today', async () => {
    const { status, text } = await server.get('/check-a-list');
    assert.equal(status, 200);
    assert.match(text, /Names, codes or postcodes<\/label>/);
    assert.match(text, /name="on" type="date" value="2026-10-01"/);
  });

  it('shows the outcome of each row, what replaced it and what it belongs to', async () => {
    const list = 'A81000\nold1\ngone1\nPark Surgery\nQqqqq Xyzzy';
    const { status, headers, text } = await check({ list });
    assert.equal(status, 200, text);
    assert.equal(headers.get('cache-control'), 'private, no-cache');
    for (const shown of [
      'Check a list: 5 rows</h1>',
      /1\. <bdi>A81000<.*Certain.*PRACTICE 0.*Sub-ICB location: .*15F.*Integrated care board: .*QWO/s,
      /2\. <bdi>old1<.*Certain.*NHS LEEDS CCG.*closed\. It was replaced by.*15F/s,
      /3\. <bdi>gone1<.*Certain.*replaced by/s,
      /4\. <bdi>Park Surgery<.*Choose one.*value="Z00001">.*Prescribing cost centre, LEEDS, LS1 4AP<.*value="Z00002">.*None/s,
      /5\. <bdi>Qqqqq Xyzzy<.*Not found/s,
      /All rows are checked.*Certain: 3 rows.*Choose one: 1 row<.*Not found: 1 row</s,
    ]) {
      assert.ok(typeof shown === 'string' ? text.includes(shown) : shown.test(text), `${shown}`);
    }
    assert.ok(!text.includes('<!--place-->'));
  });

  it('writes the answers as columns, with what was chosen', async () => {
    const list = 'Park Surgery\nPark Surgery\nPark Surgery\nOLD1';
    const rows = await rowsOf({ list, row1: 'Z00002', row2: 'none', row3: 'A81000' });
    assert.deepEqual(
      rows.map(({ name, outcome, code, now, subIcb }) => [name, outcome, code, now, subIcb]),
      [
        ['Park Surgery', 'chosen', 'Z00002', 'Z00002', '15F'],
        ['Park Surgery', 'none', '', '', ''],
        // A choice that is no candidate does not count.
        ['Park Surgery', 'several', 'Z00001 Z00002', '', ''],
        ['OLD1', 'certain', 'OLD1', '15F', ''],
      ],
    );
  });

  it('says what differs from the row', async () => {
    const list = [
      'Code,Name,Town',
      'A81000,Orchard House,Leeds',
      'A81001,Practice 1,York',
      ',Practice 2,York',
      'A81003,Practice 3,Leeds',
    ];
    const { text } = await check({ list: list.join('\n') });
    const [, ...rows] = text.split('class="nhsuk-table__row"');
    const shown = rows.map((row) => [
      /nhsuk-tag--\w+">([^<]+)/.exec(row)?.[1],
      /The [^<.]*differs?\. Check it/.exec(row)?.[0],
    ]);
    assert.deepEqual(shown, [
      [undefined, undefined],
      ['Likely', 'The name differs. Check it'],
      ['Likely', 'The town differs. Check it'],
      ['Likely', 'The town differs. Check it'],
      ['Certain', undefined],
    ]);
  });

  it('writes what the page shows of the organisations, and what differs', async () => {
    const list = [
      'Code,Name,Town,Postcode',
      'A81001,Another Name,York,',
      ',Park Surgery,Leeds,LS1 4AP',
      ',Park Surgery,,',
      'ZZZZZ,,,',
      'GONE1,,,',
    ];
    const rows = await rowsOf({ list: list.join('\n') });
    assert.deepEqual(
      rows.map((row) => [row.differs, row.matchedRole, row.matchedTown, row.matchedPostcode]),
      [
        ['name, town', 'GP practice', 'LEEDS', 'LS1 1AA'],
        ['', 'Prescribing cost centre', 'LEEDS', 'LS1 4AP'],
        ['', 'Prescribing cost centre; Prescribing cost centre', 'LEEDS; YORK', 'LS1 4AP; YO1 1AA'],
        ['', '', '', ''],
        // The directory has no record of this code, only of what replaced it.
        ['', '', '', ''],
      ],
    );
    assert.deepEqual(Object.keys(rows[0] ?? {}).slice(-4), [
      'differs',
      'matchedRole',
      'matchedTown',
      'matchedPostcode',
    ]);
  });

  it('says that what replaced a closed organisation has closed too, on both pages', async () => {
    const { text } = await check({ list: 'B80002\nC80000' });
    for (const shown of [
      /replaced by.*C80000.*, which closed on 1 April 2025\. Nothing that replaced it is open\./s,
      /2\. <bdi>C80000.*Nothing replaced it\./s,
      /Until it closed:.*15F.*Until it closed:.*15F/s,
    ]) {
      assert.match(text, shown);
    }
    const page = await server.get('/organizations/B80002');
    assert.match(
      page.text,
      /Replaced by .*C80000.*, which closed on 1 April 2025\. Nothing that replaced it is open\.<\/p>/s,
    );
  });

  it('shows the choices again, and the day', async () => {
    const { text } = await check({ list: 'Park Surgery', row1: 'Z00002', on: '2019-01-01' });
    assert.match(text, /The answers are those of 1 January 2019\./);
    assert.match(text, /value="Z00002" checked/);
    assert.match(text, /name="on" value="2019-01-01"/);
  });

  for (const [what, list, expected] of [
    ['the headings of names and codes', 'Ref,Organisation Code,Name\n7,RR8,Wrong', ['RR8']],
    ['a name beside an unknown code', 'Code,Name\nQQQ,Leeds Teaching Hospitals', ['RR8']],
    ['codes alone', 'ODS Code\nRR8\nQWO', ['RR8', 'QWO']],
    ['a town beside a name', 'Name\tTown\nPark Surgery\tYork', ['Z00002']],
    ['semicolons', 'Name;Town\nPark Surgery;York', ['Z00002']],
    ['the line of a spreadsheet', 'sep=;\nName;Town\nPark Surgery;York', ['Z00002']],
    ['a column without a heading, with commas', 'Park Surgery, York\nRR8', ['Z00002', 'RR8']],
  ] as const) {
    it(`reads ${what}`, async () => {
      const rows = await rowsOf({ list });
      assert.deepEqual(
        rows.map(({ code, checkCode }) => checkCode ?? code),
        expected,
      );
    });
  }

  it('keeps the columns of the table', async () => {
    const [row] = await rowsOf({ list: 'Ref,Name,Note\n7,RR8,"a, ""b"""' });
    assert.deepEqual([row?.Ref, row?.Note], ['7', 'a, "b"']);
  });

  it('reads the column that the visitor names', async () => {
    const [row] = await rowsOf({ list: 'Who,Where\nRR8,here', column: 'who' });
    assert.equal(row?.code, 'RR8');
  });

  it('reads postcodes, with what they belong to', async () => {
    const rows = await rowsOf({ list: 'ls14ap\nYO1 1AA\nZZ9 9ZZ' });
    assert.deepEqual(
      rows.map(({ postcode, outcome, localAuthority }) => [postcode, outcome, localAuthority]),
      [
        ['ls14ap', 'found', 'E08000035'],
        ['YO1 1AA', 'terminated', ''],
        ['ZZ9 9ZZ', 'unknown', ''],
      ],
    );
    const { text } = await check({ list: 'ls14ap\nYO1 1AA' });
    assert.match(text, /The list has postcodes\..*Found.*Local authority.*No longer in use/s);
  });

  it('decides for each row whether it is a name, a code or a postcode', async () => {
    const list = 'LS1 4AP\nRR8\nLS1 4A\nPark Surgery, LS1 4AP\nPark Surgery YO11AA\nyo1 1aa';
    const rows = await rowsOf({ list });
    assert.deepEqual(
      rows.map(({ outcome, code, localAuthority }) => [outcome, code, localAuthority]),
      [
        ['found', '', 'E08000035'],
        ['certain', 'RR8', ''],
        ['none', '', ''],
        ['certain', 'Z00001', ''],
        ['certain', 'Z00002', ''],
        ['terminated', '', ''],
      ],
    );
    const { text } = await check({ list });
    for (const shown of [
      /1\. <bdi>LS1 4AP<.*Found.*Local authority.*2\. <bdi>RR8<.*Certain/s,
      /4\. <bdi>Park Surgery, LS1 4AP<.*Certain.*Z00001/s,
      /Certain: 3 rows.*Not found: 1 row<.*Found: 1 row<.*No longer in use: 1 row</s,
    ]) {
      assert.match(text, shown);
    }
  });

  it('reads rows of a table that have only a postcode', async () => {
    const rows = await rowsOf({ list: 'Name,Postcode\nPark Surgery,LS1 4AP\n,LS1 4AP' });
    assert.deepEqual(
      rows.map(({ outcome, code }) => [outcome, code]),
      [
        ['certain', 'Z00001'],
        ['found', ''],
      ],
    );
  });

  it('reads a file', async () => {
    const body = new FormData();
    body.set('list', '');
    body.set('file', new File(['Name\r\nPark Surgery\r\n'], 'list.csv', { type: 'text/csv' }));
    const { text } = await server.get('/check-a-list', { method: 'POST', body });
    assert.match(text, /Check a list: 1 row<.*Choose one/s);
  });

  it('escapes what the list has', async () => {
    const list = '<script>globalThis.hacked = 1</script>\n<!--place-->\n"><img src=x>';
    const { text } = await check({ list });
    assert.ok(!text.includes('<script>globalThis') && !text.includes('<img src=x'));
    assert.match(text, /Check a list: 3 rows.*All rows are checked/s);
  });

  for (const [what, fields, problem] of [
    ['an empty list', { list: ' \n' }, 'The list is empty. Paste a column, or choose a file.'],
    ['headings alone', { list: 'Name' }, 'The list has headings and no rows.'],
    ['unknown headings', { list: 'Who\tWhere\nRR8\there' }, 'The table has no column name.'],
    ['a column that is not there', { list: 'Name\nRR8', column: 'x' }, 'no column &quot;x&quot;'],
    ['a day that is none', { list: 'RR8', on: 'soon' }, 'on must be'],
    ['too many rows', { list: 'RR8\n'.repeat(10_001) }, 'more than 10000 rows. Divide it.'],
  ] as const) {
    it(`says what is wrong with ${what}, and keeps the list`, async () => {
      for (const path of ['/check-a-list', '/check-a-list.csv']) {
        const { status, text } = await check(fields, path);
        assert.equal(status, 400);
        assert.match(text, /role="alert"/);
        assert.ok(text.includes(problem), text.slice(text.indexOf('alert')).slice(0, 300));
        assert.ok(text.includes(`>\n${fields.list}</textarea>`) || what.startsWith('a day'));
      }
    });
  }

  it('refuses what is no form, and text that is not UTF-8', async () => {
    const json = { 'content-type': 'application/json' };
    const other = await server.get('/check-a-list', { method: 'POST', body: '{}', headers: json });
    assert.deepEqual([other.status, /cannot be read/.test(other.text)], [400, true]);
    const body = new FormData();
    body.set('file', new File([new Uint8Array([0x50, 0x4b, 0xff, 0xfe])], 'list.xlsx'));
    const binary = await server.get('/check-a-list', { method: 'POST', body });
    assert.deepEqual(
      [binary.status, /choose Save as and CSV UTF-8/.test(binary.text)],
      [400, true],
    );
  });

  for (const path of ['/check-a-list', '/check-a-list.csv']) {
    it(`stops the work of ${path} when the client leaves`, async () => {
      const form = new URLSearchParams({ list: 'Park Surgery\n'.repeat(LONG) });
      const answer = await server.handle({
        method: 'POST',
        path,
        query: '',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        id: 'test-3',
        readBody: async () => Buffer.from(String(form)),
      });
      let text = '';
      for await (const piece of answer.pieces ?? []) {
        text += Buffer.from(piece);
        if (/Z00001/.test(text)) answer.onClosed?.();
      }
      const rows = [...text.matchAll(/Z00001/g)].length;
      assert.ok(rows > 0 && rows < LONG / 2, `${rows} rows`);
    });
  }

  it('names its methods', async () => {
    const { headers } = await server.get('/check-a-list', { method: 'OPTIONS' });
    assert.equal(headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  });
});
