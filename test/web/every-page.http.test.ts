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

  it('names the edition below a list that was checked', async () => {
    const body = new URLSearchParams({ list: 'RR8' });
    const { text } = await server.get('/check-a-list', { method: 'POST', body });
    assert.match(text, /All rows are checked.*: edition 3, published 28 September 2026/s);
  });
});
