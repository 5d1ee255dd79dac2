/** What the search of the audit log must do in every store of order responses. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Access, AuditEntry } from '../../src/fhir/audit/audit.ts';
import {
  AUDIT_EVENT,
  AUDIT_EVENT_SEARCH,
  auditEvent,
  auditEventId,
} from '../../src/fhir/audit/audit-event.ts';
import {
  type FieldEntry,
  matches,
  type ResourceCriterion,
} from '../../src/fhir/search/criterion.ts';
import { DATE_PREFIXES } from '../../src/fhir/search/date.ts';
import { entriesOf } from '../../src/fhir/search/resource-parameter.ts';
import type {
  MatchPage,
  Repository,
  SearchContinuation,
  SearchStart,
} from '../../src/fhir/stored/repository.ts';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { ACCESS, type AuditedPlace, createOrder, TYPE, textOf } from './repository.contract.ts';

const FIRST: SearchStart = {
  type: AUDIT_EVENT,
  criteria: [],
  sort: [],
  count: 1000,
  lengthMax: 1e9,
  candidatesMax: 10_000,
  keepMs: 60_000,
  parameters: '',
};

const AS_AUDITOR: Access = { ...ACCESS, interaction: 'search-type' };

async function pageOf(store: Repository, options: Partial<SearchStart> = {}): Promise<MatchPage> {
  const result = await store.search({ ...FIRST, ...options }, AS_AUDITOR);
  assert.ok(result.kind === 'found', result.kind);
  return result;
}

function idsOf({ matches }: MatchPage): string[] {
  return matches.map(({ id }) => id);
}

/** The entries of the index that an audit entry stands for. */
function fieldsOf(entry: AuditEntry): FieldEntry[] {
  const own = entriesOf(auditEvent(entry), AUDIT_EVENT_SEARCH.parameters);
  return [{ field: '_id', code: auditEventId(entry) }, ...own];
}

const referringTo = (...references: string[]): ResourceCriterion => ({
  type: 'reference',
  field: 'reference',
  values: references.map((reference) => {
    const [type = '', id = ''] = reference.split('/');
    return { id, prefixes: [`${type}/`] };
  }),
});

const ofUser = (...users: string[]): ResourceCriterion => ({
  type: 'token',
  field: 'user',
  values: users.map((code) => ({ code })),
});

const WRITES: ResourceCriterion = { type: 'token', field: 'action', values: [{ code: 'C' }] };

export function describeAuditSearch(
  makePlace: (options?: { readonly now: () => Date }) => Promise<AuditedPlace>,
): void {
  describe('the search of the audit log', () => {
    let place: AuditedPlace;
    let store: Repository;

    beforeEach(async () => {
      place = await makePlace();
      store = place.store;
    });
    afterEach(() => place.remove());

    it('finds entries as resources, the newest first', async () => {
      for (const id of ['a', 'b']) await createOrder(store, id);
      await store.read({ type: TYPE, id: 'none' }, { ...ACCESS, interaction: 'read' });
      const page = await pageOf(store);
      assert.deepEqual([idsOf(page), page.total], [['3', '2', '1'], 3]);
      const expected = (await place.entries()).slice(0, 3).map((entry) => ({
        id: auditEventId(entry),
        version: 1,
        writtenAt: entry.recordedAt,
        method: 'POST',
        text: JSON.stringify(auditEvent(entry)),
      }));
      assert.deepEqual(page.matches.toReversed(), expected);
      const read = await store.read({ type: AUDIT_EVENT, id: '2' }, ACCESS);
      assert.deepEqual(read, expected[1]);
    });

    it('does not read an entry that does not exist', async () => {
      await createOrder(store, 'a');
      // The read itself is the next entry.
      for (const id of ['2', '0', '01', '99', '1-1', '7-1', 'a', '1'.repeat(64)]) {
        assert.equal(await store.read({ type: AUDIT_EVENT, id }, ACCESS), undefined, id);
      }
      assert.ok(await store.read({ type: AUDIT_EVENT, id: '2' }, ACCESS));
    });

    it('is itself recorded, like a read', async () => {
      await createOrder(store, 'a');
      await pageOf(store, { parameters: 'user=dr-1' });
      await store.read({ type: AUDIT_EVENT, id: '1' }, { ...ACCESS, interaction: 'read' });
      const about = await pageOf(store, { criteria: [referringTo(`${AUDIT_EVENT}/1`)] });
      assert.deepEqual(idsOf(about), ['3', '2']);
      const [, search, read] = await place.entries();
      assert.deepEqual(
        [search?.interaction, search?.resourceType, search?.total, search?.resources],
        ['search-type', AUDIT_EVENT, 1, ['1']],
      );
      assert.equal(search?.parameters, 'user=dr-1');
      assert.deepEqual([read?.interaction, read?.outcome, read?.resource], ['read', 'found', '1']);
    });

    it('finds what a search showed, and resources that a request did not find', async () => {
      for (const id of ['a', 'b', 'c']) await createOrder(store, id);
      const { kind } = await store.search({ ...FIRST, type: TYPE, count: 2 }, AS_AUDITOR);
      assert.equal(kind, 'found');
      const refusal = { reason: 'forbidden', type: TYPE, id: 'a' } as const;
      await store.recordRefusal(refusal, { ...ACCESS, interaction: 'read' });
      const about = async (...references: string[]) =>
        idsOf(await pageOf(store, { criteria: [referringTo(...references)] }));
      assert.deepEqual(await about(`${TYPE}/a`), ['5', '1']);
      assert.deepEqual(await about(`${TYPE}/c`), ['4', '3']);
      assert.deepEqual(await about(`${TYPE}/a`, `${TYPE}/c`), ['5', '4', '3', '1']);
      assert.deepEqual(await about('Order/a'), []);
    });

    it('continues after a request with a character that a store cannot hold', async () => {
      const absent = { ...ACCESS, interaction: 'read', identity: { subject: '\0' } } as const;
      assert.equal(await store.read({ type: TYPE, id: '\0' }, absent), undefined);
      await createOrder(store, 'a');
      const about = (criterion: ResourceCriterion) => pageOf(store, { criteria: [criterion] });
      assert.deepEqual(idsOf(await about(referringTo(`${TYPE}/a`, `${TYPE}/\0b`))), ['2']);
      assert.deepEqual(idsOf(await about(ofUser('dr-1', '\0b'))), ['3', '2']);
      const { kind } = await store.search(
        {
          ...FIRST,
          type: TYPE,
          criteria: [{ type: 'token', field: '_id', values: [{ code: '\0' }] }],
        },
        AS_AUDITOR,
      );
      assert.equal(kind, 'found');
      assert.deepEqual(await place.findings(), []);
    });

    it('finds the entries about the resources of a patient', async () => {
      const entries = [
        { field: 'request.patient.identifier', system: 'urn:nhs', code: '9434765919' },
        { field: 'request.patient', prefix: 'Patient/', id: 'p1' },
      ];
      await createOrder(store, 'a');
      await store.create({ type: TYPE, id: 'b', text: textOf('b'), entries }, ACCESS);
      await store.read({ type: TYPE, id: 'b' }, { ...ACCESS, interaction: 'read' });
      const byIdentifier: ResourceCriterion = {
        type: 'token',
        field: 'patient.identifier',
        values: [{ system: 'urn:nhs', code: '9434765919' }],
      };
      const byReference: ResourceCriterion = {
        type: 'reference',
        field: 'patient',
        values: [{ id: 'p1', prefixes: ['Patient/'] }],
      };
      for (const criterion of [byIdentifier, byReference]) {
        assert.deepEqual(idsOf(await pageOf(store, { criteria: [criterion] })), ['3', '2']);
      }
      await store.delete({ type: TYPE, id: 'b', preconditions: {} }, ACCESS);
      assert.deepEqual(idsOf(await pageOf(store, { criteria: [byReference] })), []);
    });

    it('keeps the matches of the first page for the links to the others', async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await createOrder(store, id);
      const first = await pageOf(store, { count: 2 });
      assert.deepEqual([idsOf(first), first.total, first.nextOffset], [['5', '4'], 5, 2]);
      const { result = '' } = first;
      const next: SearchContinuation = {
        type: AUDIT_EVENT,
        result,
        offset: 4,
        count: 2,
        lengthMax: 1e9,
        parameters: '',
      };
      const last = await store.search(next, AS_AUDITOR);
      assert.ok(last.kind === 'found');
      assert.deepEqual([idsOf(last), last.total], [['1'], 5]);
      const ofOther = await store.search({ ...next, type: TYPE }, AS_AUDITOR);
      assert.deepEqual(ofOther, { kind: 'expired' });
    });

    it('is sorted by date, and counts without matches', async () => {
      for (const id of ['a', 'b', 'c']) await createOrder(store, id);
      const sorted = async (isDescending: boolean) => {
        const sort = [{ field: 'date', isDescending }];
        return idsOf(await pageOf(store, { sort, count: 3 }));
      };
      assert.deepEqual(await sorted(false), ['1', '2', '3']);
      assert.deepEqual(await sorted(true), ['4', '3', '2']);
      const counted = { kind: 'found', total: 5, matches: [], offset: 0 };
      assert.deepEqual(await pageOf(store, { count: 0 }), counted);
    });

    it('lists entries of one date in the order of the log, or in the reverse order', async () => {
      const noon = new Date('2026-11-21T12:00:00Z');
      await place.remove();
      place = await makePlace({ now: () => noon });
      await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => createOrder(place.store, id)));
      const sorted = async (isDescending: boolean) => {
        const sort = [{ field: 'date', isDescending }];
        return idsOf(await pageOf(place.store, { sort, criteria: [WRITES] }));
      };
      const inLog = (await place.entries()).slice(0, 5).map(auditEventId);
      assert.deepEqual(await sorted(false), inLog);
      assert.deepEqual(await sorted(true), inLog.toReversed());
    });

    it('refuses a search with more matches than the limit', async () => {
      for (let at = 0; at < 5; at++) await createOrder(store, `${at}`);
      const search = (...criteria: ResourceCriterion[]) =>
        store.search({ ...FIRST, criteria, candidatesMax: 4 }, AS_AUDITOR);
      assert.deepEqual(await search(), { kind: 'too-costly' });
      assert.deepEqual(await search(ofUser('dr-1')), { kind: 'too-costly' });
      assert.equal((await search(referringTo(`${TYPE}/3`))).kind, 'found');
      assert.equal((await search(ofUser('dr-1'), referringTo(`${TYPE}/3`))).kind, 'found');
    });

    it('agrees with a comparison of all entries, for any accesses and criteria', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(ACCESSES, { maxLength: 8 }), QUERIES, async (more, queries) => {
          for (const { id, isRefused, ...access } of more) {
            const own = { ...access, address: '192.0.2.1', requestId: 'r' };
            if (isRefused) await store.recordRefusal({ reason: 'invalid', type: TYPE, id }, own);
            else if (access.interaction === 'read') await store.read({ type: TYPE, id }, own);
            else await store.search({ ...FIRST, type: TYPE, count: 3 }, own);
            await createOrder(store, `${id}-${(await place.entries()).length}`);
          }
          for (const criteria of queries) {
            const entries = await place.entries();
            const expected = entries
              .filter((entry) => criteria.every((each) => matches(each, fieldsOf(entry))))
              .map(auditEventId);
            const page = await pageOf(store, { criteria });
            assert.deepEqual(idsOf(page), expected.toReversed());
          }
        }),
        { numRuns: repetitions(8, 40) },
      );
      assert.deepEqual(await place.findings(), []);
    });
  });
}

const ID = fc.constantFrom('a', 'b', '1', '2');
const USER = fc.constantFrom('dr-1', 'dr-2', 'ward', "o'neill");
const ACCESSES = fc.record({
  id: ID,
  isRefused: fc.boolean(),
  interaction: fc.constantFrom('read', 'search-type'),
  identity: fc.record({ subject: USER, client: USER }, { requiredKeys: ['subject'] }),
});

const values = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 3 });
const NOW = Date.now();
const PERIOD = fc
  .tuple(fc.integer({ min: -2000, max: 60_000 }), fc.constantFrom(1, 1000, 3_600_000, 86_400_000))
  .map(([from, length]) => ({ start: NOW + from, end: NOW + from + length }));
const ACTION_SYSTEM = 'http://hl7.org/fhir/audit-event-action';

const POSITIVE: fc.Arbitrary<Exclude<ResourceCriterion, { type: 'not' }>> = fc.oneof(
  values(
    fc.record({ code: USER, system: fc.constantFrom('', 'urn:s') }, { requiredKeys: ['code'] }),
  ).map((values) => ({ type: 'token' as const, field: 'user', values })),
  values(
    fc.record(
      {
        code: fc.constantFrom('C', 'R', 'U', 'D', 'E', 'x'),
        system: fc.constantFrom(ACTION_SYSTEM, '', 'urn:s'),
      },
      { requiredKeys: [] },
    ),
  ).map((values) => ({ type: 'token' as const, field: 'action', values })),
  values(fc.constantFrom('1', '2', '7', '1-1', 'x').map((code) => ({ code }))).map((values) => ({
    type: 'token' as const,
    field: '_id',
    values,
  })),
  values(
    fc.record({
      id: ID,
      prefixes: fc.array(fc.constantFrom(`${TYPE}/`, 'AuditEvent/', '#', 'https://a.test/Order/')),
    }),
  ).map((values) => ({ type: 'reference' as const, field: 'reference', values })),
  values(
    fc
      .tuple(PERIOD, fc.constantFrom(...DATE_PREFIXES))
      .map(([period, prefix]) => ({ prefix, ...period })),
  ).map((values) => ({ type: 'date' as const, field: 'date', values })),
  fc
    .tuple(fc.constantFrom('user', 'action', 'reference', 'date', '_id', 'none'), fc.boolean())
    .map(([field, isMissing]) => ({ type: 'missing' as const, field, isMissing })),
);
const CRITERION: fc.Arbitrary<ResourceCriterion> = fc.oneof(
  POSITIVE,
  POSITIVE.map((criterion) => ({ type: 'not' as const, criterion })),
);
const QUERIES = fc.array(fc.array(CRITERION, { maxLength: 3 }), { minLength: 1, maxLength: 4 });
