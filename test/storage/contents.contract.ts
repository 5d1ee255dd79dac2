/** What exports, lists of the audit log and moves must do in every kind of store. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/storage/store/store.ts';
import { ACCESS, createOrder, identifierOf, TYPE, updateOrder } from './repository.contract.ts';
import { type StorePlace, searchFor } from './store-place.ts';

const AS_DELETE = { ...ACCESS, interaction: 'delete' } as const;

export function describeContents(makePlace: () => Promise<StorePlace>): void {
  describe('the contents of a store', () => {
    let place: StorePlace;

    /** `a` has an erased version, `b` is erased, `c` is on hold and was found, `d` is deleted. */
    beforeEach(async () => {
      place = await makePlace();
      const { store, commands } = place;
      for (const id of ['a', 'b', 'c', 'd']) await createOrder(store, id, [identifierOf(id)]);
      await updateOrder(store, 'a', { entries: [identifierOf('a')], note: 'second' });
      await store.delete({ type: TYPE, id: 'd', preconditions: {} }, AS_DELETE);
      await searchFor(store, 'of=c', { id: 'c' });
      await commands.eraseContent({ id: 'a', version: 1 }, 'another patient');
      await commands.eraseContent({ id: 'b' }, 'asked');
      await commands.holdResource({ id: 'c' }, 'inquest');
    });
    afterEach(() => place.remove());

    it('are exported as texts, or as a Bundle where none is left, and that is recorded', async () => {
      const texts = await Array.fromAsync(place.commands.exportVersions(undefined));
      const versions = texts.map((text) => {
        const { id, meta, entry } = JSON.parse(text);
        return entry === undefined ? `${id} ${meta.versionId}` : Object.values(entry[0].request);
      });
      assert.deepEqual(versions, [
        ['POST', `${TYPE}/a`],
        ['POST', `${TYPE}/b`],
        'c 1',
        'd 1',
        'a 2',
        ['DELETE', `${TYPE}/d`],
      ]);
      const { interaction, outcome, count } = (await place.entries()).at(-1) ?? {};
      assert.deepEqual([interaction, outcome, count], ['export', 'found', 6]);
      assert.deepEqual(await place.findings(), []);
    });

    it('are exported from a time on', async () => {
      const { commands } = place;
      const texts = await Array.fromAsync(commands.exportVersions(undefined));
      const newest = Date.parse(JSON.parse(texts.at(-1) ?? '').meta.lastUpdated);
      const since = await Array.fromAsync(commands.exportVersions(newest));
      assert.deepEqual(since, texts.slice(-since.length));
      assert.deepEqual(await Array.fromAsync(commands.exportVersions(newest + 60_000)), []);
    });

    it('are exported from a time on with later versions of a clock that was set back', async () => {
      await place.tamper(
        `UPDATE resource_version SET written_at = '2026-01-01T00:00:00.000+00:00';
         UPDATE resource_version SET written_at = '2026-01-02T00:00:00.000+00:00'
         WHERE version = 2 AND text <> ''`,
      );
      const texts = await Array.fromAsync(place.commands.exportVersions(Date.UTC(2026, 0, 2)));
      const ids = texts
        .map((text) => JSON.parse(text))
        .map(({ id, resourceType }) => id ?? resourceType);
      assert.deepEqual(ids, ['a', 'Bundle']);
    });

    it('have an audit log, whose entries are listed by time, request and number', async () => {
      const all = await place.entries();
      const list = (query: Parameters<Store['auditEntries']>[0]) =>
        Array.fromAsync(place.commands.auditEntries(query));
      assert.deepEqual(await list({}), all);
      assert.deepEqual(await list({ newest: 2 }), all.slice(-2));
      const [request] = all;
      assert.deepEqual(
        await list({ requestId: request?.requestId }),
        all.filter(({ requestId }) => requestId === request?.requestId),
      );
      const lastMs = Date.parse(all.at(-1)?.recordedAt ?? '');
      const since = await list({ sinceMs: lastMs });
      assert.deepEqual(since, all.slice(-since.length));
      assert.deepEqual(await list({ sinceMs: lastMs + 60_000 }), []);
    });

    it('move to another store, with what is erased and on hold', async () => {
      const { commands } = place;
      const target = await place.emptyStore();
      const move = async () => {
        using _target = await target.contents.reserveAsTarget();
        await using contents = await commands.contents.read();
        await target.contents.write(contents);
      };
      await move();
      const [moved, source] = [await partOf(target), await partOf(commands)];
      assert.deepEqual(moved?.findings, []);
      assert.deepEqual(moved?.summary, source?.summary);
      assert.deepEqual(await contentsOf(target), await contentsOf(commands));
      await assert.rejects(move(), { kind: 'refused' });
      const again = await target.eraseContent({ id: 'a', version: 1 }, 'again');
      assert.equal(again.versions, 0);
      await assert.rejects(target.eraseContent({ id: 'c' }, 'x'), /on hold \(inquest\)/);
      await assert.rejects(target.holdResource({ id: 'b' }, 'x'), /has already been erased/);
    });
  });
}

/** The part of the order responses comes after those of the editions. */
async function partOf(store: Store) {
  return (await Array.fromAsync(store.verify({}))).at(-1);
}

/** The audit log is read first, because an export adds an entry. */
async function contentsOf(store: Store) {
  const entries = await Array.fromAsync(store.auditEntries({}));
  return {
    // A move numbers them anew.
    entries: entries.map(({ number: _number, writer: _writer, ...entry }) => entry),
    versions: await Array.fromAsync(store.exportVersions(undefined)),
    holds: await Array.fromAsync(store.heldResources()),
  };
}
