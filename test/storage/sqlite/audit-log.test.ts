/** The audit log adds rows to its index that it has kept in memory: they are those of the entries. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openDataFolder } from '../../../src/storage/data-folder.ts';
import { instantText } from '../../../src/storage/repository/stored-version.ts';
import {
  auditIndexedTo,
  DISCARD_AUDIT_INDEX,
  fillAuditIndex,
  IDS_TOGETHER,
  lastNumber,
} from '../../../src/storage/sqlite/audit-index.ts';
import { AuditLog } from '../../../src/storage/sqlite/audit-log.ts';
import { inSavepoint, inTransaction } from '../../../src/storage/sqlite/database.ts';
import { openRepositoryDatabase } from '../../../src/storage/sqlite/repository-database.ts';
import { fc } from '../../property.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** So that every few steps the index gets rows. */
const IDS_OF_STEP = IDS_TOGETHER / 3;
const ENTRIES_OF_STEP = 5;
/** Those of four steps, and of a command after them, whose ids do not count. */
const LACKING_MAX = 5 * ENTRIES_OF_STEP;

/** What becomes of entries that are appended, and who appends them. */
const STEP = fc.constantFrom('committed', 'failed', 'undone', 'of a command');

it('has the rows of all entries, whatever became of others', (context) => {
  const property = fc.property(fc.array(STEP, { minLength: 6, maxLength: 12 }), (steps) => {
    const folder = openDataFolder(temporaryFolder(context));
    const { database, auditKey } = openRepositoryDatabase(folder);
    const other = openRepositoryDatabase(folder).database;
    const log = new AuditLog(database, auditKey);
    let written = 0;
    const append = (to: AuditLog) => {
      for (let entry = 0; entry < ENTRIES_OF_STEP; entry++) {
        const resources = Array.from(
          { length: IDS_OF_STEP / ENTRIES_OF_STEP },
          () => `r${written++ % 30_011}`,
        );
        const record = { outcome: 'found', interaction: 'search-type', address: '::1' } as const;
        to.append(instantText(written), { ...record, resources });
      }
    };
    for (const step of steps) {
      if (step === 'of a command') {
        const command = new AuditLog(other, auditKey);
        inTransaction(other, () => {
          command.transaction(written);
          append(command);
        });
        continue;
      }
      const run = () =>
        inTransaction(database, () => {
          log.begin();
          append(log);
          if (step === 'undone') {
            inSavepoint(database, () => {
              append(log);
              return { kind: 'refused' };
            });
            log.begin();
            append(log);
          }
          if (step === 'failed') throw new Error('failed');
        });
      if (step === 'failed') assert.throws(run, /^Error: failed$/);
      else run();
    }
    const lacking = lastNumber(database) - auditIndexedTo(database);
    const isWhole = !steps.includes('failed') && !steps.includes('undone');
    if (isWhole) assert.ok(lacking <= LACKING_MAX, `${lacking} lacking`);
    const rows = () => [
      database.prepare('SELECT * FROM audit_resource').all(),
      database.prepare('SELECT * FROM audit_block').all(),
    ];
    fillAuditIndex(database);
    const kept = rows();
    database.exec(DISCARD_AUDIT_INDEX);
    fillAuditIndex(database);
    assert.deepEqual(kept, rows());
    database.close();
    other.close();
  });
  fc.assert(property, { numRuns: 20 });
});

it('has no rows of an entry that was undone because its rows could not be written', (context) => {
  const { database, auditKey } = openRepositoryDatabase(openDataFolder(temporaryFolder(context)));
  const log = new AuditLog(database, auditKey);
  const append = (id: string, count: number) =>
    inTransaction(database, () => {
      log.begin();
      const resources = Array.from({ length: count }, (_, at) => `${id}${at}`);
      const record = { outcome: 'found', interaction: 'search-type', address: '::1' } as const;
      log.append(instantText(0), { ...record, resources });
    });
  append('a', IDS_TOGETHER);
  database.exec(
    `CREATE TEMP TRIGGER full BEFORE INSERT ON audit_resource BEGIN SELECT raise(ABORT, 'full'); END`,
  );
  assert.throws(() => append('undone', 1), /full/);
  database.exec('DROP TRIGGER full');
  append('b', IDS_TOGETHER + 1);
  fillAuditIndex(database);
  assert.equal(auditIndexedTo(database), 2);
  const about = database.prepare(`SELECT count(*) AS n FROM audit_resource WHERE id LIKE ?`);
  const counts = ['a%', 'undone%', 'b%'].map((id) => about.get(id)?.n);
  assert.deepEqual(counts, [IDS_TOGETHER, 0, IDS_TOGETHER + 1]);
  database.close();
});
