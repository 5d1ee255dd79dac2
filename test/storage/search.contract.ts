/** What the search of every store of order responses must do. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { FieldEntry, ResourceCriterion } from '../../src/fhir/search/criterion.ts';
import { DATE_PREFIXES } from '../../src/fhir/search/date.ts';
import type { SortKey } from '../../src/fhir/search/resource-search.ts';
import { fold } from '../../src/fhir/search/string.ts';
import type {
  ConditionalUpdate,
  MatchPage,
  Repository,
  SearchContinuation,
  SearchPageRequest,
  SearchStart,
} from '../../src/fhir/stored/repository.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { conditionOf } from './conditions.ts';
import { type Kept, naiveSearch } from './memory-search.ts';
import {
  ACCESS,
  type AuditedPlace,
  createOrder,
  identifierOf,
  type RepositoryPlace,
  TYPE,
  textOf,
  updateOrder,
} from './repository.contract.ts';

const FIRST: SearchStart = {
  type: TYPE,
  criteria: [],
  sort: [],
  count: 20,
  lengthMax: 1e9,
  candidatesMax: 1000,
  keepMs: 60_000,
  parameters: '',
};

const AS_SEARCH = { ...ACCESS, interaction: 'search-type' } as const;

async function pageOf(
  store: Repository,
  options: Partial<SearchStart> | Partial<SearchContinuation> = {},
): Promise<MatchPage> {
  const request: SearchPageRequest =
    'result' in options
      ? { result: '', offset: 0, type: TYPE, count: 20, lengthMax: 1e9, parameters: '', ...options }
      : { ...FIRST, ...options };
  const result = await store.search(request, AS_SEARCH);
  assert.ok(result.kind === 'found', result.kind);
  return result;
}

function idsOf({ matches }: MatchPage): string[] {
  return matches.map(({ id }) => id);
}

const byIdentifier = (code: string): ResourceCriterion => ({
  type: 'token',
  field: 'identifier',
  values: [{ code }],
});

export function describeSearch(makePlace: () => Promise<RepositoryPlace>): void {
  describe('the search of a repository', () => {
    let place: RepositoryPlace;
    let store: Repository;

    beforeEach(async () => {
      place = await makePlace();
      store = place.store;
    });
    afterEach(() => place.remove());

    it('finds current versions, the newest resource first', async () => {
      for (const id of ['a', 'b', 'c']) await createOrder(store, id, [identifierOf('1')]);
      await createOrder(store, 'd', [identifierOf('1')], undefined, 'Order');
      await updateOrder(store, 'a', { entries: [identifierOf('2')], note: 'second' });
      const page = await pageOf(store, { criteria: [byIdentifier('1')] });
      assert.deepEqual([idsOf(page), page.total, page.result], [['c', 'b'], 2, undefined]);
      const moved = await pageOf(store, { criteria: [byIdentifier('2')] });
      assert.deepEqual(moved.matches, [await store.read({ type: TYPE, id: 'a' }, ACCESS)]);
      assert.deepEqual(idsOf(await pageOf(store)), ['c', 'b', 'a']);
      assert.deepEqual(idsOf(await pageOf(store, { type: 'Order' })), ['d']);
    });

    it('leaves deleted resources out', async () => {
      for (const id of ['a', 'b']) await createOrder(store, id, [identifierOf('1')]);
      await store.delete({ type: TYPE, id: 'a', preconditions: {} }, ACCESS);
      assert.deepEqual(idsOf(await pageOf(store, { criteria: [byIdentifier('1')] })), ['b']);
      const byId = { type: 'token', field: '_id', values: [{ code: 'a' }] } as const;
      assert.deepEqual(idsOf(await pageOf(store, { criteria: [byId] })), []);
      assert.deepEqual(
        idsOf(await pageOf(store, { criteria: [{ type: 'not', criterion: byId }] })),
        ['b'],
      );
      await updateOrder(store, 'a');
      assert.deepEqual(idsOf(await pageOf(store, { criteria: [byId] })), ['a']);
    });

    it('keeps the matches of the first page for the links to the others', async () => {
      const one = [identifierOf('1')];
      for (const id of ['a', 'b', 'c', 'd', 'e']) await createOrder(store, id, one);
      const first = await pageOf(store, { count: 2, criteria: [byIdentifier('1')] });
      assert.deepEqual([idsOf(first), first.total, first.nextOffset], [['e', 'd'], 5, 2]);
      const { result = '' } = first;
      await createOrder(store, 'f', one);
      await updateOrder(store, 'c', { note: 'not 1 any more' });
      await store.delete({ type: TYPE, id: 'b', preconditions: {} }, ACCESS);
      const second = await pageOf(store, { result, offset: 2, count: 2 });
      assert.deepEqual([idsOf(second), second.total, second.nextOffset], [['c'], 5, 4]);
      assert.equal(second.matches[0]?.version, 2);
      const last = await pageOf(store, { result, offset: 4, count: 2 });
      assert.deepEqual([idsOf(last), last.total, last.nextOffset], [['a'], 5, undefined]);
      const beyond = await pageOf(store, { result, offset: Number.MAX_SAFE_INTEGER, count: 2 });
      assert.deepEqual([idsOf(beyond), beyond.total, beyond.nextOffset], [[], 5, undefined]);
    });

    it('counts a resource with several entries that match once', async () => {
      const system = 'https://example.org/ids';
      const entries = ['1', '2', '3'].map((code) => ({ field: 'identifier', system, code }));
      for (const id of ['a', 'b']) await createOrder(store, id, entries);
      const ofSystem = { type: 'token', field: 'identifier', values: [{ system }] } as const;
      const page = await pageOf(store, { criteria: [ofSystem], candidatesMax: 2 });
      assert.deepEqual([idsOf(page), page.total], [['b', 'a'], 2]);
      const sort = [{ field: '_id', isDescending: false }];
      const sorted = await pageOf(store, { criteria: [ofSystem], candidatesMax: 2, sort });
      assert.deepEqual([idsOf(sorted), sorted.total], [['a', 'b'], 2]);
      const search = { ...FIRST, criteria: [ofSystem], candidatesMax: 1 };
      assert.equal((await store.search(search, AS_SEARCH)).kind, 'too-costly');
    });

    it('has no matches under unknown or expired names', async () => {
      for (const id of ['a', 'b']) await createOrder(store, id);
      const { result = '' } = await pageOf(store, { count: 1, keepMs: 0 });
      assert.notEqual(result, '');
      for (const name of [result, 'none']) {
        const request = {
          type: TYPE,
          result: name,
          offset: 1,
          count: 1,
          lengthMax: 9,
          parameters: '',
        };
        assert.deepEqual(await store.search(request, AS_SEARCH), { kind: 'expired' });
      }
      const { result: ofType = '' } = await pageOf(store, { count: 1 });
      const request = {
        type: 'Order',
        result: ofType,
        offset: 0,
        count: 1,
        lengthMax: 9,
        parameters: '',
      };
      assert.deepEqual(await store.search(request, AS_SEARCH), { kind: 'expired' });
    });

    it('ends a page when its texts get too long', async () => {
      for (const id of ['a', 'b', 'c']) await createOrder(store, id);
      const page = await pageOf(store, { lengthMax: 1 });
      assert.deepEqual([idsOf(page), page.total, page.nextOffset], [['c'], 3, 1]);
      const { result = '' } = page;
      assert.deepEqual(idsOf(await pageOf(store, { result, offset: 1 })), ['b', 'a']);
    });

    it('goes on after a long match that is followed by a deleted one', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await createOrder(store, id);
      const { result = '', nextOffset } = await pageOf(store, { count: 1 });
      await store.delete({ type: TYPE, id: 'c', preconditions: {} }, ACCESS);
      const found: string[] = [];
      for (let offset = nextOffset; offset !== undefined; ) {
        const page = await pageOf(store, { result, offset, count: 4, lengthMax: 1 });
        found.push(...idsOf(page));
        offset = page.nextOffset;
      }
      assert.deepEqual(found, ['d', 'b', 'a']);
    });

    it('fills a page with an end from that end', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await createOrder(store, id);
      const { result = '' } = await pageOf(store, { count: 1 });
      await store.delete({ type: TYPE, id: 'c', preconditions: {} }, ACCESS);
      const back = async (offset: number, before: number, lengthMax = 1e9) => {
        const page = await pageOf(store, { result, offset, before, count: 4, lengthMax });
        return [idsOf(page), page.offset, page.nextOffset];
      };
      assert.deepEqual(await back(1, 4), [['d', 'b'], 1, 4]);
      assert.deepEqual(await back(1, 5), [['d', 'b', 'a'], 1, undefined]);
      assert.deepEqual(await back(1, 5, 1), [['a'], 4, undefined]);
      assert.deepEqual(await back(3, 3), [[], 3, 3]);
      const found: string[] = [];
      for (let before = 5; before > 0; ) {
        const page = await pageOf(store, { result, offset: 0, before, count: 9, lengthMax: 1 });
        found.push(...idsOf(page));
        before = page.offset;
      }
      assert.deepEqual(found, ['a', 'b', 'd', 'e']);
    });

    it('counts without matches', async () => {
      for (const id of ['a', 'b', 'c']) await createOrder(store, id);
      const counted = { kind: 'found', total: 3, matches: [], offset: 0 };
      assert.deepEqual(await pageOf(store, { count: 0 }), counted);
    });

    it('refuses a search that would look at too many resources', async () => {
      for (let at = 0; at < 12; at++)
        await createOrder(store, `${at}`, [identifierOf(`${at % 6}`)]);
      const search = (...criteria: ResourceCriterion[]) =>
        store.search({ ...FIRST, criteria, candidatesMax: 3 }, AS_SEARCH);
      const all: ResourceCriterion = { type: 'missing', field: 'identifier', isMissing: false };
      const other: ResourceCriterion = { type: 'not', criterion: byIdentifier('1') as never };
      assert.deepEqual(await search(), { kind: 'too-costly' });
      assert.deepEqual(await search(all), { kind: 'too-costly' });
      assert.deepEqual(await search(other), { kind: 'too-costly' });
      assert.equal((await search(byIdentifier('2'))).kind, 'found');
      assert.equal((await search(all, other, byIdentifier('2'))).kind, 'found');
    });

    it('creates nothing if a resource matches every criterion', async () => {
      const entries = [identifierOf('1'), { field: 'code', code: 'completed' }];
      await createOrder(store, 'a', entries);
      const create = (id: string, ...ifNoneExist: ResourceCriterion[]) =>
        store.create(
          { type: TYPE, id, text: textOf(id), entries, ifNoneExist: conditionOf(...ifNoneExist) },
          ACCESS,
        );
      const code = (code: string): ResourceCriterion => ({
        type: 'token',
        field: 'code',
        values: [{ code }],
      });
      const found = await create('b', byIdentifier('1'), code('completed'));
      assert.equal(found.kind === 'exists' && found.stored.id, 'a');
      assert.equal((await create('b', byIdentifier('1'), code('accepted'))).kind, 'stored');
      const both = await create('c', code('completed'));
      assert.deepEqual(both, { kind: 'several', count: 2 });
    });

    it('updates the one resource that matches, or creates one', async () => {
      const entries = [identifierOf('1')];
      const update = (id: string, options: Partial<ConditionalUpdate> = {}) =>
        store.updateMatching(
          {
            type: TYPE,
            id,
            text: textOf(id),
            entries,
            preconditions: {},
            condition: conditionOf(byIdentifier('1')),
            ...options,
          },
          { ...ACCESS, interaction: 'update' },
        );
      const created = await update('a');
      assert.ok(created.kind === 'stored');
      assert.deepEqual([created.stored.version, created.stored.method], [1, 'PUT']);
      const updated = await update('b');
      assert.ok(updated.kind === 'stored');
      assert.deepEqual([updated.stored.id, updated.stored.version], ['a', 2]);
      assert.equal(JSON.parse(updated.stored.text ?? '').id, 'a');
      assert.deepEqual(await update('b', { preconditions: { ifMatch: ['1'] } }), {
        kind: 'conflict',
        header: 'If-Match',
        currentVersion: 2,
        id: 'a',
      });
      assert.deepEqual(await update('b', { sentId: 'x' }), { kind: 'other-id', found: 'a' });
      const none = { condition: conditionOf(byIdentifier('2')) };
      assert.deepEqual(await update('b', { ...none, sentId: 'x' }), { kind: 'other-id' });
      const matched = { ...none, preconditions: { ifMatch: '*' } } as const;
      assert.deepEqual(await update('b', matched), { kind: 'absent' });
      await createOrder(store, 'c', entries);
      assert.deepEqual(await update('d'), { kind: 'several', count: 2 });
    });

    it('agrees with a comparison of all entries, for any resources and criteria', async () => {
      const kept: Kept[] = [];
      await fc.assert(
        fc.asyncProperty(fc.array(ENTRIES, { maxLength: 6 }), QUERIES, async (more, queries) => {
          for (const entries of more) {
            const id = `r${kept.length}`;
            const created = await store.create(
              { type: TYPE, id, text: textOf(id), entries },
              ACCESS,
            );
            assert.ok(created.kind === 'stored');
            kept.push({ type: TYPE, versions: [created.stored], entries });
          }
          for (const { criteria, sort } of queries) {
            const page = await pageOf(store, { criteria, sort, count: 1000 });
            const expected = naiveSearch({ type: TYPE, criteria, sort }, kept);
            assert.deepEqual(
              idsOf(page),
              expected.map(({ versions: [{ id }] }) => id),
            );
          }
        }),
        { numRuns: repetitions(8, 60) },
      );
    });
  });
}

/** For a store whose audit log can be read. */
export function describeAuditedSearch(makePlace: () => Promise<AuditedPlace>): void {
  it('a search is recorded with its parameters and what it returned', async (context) => {
    const place = await makePlace();
    context.after(() => place.remove());
    const { store } = place;
    for (const id of ['a', 'b', 'c']) await createOrder(store, id);
    const { result = '' } = await pageOf(store, { count: 2, parameters: 'code=x%26y' });
    await pageOf(store, { result, offset: 2, parameters: '_result=1' });
    const search = { ...FIRST, candidatesMax: 2, parameters: 'code=all' };
    assert.equal((await store.search(search, AS_SEARCH)).kind, 'too-costly');
    const expired = { type: TYPE, result: 'x', offset: 0, count: 1, lengthMax: 9, parameters: '' };
    assert.equal((await store.search(expired, AS_SEARCH)).kind, 'expired');
    const entries = (await place.entries()).filter(
      ({ interaction }) => interaction === 'search-type',
    );
    assert.deepEqual(
      entries.map(({ outcome, total, count, resources, parameters }) => [
        outcome,
        total,
        count,
        resources,
        parameters,
      ]),
      [
        ['found', 3, 2, ['c', 'b'], 'code=x%26y'],
        ['found', 3, 1, ['a'], '_result=1'],
        ['invalid', 0, 0, [], 'code=all'],
        ['absent', 0, 0, [], ''],
      ],
    );
    const digests = entries.map(({ parametersDigest = '' }) => parametersDigest);
    assert.equal(new Set(digests).size, 4);
    for (const digest of digests) assert.match(digest, /^[0-9a-f]{64}$/);
  });
}

const word = fc.constantFrom('a', 'A', 'ab', 'Äb', 'b', '\u{10FFFF}', 'a\u{10FFFF}c', 'Ω', '%');
const system = fc.constantFrom('', 'urn:s', 'urn:t');
const day = fc.integer({ min: -3, max: 3 }).map((days) => days * 86_400_000);
const period = fc
  .tuple(day, fc.constantFrom(1, 1000, 86_400_000, 3 * 86_400_000))
  .map(([start, length]) => ({ start, end: start + length }));
const prefix = fc.constantFrom('', '#', 'Order/', 'https://a.test/Order/');

const ENTRIES: fc.Arbitrary<FieldEntry[]> = fc.array(
  fc.oneof(
    fc
      .tuple(system, word)
      .map(([system, code]) => ({ field: 'identifier', code, ...(system !== '' && { system }) })),
    word.map((text) => ({ field: 'identifier:text', folded: fold(text), exact: text })),
    fc.tuple(prefix, word).map(([prefix, id]) => ({ field: 'request', prefix, id })),
    period.map((period) => ({ field: 'date', ...period })),
  ),
  { maxLength: 5 },
);

const values = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 3 });
const token = fc.record({ system, code: word }, { requiredKeys: [] });
const POSITIVE: fc.Arbitrary<Exclude<ResourceCriterion, { type: 'not' }>> = fc.oneof(
  fc
    .tuple(values(token), fc.constantFrom({}, { ignoreCase: true }))
    .map(([values, more]) => ({ type: 'token' as const, field: 'identifier', values, ...more })),
  values(fc.constantFrom('r0', 'r3', 'r7', 'none').map((code) => ({ code }))).map((values) => ({
    type: 'token' as const,
    field: '_id',
    values,
  })),
  fc
    .tuple(
      values(word),
      fc.constantFrom('startsWith' as const, 'contains' as const, 'exact' as const),
    )
    .map(([values, match]) => ({
      type: 'string' as const,
      field: 'identifier:text',
      match,
      values,
    })),
  values(fc.record({ id: word, prefixes: fc.array(prefix, { maxLength: 3 }) })).map((values) => ({
    type: 'reference' as const,
    field: 'request',
    values,
  })),
  values(
    fc.tuple(period, fc.constantFrom(...DATE_PREFIXES)).map(([period, prefix]) => ({
      prefix,
      ...period,
    })),
  ).map((values) => ({ type: 'date' as const, field: 'date', values })),
  fc.constantFrom('gt' as const, 'lt' as const).map((prefix) => ({
    type: 'date' as const,
    field: '_lastUpdated',
    values: [{ prefix, start: 0, end: 1 }],
  })),
  fc
    .tuple(fc.constantFrom('identifier', 'date', 'none', '_id', '_lastUpdated'), fc.boolean())
    .map(([field, isMissing]) => ({ type: 'missing' as const, field, isMissing })),
);
const CRITERION: fc.Arbitrary<ResourceCriterion> = fc.oneof(
  POSITIVE,
  POSITIVE.map((criterion) => ({ type: 'not' as const, criterion })),
);
const SORT_KEY: fc.Arbitrary<SortKey> = fc.record({
  field: fc.constantFrom('identifier', 'date', 'request', '_id', '_lastUpdated', 'none'),
  isDescending: fc.boolean(),
});
const QUERIES = fc.array(
  fc.record({
    criteria: fc.array(CRITERION, { maxLength: 3 }),
    sort: fc.array(SORT_KEY, { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 4 },
);
