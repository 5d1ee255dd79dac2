/** The list of changed organisations of the ORD interface. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DirectoryServer, editionOf } from '../directory-server.ts';
import { organization } from '../records.ts';
import { ORD_BASE, startOrd } from './ord-server.ts';

describe('sync in ORD', () => {
  let server: DirectoryServer;
  before(async () => {
    server = await startOrd();
  });
  after(() => server.close());

  it('lists links to the organisations that changed on or after a date', async () => {
    const { status, headers, text } = await server.get('sync?LastChangeDate=2020-01-15');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('x-total-count'), '3');
    const links = ['A81001', 'RTG', 'X1'].map((code) => ({
      OrgLink: `${ORD_BASE}/organisations/${code}`,
    }));
    assert.equal(text, JSON.stringify({ Organisations: links }));
    const none = await server.get('sync?LastChangeDate=2022-01-01');
    assert.equal(none.text, '{"Organisations":[]}');
    assert.equal(none.headers.get('x-total-count'), '0');
  });

  it('has links to XML in XML', async () => {
    const { headers, text } = await server.get('sync?LastChangeDate=2021-12-31&_format=xml');
    assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8');
    assert.equal(
      text,
      '<?xml version="1.0" encoding="UTF-8"?><Organisations><Organisation>' +
        `<OrgLink>${ORD_BASE}/organisations/RTG?_format=xml</OrgLink>` +
        '</Organisation></Organisations>',
    );
  });

  it('has no limit of days, and lists every organisation at once', async (context) => {
    const records = Array.from({ length: 2500 }, (_, i) => organization(`S${1000 + i}`));
    const large = await startOrd(editionOf(records));
    context.after(() => large.close());
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const answer = await large.get('sync?LastChangeDate=1948-07-05', headers);
      assert.equal(answer.headers.get('x-total-count'), '2500');
      const links = JSON.parse(answer.text).Organisations;
      assert.equal(links.length, 2500);
      assert.equal(links[2499].OrgLink, `${ORD_BASE}/organisations/S3499`);
    }
  });

  it('has validators, and answers HEAD with the total', async () => {
    const { headers } = await server.get('sync?LastChangeDate=2020-01-15');
    const again = await server.get('sync?LastChangeDate=2020-01-15', {
      'if-none-match': headers.get('etag') ?? '',
    });
    assert.equal(again.status, 304);
    const head = await server.get('sync?LastChangeDate=2020-01-15', {}, 'HEAD');
    assert.equal(head.headers.get('x-total-count'), '3');
    assert.equal(head.text, '');
  });
});
