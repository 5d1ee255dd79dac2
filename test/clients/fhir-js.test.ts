/**
 * The directory as `fhir.js` sees it: https://github.com/FHIR/fhir.js. It asks by way of the
 * package `request`, which has had no new version since 2020 and has known weaknesses: it is
 * installed for this test alone, and talks to nobody but the server that the test starts.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { it } from 'node:test';
import { serveSample } from './serve-sample.ts';

/** What is used of the package here; it has no types. */
type MakeClient = (config: { readonly baseUrl: string }) => FhirJsClient;
interface FhirJsClient {
  conformance(asked: object): Promise<Answer>;
  read(asked: { readonly type: string; readonly id: string }): Promise<Answer>;
  search(asked: { readonly type: string; readonly query: object }): Promise<Answer>;
  nextPage(asked: { readonly bundle: object }): Promise<Answer>;
  prevPage(asked: { readonly bundle: object }): Promise<Answer>;
}
interface Answer {
  readonly status: number;
  readonly data: Resource;
}
interface Resource {
  readonly resourceType: string;
  readonly id: string;
  readonly total: number;
  readonly link: readonly { readonly relation: string }[];
  readonly entry: readonly { readonly resource: { readonly id: string } }[];
  readonly issue: readonly { readonly diagnostics: string }[];
}

const makeClient: MakeClient = createRequire(import.meta.url)('fhir.js');

it('fhir.js reads, searches, pages and hears of errors', async (context) => {
  const client = makeClient({ baseUrl: await serveSample(context) });
  const type = 'Organization';
  const codesOf = ({ data }: Answer) => data.entry.map(({ resource }) => resource.id);

  await context.test('reads what the server can do', async () => {
    const { data } = await client.conformance({});
    assert.equal(data.resourceType, 'CapabilityStatement');
  });

  await context.test('reads an organisation', async () => {
    const { status, data } = await client.read({ type, id: 'RTG' });
    assert.deepEqual([status, data.id], [200, 'RTG']);
  });

  await context.test('searches with its own words for modifiers, prefixes and both', async () => {
    const name = 'LEEDS TEACHING HOSPITALS NHS TRUST';
    const exact = await client.search({ type, query: { name: { $exact: name } } });
    assert.equal(exact.data.total, 1);
    const since = await client.search({ type, query: { _lastUpdated: { $gt: '2020-06' } } });
    assert.ok(since.data.total > 0);
    const either = await client.search({ type, query: { 'ods-org-role': { $or: [197, 198] } } });
    assert.ok(either.data.total > exact.data.total);
  });

  await context.test('pages forth and back through a search that repeats a parameter', async () => {
    const query = { 'ods-org-role': { $and: ['76', '177'] } };
    const first = await client.search({ type, query });
    const found = codesOf(first);
    let page = first;
    while (page.data.link.some(({ relation }) => relation === 'next')) {
      page = await client.nextPage({ bundle: page.data });
      found.push(...codesOf(page));
    }
    assert.ok(found.length > 20, 'more than a page');
    assert.equal(new Set(found).size, first.data.total);
    const second = await client.nextPage({ bundle: first.data });
    assert.deepEqual(codesOf(await client.prevPage({ bundle: second.data })), codesOf(first));
  });

  await context.test('gets the status and diagnostics of a refused request', async () => {
    const refused = (asked: Promise<Answer>) =>
      asked.then(
        () => assert.fail('it is refused'),
        ({ status, data }: Answer) => [status, data.issue[0]?.diagnostics],
      );
    assert.deepEqual(await refused(client.read({ type, id: 'NOPE' })), [
      404,
      'No record found for supplied ODS code',
    ]);
    assert.deepEqual(await refused(client.search({ type, query: { name: 'ab' } })), [
      400,
      'Supplied name needs a minimum of 3 Characters.',
    ]);
  });
});
