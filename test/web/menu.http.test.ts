/** The menu has few entries, and leads to every page. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIST_EDITIONS } from './check-a-list/list-records.ts';
import { HISTORY } from './records.ts';
import { startWeb, type WebServer } from './web-server.ts';

const PAGES = [
  '/postcode',
  '/check-a-list',
  '/changes',
  '/editions',
  '/editions/3',
  '/statistics',
  '/reports',
  '/api',
  '/docs',
  '/accessibility',
];

describe('the menu', () => {
  let server: WebServer;
  before(async () => {
    server = await startWeb({ editions: LIST_EDITIONS, history: HISTORY });
  });
  after(() => server.close());

  it('has at most six entries', async () => {
    const { text } = await server.get('/');
    const entries = [...text.matchAll(/class="nhsuk-header__navigation-link"/g)];
    assert.ok(entries.length > 3 && entries.length <= 6, `${entries.length}`);
  });

  it('leads to every page in two steps', async () => {
    const { text: home } = await server.get('/');
    const menu = [...home.matchAll(/navigation-link" href="([^"]+)"/g)].map(([, to = '']) => to);
    const reached = new Set(menu);
    for (const entry of menu) {
      const { text } = await server.get(entry);
      for (const [, to = ''] of text.matchAll(/href="([^"#?]+)/g)) reached.add(to);
    }
    assert.deepEqual(new Set(PAGES).difference(reached), new Set());
  });

  it('has one link for developers on the home page', async () => {
    const { text } = await server.get('/');
    assert.match(text, /<a href="\/api">For developers<\/a>/);
    assert.doesNotMatch(text, /\/STU3|\/R4/);
  });
});
