/** Records of the ORD interface: the shapes of the national service, in JSON and XML. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DirectoryServer, editionOf } from '../directory-server.ts';
import { RECORDS } from '../records.ts';
import { ORD_BASE, startOrd } from './ord-server.ts';

const RR8 = {
  Organisation: {
    Name: 'LEEDS TEACHING HOSPITALS NHS TRUST',
    Date: [{ Type: 'Operational', Start: '2001-04-01' }],
    OrgId: {
      root: '2.16.840.1.113883.2.1.3.2.4.18.48',
      assigningAuthorityName: 'HSCIC',
      extension: 'RR8',
    },
    Status: 'Active',
    LastChangeDate: '2017-04-02',
    orgRecordClass: 'RC1',
    GeoLoc: {
      Location: {
        AddrLn1: "ST. JAMES'S UNIVERSITY HOSPITAL",
        AddrLn2: 'BECKETT STREET',
        Town: 'LEEDS',
        County: 'WEST YORKSHIRE',
        PostCode: 'LS9 7TF',
        Country: 'ENGLAND',
      },
    },
    Contacts: { Contact: [{ type: 'tel', value: '0113 2433144' }] },
    Roles: {
      Role: [
        {
          id: 'RO197',
          primaryRole: true,
          Date: [{ Type: 'Operational', Start: '2001-04-01' }],
          Status: 'Active',
        },
      ],
    },
  },
};

const X1_XML =
  '<?xml version="1.0" encoding="UTF-8"?><Organisation orgRecordClass="RC1">' +
  '<Name>ORGANISATION X1</Name>' +
  '<OrgId root="2.16.840.1.113883.2.1.3.2.4.18.48" assigningAuthorityName="HSCIC" extension="X1"/>' +
  '<Status value="Active"/><LastChangeDate value="2020-01-15"/>' +
  '<Roles><Role id="RO999" primaryRole="true"><Status value="Active"/></Role></Roles></Organisation>';

describe('an organisation in ORD', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startOrd();
  });
  after(() => server.close());

  it('is a record with the members of the release file', async () => {
    const { status, headers, text } = await server.get('organisations/RR8');
    assert.equal(status, 200, text);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(text, JSON.stringify(RR8));
  });

  it('is an element of the release file in XML', async () => {
    for (const [query, accept] of [
      ['?_format=xml', '*/*'],
      ['?_format=text/xml', 'application/json'],
      ['', 'application/xml'],
    ] as const) {
      const { headers, text } = await server.get(`organisations/X1${query}`, { accept });
      assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8');
      assert.equal(text, X1_XML);
    }
  });

  it('has validators: 304 for its ETag and for its date, HEAD without a body', async () => {
    const { headers, text } = await server.get('organisations/RR8');
    const etag = headers.get('etag') ?? '';
    assert.match(etag, /^W\/"[0-9a-f]{20}-json"$/);
    assert.equal(headers.get('last-modified'), 'Tue, 01 Sep 2026 10:00:00 GMT');
    for (const validator of [
      { 'if-none-match': etag },
      { 'if-modified-since': 'Tue, 01 Sep 2026 10:00:00 GMT' },
    ]) {
      const again = await server.get('organisations/RR8', validator);
      assert.equal(again.status, 304);
      assert.equal(again.text, '');
    }
    const head = await server.get('organisations/RR8', {}, 'HEAD');
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(text)));
    assert.equal(head.text, '');
  });

  it('is found in lower case, at its own address', async () => {
    const answer = await server.get('organisations/rr8');
    assert.deepEqual(JSON.parse(answer.text), RR8);
    assert.equal(answer.headers.get('content-location'), `${ORD_BASE}/organisations/RR8`);
  });

  it('can be read by pages of every origin, which see the headers of pages', async () => {
    const { headers } = await server.get('organisations/RR8');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(
      headers.get('access-control-expose-headers') ?? '',
      /^X-Total-Count, Returned-Records, Next-Page, Previous-Page, Link, ETag, /,
    );
  });

  it('is 503 if the edition does not know its relationships', async (context) => {
    const edition = editionOf(RECORDS);
    const unknown = await startOrd({ ...edition, hasLinks: false });
    context.after(() => unknown.close());
    for (const format of ['json', 'xml']) {
      const { status, text } = await unknown.get(`organisations/RR8?_format=${format}`);
      assert.equal(status, 503);
      const { errorCode, errorText } = JSON.parse(text);
      assert.equal(errorCode, 503);
      assert.match(errorText, /does not know the relationships.*Import a release file\.$/);
    }
  });
});
