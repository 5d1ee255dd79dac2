/** A PostgreSQL database as SQL that any client runs. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The variable TEST_POSTGRES_BIN names the folder of `pg_dump`. */
export function dumpOf(url: string): string {
  const bin = process.env.TEST_POSTGRES_BIN;
  if (bin === undefined) throw new Error('set TEST_POSTGRES_BIN to a folder that has pg_dump');
  const words = ['--inserts', '--no-owner', '--no-privileges', url];
  const dump = execFileSync(join(bin, 'pg_dump'), words, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return withoutClientCommands(dump);
}

/** Without comments, and without what only the program psql understands. */
function withoutClientCommands(dump: string): string {
  const lines = dump.split('\n');
  return lines.filter((line) => !/^(--|\\|$)|SET transaction_timeout/.test(line)).join('\n');
}
