/** The audit log adds rows to its index that it has kept in memory: they are those of the entries. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { AuditRecord } from '../../../src/fhir/audit/audit.ts';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { instantText } from '../../../src/storage/repository/stored-version.ts';
import {
  auditIndexedTo,
  DISCARD_AUDIT_INDEX,
  fillAuditIndex,
  IDS_TOGETHER,
  lastNumber,
} from '../../../src/storage/sqlite/audit-index.ts';
import { AuditLog } from '../../../src/storage/sqlite/audit-log.ts';
import { inSavepoint, inTransaction } from '../../../src/storage/sqlite/database/database.ts';
import { openRepositoryDatabase } from '../../../src/storage/sqlite/repository-database.ts';
import { repetitions } from '../../campaign.ts';
import { fc } from '../../property.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { withSteps } from '../steps.ts';

/** A log of a server, and one of a command in another process. */
function openLogs(context: TestContext) {
  const folder = openDataFolder(temporaryFolder(context));
  const { database, auditKey } = openRepositoryDatabase(folder);
  const { database: other } = openRepositoryDatabase(folder);
  const log = new AuditLog(database, auditKey);
  let written = 0;
  return {
    database,
    log,
    /** Appends entries about this number of resources each. */
    append: (entries: number, ids: number, to = (record: AuditRecord) => appendTo(log, record)) => {
      for (let entry = 0; entry < entries; entry++) {
        const resources = Array.from({ length: ids }, () => `r${written++ % 30_011}`);
        to({
          outcome: 'found',
          interaction: 'search-type',
          address: '::1',
          resource: `r${written++}`,
          resources,
        });
      }
    },
    command: () => ({ database: other, log: new AuditLog(other, auditKey) }),
    /** The index and one that is made anew must have the same rows. */
    checkIndex: () => {
      const rows = () => [
        database.prepare('SELECT * FROM audit_resource').all(),
        database.prepare('SELECT * FROM audit_block').all(),
      ];
      fillAuditIndex(database);
      const kept = rows();
      database.exec(DISCARD_AUDIT_INDEX);
      fillAuditIndex(database);
      // Not `deepEqual`, which takes minutes to say how so many rows differ.
      assert.ok(isDeepStrictEqual(kept, rows()), 'the index has other rows than its entries');
      database.close();
      other.close();
    },
  };
}

function appendTo(log: AuditLog, record: AuditRecord): void {
  log.append(instantText(0), record);
}

const STEP = fc.record({
  /** Who appends the entries, and what becomes of others. */
  what: fc.constantFrom('entries', 'undone entries, then others', 'of a command', 'of retention'),
  entries: fc.constantFrom(1, 3),
  ids: fc.constantFrom(0, 10, IDS_TOGETHER / 3, IDS_TOGETHER + 1),
  /** Which step on the database fails. */
  faultAt: fc.option(
    fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: IDS_TOGETHER })),
    { nil: undefined },
  ),
});

it('has the rows of all entries, whatever failed', (context) => {
  const property = fc.property(fc.array(STEP, { minLength: 4, maxLength: 12 }), (steps) => {
    const { database, log, append, command, checkIndex } = openLogs(context);
    const run = ({ what, entries, ids }: (typeof steps)[number]) => {
      if (what === 'of a command' || what === 'of retention') {
        const its = what === 'of a command' ? command() : { database, log };
        inTransaction(its.database, () => {
          const transaction = its.log.transaction(0);
          // Retention often finds nothing to erase.
          if (ids > 0) append(entries, ids, (record) => transaction.append(record));
        });
        return;
      }
      inTransaction(database, () => {
        log.begin();
        if (what === 'undone entries, then others') {
          inSavepoint(database, () => {
            append(entries, ids);
            return { kind: 'refused' };
          });
          log.begin();
        }
        append(entries, ids);
      });
    };
    for (const step of steps) {
      const fail = (name: string, at: number) => {
        if (name !== 'ROLLBACK' && at === step.faultAt) throw new Error('the disk failed');
      };
      try {
        withSteps(fail, () => run(step));
      } catch (error) {
        assert.match(String(error), /the disk failed/);
      }
    }
    checkIndex();
  });
  fc.assert(property, { numRuns: repetitions(12, 40) });
});

it('adds the rows of few entries together, and of none that were undone', (context) => {
  const { database, log, append, checkIndex } = openLogs(context);
  const transaction = (entries: number, ids: number) =>
    inTransaction(database, () => {
      log.begin();
      append(entries, ids);
    });
  const lacking = () => lastNumber(database) - auditIndexedTo(database);
  for (let entry = 0; entry < 10; entry++) {
    transaction(1, IDS_TOGETHER / 4);
    assert.ok(lacking() < 5, `${lacking()} lacking`);
  }
  const before = lastNumber(database);
  database.exec(
    `CREATE TEMP TRIGGER full BEFORE INSERT ON audit_resource BEGIN SELECT raise(ABORT, 'full'); END`,
  );
  transaction(1, IDS_TOGETHER / 2);
  assert.throws(() => transaction(1, IDS_TOGETHER), /full/);
  transaction(1, IDS_TOGETHER / 2); // stored: the index waits for more
  database.exec('DROP TRIGGER full');
  assert.equal(lastNumber(database), before + 2);
  transaction(1, IDS_TOGETHER);
  assert.equal(lacking(), 0);
  checkIndex();
});
