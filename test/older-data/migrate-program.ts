/**
 * A program for tests that die: `migrate-program.ts <folder> <n>` migrates the databases in a data
 * folder, and kills itself before the statement n of the migrations.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import { openDatabase } from '../../src/storage/sqlite/database/database.ts';
import { EDITION_MIGRATIONS } from '../../src/storage/sqlite/editions/edition-catalogue.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';

const [folder = '', last = ''] = process.argv.slice(2);
let statements = 0;

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  for (const statement of sql.split(/;\n(?=\s*(?:--|ALTER|CREATE|INSERT|DROP|UPDATE))/)) {
    statements += 1;
    if (statements === Number(last)) process.kill(process.pid, 'SIGKILL');
    exec.call(this, statement);
  }
};

const opened = openDataFolder(folder);
if (existsSync(opened.directoryDatabase)) {
  openDatabase(opened.directoryDatabase, EDITION_MIGRATIONS).close();
}
openRepositoryDatabase(opened).database.close();
