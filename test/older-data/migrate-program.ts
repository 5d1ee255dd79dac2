/**
 * A program for tests that die: `migrate-program.ts <folder> <n>` migrates the repository in a data
 * folder, and kills itself before the statement n of the migration.
 */
import { DatabaseSync } from 'node:sqlite';
import { openDataFolder } from '../../src/storage/data-folder.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';

const [folder = '', last = ''] = process.argv.slice(2);
let statements = 0;

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  for (const statement of sql.split(/;\n(?=\s*(?:--|ALTER|CREATE|INSERT|DROP))/)) {
    if (++statements === Number(last)) process.kill(process.pid, 'SIGKILL');
    exec.call(this, statement);
  }
};

openRepositoryDatabase(openDataFolder(folder)).database.close();
