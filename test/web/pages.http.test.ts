/** The pages over HTTP: what each answers, with which headers, in every state. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { INVENTED_SOURCE } from '../../src/directory/record/source.ts';
import type { Pause } from '../../src/threads/pauses.ts';
import { editionOf } from '../directory/directory-server.ts';
import { organization } from '../directory/records.ts';
import { CASES, HTML } from './page-cases.ts';
import { HISTORY, ONE_EDITION, PAGE_RECORDS } from './records.ts';
import { startWeb, tooManyRequests, type WebServer } from './web-server.ts';

let server: WebServer;
before(async () => {
  const edition = editionOf(PAGE_RECORDS, 3);
  server = await startWeb({
    editions: { current: () => edition, byNumber: () => edition },
    history: HISTORY,
    now: () => new Date('2026-10-01T12:00:00Z'),
    refuse: (path) => (path === '/refused' ? tooManyRequests() : undefined),
  });
});
after(() => server.close());

describe('a page', () => {
  for (const one of CASES) {
    it(`${one.path.slice(0, 60)} is answered with ${one.status ?? 200}`, async () => {
      const headers = { accept: one.accept ?? '*/*' };
      const answer = await server.get(one.path, { headers });
      assert.equal(answer.status, one.status ?? 200, answer.text.slice(0, 300));
      assert.equal(answer.headers.get('location'), one.location ?? null);
      // Names are isolated (<bdi>); a test of its own holds that.
      const text = answer.text.replaceAll(/<\/?bdi>/g, '');
      for (const part of one.has ?? []) {
        const isThere = typeof part === 'string' ? text.includes(part) : part.test(text);
        assert.ok(isThere, `has ${part}`);
      }
      for (const part of one.hasNot ?? []) {
        const isThere = typeof part === 'string' ? text.includes(part) : part.test(text);
        assert.ok(!isThere, `has not ${part}`);
      }
      assert.equal(answer.headers.get('x-request-id'), 'test-1');
      if (one.location !== undefined) return;
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(answer.headers.get('content-type'), one.type ?? HTML);
      if (one.type === undefined)
        holdToPolicy(answer.headers.get('content-security-policy'), answer.text);
    });
  }

  it('the page of an organisation has its addresses in FHIR, the newest version first', async () => {
    const { text } = await server.get('/organizations/RTG');
    const shown = [...text.matchAll(/API address in (\w+): <a [^>]*href="([^"]*)"/g)];
    assert.deepEqual(
      shown.map(([, version, url]) => [version, url?.replace(/^.*?(?=\/\w+\/Organization)/, '')]),
      [
        ['R4', '/R4/Organization/RTG'],
        ['STU3', '/STU3/Organization/RTG'],
      ],
    );
  });

  it('isolates the direction of what was typed, and of names', async () => {
    const typed = await server.get('/?q=%E2%80%AEabc');
    assert.match(typed.text, /“<b class="app-long"><bdi>\u202eabc<\/bdi><\/b>”/);
    assert.match((await server.get('/?q=many')).text, /<bdi>many<\/bdi>/);
    assert.match((await server.get('/organizations/RTG')).text, /<h1[^>]*><bdi>UNIVERSITY/);
  });

  it('meets no fault in any of this', () => assert.deepEqual(server.faults, []));
});

/** What the policy says, and a page that it does not break. */
function holdToPolicy(policy: string | null, text: string): void {
  assert.ok(policy !== null);
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ]) {
    assert.ok(policy.split('; ').includes(part), part);
  }
  assert.doesNotMatch(policy, /unsafe|upgrade-insecure/);
  assert.doesNotMatch(text, / style="|<style|<script>|<script [^>]*>[^<]| on[a-z]+="/);
  for (const [, url = ''] of text.matchAll(
    /<(?:script|img|link|source)[^>]* (?:src|srcset|href)="([^"]+)"/g,
  )) {
    assert.match(url, /^\//, 'from this server alone');
  }
}

it('pages mark an old edition, and are sent again on the day after', async (context) => {
  const edition = editionOf(PAGE_RECORDS, 3);
  let now = new Date('2026-11-12T23:00:00Z');
  const one = await startWeb({
    editions: { current: () => edition, byNumber: () => edition },
    history: HISTORY,
    now: () => now,
  });
  context.after(() => one.close());
  const recent = await one.get('/statistics');
  assert.match(recent.text, /published 28 September 2026, 45 days ago\./);
  const headers = { 'if-none-match': recent.headers.get('etag') ?? '' };
  assert.equal((await one.get('/statistics', { headers })).status, 304);
  now = new Date('2026-11-13T01:00:00Z');
  const old = await one.get('/statistics', { headers });
  assert.equal(old.status, 200);
  assert.match(old.text, /<strong>46 days ago<\/strong>\. There is probably a newer release\./);
});

it('pages of a release of invented organisations say so, on its word alone', async (context) => {
  const opened = editionOf(PAGE_RECORDS, 3);
  const pageOf = async (PublicationSource: string) => {
    const manifest = { publicationDate: '2026-09-28', publicationType: 'Full' };
    const edition = { ...opened, manifests: [{ ...manifest, values: { PublicationSource } }] };
    const editions = { current: () => edition, byNumber: () => edition };
    const one = await startWeb({ editions, history: HISTORY });
    context.after(() => one.close());
    return (await one.get('/')).text;
  };
  const invented = await pageOf(`${INVENTED_SOURCE}, seed 1`);
  assert.match(
    invented,
    /sample data: most of its organisations are invented\..*28 September 2026/,
  );
  assert.doesNotMatch(invented, /Open Government Licence|newer release/);
  const national = await pageOf('NHS England');
  assert.doesNotMatch(national, /sample data|invented/);
  assert.match(national, /Open Government Licence/);
});

it('the list of editions says what the next one adds, as long as there is one', async (context) => {
  const edition = editionOf(PAGE_RECORDS, 1);
  const editions = { current: () => edition, byNumber: () => edition };
  const one = await startWeb({ editions, history: ONE_EDITION });
  context.after(() => one.close());
  assert.match((await one.get('/editions')).text, /one edition so far\. The next import, usually/);
  assert.doesNotMatch((await server.get('/editions')).text, /one edition so far/);
});

it('a town that looks like a formula is text in the CSV of statistics', async (context) => {
  const town = (code: string, city: string) => organization(code, { address: { lines: [], city } });
  const edition = editionOf([town('A1', '＝HYPERLINK("http://x")'), town('A2', ' +1')]);
  const one = await startWeb({ editions: { current: () => edition, byNumber: () => edition } });
  context.after(() => one.close());
  const { text } = await one.get('/statistics/towns.csv');
  assert.match(text, /^"'＝Hyperlink\(/m);
  assert.match(text, /^"' \+1",1\r$/m);
});

describe('what pages have in common', () => {
  it('is HEAD, with the headers of GET', async () => {
    const got = await server.get('/editions');
    const head = await server.get('/editions', { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    assert.equal(head.headers.get('etag'), got.headers.get('etag'));
  });

  it('is 304 where the client has the page', async () => {
    const { headers } = await server.get('/?q=many');
    const etag = headers.get('etag') ?? '';
    assert.match(etag, /^W\/"/);
    assert.equal(headers.get('cache-control'), 'no-cache');
    const again = await server.get('/?q=many', { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    assert.equal(again.text, '');
    const other = await server.get('/?q=leeds', { headers: { 'if-none-match': etag } });
    assert.equal(other.status, 200);
  });

  for (const method of ['POST', 'PUT', 'DELETE']) {
    it(`is that ${method} is refused, with any body`, async () => {
      const answer = await server.get('/editions', {
        method,
        body: 'a=b',
        headers: { 'content-type': 'application/anything', accept: 'text/html' },
      });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
      assert.match(answer.text, /You can only read this page/);
    });
  }

  for (const method of ['POST', 'QUERY', 'PROPFIND']) {
    for (const type of ['foo', 'text/plain', undefined]) {
      it(`is that ${method} of type ${type} is refused, and no fault`, async () => {
        const headers = { accept: 'text/html', ...(type && { 'content-type': type }) };
        const body = 'x';
        const page = await server.get('/editions', { method, headers, body });
        assert.equal(page.status, 405);
        assert.equal(page.headers.get('allow'), 'GET, HEAD, OPTIONS');
        const none = await server.get('/nope', { method, headers, body });
        assert.equal(none.status, 404);
        for (const answer of [page, none]) assert.ok(answer.headers.get('x-request-id'));
        assert.deepEqual(server.faults, []);
      });
    }
  }

  it('is that OPTIONS tells the methods of a page, and finds no other', async () => {
    for (const type of ['foo', undefined]) {
      const headers = { accept: 'text/html', ...(type && { 'content-type': type }) };
      const page = await server.get('/editions', { method: 'OPTIONS', headers });
      assert.deepEqual([page.status, page.headers.get('allow')], [204, 'GET, HEAD, OPTIONS']);
      assert.equal((await server.get('/nope', { method: 'OPTIONS', headers })).status, 404);
      assert.deepEqual(server.faults, []);
    }
  });

  it('is gzip for those who take it, and assets under names that can be kept', async () => {
    const page = await server.get('/', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(page.headers.get('content-encoding'), 'gzip');
    const styles = /href="(\/assets\/styles[^"]+)"/.exec(page.text)?.[1] ?? '';
    const sheet = await server.get(styles, { headers: { 'accept-encoding': 'gzip, br' } });
    assert.equal(sheet.status, 200);
    assert.equal(sheet.headers.get('content-encoding'), 'br');
    assert.match(sheet.headers.get('cache-control') ?? '', /immutable/);
    const plain = await server.get(styles, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(plain.text, sheet.text);
  });

  it('is reported to the metrics', async () => {
    const before = server.answers.length;
    await server.get('/editions?secret=1');
    const answer = server.answers.slice(before).find(({ path }) => path === '/editions');
    assert.partialDeepStrictEqual(answer, { interaction: 'page', method: 'GET', status: 200 });
  });
});

it('the page of an edition reads one list after the other, with turns for others', async (context) => {
  const edition = editionOf(PAGE_RECORDS, 3);
  const reads: { readonly codes: readonly string[]; readonly pause: Pause | undefined }[] = [];
  let running = 0;
  const changed = await startWeb({
    editions: { current: () => edition, byNumber: () => edition },
    history: {
      ...HISTORY,
      codes: async (_, kind) => `${kind.toUpperCase()}1\n${kind.toUpperCase()}2`,
      records: async (_, codes, pause) => {
        running += 1;
        assert.equal(running, 1, 'no two lists share a turn');
        await nextTurn();
        running -= 1;
        reads.push({ codes, pause });
        return codes.map((code) => organization(code, { name: `NAME OF ${code}` }));
      },
    },
  });
  context.after(() => changed.close());
  const { text } = await changed.get('/editions/3');
  assert.match(text, /NAME OF ADDED1.*NAME OF CHANGED2.*NAME OF REMOVED2/s);
  assert.deepEqual(
    reads.map(({ codes }) => codes.join()),
    ['ADDED1,ADDED2', 'CHANGED1,CHANGED2', 'REMOVED1,REMOVED2'],
  );
  // One pause counts the time of all lists.
  assert.equal(new Set(reads.map(({ pause }) => pause)).size, 1);
  assert.equal(typeof reads[0]?.pause, 'function');
  assert.deepEqual(changed.faults, []);
});

describe('the changes of an edition as CSV', () => {
  const path = '/editions/3/changes.csv';
  const codes = Array.from({ length: 20_000 }, (_, i) => `C${i}`);
  /** Counts how often codes are read. */
  const serve = async (context: TestContext) => {
    const reads = { count: 0 };
    const edition = editionOf(PAGE_RECORDS, 3);
    const changes = await startWeb({
      editions: { current: () => edition, byNumber: () => edition },
      history: {
        ...HISTORY,
        codes: async (number, kind) => {
          reads.count++;
          return kind === 'changed' ? codes.join('\n') : HISTORY.codes(number, kind);
        },
      },
    });
    context.after(() => changes.close());
    return { changes, reads };
  };

  it('are all there, in gzip or not, and made once', async (context) => {
    const { changes, reads } = await serve(context);
    const lines = ['added,RTG', 'added,X1', ...codes.map((code) => `changed,${code}`)];
    const whole = ['change,code', ...lines, 'removed,GONE1', ''].join('\r\n');
    const [plain, zipped] = await Promise.all(
      ['identity', 'gzip'].map((encoding) =>
        changes.get(path, { headers: { 'accept-encoding': encoding } }),
      ),
    );
    assert.equal(plain?.text, whole);
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(zipped?.text, whole);
    assert.equal(zipped.headers.get('content-encoding'), 'gzip');
    assert.equal(zipped.headers.get('vary'), 'Accept-Encoding');
    assert.equal((await changes.get(path, { method: 'HEAD' })).status, 200);
    await changes.get(path);
    assert.equal(reads.count, 3);
    assert.deepEqual(changes.faults, []);
  });

  it('are kept by clients, and 304 without being made', async (context) => {
    const tag = (await server.get(path)).headers.get('etag') ?? '';
    const { changes, reads } = await serve(context);
    const answer = await changes.get(path, { headers: { 'if-none-match': tag } });
    assert.equal(answer.status, 304);
    assert.equal(answer.headers.get('etag'), tag);
    assert.match(answer.headers.get('cache-control') ?? '', /max-age=86400, immutable/);
    assert.equal(reads.count, 0);
    const other = await server.get('/editions/2/changes.csv', {
      headers: { 'if-none-match': tag },
    });
    assert.equal(other.status, 200);
    assert.equal(other.text, 'change,code\r\n');
  });

  it('are made again if a restored store gives the number to another edition', async (context) => {
    let restored = false;
    const edition = editionOf(PAGE_RECORDS, 3);
    const other = await startWeb({
      editions: { current: () => edition, byNumber: () => edition },
      history: {
        ...HISTORY,
        list: async () => {
          const infos = await HISTORY.list();
          const importedAt = '2026-10-02T09:00:00.000Z';
          return infos.map((info) => (restored ? { ...info, importedAt } : info));
        },
        codes: async (number, kind) => (restored ? 'Z9' : await HISTORY.codes(number, kind)),
      },
    });
    context.after(() => other.close());
    assert.doesNotMatch((await other.get(path)).text, /Z9/);
    restored = true;
    assert.match((await other.get(path)).text, /added,Z9/);
  });

  it('that cannot be read are a fault, and read again by the next who asks', async (context) => {
    let fails = true;
    const edition = editionOf(PAGE_RECORDS, 3);
    const frail = await startWeb({
      editions: { current: () => edition, byNumber: () => edition },
      history: {
        ...HISTORY,
        codes: (number, kind) => {
          if (fails) throw new Error('the disk is gone');
          return HISTORY.codes(number, kind);
        },
      },
    });
    context.after(() => frail.close());
    const answer = await frail.get(path);
    assert.equal(answer.status, 500);
    assert.equal(answer.headers.get('content-type'), HTML);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('etag'), null);
    assert.equal(answer.headers.get('content-disposition'), null);
    fails = false;
    assert.equal((await frail.get(path)).status, 200);
  });
});

describe('an installation', () => {
  it('with order responses says where they are, and that they need a token', async (context) => {
    const edition = editionOf(PAGE_RECORDS);
    const both = await startWeb({
      base: '/gazetteer',
      editions: { current: () => edition, byNumber: () => edition },
      hasOrders: true,
    });
    context.after(() => both.close());
    const { text } = await both.get('/gazetteer/api');
    const orders = `${both.origin}/gazetteer/OrderResponse`;
    assert.ok(text.includes(orders), 'their address');
    assert.ok(text.includes(`href="${both.origin}/gazetteer/metadata"`), 'what they offer');
    assert.match(text, /need a token/);
    assert.doesNotMatch((await server.get('/api')).text, /OrderResponse|need a token/);
  });

  it('whose list of editions cannot be read shows the pages that need no list', async (context) => {
    const edition = editionOf(PAGE_RECORDS, 3);
    const frail = await startWeb({
      editions: { current: () => edition, byNumber: () => edition },
      history: {
        ...HISTORY,
        list: async () => {
          throw new Error('the disk is gone');
        },
      },
    });
    context.after(() => frail.close());
    for (const path of ['/', '/docs', '/accessibility', '/api']) {
      const { status, text } = await frail.get(path);
      assert.equal(status, 200, path);
      assert.doesNotMatch(text, /edition 3/i, path);
    }
    assert.equal((await frail.get('/editions')).status, 500);
  });

  it('that stops closes the history of editions too', async (context) => {
    let closed = 0;
    const stopping = await startWeb({
      editions: { current: () => undefined, byNumber: () => undefined },
      history: { ...HISTORY, [Symbol.dispose]: () => closed++ },
    });
    context.after(() => stopping.close());
    assert.equal((await stopping.get('/editions')).status, 200);
    await stopping.close();
    assert.equal(closed, 1);
  });

  it('without an edition says so on every page that needs one', async (context) => {
    const empty = await startWeb({
      editions: { current: () => undefined, byNumber: () => undefined },
    });
    context.after(() => empty.close());
    for (const path of [
      '/',
      '/?q=RTG',
      '/organizations/RTG',
      '/statistics',
      '/statistics/status.svg',
      '/reports',
    ]) {
      const answer = await empty.get(path);
      assert.equal(answer.status, 503, path);
      assert.match(answer.text, /There is nothing to look up yet.*gazetteer import FILE/s);
      assert.equal(answer.headers.get('retry-after'), '5');
    }
    assert.match((await empty.get('/editions')).text, /There is no edition yet/);
    assert.equal((await empty.get('/api')).status, 200);
    assert.deepEqual(empty.faults, []);
  });

  it('below a path has all its addresses there', async (context) => {
    const edition = editionOf(PAGE_RECORDS);
    const below = await startWeb({
      base: '/gazetteer',
      editions: { current: () => edition, byNumber: () => edition },
      history: HISTORY,
      settings: { name: 'Codes & more', mapUrl: 'off' },
    });
    context.after(() => below.close());
    const paths = [
      '/',
      '/?q=many',
      '/organizations/RR8',
      '/editions',
      '/editions/3',
      '/statistics',
      '/reports',
      '/api',
    ];
    for (const path of paths) {
      const { status, text } = await below.get(`/gazetteer${path}`);
      assert.equal(status, 200, path);
      assert.ok(text.includes('Codes &amp; more'));
      assert.doesNotMatch(text, /openstreetmap/);
      for (const [, url = ''] of text.matchAll(/ (?:href|src|srcset|action)="(\/[^"]*)"/g)) {
        assert.match(url, /^\/gazetteer\//, path);
      }
    }
    assert.equal(
      (await below.get('/gazetteer/?q=rtg')).headers.get('location'),
      '/gazetteer/organizations/RTG?q=rtg',
    );
    assert.equal((await below.get('/', { headers: { accept: 'text/html' } })).status, 404);
  });

  it('that fails shows the number under which its log says more', async (context) => {
    let fails = false;
    const edition = editionOf(PAGE_RECORDS);
    const frail = await startWeb({
      editions: {
        current: () => {
          if (fails) throw new Error('a secret of the inside');
          return edition;
        },
        byNumber: () => undefined,
      },
    });
    context.after(() => frail.close());
    fails = true;
    const answer = await frail.get('/');
    assert.equal(answer.status, 500);
    assert.match(answer.text, /Sorry, there is a problem with the service.*test-1/s);
    assert.doesNotMatch(answer.text, /secret/);
    assert.equal(frail.faults.length, 1);
  });
});
