/** Imports records into a data folder, edition after edition, and damages the files of editions. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Edition, openEdition } from '../../../src/directory/edition/edition.ts';
import type { DeletedKind } from '../../../src/directory/edition/kept-changes.ts';
import { type ImportReport, importEdition } from '../../../src/directory/import/import-edition.ts';
import type { CodeSystems, SourceRecord } from '../../../src/directory/record/record.ts';
import { editionPath } from '../../../src/storage/editions/edition-folder.ts';
import { openDataFolder } from '../../../src/storage/files/data-folder.ts';
import { openDatabase } from '../../../src/storage/sqlite/database/database.ts';
import {
  EDITION_MIGRATIONS,
  EditionCatalogue,
} from '../../../src/storage/sqlite/editions/edition-catalogue.ts';
import { openEditionStore } from '../../../src/storage/sqlite/editions/edition-store.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { CODE_SYSTEMS, organization, role } from '../records.ts';

export interface ImportedParts {
  /** The codes in an archive that is left out. Undefined if the archive cannot be read. */
  readonly archived?: ReadonlySet<string> | undefined;
  readonly hasLinks?: boolean;
  readonly onlyChanges?: boolean;
  readonly codeSystems?: Partial<CodeSystems>;
  readonly keep?: number;
}

/** `now`: the clock of the machine. */
export function createImports(context: TestContext, now: () => Date = () => new Date()) {
  const folder = openDataFolder(temporaryFolder(context));
  const store = openEditionStore(folder, now);
  context.after(() => store.close());
  const open = async (number: number): Promise<Edition> => {
    const info = (await store.list()).find((each) => each.number === number);
    if (info === undefined) throw new Error(`there is no edition ${number}`);
    return openEdition(info, await store.load(number));
  };
  const report = (
    records: readonly SourceRecord[],
    parts: ImportedParts = {},
  ): Promise<ImportReport> =>
    importEdition({
      store,
      source: 'test',
      read: async (receiver) => {
        const { hasLinks = true } = parts;
        receiver.manifest({
          publicationDate: '2026-08-28',
          publicationType: 'Full',
          hasRelations: hasLinks,
        });
        receiver.codeSystems({ ...CODE_SYSTEMS, ...parts.codeSystems });
        for (const record of records) receiver.record(record);
        if ('archived' in parts) receiver.leftOutArchive(async () => parts.archived);
      },
      onProgress: () => {},
      onBuild: () => {},
      keep: parts.keep ?? 9,
      allowShrink: true,
      onlyChanges: () => parts.onlyChanges === true,
      now: () => now().getTime(),
      stopped: new AbortController().signal,
    });
  return {
    store,
    open,
    report,
    /** Imports, and opens the edition that is then current. */
    publish: async (records: readonly SourceRecord[], parts?: ImportedParts): Promise<Edition> =>
      open((await report(records, parts)).edition.number),
    /** Rolls back as versions before 0.2.2 did: the earlier edition became current again itself. */
    rollBackAsBefore: (to: number): void => {
      const database = openDatabase(folder.directoryDatabase, EDITION_MIGRATIONS);
      const catalogue = new EditionCatalogue(database);
      const id = catalogue.read().rows.publications.length + 1;
      catalogue.addPublication({ id, edition: to, published_at: now().toISOString() });
      database.close();
    },
    /** Flips a bit in a file. Returns the path. */
    damage: (edition: number, name: string): string => {
      const file = join(editionPath(folder, edition), name);
      const bytes = readFileSync(file);
      bytes[0]! ^= 1;
      writeFileSync(file, bytes);
      return file;
    },
  };
}

/** A record with a role, a relationship and a succession whose numbers begin with `id`. */
export function record(code: string, id: number, more: Partial<SourceRecord> = {}): SourceRecord {
  const target = { code: 'X1' };
  return {
    ...organization(code, { roles: [role('76', { isPrimary: true, uniqueId: 10 * id })] }),
    relationships: [{ type: '4', uniqueId: 10 * id + 1, isActive: true, periods: [], target }],
    successions: [{ kind: 'Successor', uniqueId: 10 * id + 2, periods: [], target }],
    ...more,
  };
}

/** `A1 3` for each record, full or not: the edition in which it changed last. */
export function changes({ links, changedIn }: Edition): string[] {
  return Array.from(
    { length: links.rowCount },
    (_, row) => `${links.codeOf(row)} ${changedIn(row).number}`,
  );
}

/** `10 3`: the id, and the edition that deleted it. */
export function deletions(edition: Edition, kind: DeletedKind): string[] {
  return edition.deletions(kind).map(({ id, deletedIn }) => `${id} ${deletedIn.number}`);
}
