/** Looking back at editions: what each changed, and single records of those that are kept. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findDifference } from '../../../src/directory/edition/difference.ts';
import { openRecordsForComparison } from '../../../src/directory/edition/edition.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import {
  createEditionHistory,
  type HistorySource,
} from '../../../src/storage/editions/create-edition-history.ts';
import { EditionList, type EditionRow } from '../../../src/storage/editions/edition-list.ts';
import { type DataFolder, openDataFolder } from '../../../src/storage/files/data-folder.ts';
import {
  openEditionHistory,
  openEditionStore,
} from '../../../src/storage/sqlite/editions/edition-store.ts';
import { editionArrays } from '../../directory/edition-arrays.ts';
import { organization, RECORDS } from '../../directory/records.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { RELATED_RECORDS } from '../../web/related-records.ts';

const FIRST = RECORDS;
const SECOND = [
  ...RECORDS.filter(({ code }) => code !== 'RTG').map((record) =>
    record.code === 'RR8' ? { ...record, name: 'ANOTHER NAME' } : record,
  ),
  organization('Z9'),
];

describe('the history of editions', () => {
  it('has the records of the editions that are kept, one by one', async (context) => {
    const folder = await published(context, [FIRST, SECOND]);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    const none = { relationships: [], successions: [] };
    for (const [number, records] of [FIRST, SECOND].entries()) {
      for (const record of records) {
        assert.deepEqual(await history.record(number + 1, record.code), { ...record, ...none });
      }
    }
    for (const code of ['', 'A', 'A81001X', 'RTH', 'zzz', 'Ä']) {
      assert.equal(await history.record(1, code), 'none', code);
    }
    assert.equal(await history.record(3, 'RR8'), undefined);
  });

  it('has several records at once, in the order of their codes in the question', async (context) => {
    const folder = await published(context, [FIRST]);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    const codes = ['RR8', 'zzz', 'RTG', 'RR8'];
    const single = await Promise.all(codes.map((code) => history.record(1, code)));
    assert.deepEqual(await history.records(1, codes), single);
    assert.deepEqual(await history.records(1, []), []);
    assert.equal(await history.records(2, codes), undefined);
  });

  it('lets others have their turn after a few of them', async (context) => {
    const records = Array.from({ length: 50 }, (_, at) => organization(`A${1000 + at}`));
    const folder = await published(context, [records]);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    const codes = records.map(({ code }) => code);
    const turns = context.mock.fn(async () => {
      await nextTurn();
    });
    const found = await history.records(1, codes, turns);
    assert.deepEqual(
      found?.map((record) => (record === 'none' ? record : record.code)),
      codes,
    );
    assert.ok(turns.mock.callCount() >= codes.length / 10, `${turns.mock.callCount()} pauses`);
    const again = await history.records(1, codes, () => assert.fail('all of them are known'));
    assert.deepEqual(again, found);
  });

  it('reads a record once, for as long as the edition is kept', async (context) => {
    const folder = await published(context, [FIRST]);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    const record = await history.record(1, 'RR8');
    rmSync(join(folder.editions, '000001', 'rows.values.bin'));
    assert.deepEqual(await history.records(1, ['RR8']), [record]);
    assert.equal(await history.records(1, ['RR8', 'RTG']), undefined);
    for (let time = 0; time < 3; time++) await publish(folder, SECOND, FIRST);
    assert.equal(await history.record(1, 'RR8'), undefined);
  });

  it('reads all again if a restored store gives the number to another edition', async (context) => {
    const folders = [await published(context, [FIRST]), await published(context, [SECOND])];
    let at = 0;
    const source: HistorySource<EditionRow> = {
      list: async () => new EditionList({ editions: [rowOf(at)], publications: [] }, () => true),
      detail: async (_, kind) => (kind === 'by-role' ? `[{"code":"${at}"}]` : `${kind}${at}`),
      pathOf: () => join(folders[at]!.editions, '000001'),
      close: () => {},
    };
    const history = createEditionHistory(source);
    const record = FIRST.find(({ code }) => code === 'RR8');
    for (const name of [record?.name, 'ANOTHER NAME']) {
      // Every page reads the list before it asks for what the list names.
      await history.list();
      const found = await history.record(1, 'RR8');
      assert.equal(typeof found === 'object' ? found.name : found, name);
      assert.equal((await history.differenceCounts(1))?.byRole[0]?.code, String(at));
      assert.equal(await history.codes(1, 'added'), `added${at}`);
      assert.equal(await history.changeOf(1, `changed${at}`), 'changed');
      assert.equal(await history.changeOf(1, `changed${1 - at}`), undefined);
      at += 1;
    }
  });

  it('reads what an edition changed once, and the list only where others ask for it', async () => {
    const asked: string[] = [];
    const list = new EditionList({ editions: [rowOf(1)], publications: [] }, () => true);
    const history = createEditionHistory({
      list: async () => {
        asked.push('list');
        return list;
      },
      detail: async (_, kind) => {
        asked.push(kind);
        return kind === 'by-role' ? '[]' : 'A1';
      },
      pathOf: () => '',
      close: () => {},
    });
    for (let time = 0; time < 3; time++) {
      await history.differenceCounts(1);
      await history.codes(1, 'changed');
      await history.changeOf(1, 'A1');
    }
    assert.deepEqual(asked, ['list', 'by-role', 'changed', 'added']);
  });

  it('reads a record again from a copy that replaced a damaged one', async (context) => {
    const folder = await published(context, [FIRST]);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    const path = join(folder.editions, '000001');
    const sound = `${path}-sound`;
    cpSync(path, sound, { recursive: true });
    const values = join(path, 'rows.values.bin');
    const { name = '' } = FIRST.find(({ code }) => code === 'RR8') ?? {};
    const damaged = readFileSync(values, 'latin1').replaceAll(name, 'X'.repeat(name.length));
    writeFileSync(values, damaged, 'latin1');
    const nameOf = async () => {
      const found = await history.record(1, 'RR8');
      return typeof found === 'object' ? found.name : found;
    };
    assert.equal(await nameOf(), 'X'.repeat(name.length));
    rmSync(path, { recursive: true });
    renameSync(sound, path);
    assert.equal(await nameOf(), name);
  });

  it('has their relationships and successions, also to codes without a full record', async (context) => {
    const folder = await published(context, [RELATED_RECORDS]);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    for (const record of RELATED_RECORDS) {
      const none = { relationships: [], successions: [] };
      const expected = record.isReferenceOnly === true ? 'none' : { ...none, ...record };
      assert.deepEqual(await history.record(1, record.code), expected, record.code);
    }
  });

  it('has records of an edition that knows no relationships', async (context) => {
    const folder = await published(context, [FIRST], false);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    assert.deepEqual(
      await history.record(1, 'RR8'),
      FIRST.find(({ code }) => code === 'RR8'),
    );
  });

  it('says what an edition did', async (context) => {
    const folder = await published(context, [FIRST, SECOND]);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    assert.deepEqual(
      (await history.list()).map(({ number, added, changed, removed }) => [
        number,
        added,
        changed,
        removed,
      ]),
      [
        [1, RECORDS.length, 0, 0],
        [2, 1, 1, 1],
      ],
    );
    assert.equal((await history.differenceCounts(1))?.comparedTo, undefined);
    assert.equal((await history.differenceCounts(2))?.comparedTo, 1);
    assert.equal(await history.differenceCounts(3), undefined);
    assert.equal(await history.codes(2, 'added'), 'Z9');
    assert.equal(await history.changeOf(2, 'RR8'), 'changed');
    assert.equal(await history.changeOf(2, 'RTG'), 'removed');
    assert.equal(await history.changeOf(2, 'Z9'), 'added');
    // A part of a code is none, nor is what stands between two.
    for (const code of ['RR', 'Z', '', '9', 'RR801']) {
      assert.equal(await history.changeOf(2, code), undefined, code);
    }
  });

  it('follows what is published while it is open', async (context) => {
    const folder = await published(context, [FIRST]);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    assert.equal((await history.list()).length, 1);
    await publish(folder, SECOND, FIRST);
    assert.equal((await history.list()).length, 2);
    assert.equal(await history.changeOf(2, 'Z9'), 'added');
  });

  it('does without the data of an edition that are gone or damaged', async (context) => {
    const folder = await published(context, [FIRST]);
    const history = openEditionHistory(folder);
    context.after(() => history[Symbol.dispose]());
    rmSync(join(folder.editions, '000001', 'rows.values.bin'));
    assert.equal(await history.record(1, 'RR8'), undefined);
    rmSync(join(folder.editions, '000001'), { recursive: true });
    assert.equal(await history.record(1, 'RR8'), undefined);
  });
});

/** The row of edition 1 with this checksum. */
function rowOf(manifestChecksum: number): EditionRow {
  return {
    number: 1,
    source: 'test',
    records: 1,
    added: 1,
    changed: 1,
    removed: 0,
    publication_date: '2026-09-01',
    imported_at: '2026-09-01T10:00:00.000Z',
    published_at: '2026-09-01T10:00:00.000Z',
    manifest_checksum: manifestChecksum,
    pruned_at: null,
    compared_to: null,
  };
}

async function published(
  context: TestContext,
  editions: readonly (readonly SourceRecord[])[],
  hasLinks = true,
): Promise<DataFolder> {
  const folder = openDataFolder(join(temporaryFolder(context), 'data'));
  let before: readonly SourceRecord[] | undefined;
  for (const records of editions) {
    await publish(folder, records, before, hasLinks);
    before = records;
  }
  return folder;
}

async function publish(
  folder: DataFolder,
  records: readonly SourceRecord[],
  before: readonly SourceRecord[] | undefined,
  hasLinks = true,
): Promise<void> {
  const store = openEditionStore(folder);
  const arrays = editionArrays(records, { hasLinks });
  const draft = await store.begin();
  for (const [name, array] of Object.entries(arrays)) await draft.write(name, array);
  const difference = findDifference(
    before && openRecordsForComparison(editionArrays(before)).sections[0],
    openRecordsForComparison(arrays).sections[0],
  );
  await draft.publish(
    { publicationDate: '2026-09-01', source: 'test', records: records.length, difference },
    { keep: 3 },
  );
  await store.close();
}
