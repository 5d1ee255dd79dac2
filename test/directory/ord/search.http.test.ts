/** Searches of the ORD interface: its parameters, its rows and its pages. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import {
  type Answer,
  type DirectoryServer,
  editionOf,
  startDirectory,
} from '../directory-server.ts';
import { postcodeFile } from '../places/postcode-rows.ts';
import { organization, RECORDS, role } from '../records.ts';
import { ORD_BASE, startOrd } from './ord-server.ts';

/** Each search, and the codes that it finds, in the order of their names. */
const SEARCHES: readonly (readonly [query: string, codes: readonly string[]])[] = [
  ['Name=leeds', ['RR801', 'RR8']],
  ['Name=TEACHING%20HOSP', ['RR8']],
  ['Name=teaching+hosp', ['RR8']],
  ['Name=(no%20such)', []],
  ['PostCode=LS9%207TF', ['RR8']],
  ['PostCode=ls97tf', ['RR8']],
  ['PostCode=LS9', ['RR8']],
  ['PostCode=ls%209', ['RR8']],
  ['PostCode=%20LS9%20%207TF', ['RR8']],
  ['PostCode=LS9%207', ['RR8']],
  ['PostCode=LS97T', ['RR8']],
  ['PostCode=LS1', ['RR801']],
  ['PostCode=LS1%20', []],
  ['PostCode=LS1%201', []],
  ['PostCode=LS11', ['RR801']],
  ['PostCode=LS115', ['RR801']],
  ['PostCode=9%207TF', []],
  ['LastChangeDate=2021-12-31', ['RTG']],
  ['LastChangeDate=2020-01-15', ['X1', 'A81001', 'RTG']],
  ['Status=Inactive', ['A81002']],
  ['Status=inactive', ['A81002']],
  ['Status=ACTIVE&Name=surgery', ['A81001']],
  ['PrimaryRoleId=RO197', ['RR8', 'RTG']],
  ['PrimaryRoleId=ro197', ['RR8', 'RTG']],
  ['PrimaryRoleId=RO76', []],
  ['PrimaryRoleId=ABC', []],
  ['NonPrimaryRoleId=RO76', ['A81001']],
  ['Roles=RO76,RO57', ['A81001', 'RTG']],
  ['Roles=RO198', ['RR801']],
  ['OrgRecordClass=RC2', ['RR801']],
  ['OrgRecordClass=rc2', ['RR801']],
  ['OrgRecordClass=RC1&PrimaryRoleId=RO197&Name=derby', ['RTG']],
  ['Name=leeds&Limit=1', ['RR801']],
  ['Name=leeds&Limit=1&Offset=1', ['RR8']],
  ['Name=leeds&Offset=2', []],
  ['Name=leeds&Offset=99999999999999999999', []],
];

const RR8_ROW = {
  Name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
  OrgId: 'RR8',
  Status: 'Active',
  OrgRecordClass: 'RC1',
  PostCode: 'LS9 7TF',
  LastChangeDate: '2017-04-02',
  PrimaryRoleId: 'RO197',
  PrimaryRoleDescription: 'NHS TRUST',
  OrgLink: `${ORD_BASE}/organisations/RR8`,
};

describe('a search in ORD', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startOrd();
  });
  after(() => server.close());

  for (const [query, codes] of SEARCHES) {
    it(`${query} finds ${codes.join(', ') || 'nothing'}`, async () => {
      const json = await server.get(`organisations?${query}`);
      assert.equal(json.status, 200, json.text);
      assert.deepEqual(codesOf(json), codes);
      assert.equal(json.headers.get('returned-records'), String(codes.length));
      const xml = await server.get(`organisations?${query}&_format=xml`);
      assert.deepEqual(
        Array.from(xml.text.matchAll(/<OrgId>(\w+)<\/OrgId>/g), ([, code]) => code),
        codes,
      );
    });
  }

  it('has rows with the members of the national service', async () => {
    const { text } = await server.get('organisations?Name=teaching');
    assert.equal(text, JSON.stringify({ Organisations: [RR8_ROW] }));
  });

  it('has rows of elements in XML, with links to XML', async () => {
    const { text } = await server.get('organisations?Name=angle&_format=xml');
    assert.equal(
      text,
      '<?xml version="1.0" encoding="UTF-8"?><Organisations><Organisation>' +
        '<Name>Café "Quotes" &amp; &lt;Angle&gt; Clinic</Name><OrgId>A81002</OrgId>' +
        '<Status>Inactive</Status><OrgRecordClass>RC1</OrgRecordClass><PostCode>LS6 4JN</PostCode>' +
        '<LastChangeDate>2017-04-01</LastChangeDate><PrimaryRoleId>RO157</PrimaryRoleId>' +
        '<PrimaryRoleDescription>NON-NHS ORGANISATION</PrimaryRoleDescription>' +
        `<OrgLink>${ORD_BASE}/organisations/A81002?_format=xml</OrgLink>` +
        '</Organisation></Organisations>',
    );
    const none = await server.get('organisations?Name=nowhere');
    assert.equal(none.text, '{"Organisations":[]}');
    assert.equal(none.headers.get('x-total-count'), '0');
  });

  it('has validators that differ by page and format', async () => {
    const etags = new Set<string>();
    for (const query of ['', '&Limit=1', '&Offset=1', '&_format=xml']) {
      const { headers } = await server.get(`organisations?Name=leeds${query}`);
      const etag = headers.get('etag') ?? '';
      etags.add(etag);
      const again = await server.get(`organisations?Name=leeds${query}`, { 'if-none-match': etag });
      assert.equal(again.status, 304);
    }
    assert.equal(etags.size, 4);
  });

  it('is the same when it is asked for again and again, with GET and HEAD', async () => {
    const path = 'organisations?Name=leeds&Limit=1';
    const first = await server.get(path);
    for (let time = 0; time < 3; time++) {
      const again = await server.get(path);
      assert.equal(again.text, first.text);
      assert.equal(again.headers.get('next-page'), first.headers.get('next-page'));
      const head = await server.get(path, {}, 'HEAD');
      assert.equal(head.headers.get('x-total-count'), '2');
      assert.equal(head.text, '');
    }
  });

  it('is newer than the edition if the postcodes were imported after it', async (context) => {
    const placed = editionOf(RECORDS, 1, undefined, postcodeFile([{ postcode: 'LS1 4AP' }]));
    const one = await startOrd(placed);
    context.after(() => one.close());
    const { headers } = await one.get('organisations?Name=leeds');
    assert.equal(headers.get('last-modified'), 'Thu, 26 Nov 2026 00:00:00 GMT');
    const before = { 'if-modified-since': 'Tue, 01 Sep 2026 10:00:00 GMT' };
    assert.equal((await one.get('organisations?Name=leeds', before)).status, 200);
  });

  it('is compressed for clients that accept gzip', async (context) => {
    const zipped = await startDirectory({ settings: { gzipMinBytes: 1 } });
    context.after(() => zipped.close());
    const target = '/fhir/ORD/2-0-0/organisations?Name=leeds';
    const { headers, text } = await zipped.get(target, { 'accept-encoding': 'gzip' });
    assert.equal(headers.get('content-encoding'), 'gzip');
    assert.equal(JSON.parse(text).Organisations.length, 2);
  });
});

describe('the pages of a search in ORD', () => {
  const records = Array.from({ length: 45 }, (_, i) =>
    organization(`P${String(i).padStart(2, '0')}`, {
      name: `PRACTICE ${String(44 - i).padStart(2, '0')}`,
      roles: [role('76', { isPrimary: true })],
    }),
  );
  let server: DirectoryServer;
  before(async () => {
    server = await startOrd(editionOf(records));
  });
  after(() => server.close());

  it('have 20 rows, and at most 1,000', async () => {
    const { headers, text } = await server.get('organisations?Name=practice');
    assert.equal(JSON.parse(text).Organisations.length, 20);
    assert.equal(headers.get('x-total-count'), '45');
    assert.equal(headers.get('returned-records'), '20');
    const all = await server.get('organisations?Name=practice&Limit=1000');
    assert.equal(codesOf(all).length, 45);
    assert.equal(all.headers.get('next-page'), null);
  });

  it('name the next and the previous page of the same edition', async () => {
    const link = (rest: string) =>
      `${ORD_BASE}/organisations?Name=practice%20&PrimaryRoleId=RO76&_edition=1&Limit=20${rest}`;
    const first = await server.get('organisations?Limit=20&Name=practice%20&PrimaryRoleId=RO76');
    assert.equal(first.headers.get('previous-page'), null);
    assert.equal(first.headers.get('next-page'), link('&Offset=20'));
    const second = await follow(first.headers.get('next-page'));
    assert.equal(second.headers.get('previous-page'), link(''));
    assert.equal(second.headers.get('next-page'), link('&Offset=40'));
    const third = await follow(second.headers.get('next-page'));
    assert.equal(third.headers.get('returned-records'), '5');
    assert.equal(third.headers.get('next-page'), null);
    const codes = [first, second, third].flatMap(codesOf);
    assert.deepEqual(codes, records.map(({ code }) => code).toReversed());
    const beyond = await server.get('organisations?Name=practice%20&PrimaryRoleId=RO76&Offset=500');
    assert.equal(beyond.headers.get('previous-page'), link('&Offset=40'));
  });

  it('keep the format in their links', async () => {
    const { headers } = await server.get('organisations?Name=practice', {
      accept: 'application/xml',
    });
    assert.equal(
      headers.get('next-page'),
      `${ORD_BASE}/organisations?Name=practice&_format=xml&_edition=1&Limit=20&Offset=20`,
    );
  });

  it('of a replaced edition are 410 after its grace period', async () => {
    for (const edition of ['0', '7']) {
      const { status, text } = await server.get(`organisations?Name=practice&_edition=${edition}`);
      assert.equal(status, 410);
      const { errorCode, errorText } = JSON.parse(text);
      assert.equal(errorCode, 410);
      assert.match(errorText, /Repeat the search without _edition and Offset\.$/);
    }
  });

  it('follow their edition while it is kept, and the newest one without it', async (context) => {
    const old = editionOf(records);
    const renewed: Edition = editionOf(records.slice(0, 30), 2);
    const two = await startDirectory({
      editions: {
        current: () => renewed,
        byNumber: (number) => [old, renewed].find((edition) => edition.number === number),
      },
    });
    context.after(() => two.close());
    const target = '/fhir/ORD/2-0-0/organisations?Name=practice&Offset=20';
    assert.equal(codesOf(await two.get(`${target}&_edition=1`)).length, 20);
    assert.equal(codesOf(await two.get(target)).length, 10);
  });

  function follow(url: string | null): Promise<Answer> {
    return server.get((url ?? '').slice(`${ORD_BASE}/`.length));
  }
});

function codesOf({ text }: Answer): readonly string[] {
  return JSON.parse(text).Organisations.map(({ OrgId }: { OrgId: string }) => OrgId);
}

/** Every record has a row, and every row has a link. */
it('ORD serves every organisation of the directory', async (context) => {
  const server = await startOrd();
  context.after(() => server.close());
  const answer = await server.get('organisations?LastChangeDate=1900-01-01');
  assert.deepEqual(
    codesOf(answer).toSorted(),
    RECORDS.map(({ code }) => code),
  );
});
