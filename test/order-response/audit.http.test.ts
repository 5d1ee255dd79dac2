/** The audit log over HTTP: each parameter of its search, its pages, what a read has, and refusals. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry } from '../../src/fhir/audit/audit.ts';
import { auditEvent } from '../../src/fhir/audit/audit-event.ts';
import { DSTU2 } from '../../src/fhir/definitions/fhir-version.ts';
import { checkResource } from '../../src/fhir/rules/check-resource.ts';
import type { Repository } from '../../src/fhir/stored/repository.ts';
import { placeInThisThread } from '../storage/repository-place.ts';
import { AUDIT_CASES, REFUSED_AUDIT_SEARCHES } from './audit-cases.ts';
import {
  type Answer,
  BASE,
  EXAMPLE,
  JSON_TYPE,
  type OrderServer,
  startOrdersOf,
} from './order-server.ts';
import { FORMATS, requirePrivate, resourceIn } from './wire-formats.ts';

const START = Date.parse('2026-11-21T09:30:00.123Z');
const HOUR_MS = 3_600_000;
const FORM = 'application/x-www-form-urlencoded';

/** The entries that the tests look for; those of the tests themselves come after them. */
const ENTRIES = 10;

interface AuditedServer {
  readonly server: OrderServer<Repository>;
  readonly entries: () => readonly AuditEntry[];
  readonly ids: { readonly a: string; readonly b: string };
  close(): Promise<void>;
}

const ABOUT_P1 = {
  ...EXAMPLE,
  contained: [
    { ...EXAMPLE.contained[0], subject: { reference: 'Patient/p1' } },
    ...EXAMPLE.contained.filter(({ id }) => id === 'prac'),
  ],
};

/** Each entry is an hour after the one before it. */
async function started(): Promise<AuditedServer> {
  let nowMs = START;
  const place = await placeInThisThread({ now: () => new Date(nowMs) });
  const server = await startOrdersOf(place.store, { profile: 'base' });
  const step = async (act: () => Promise<unknown>) => {
    await act();
    nowMs += HOUR_MS;
  };
  const as = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': JSON_TYPE });
  const ids = { a: '', b: '' };
  await step(async () => {
    ids.a = await server.create(ABOUT_P1);
  });
  await step(async () => {
    ids.b = await server.create(EXAMPLE);
  });
  const path = `OrderResponse/${ids.a}`;
  await step(() => server.send('GET', path, as('reader')));
  const changed = JSON.stringify({ ...ABOUT_P1, id: ids.a, description: 'changed' });
  await step(() => server.send('PUT', path, as('writer'), changed));
  await step(() => server.send('GET', 'OrderResponse/none', as('reader')));
  await step(() => server.send('GET', 'OrderResponse?_count=5', as('reader')));
  await step(() => server.send('GET', path, as('writer')));
  await step(() => server.send('POST', 'OrderResponse', as('all'), '{}'));
  await step(async () => {
    await server.send('GET', `OrderResponse/${ids.b}/_history`, as('all'));
    // It is counted, and recorded before the next entry.
    await server.send('GET', path, { authorization: '' });
  });
  await server.send('GET', 'AuditEvent/1', as('auditor'));
  return {
    server,
    entries: place.entries,
    ids,
    close: async () => {
      await server.close();
      await place.remove();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a Bundle in an answer, whose content the tests check
type Bundle = any;

const numbersIn = (bundle: Bundle): number[] =>
  (bundle.entry ?? []).map(({ resource }: Bundle) => Number(resource.id));
const linkOf = (bundle: Bundle, wanted: string): string | undefined =>
  bundle.link.find(({ relation }: Bundle) => relation === wanted)?.url;
const ASCENDING = (a: number, b: number) => a - b;

for (const [format, { type }] of Object.entries(FORMATS)) {
  const send = (
    { server }: AuditedServer,
    method: string,
    path: string,
    headers = {},
    body?: string,
  ): Promise<Answer> =>
    server.send(
      method,
      path.startsWith(BASE) ? path.slice(BASE.length + 1) : path,
      { accept: type, authorization: 'Bearer auditor', ...headers },
      body,
    );
  const bundleOn = async (audited: AuditedServer, query: string): Promise<Bundle> => {
    const path = query.startsWith(BASE) ? query : `AuditEvent?${query}`;
    const answer = await send(audited, 'GET', path);
    assert.equal(answer.status, 200, `${query}: ${answer.text}`);
    assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`);
    requirePrivate(answer);
    return resourceIn(answer);
  };

  describe(`a search parameter of the audit log in ${format}`, () => {
    let audited: AuditedServer;
    before(async () => {
      audited = await started();
    });
    after(() => audited.close());

    for (const [name, values] of Object.entries(AUDIT_CASES)) {
      it(`finds by ${name}`, async () => {
        const { a, b } = audited.ids;
        for (const [value, expected] of Object.entries(values)) {
          const sent = value.replaceAll('{a}', a).replaceAll('{b}', b).replaceAll('{base}', BASE);
          const bundle = await bundleOn(audited, `${name}=${sent}&_sort=date&_count=12`);
          const found = numbersIn(bundle).filter((number) => number <= ENTRIES);
          assert.deepEqual(found.toSorted(ASCENDING), expected, `${name}=${value}`);
        }
      });
    }

    for (const [query, problem] of REFUSED_AUDIT_SEARCHES) {
      it(`is refused for ${query}`, async () => {
        const answer = await send(audited, 'GET', `AuditEvent?${query}`);
        assert.equal(answer.status, 400, answer.text);
        const [issue] = resourceIn(answer).issue;
        assert.match(issue.diagnostics, problem);
      });
    }
  });

  describe(`the audit log over HTTP in ${format}`, () => {
    let audited: AuditedServer;
    before(async () => {
      audited = await started();
    });
    after(() => audited.close());

    const FIRST = 'date=2026-11-21&_id=1,2,3,4,5,6,7,8,9,10';

    it('has each entry as a valid AuditEvent of DSTU2, which a read shows too', async () => {
      const bundle = await bundleOn(audited, `${FIRST}&_count=100`);
      assert.deepEqual([bundle.type, bundle.total], ['searchset', ENTRIES]);
      assert.deepEqual(numbersIn(bundle), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      for (const { fullUrl, search, resource } of bundle.entry) {
        assert.equal(fullUrl, `${BASE}/AuditEvent/${resource.id}`);
        assert.deepEqual(search, { mode: 'match' });
        assert.deepEqual(checkResource(resource, DSTU2.definitions), []);
        const entry = audited.entries().find(({ number }) => number === Number(resource.id));
        assert.ok(entry);
        assert.deepEqual(resource, JSON.parse(JSON.stringify(auditEvent(entry))));
        const read = await send(audited, 'GET', `AuditEvent/${resource.id}`);
        assert.equal(read.status, 200);
        requirePrivate(read);
        assert.deepEqual(resourceIn(read), resource);
        assert.equal(read.headers.get('etag'), 'W/"1"');
        assert.ok(read.headers.get('last-modified'));
        assert.equal(read.headers.get('content-location'), null);
        const again = await send(audited, 'GET', `AuditEvent/${resource.id}`, {
          'if-none-match': 'W/"1"',
        });
        assert.equal(again.status, 304);
      }
    });

    it('has no entry with another id', async () => {
      for (const id of ['0', '01', '999999', '2-1', 'x']) {
        const answer = await send(audited, 'GET', `AuditEvent/${id}`);
        assert.equal(answer.status, 404, id);
        assert.match(
          resourceIn(answer).issue[0].diagnostics,
          /^There is no AuditEvent with this id/,
        );
      }
    });

    it('is sorted by date', async () => {
      const ascending = await bundleOn(audited, `${FIRST}&_sort=date`);
      assert.deepEqual(numbersIn(ascending), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      for (const query of ['_sort:desc=date', '_sort:asc=date&_sort:desc=date']) {
        const numbers = numbersIn(await bundleOn(audited, `${FIRST}&${query}`));
        assert.equal(numbers[0], query.startsWith('_sort:desc') ? 10 : 1);
      }
    });

    it('has exact totals, and only the parts that the client wants', async () => {
      for (const query of ['_summary=count', '_count=0']) {
        const { total, entry, link } = await bundleOn(audited, `${FIRST}&action=C&${query}`);
        assert.deepEqual([total, entry, link.length], [3, undefined, 1]);
      }
      const { entry } = await bundleOn(audited, '_id=1&_elements=event');
      const [{ resource }] = entry;
      assert.ok(resource.event && resource.participant && resource.source);
      assert.equal(resource.object, undefined);
      assert.equal(resource.meta.tag[0].code, 'SUBSETTED');
    });

    it('is found by a form too', async () => {
      const headers = { 'content-type': FORM };
      const path = 'AuditEvent/_search?action=C';
      const answer = await send(audited, 'POST', path, headers, 'date=2026-11-21T10:30Z');
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(numbersIn(resourceIn(answer)), [2]);
    });

    it('is found by POST without a body', async () => {
      const path = 'AuditEvent/_search?action=C&date=2026-11-21T10:30Z';
      const answer = await send(audited, 'POST', path);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(numbersIn(resourceIn(answer)), [2]);
    });

    it('records its own searches and reads, which it then finds', async () => {
      const query = 'user=subject%20of%20writer&_count=2';
      const page = await bundleOn(audited, query);
      const searched = audited.entries().at(-1);
      assert.deepEqual(
        [searched?.interaction, searched?.resourceType, searched?.subject, searched?.parameters],
        ['search-type', 'AuditEvent', 'subject of auditor', query],
      );
      assert.deepEqual(searched?.resources, numbersIn(page).map(String));
      await send(audited, 'GET', 'AuditEvent/7');
      const read = audited.entries().at(-1);
      assert.deepEqual([read?.interaction, read?.resource], ['read', '7']);
      const about = await bundleOn(audited, 'reference=AuditEvent/7');
      assert.equal(numbersIn(about)[0], read?.number);
    });

    it('is valid if a client asked for an id with characters that XML cannot hold', async () => {
      for (const id of ['a%01b', 'a%00b', 'a%EF%BF%BEb']) {
        await send(audited, 'GET', `OrderResponse/${id}`, { authorization: 'Bearer reader' });
        const { entry } = await bundleOn(audited, 'user=subject%20of%20reader&_count=1');
        assert.deepEqual(entry[0].resource.object[0].reference, {
          display: 'OrderResponse/a\uFFFDb',
        });
      }
    });

    it('needs its own scope, and records requests without it', async () => {
      for (const token of ['all', 'reader', 'writer']) {
        for (const path of ['AuditEvent', 'AuditEvent?action=C', 'AuditEvent/1']) {
          const answer = await send(audited, 'GET', path, { authorization: `Bearer ${token}` });
          assert.equal(answer.status, 403, `${token} ${path}`);
          assert.match(resourceIn(answer).issue[0].diagnostics, /AuditEvent\.read/);
          const { outcome, resourceType } = audited.entries().at(-1) ?? {};
          assert.deepEqual([outcome, resourceType], ['forbidden', 'AuditEvent']);
        }
      }
      assert.equal((await send(audited, 'GET', `OrderResponse/${audited.ids.a}`)).status, 403);
      const none = await send(audited, 'GET', 'AuditEvent/1', { authorization: '' });
      assert.equal(none.status, 401);
    });

    it('cannot be written, and has no history', async () => {
      const headers = { 'content-type': JSON_TYPE };
      const refused: readonly (readonly [method: string, path: string, allow: string | null])[] = [
        ['POST', 'AuditEvent', 'GET, HEAD, OPTIONS'],
        ['PUT', 'AuditEvent/1', 'GET, HEAD, OPTIONS'],
        ['PUT', 'AuditEvent?_id=1', 'GET, HEAD, OPTIONS'],
        ['PATCH', 'AuditEvent/1', 'GET, HEAD, OPTIONS'],
        ['DELETE', 'AuditEvent/1', 'GET, HEAD, OPTIONS'],
        ['GET', 'AuditEvent/_history', null],
        ['GET', 'AuditEvent/1/_history', null],
        ['GET', 'AuditEvent/1/_history/1', null],
        ['POST', 'AuditEvent/$validate', null],
      ];
      for (const [method, path, allow] of refused) {
        const body = method === 'GET' ? undefined : '{}';
        const answer = await send(audited, method, path, headers, body);
        assert.equal(answer.status, allow === null ? 404 : 405, `${method} ${path}`);
        assert.equal(answer.headers.get('allow'), allow, `${method} ${path}`);
      }
    });

    it('is no part of the feed of all types, for which no other scope is needed', async () => {
      const answer = await send(audited, 'GET', '_history', { authorization: 'Bearer reader' });
      assert.equal(answer.status, 200);
      const types = resourceIn(answer).entry.map(({ resource }: Bundle) => resource.resourceType);
      assert.deepEqual([...new Set(types)], ['OrderResponse']);
    });

    it('can be read and searched by the entries of a batch, with the scope', async () => {
      const entry = ['AuditEvent/1', 'AuditEvent?_id=2', 'OrderResponse?_count=1'].map((url) => ({
        request: { method: 'GET', url },
      }));
      const body = JSON.stringify({ resourceType: 'Bundle', type: 'batch', entry });
      const headers = { 'content-type': JSON_TYPE, prefer: 'return=representation' };
      const answer = await send(
        audited,
        'POST',
        '',
        { ...headers, authorization: 'Bearer all' },
        body,
      );
      assert.equal(answer.status, 200, answer.text);
      const statuses = resourceIn(answer).entry.map(({ response }: Bundle) => response.status);
      assert.deepEqual(
        statuses.map((status: string) => status.slice(0, 3)),
        ['403', '403', '200'],
      );
    });

    it('is in the conformance statement as a type that clients read', async () => {
      const answer = await send(audited, 'GET', 'metadata');
      const [{ resource: types }] = resourceIn(answer).rest;
      const own = types.find((each: Bundle) => each.type === 'AuditEvent');
      assert.deepEqual(
        own.interaction.map(({ code }: Bundle) => code),
        ['read', 'search-type'],
      );
      assert.equal(own.versioning, 'no-version');
      const names = own.searchParam.map(({ name }: Bundle) => name);
      assert.deepEqual(
        names.filter((name: string) => !name.startsWith('_')),
        ['date', 'user', 'reference', 'patient', 'patient.identifier', 'action'],
      );
    });
  });
}

for (const [format, { type }] of Object.entries(FORMATS)) {
  it(`the pages of the audit log in ${format} have the matches of the first page`, async (context) => {
    const place = await placeInThisThread();
    context.after(() => place.remove());
    const server = await startOrdersOf(place.store);
    context.after(() => server.close());
    const headers = { accept: type, authorization: 'Bearer auditor' };
    const bundleAt = async (path: string): Promise<Bundle> => {
      const answer = await server.send('GET', path.replace(`${BASE}/`, ''), headers);
      assert.equal(answer.status, 200, answer.text);
      return resourceIn(answer);
    };
    for (let at = 0; at < 10; at++) await server.send('GET', `OrderResponse/${at}`);
    const page = await bundleAt('AuditEvent?user=test&_count=4');
    assert.deepEqual([numbersIn(page), page.total], [[10, 9, 8, 7], 10]);
    const next = await bundleAt(linkOf(page, 'next') ?? '');
    assert.deepEqual([numbersIn(next), next.total], [[6, 5, 4, 3], 10]);
    const last = await bundleAt(linkOf(next, 'last') ?? '');
    assert.deepEqual(numbersIn(last), [2, 1]);
    assert.equal(linkOf(last, 'next'), undefined);
    const previous = await bundleAt(linkOf(last, 'previous') ?? '');
    assert.deepEqual(numbersIn(previous), [6, 5, 4, 3]);
    const path = (linkOf(page, 'next') ?? '').replace(`${BASE}/AuditEvent`, 'OrderResponse');
    const other = await server.send('GET', path, { ...headers, authorization: 'Bearer reader' });
    assert.equal(other.status, 410);
  });
}

it('a search that has to read too much of the audit log is refused', async (context) => {
  const place = await placeInThisThread();
  context.after(() => place.remove());
  const server = await startOrdersOf(place.store, { searchMatchesMax: 3 });
  context.after(() => server.close());
  const search = (query: string) =>
    server.send('GET', `AuditEvent?${query}`, {
      accept: JSON_TYPE,
      authorization: 'Bearer auditor',
    });
  for (let at = 0; at < 4; at++) await server.send('GET', `OrderResponse/${at}`);
  const answer = await search('user=test');
  assert.equal(answer.status, 400);
  const [issue] = resourceIn(answer).issue;
  assert.equal(issue.code, 'too-costly');
  assert.match(issue.diagnostics, /Add a parameter that fewer entries match, such as date/);
  assert.equal(resourceIn(await search('reference=OrderResponse/2&user=test')).total, 1);
});
