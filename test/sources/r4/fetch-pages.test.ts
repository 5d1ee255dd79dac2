/** The pages of the R4 service: what is continued, fetched again and refused. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  type FetchPagesOptions,
  fetchPages,
  nextAddress,
  type Part,
  startPart,
} from '../../../src/sources/fetch/fetch-r4-changes.ts';
import { r4Wording } from '../../../src/sources/fetch/fetch-wording.ts';
import { Spool } from '../../../src/sources/http/spool.ts';
import { serveOnLoopback } from '../../loopback.ts';
import { createSourceRun } from '../source-run.ts';

const PAGE = 20;

/** A service with organisations P1, P2, …, and a fetch of all its pages. */
async function createPagesRun(context: TestContext, count: number) {
  const run = createSourceRun(context);
  const pages: number[] = [];
  const server = createServer(({ url: target = '' }, response) => {
    const page = Number(/_page=(\d+)/.exec(target)?.[1] ?? 1);
    pages.push(page);
    if (state.answer(page, response)) return;
    const { baseUrl, count: all } = state;
    const ids = Array.from({ length: all }, (_, i) => `P${i + 1}`);
    const bundle = {
      resourceType: 'Bundle',
      type: 'searchset',
      total: all as number | undefined,
      link: [
        ...(page * PAGE < all
          ? [{ relation: 'next', url: `${baseUrl}/Organization?_page=${page + 1}` }]
          : []),
      ],
      entry: ids.slice((page - 1) * PAGE, page * PAGE).map((id): object => ({
        resource: { resourceType: 'Organization', id },
        search: { mode: 'match' },
      })),
    };
    const body = state.change(bundle, page);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const baseUrl = `http://127.0.0.1:${await serveOnLoopback(context, server)}/fhir`;
  const path = join(run.data.fetch, '..', 'spool.ndjson');
  let kept: Part = startPart('a=b', baseUrl, run.nowMs);
  type Bundle = { total: number | undefined; link: object[]; entry: object[] };
  const state = {
    run,
    baseUrl,
    path,
    count,
    answer: (_page: number, _response: ServerResponse): boolean => false,
    change: (bundle: Bundle, _page: number): object | string => bundle,
    kept: () => kept,
    /** The pages requested since the last call. */
    asked: () => pages.splice(0),
    ids: () =>
      readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    fetch: async (more: Partial<FetchPagesOptions> = {}, stopped = run.options.stopped) => {
      const spool = new Spool(path);
      try {
        await fetchPages({
          ...run.options,
          baseUrl,
          client: run.createClient({ wording: r4Wording, stopped }),
          spool,
          part: kept,
          keep: (part) => {
            kept = part;
          },
          ...more,
        });
      } finally {
        spool.close();
      }
    },
  };
  return state;
}

type PagesRun = Awaited<ReturnType<typeof createPagesRun>>;

describe('pages that do not add up', () => {
  it('are refused if fewer organisations come than the total says', async (context) => {
    const run = await createPagesRun(context, 50);
    run.change = (bundle) => ({ ...bundle, total: 51 });
    await assert.rejects(run.fetch(), /says that there are 51 .* pages have 50: nothing is/);
    run.change = (bundle) => bundle;
    run.asked();
    await run.fetch();
    assert.deepEqual(run.asked(), [1, 2, 3]);
  });

  it('are counted by code: the same one twice is one', async (context) => {
    const run = await createPagesRun(context, 30);
    run.change = ({ entry, ...bundle }, page) => ({
      ...bundle,
      entry: page === 1 ? [...entry.slice(1), entry[1]] : entry,
    });
    await assert.rejects(run.fetch(), /says that there are 30 .* pages have 29/);
  });

  it('may have no total, and remarks and affiliations beside the matches', async (context) => {
    const run = await createPagesRun(context, 30);
    const affiliation = { resourceType: 'OrganizationAffiliation', id: '7' };
    run.change = ({ total: _, ...bundle }, page) => ({
      ...bundle,
      entry: [
        { search: { mode: 'outcome' }, resource: { resourceType: 'OperationOutcome' } },
        ...bundle.entry,
        ...(page === 1 ? [{ search: { mode: 'include' }, resource: affiliation }] : []),
      ],
    });
    await run.fetch();
    assert.equal(run.ids().length, 31);
    assert.ok(run.ids().includes('7'));
  });

  it('are fetched again if the total changes on the way', async (context) => {
    const run = await createPagesRun(context, 45);
    let isFirst = true;
    run.change = (bundle, page) => {
      if (page === 1 && isFirst) run.count += 1;
      if (page === 1) isFirst = false;
      return bundle;
    };
    await run.fetch();
    assert.equal(run.ids().length, 46);
    assert.deepEqual(run.asked(), [1, 2, 1, 2, 3]);
    assert.match(run.run.lines[0] ?? '', /45 organisations became 46\. Starting again\.$/);
  });

  it('are given up if the total changes each time', async (context) => {
    const run = await createPagesRun(context, 30);
    let total = 30;
    run.change = (bundle) => ({ ...bundle, total: total++ });
    await assert.rejects(run.fetch(), /changed while it was read: .*, 3 times in a row\./);
    assert.deepEqual(run.asked(), [1, 2, 1, 2, 1, 2]);
  });

  it('are given up if they go in circles', async (context) => {
    const run = await createPagesRun(context, 30);
    run.change = (bundle) => ({
      ...bundle,
      total: undefined,
      link: [{ relation: 'next', url: `${run.baseUrl}/Organization?_page=1` }],
    });
    await assert.rejects(run.fetch(), /The pages of \S+ repeat/);
    assert.deepEqual(run.asked(), [1, 1]);
  });

  it('are given up if they are more than may be unpacked', async (context) => {
    const run = await createPagesRun(context, 300);
    await assert.rejects(run.fetch({ bytesMax: 2000 }), /more than 2000 bytes.*unpackedMax/);
  });
});

describe('a body that is not a page', () => {
  for (const [name, body, message] of [
    ['no JSON', '<html>', /the body is not JSON in UTF-8\.$/],
    ['JSON that is cut off', '{"resourceType":"Bundle","entry":[{', /the body is not JSON/],
    [
      'nested without end',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      /the body is not a Bundle\.$/,
    ],
    ['no Bundle', '{"resourceType":"Organization"}', /resourceType is missing or not valid/],
    ['another Bundle', '{"resourceType":"Bundle","type":"history"}', /: type is missing or not/],
    ['a total in words', '{"resourceType":"Bundle","total":"many"}', /: total is missing or not/],
    ['an empty entry', '{"resourceType":"Bundle","entry":[{}]}', /: entry\.0 is missing or not/],
    [
      'another resource',
      '{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient","id":"1"}}]}',
      /: entry\.0/,
    ],
    [
      'an Organization without an id',
      '{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Organization"}}]}',
      /: entry\.0/,
    ],
    [
      'a next link without an address',
      '{"resourceType":"Bundle","link":[{"relation":"next"}]}',
      /: link\.0\.url/,
    ],
    ['beyond any size', ' '.repeat(33 * 1024 * 1024), /is longer than 33554432 bytes/],
  ] as const) {
    it(`is ${name}`, async (context) => {
      const run = await createPagesRun(context, 3);
      run.change = () => body;
      await assert.rejects(run.fetch(), message);
      assert.deepEqual(run.asked(), [1]);
    });
  }
});

describe('a next page that is gone', () => {
  it('makes the fetch start again', async (context) => {
    const run = await createPagesRun(context, 50);
    let gone = 1;
    run.answer = (page, response) => {
      if (page !== 3 || gone <= 0) return false;
      gone -= 1;
      response.writeHead(410).end();
      return true;
    };
    await run.fetch();
    assert.deepEqual(run.asked(), [1, 2, 3, 1, 2, 3]);
  });

  it('does so a few times only', async (context) => {
    const run = await createPagesRun(context, 50);
    run.answer = (page, response) => {
      if (page === 3) response.writeHead(410).end();
      return page === 3;
    };
    await assert.rejects(run.fetch(), /no longer has the next page, 3 times in a row/);
    assert.deepEqual(run.asked(), [1, 2, 3, 1, 2, 3, 1, 2, 3]);
  });

  it('is an error if it is the first one', async (context) => {
    const run = await createPagesRun(context, 3);
    run.answer = (_, response) => {
      response.writeHead(410).end();
      return true;
    };
    await assert.rejects(run.fetch(), /answers 410\.$/);
  });
});

/** A fetch that ended when it had two of three pages. */
async function interrupt(run: PagesRun): Promise<void> {
  const stop = new AbortController();
  run.answer = (page) => {
    if (page === 3) stop.abort(new Error('stopped'));
    return page === 3;
  };
  await assert.rejects(run.fetch({}, stop.signal), /stopped/);
  run.answer = () => false;
  assert.deepEqual(run.asked(), [1, 2, 3]);
}

describe('a fetch that was interrupted', () => {
  for (const [name, harm, pages] of [
    ['continues with the page that it stopped at', () => {}, [3]],
    [
      'passes over half a page that was being written',
      ({ path }: PagesRun) => appendFileSync(path, '{"resourceType":"Organization","id":"P9'),
      [3],
    ],
    ['starts again if pages are lost', ({ path }: PagesRun) => truncateSync(path, 1000), [1, 2, 3]],
  ] as const) {
    it(name, async (context) => {
      const run = await createPagesRun(context, 50);
      await interrupt(run);
      harm(run);
      await run.fetch();
      assert.equal(new Set(run.ids()).size, 50);
      assert.deepEqual(run.asked(), pages);
    });
  }

  for (const status of [400, 404, 410]) {
    it(`starts again if the page is gone by then: ${status}`, async (context) => {
      const run = await createPagesRun(context, 50);
      await interrupt(run);
      let gone = 1;
      run.answer = (_, response) => {
        gone -= 1;
        if (gone < 0) return false;
        response.writeHead(status).end();
        return true;
      };
      await run.fetch();
      assert.deepEqual(run.asked(), [3, 1, 2, 3]);
    });
  }

  it('ends after repeated failures, and says that it continues', async (context) => {
    const run = await createPagesRun(context, 30);
    run.answer = (page, response) => {
      if (page === 2) response.writeHead(503).end();
      return page === 2;
    };
    await assert.rejects(
      run.fetch(),
      /answers 503; the fetch tried 7 times\. Fetch again later: it continues from here\.$/,
    );
    assert.equal(run.kept().next, `${run.baseUrl}/Organization?_page=2`);
  });
});

describe('the address of a next page', () => {
  const base = 'https://directory.example/a/STU3';

  const from = `${base}/Organization`;
  for (const [link, address] of [
    [`${from}?_page=2`, `${from}?_page=2`],
    [`${from}?name=a b&_page=2#x`, `${from}?name=a%20b&_page=2`],
    ['?_page=2', `${from}?_page=2`],
    [`${base}?_getpages=7`, `${base}?_getpages=7`],
    ['HTTPS://DIRECTORY.example:443/a/STU3/Organization?_page=2', `${from}?_page=2`],
  ] as const) {
    it(`is followed: ${link}`, () => {
      assert.equal(nextAddress(link, from, base), address);
    });
  }
  for (const link of [
    'https://elsewhere.example/a/STU3/Organization?_page=2',
    'https://directory.example.elsewhere.example/a/STU3/Organization',
    'http://directory.example/a/STU3/Organization?_page=2',
    'https://directory.example:8443/a/STU3/Organization',
    'https://user:word@directory.example/a/STU3/Organization',
    'https://directory.example/other/Organization?_page=2',
    'https://directory.example/a/STU33/Organization',
    `${base}/../../admin`,
    `${base}/%2e%2e/admin`,
    '//elsewhere.example/a/STU3/Organization',
    'file:///etc/passwd',
    'http://[',
  ]) {
    it(`is not followed: ${link}`, () => {
      assert.throws(() => nextAddress(link, from, base), /is not below this address/);
    });
  }
});
