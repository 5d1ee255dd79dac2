/** How a peer is asked: with pauses, again where that may help, and never anybody else. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { parsePeerAddress } from '../../../src/sources/fetch/sync-directory.ts';
import { freePort } from '../../loopback.ts';
import { manyRecords, startPeer } from './scripted-peer.ts';
import { createSyncRun } from './sync-run.ts';

describe('a peer that is in trouble', () => {
  for (const [name, fail, pauses] of [
    ['answers 503', (response: ServerResponse) => response.writeHead(503).end(), [500, 1000]],
    ['answers 502', (response: ServerResponse) => response.writeHead(502).end(), [500, 1000]],
    [
      'wants a pause in seconds',
      (response: ServerResponse) => response.writeHead(429, { 'Retry-After': '7' }).end(),
      [7000, 7000],
    ],
    [
      'wants a pause until a date',
      (response: ServerResponse) =>
        response.writeHead(503, { 'Retry-After': 'Tue, 15 Sep 2026 12:01:00 GMT' }).end(),
      [60_000, 1000],
    ],
    ['cuts the connection', (response: ServerResponse) => response.destroy(), [500, 1000]],
    [
      'cuts the body',
      (response: ServerResponse) => {
        response
          .writeHead(200, { 'Content-Type': 'application/xml', 'Content-Length': '100' })
          .write('<');
        setImmediate(() => response.destroy());
      },
      [500, 1000],
    ],
  ] as const) {
    it(`is asked again when it ${name}, after a pause that grows`, async (context) => {
      const peer = await startPeer(context, manyRecords(30));
      const run = createSyncRun(context);
      let failures = 0;
      peer.answer = (_, response) => {
        if (failures === 2) return false;
        failures += 1;
        fail(response);
        return true;
      };
      const { report } = await run.sync(peer.url);
      assert.equal(report.edition.records, 30);
      assert.deepEqual(run.pauses, pauses);
      assert.equal(run.lines.filter((line) => / Trying again in \d+ s\.$/.test(line)).length, 2);
    });
  }

  it('ends after repeated failures', async (context) => {
    const peer = await startPeer(context, manyRecords(30));
    const run = createSyncRun(context);
    peer.answer = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    await assert.rejects(
      run.sync(peer.url),
      /answers 503; the sync tried 7 times\. Sync again later\.$/,
    );
    assert.equal(peer.asked().length, 7);
  });

  it('quotes the reason of repeated failures', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    const run = createSyncRun(context);
    peer.answer = (_, response) => {
      const issue = [{ severity: 'error', code: 'transient', diagnostics: 'Being\nmended' }];
      response.writeHead(503).end(JSON.stringify({ resourceType: 'OperationOutcome', issue }));
      return true;
    };
    await assert.rejects(
      run.sync(peer.url),
      /answers 503 \("Being mended"\); the sync tried 7 times\. Sync again later\.$/,
    );
    assert.match(run.lines[0] ?? '', /answers 503 \("Being mended"\)\. Trying again in 1 s\.$/);
  });

  it('ends if the peer requests a pause that is too long', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    const run = createSyncRun(context);
    peer.answer = (_, response) => {
      response.writeHead(429, { 'Retry-After': '3600' }).end();
      return true;
    };
    await assert.rejects(run.sync(peer.url), /it requests a pause of 60 minutes/);
    assert.equal(peer.requests.length, 1);
  });

  it('does not wait for ever for a silent peer', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    const run = createSyncRun(context);
    let requests = 0;
    peer.answer = () => {
      requests += 1;
      return requests === 1;
    };
    const { report } = await run.sync(peer.url, { timeoutMs: 50 });
    assert.equal(report.edition.records, 3);
    assert.match(
      run.lines[0] ?? '',
      /cannot be read \(no data arrived in time\)\. Trying again in 1 s/,
    );
  });

  it('that is not there is named', async (context) => {
    const run = createSyncRun(context);
    const port = await freePort();
    await assert.rejects(
      run.sync(`http://127.0.0.1:${port}/STU3`),
      /\/current\.xml cannot be read \(ECONNREFUSED\); the sync tried 7 times/,
    );
  });

  it('cannot be asked on a port that is forbidden: no pause', async (context) => {
    const run = createSyncRun(context);
    await assert.rejects(run.sync('http://127.0.0.1:1/STU3'), {
      name: 'SourceError',
      message:
        'http://127.0.0.1:1/editions/current.xml cannot be read (bad port): the port is reserved for another ' +
        'protocol. Check the address.',
    });
    assert.deepEqual(run.pauses, []);
  });

  for (const [code, isAnsweredFirst, attempts, end] of [
    ['ENOTFOUND', false, 2, 'Check the address.'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', false, 2, 'Check the address.'],
    ['ENOTFOUND', true, 7, 'Sync again later.'],
    ['EAI_AGAIN', false, 7, 'Sync again later.'],
  ] as const) {
    const when = isAnsweredFirst ? 'after an answer' : 'from the first request on';
    it(`is asked ${attempts} times where there is ${code} ${when}`, async (context) => {
      const peer = await startPeer(context, manyRecords(3));
      peer.hasRelease = false;
      const run = createSyncRun(context);
      let faults = 0;
      const ask = async (url: string, init: RequestInit) => {
        if (isAnsweredFirst && url.endsWith('/current.xml')) return await fetch(url, init);
        faults += 1;
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
      };
      await assert.rejects(run.sync(peer.url, { fetch: ask }), ({ message }: Error) => {
        assert.ok(message.endsWith(`(${code}); the sync tried ${attempts} times. ${end}`), message);
        return true;
      });
      assert.equal(faults, attempts);
    });
  }
});

describe('an answer that ends the sync', () => {
  const outcome = { resourceType: 'OperationOutcome', issue: [{ diagnostics: 'No such\nthing' }] };
  for (const [name, status, headers, body, message] of [
    ['400 with a reason', 400, {}, JSON.stringify(outcome), /answers 400 \("No such thing"\)\.$/],
    ['401', 401, {}, '', /answers 401\. If it requires a token, .* --sync-token-file\.$/],
    ['403', 403, {}, 'no', /answers 403\./],
    ['500', 500, {}, '', /answers 500\. Sync again later\.$/],
    [
      'a redirect',
      302,
      { Location: 'https://elsewhere.example/STU3' },
      '',
      /redirects to https:\/\/elsewhere\.example\/STU3\. The sync does not follow redirects/,
    ],
    ['206', 206, {}, '', /answers 206\.$/],
  ] as const) {
    it(`is ${name}: one request, one line`, async (context) => {
      const peer = await startPeer(context, manyRecords(3));
      const run = createSyncRun(context);
      peer.answer = (_, response) => {
        response.writeHead(status, headers).end(body);
        return true;
      };
      await assert.rejects(run.sync(peer.url), ({ name: kind, message: line }: Error) => {
        assert.equal(kind, 'SourceError');
        assert.match(line, message);
        assert.doesNotMatch(line, /\n/);
        return true;
      });
      assert.equal(peer.requests.length, 1);
    });
  }
});

describe('the address of a peer', () => {
  it('is its FHIR base; the downloads of a Gazetteer are beside that', () => {
    assert.deepEqual(parsePeerAddress('HTTP://Localhost:8080/STU3/'), {
      baseUrl: 'http://localhost:8080/STU3',
      editionsUrl: 'http://localhost:8080/editions',
      isPrivate: true,
    });
    const { editionsUrl, isPrivate } = parsePeerAddress('http://directory.example/some/STU3');
    assert.equal(editionsUrl, 'http://directory.example/some/editions');
    assert.equal(isPrivate, false);
  });
  for (const text of [
    '',
    'directory.example',
    'ftp://a/STU3',
    'http://u:p@a/STU3',
    'http://a/b?c',
    'http://a/b#c',
  ]) {
    it(`is not "${text}"`, () => {
      assert.throws(
        () => parsePeerAddress(text),
        /^SourceError: (".*" is not an address|Give the FHIR)/,
      );
    });
  }
});

describe('an address below the FHIR base', () => {
  for (const place of ['Organization', 'Organization/', 'metadata']) {
    it(`is not taken for it: ${place}`, () => {
      assert.throws(() => parsePeerAddress(`https://directory.example/STU3/${place}`), {
        name: 'SourceError',
        message: `Give the FHIR base, without /${place.replace('/', '')}: https://directory.example/STU3.`,
      });
    });
  }
});

describe('a token', () => {
  it('goes to the peer with every request, and to no other server', async (context) => {
    const elsewhere = await startPeer(context, manyRecords(30));
    const peer = await startPeer(context, manyRecords(30));
    peer.hasRelease = false;
    const run = createSyncRun(context);
    await run.sync(peer.url, { token: 'secret' });
    assert.deepEqual(
      peer.requests.map(({ token }) => token),
      Array.from({ length: 2 }, () => 'Bearer secret'),
    );
    peer.answer = (_, response) => {
      response.writeHead(307, { Location: `${elsewhere.origin}/editions/current.xml` }).end();
      return true;
    };
    await assert.rejects(run.sync(peer.url, { token: 'secret', isFull: true }), /redirects to/);
    assert.deepEqual(elsewhere.requests, []);
  });

  it('is not sent where there is none', async (context) => {
    const peer = await startPeer(context, manyRecords(3));
    await createSyncRun(context).sync(peer.url);
    assert.deepEqual([...new Set(peer.requests.map(({ token }) => token))], [undefined]);
  });
});
