/** What every store of order responses must do: suites that each way to one runs. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Access, AuditEntry } from '../../src/fhir/audit/audit.ts';
import type { TokenEntry, TokenValue } from '../../src/fhir/search/token.ts';
import type { Preconditions } from '../../src/fhir/stored/preconditions.ts';
import type {
  CreateResult,
  HistoryRequest,
  Repository,
  StoredVersion,
} from '../../src/fhir/stored/repository.ts';
import { RepositoryError } from '../../src/fhir/stored/repository-error.ts';
import { stampText, type UnstampedText } from '../../src/fhir/stored/stored-text.ts';
import { conditionOf, criterionOf } from './conditions.ts';

/** A separate place for order responses, empty at first. */
export interface RepositoryPlace {
  readonly store: Repository;
  /** Removes everything that was stored. */
  remove(): Promise<void>;
}

export interface AuditedPlace extends RepositoryPlace {
  /** The audit log so far, by another look at the place. */
  entries(): readonly AuditEntry[] | Promise<readonly AuditEntry[]>;
  /** What the check of the database finds. */
  findings(): readonly string[] | Promise<readonly string[]>;
}

export const TYPE = 'OrderResponse';

export const ACCESS: Access = {
  identity: { subject: 'dr-1', client: 'ward-system' },
  address: '192.0.2.7',
  requestId: 'request-1',
  interaction: 'create',
};

/** An identifier, as the index holds it. */
export interface IdentifierEntry extends TokenEntry {
  readonly field: string;
}

export function identifierOf(code: string): IdentifierEntry {
  return { field: 'identifier', system: 'https://example.org/ids', code };
}

/** A small resource, in the form that a service passes to the repository. */
export function textOf(
  id: string,
  entries: readonly IdentifierEntry[] = [],
  note = '',
  type = TYPE,
): UnstampedText {
  const identifier = entries.map(({ system, code }) => ({ system, value: code }));
  const rest = JSON.stringify({ identifier, description: note }).slice(1);
  return {
    start: `{"resourceType":"${type}","id":"${id}","meta":{"versionId":"`,
    end: `"},${rest}`,
  };
}

export function createOrder(
  store: Repository,
  id: string,
  entries: readonly IdentifierEntry[] = [],
  ifNoneExist?: IdentifierEntry,
  type = TYPE,
): Promise<CreateResult> {
  const condition = ifNoneExist && { ifNoneExist: conditionOf(criterionOf(ifNoneExist)) };
  const creation = { type, id, text: textOf(id, entries, '', type), entries, ...condition };
  return store.create(creation, { ...ACCESS, interaction: 'create' });
}

function readOrder(store: Repository, id: string, version?: string) {
  const interaction = version === undefined ? 'read' : 'vread';
  return store.read(
    { type: TYPE, id, ...(version !== undefined && { version }) },
    { ...ACCESS, interaction },
  );
}

interface UpdateOptions extends Preconditions {
  readonly entries?: readonly IdentifierEntry[];
  readonly note?: string;
}

export function updateOrder(store: Repository, id: string, options: UpdateOptions = {}) {
  const { entries = [], note, ...preconditions } = options;
  const text = textOf(id, entries, note);
  return store.update(
    { type: TYPE, id, text, entries, preconditions },
    { ...ACCESS, interaction: 'update' },
  );
}

type HistoryOptions = Partial<Omit<HistoryRequest, 'type' | 'id'>>;

function historyOf(store: Repository, id: string, options: HistoryOptions) {
  return store.history(
    { type: TYPE, id, count: 20, lengthMax: 1e9, ...options },
    { ...ACCESS, interaction: 'history-instance' },
  );
}

export function describeRepository(makePlace: () => Promise<RepositoryPlace>): void {
  describe('a repository', () => {
    let place: RepositoryPlace;
    let store: Repository;

    beforeEach(async () => {
      place = await makePlace();
      store = place.store;
    });
    afterEach(() => place.remove());

    const read = (id: string, version?: string) => readOrder(store, id, version);
    const update = (id: string, options: UpdateOptions = {}) => updateOrder(store, id, options);
    const history = (id: string, options: HistoryOptions) => historyOf(store, id, options);
    const kinds = (results: readonly { kind: string }[]) => results.map(({ kind }) => kind).sort();

    it('creates the first version, with the time of its writing', async () => {
      const result = await createOrder(store, 'a');
      const version: StoredVersion | undefined =
        result.kind === 'stored' ? result.stored : undefined;
      assert.ok(version);
      assert.match(version.writtenAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
      assert.deepEqual(version, {
        id: 'a',
        version: 1,
        writtenAt: version.writtenAt,
        method: 'POST',
        text: stampText(textOf('a'), 1, version.writtenAt),
      });
      assert.deepEqual(await read('a'), version);
      assert.deepEqual(await read('a', '1'), version);
    });

    it('keeps every version as it was, without gaps', async () => {
      await createOrder(store, 'a');
      await update('a', { note: 'second' });
      await update('a', { note: 'second' });
      for (const [version, method] of [
        ['1', 'POST'],
        ['2', 'PUT'],
        ['3', 'PUT'],
      ] as const) {
        const stored = await read('a', version);
        assert.equal(stored?.version, Number(version));
        assert.equal(stored?.method, method);
        assert.equal(JSON.parse(stored?.text ?? '').meta.versionId, version);
      }
      assert.equal((await read('a'))?.version, 3);
    });

    it('has nothing under names that are none', async () => {
      await createOrder(store, 'a');
      for (const version of ['0', '2', '01', '1.0', '-1', 'x', '', '9'.repeat(40)]) {
        assert.equal(await read('a', version), undefined, version);
      }
      for (const id of ['b', '\0', 'a\0']) {
        assert.equal(await read(id), undefined);
        assert.equal(await history(id, {}), undefined);
        assert.deepEqual(await update(id), { kind: 'absent' });
        assert.equal(await read(id, '1'), undefined);
      }
    });

    it('creates nothing where a current version has the identifier', async () => {
      const [one, two] = [identifierOf('1'), identifierOf('2')];
      const first = await createOrder(store, 'a', [one], one);
      assert.equal(first.kind, 'stored');
      const again = await createOrder(store, 'b', [one], one);
      assert.equal(again.kind === 'exists' && again.stored.id, 'a');
      assert.equal(await read('b'), undefined);
      await update('a', { entries: [two] });
      assert.equal((await createOrder(store, 'c', [one], one)).kind, 'stored');
      const moved = await createOrder(store, 'd', [two], two);
      assert.equal(moved.kind === 'exists' && moved.stored.version, 2);
      await createOrder(store, 'e', [one, one]);
      assert.deepEqual(await createOrder(store, 'f', [one], one), { kind: 'several', count: 2 });
      const other = { ...one, system: 'https://example.org/other' };
      assert.equal((await createOrder(store, 'g', [], other)).kind, 'stored');
    });

    it('finds tokens by their code, their system or both', async () => {
      const [here, there] = ['https://example.org/here', 'https://example.org/there'];
      const entriesFor = (...pairs: TokenValue[]) =>
        pairs.map(({ system, code = '' }) => ({
          field: 'identifier',
          code,
          ...(system !== undefined && { system }),
        }));
      await createOrder(store, 'a', entriesFor({ system: here, code: '1' }));
      await createOrder(store, 'b', entriesFor({ system: there, code: '1' }, { code: '2' }));
      await createOrder(store, 'c', entriesFor({ code: '3' }, { system: here, code: '3' }));
      const cases: readonly (readonly [TokenValue[], found: string | number | undefined])[] = [
        [[{ system: here, code: '1' }], 'a'],
        [[{ code: '1' }], 2],
        [[{ system: '', code: '1' }], undefined],
        [[{ system: '', code: '2' }], 'b'],
        [[{ code: '3' }], 'c'],
        [[{ system: there }], 'b'],
        [[{ system: here }], 2],
        [[{ code: '4' }, { system: there, code: '1' }], 'b'],
        [[{ code: '2' }, { code: '3' }], 2],
        [[{ system: there, code: '2' }], undefined],
      ];
      for (const [at, [values, found]] of cases.entries()) {
        const ifNoneExist = conditionOf({ type: 'token', field: 'identifier', values });
        const id = `new-${at}`;
        const creation = { type: TYPE, id, text: textOf(id), entries: [], ifNoneExist };
        const result = await store.create(creation, ACCESS);
        const seen =
          result.kind === 'several'
            ? result.count
            : result.kind === 'exists'
              ? result.stored.id
              : undefined;
        assert.equal(seen, found, JSON.stringify(values));
      }
      const creation = { type: TYPE, id: 'other', text: textOf('other'), entries: [] };
      const ifNoneExist = conditionOf({ ...criterionOf(identifierOf('1')), field: 'other' });
      const result = await store.create({ ...creation, ifNoneExist }, ACCESS);
      assert.equal(result.kind, 'stored');
    });

    it('keeps two types with the same id and identifier apart', async () => {
      const one = identifierOf('1');
      await createOrder(store, 'a', [one], one);
      const order = await createOrder(store, 'a', [one], one, 'Order');
      assert.equal(order.kind, 'stored');
      await update('a', { note: 'second' });
      await createOrder(store, 'b', [], undefined, 'Order');
      const ofOrder = { type: 'Order', id: 'a' };
      const asReader: Access = { ...ACCESS, interaction: 'read' };
      const stored = await store.read(ofOrder, asReader);
      assert.deepEqual(order.kind === 'stored' && order.stored, stored);
      assert.equal(JSON.parse(stored?.text ?? '').resourceType, 'Order');
      assert.equal(await store.read({ ...ofOrder, version: '2' }, asReader), undefined);
      const page = await store.history({ ...ofOrder, count: 20, lengthMax: 1e9 }, asReader);
      assert.deepEqual(page?.versions, [stored]);
      const exists = await createOrder(store, 'c', [], one, 'Order');
      assert.deepEqual(exists, { kind: 'exists', stored });
      assert.equal(await read('b'), undefined);
      assert.equal((await read('a'))?.version, 2);
      const writing: Access = { ...ACCESS, interaction: 'update' };
      const text = textOf('a', [], 'third', 'Order');
      const request = { ...ofOrder, text, entries: [], preconditions: { ifMatch: ['1'] } };
      assert.equal((await store.update(request, writing)).kind, 'stored');
      const elsewhere = { ...request, id: 'c' };
      assert.equal((await store.update(elsewhere, writing)).kind, 'absent');
      assert.equal((await read('a'))?.version, 2);
    });

    it('makes one of a hundred creates at a time that are not to make a second', async () => {
      const one = identifierOf('1');
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, at) => createOrder(store, `id-${at}`, [one], one)),
      );
      const stored = results.filter(({ kind }) => kind === 'stored');
      assert.equal(stored.length, 1);
      assert.equal(results.filter(({ kind }) => kind === 'exists').length, 99);
    });

    it('takes one of many updates at a time of one version', async () => {
      await createOrder(store, 'a');
      const results = await Promise.all(
        Array.from({ length: 20 }, () => update('a', { ifMatch: ['1'] })),
      );
      assert.deepEqual(kinds(results), [...Array(19).fill('conflict'), 'stored']);
      assert.deepEqual(await update('a', { ifMatch: ['1', '7'] }), {
        kind: 'conflict',
        header: 'If-Match',
        currentVersion: 2,
      });
      assert.equal((await update('a', { ifMatch: ['1', '2'] })).kind, 'stored');
      assert.equal((await update('a', { ifMatch: '*' })).kind, 'stored');
      assert.deepEqual(await update('b', { ifMatch: '*' }), { kind: 'absent' });
    });

    it('accepts an update only if every precondition is true for the current version', async () => {
      await createOrder(store, 'a');
      const writtenMs = Date.parse((await read('a'))?.writtenAt ?? '');
      const past = writtenMs - 60_000;
      const refused: readonly (readonly [Preconditions, header: string])[] = [
        [{ ifNoneMatch: '*' }, 'If-None-Match'],
        [{ ifNoneMatch: ['7', '1'] }, 'If-None-Match'],
        [{ ifMatch: ['1'], ifNoneMatch: '*' }, 'If-None-Match'],
        [{ ifUnmodifiedSinceMs: past }, 'If-Unmodified-Since'],
        [{ ifUnmodifiedSinceMs: past, ifNoneMatch: '*' }, 'If-Unmodified-Since'],
        [{ ifMatch: ['2'], ifUnmodifiedSinceMs: past, ifNoneMatch: '*' }, 'If-Match'],
      ];
      for (const [preconditions, header] of refused) {
        assert.deepEqual(await update('a', preconditions), {
          kind: 'conflict',
          header,
          currentVersion: 1,
        });
      }
      const results = await Promise.all(
        Array.from({ length: 20 }, () => update('a', { ifNoneMatch: ['2'] })),
      );
      assert.deepEqual(kinds(results), [...Array(19).fill('conflict'), 'stored']);
      const later = { ifMatch: ['2'], ifUnmodifiedSinceMs: past, ifNoneMatch: ['1'] };
      assert.equal((await update('a', later)).kind, 'stored');
      assert.equal((await update('a', { ifUnmodifiedSinceMs: Date.UTC(9999, 0) })).kind, 'stored');
      assert.equal((await read('a'))?.version, 4);
    });

    it('shows a history page by page, newest first, also during writes', async () => {
      await createOrder(store, 'a');
      for (let version = 2; version <= 5; version++) await update('a');
      const versions = (page: Awaited<ReturnType<typeof history>>) =>
        page?.versions.map(({ version }) => version);
      const first = await history('a', { count: 2 });
      assert.deepEqual(versions(first), [5, 4]);
      assert.deepEqual([first?.total, first?.hasMore], [5, true]);
      await update('a');
      const second = await history('a', { count: 2, before: 4 });
      assert.deepEqual(versions(second), [3, 2]);
      const last = await history('a', { count: 2, before: 2 });
      assert.deepEqual([versions(last), last?.hasMore], [[1], false]);
      const short = await history('a', { lengthMax: 1 });
      assert.deepEqual(versions(short), versions(await history('a', { count: 1 })));
      assert.equal(short?.hasMore, true);
      const newest = (await history('a', { count: 2 }))?.versions ?? [];
      const length = newest.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
      assert.deepEqual(versions(await history('a', { lengthMax: length })), [6, 5]);
      assert.deepEqual(versions(await history('a', { lengthMax: length - 1 })), [6]);
      const none = await history('a', { sinceMs: Date.UTC(12_000, 0) });
      assert.deepEqual([versions(none), none?.total, none?.hasMore], [[], 0, false]);
      assert.equal((await history('a', { sinceMs: 0 }))?.total, 6);
    });

    it('finds the current version and the first precondition that is false for it', async () => {
      await createOrder(store, 'a');
      await update('a');
      const check = (id: string, preconditions: Preconditions) =>
        store.checkPreconditions({ type: TYPE, id, preconditions });
      const cases: readonly (readonly [Preconditions, header: string | undefined])[] = [
        [{}, undefined],
        [{ ifMatch: ['2'] }, undefined],
        [{ ifMatch: ['1'], ifNoneMatch: '*' }, 'If-Match'],
        [{ ifNoneMatch: '*' }, 'If-None-Match'],
        [{ ifUnmodifiedSinceMs: 0 }, 'If-Unmodified-Since'],
      ];
      for (const [preconditions, header] of cases) {
        const { text, ...found } = (await check('a', preconditions)) ?? {};
        assert.deepEqual(found, { currentVersion: 2, ...(header && { header }) });
        assert.equal(text, (await read('a'))?.text);
      }
      assert.equal(await check('b', {}), undefined);
      assert.equal(await check('b', { ifMatch: '*' }), undefined);
    });

    it('deletes by a version without content, and restores by an update', async () => {
      const erase = (preconditions: Preconditions = {}, id = 'a') =>
        store.delete({ type: TYPE, id, preconditions }, { ...ACCESS, interaction: 'delete' });
      assert.deepEqual(await erase(), { kind: 'absent' });
      const one = identifierOf('1');
      await createOrder(store, 'a', [one]);
      assert.deepEqual(await erase({ ifMatch: ['2'] }), {
        kind: 'conflict',
        header: 'If-Match',
        currentVersion: 1,
      });
      const deleted = await erase({ ifMatch: ['1'] });
      assert.ok(deleted.kind === 'stored');
      const { version, method, text } = deleted.stored;
      assert.deepEqual([version, method, text], [2, 'DELETE', undefined]);
      assert.deepEqual(await read('a'), deleted.stored);
      assert.deepEqual(await read('a', '2'), deleted.stored);
      assert.ok((await read('a', '1'))?.text);
      const all = (await history('a', {}))?.versions.map((each) => each.version);
      assert.deepEqual(all, [2, 1]);
      assert.deepEqual(await erase(), deleted, 'a second delete adds no version');
      assert.equal((await erase({ ifMatch: '*' })).kind, 'conflict');
      const again = await createOrder(store, 'b', [], one);
      assert.equal(again.kind, 'stored', 'a deleted resource is not found');
      const restored = await updateOrder(store, 'a', { ifNoneMatch: '*' });
      assert.ok(restored.kind === 'stored');
      assert.deepEqual([restored.stored.version, restored.isRestored], [3, true]);
      assert.ok((await read('a'))?.text);
    });

    it('rejects what it cannot do, and continues with the rest', async () => {
      await createOrder(store, 'a');
      const results = await Promise.allSettled([
        createOrder(store, 'b'),
        createOrder(store, 'a'), // an id that was used: a fault of the caller
        createOrder(store, 'c'),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      const [, rejected] = results;
      assert.ok(rejected?.status === 'rejected' && !(rejected.reason instanceof RepositoryError));
      assert.equal((await read('a'))?.version, 1);
      assert.equal((await read('c'))?.version, 1);
    });
  });
}

/** For a store whose audit log can be read. */
export function describeAuditedRepository(makePlace: () => Promise<AuditedPlace>): void {
  describe('the audit log of a repository', () => {
    let place: AuditedPlace;

    beforeEach(async () => {
      place = await makePlace();
    });
    afterEach(() => place.remove());

    it('records every access before the answer', async () => {
      const { store } = place;
      const one = identifierOf('1');
      await createOrder(store, 'a', [one]);
      await createOrder(store, 'b', [one], one);
      await createOrder(store, 'c', [one]);
      await createOrder(store, 'd', [one], one);
      const update = { type: TYPE, id: 'e', text: textOf('e'), entries: [], preconditions: {} };
      await store.updateMatching({ ...update, condition: conditionOf(criterionOf(one)) }, ACCESS);
      await updateOrder(store, 'a', { ifMatch: ['9'] });
      await updateOrder(store, 'a');
      await updateOrder(store, 'x');
      await readOrder(store, 'a');
      await readOrder(store, 'a', '1');
      await readOrder(store, 'a', '7');
      await historyOf(store, 'a', {});
      await store.checkPreconditions({ type: TYPE, id: 'a', preconditions: {} });
      const forbidden = { reason: 'forbidden', type: TYPE, id: 'a', version: '1' } as const;
      await store.recordRefusal(forbidden, ACCESS);
      await store.recordRefusal({ reason: 'unauthenticated', type: TYPE }, ACCESS);
      const recorded = await place.entries();
      assert.deepEqual(
        recorded.map(({ interaction, outcome, resource, version, count }) => [
          interaction,
          outcome,
          resource,
          version ?? count,
        ]),
        [
          ['create', 'stored', 'a', 1],
          ['create', 'exists', 'a', 1],
          ['create', 'stored', 'c', 1],
          ['create', 'several', undefined, 2],
          ['create', 'several', undefined, 2],
          ['update', 'conflict', 'a', undefined],
          ['update', 'stored', 'a', 2],
          ['update', 'absent', 'x', undefined],
          ['read', 'found', 'a', 2],
          ['vread', 'found', 'a', 1],
          ['vread', 'absent', 'a', 7],
          ['history-instance', 'found', 'a', 2],
          ['create', 'forbidden', 'a', 1],
        ],
      );
      recorded.forEach((entry, at) => {
        const { writer, number, resourceType, subject, client, address, requestId } = entry;
        assert.deepEqual(
          { writer, number, resourceType, subject, client, address, requestId },
          {
            writer: 1,
            number: at + 1,
            resourceType: TYPE,
            subject: 'dr-1',
            client: 'ward-system',
            address: '192.0.2.7',
            requestId: 'request-1',
          },
        );
      });
    });

    it('records which versions a history showed', async () => {
      const { store } = place;
      await createOrder(store, 'a');
      for (let version = 2; version <= 5; version++) await updateOrder(store, 'a');
      await historyOf(store, 'a', { count: 2 });
      await historyOf(store, 'a', { count: 20, before: 4 });
      await historyOf(store, 'a', { before: 1 });
      const shown = (await place.entries())
        .filter(({ interaction }) => interaction === 'history-instance')
        .map(({ count, firstVersion, lastVersion }) => [count, firstVersion, lastVersion]);
      assert.deepEqual(shown, [
        [2, 4, 5],
        [3, 1, 3],
        [0, undefined, undefined],
      ]);
    });
  });
}
