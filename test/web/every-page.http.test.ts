/** What every page has, whichever it is. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ownerOfSuite } from '../owner.ts';
import { ALL_ADDRESSES, OTHER_ROUTES, PAGE_ADDRESSES, startEveryPage } from './every-page.ts';
import { HTML } from './page-cases.ts';
import type { WebServer } from './web-server.ts';

describe('every page', () => {
  const owner = ownerOfSuite();
  let server: WebServer;
  before(async () => {
    server = await startEveryPage(owner);
  });

  it('has an address in the list of pages that tests look at', () => {
    const listed = [...Object.keys(PAGE_ADDRESSES), ...OTHER_ROUTES];
    assert.deepEqual([...new Set(server.routes)].toSorted(), listed.toSorted());
  });

  it('is listed with addresses of its route', () => {
    for (const [route, addresses] of Object.entries(PAGE_ADDRESSES)) {
      for (const address of addresses) {
        assert.equal(server.routeOf(address.split('?')[0] ?? ''), route, address);
      }
    }
  });

  it('names the edition and its day in the footer, also a page about a problem', async () => {
    for (const address of ALL_ADDRESSES) {
      const { status, text, headers } = await server.get(address, { headers: { accept: HTML } });
      assert.ok(status < 500, `${address}: ${status}`);
      assert.equal(headers.get('content-type'), HTML, address);
      const footer = text.slice(text.indexOf('<footer'));
      assert.match(footer, /: edition 3, published 28 September 2026, 3 days ago\./, address);
    }
    assert.deepEqual(server.faults, []);
  });

  it('says in its title and at the field what is wrong', async () => {
    for (const [address, field, problem] of [
      ['/postcode?postcode=YO1', 'postcode', /postcode/],
      ['/?near=nonsense', 'near', /is not a whole postcode/],
    ] as const) {
      const { text } = await server.get(address);
      assert.match(text, /<title>Error: /, address);
      const [, said = ''] = new RegExp(`id="${field}-error">(.*?)</p>`).exec(text) ?? [];
      assert.match(said, problem, address);
      assert.match(text, new RegExp(`<input[^>]* id="${field}"[^>]* ${field}-error"`), address);
    }
    const { text } = await server.get('/check-a-list', {
      method: 'POST',
      body: new URLSearchParams({ list: ' ' }),
    });
    assert.match(text, /<title>Error: Check a list.*id="list-error">.*The list is empty/s);
  });

  it('names the edition below a list that was checked', async () => {
    const body = new URLSearchParams({ list: 'RR8' });
    const { text } = await server.get('/check-a-list', { method: 'POST', body });
    assert.match(text, /All rows are checked.*: edition 3, published 28 September 2026/s);
  });
});
