/** The yardstick: pgbench with a transaction that inserts the rows of one create. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../../test/storage/postgres/server.ts';
import { pinned } from '../machine.ts';
import { serverCpuSeconds } from './database.ts';

export interface YardstickFigures {
  readonly perSecond: number;
  readonly serverCpuMs: number;
}

export interface YardstickOptions {
  readonly bin: string;
  readonly server: PostgresServer;
  /** A database with order responses. */
  readonly database: string;
  readonly connections: number;
  readonly seconds: number;
  readonly core: string | undefined;
}

export async function runYardstick(options: YardstickOptions): Promise<YardstickFigures> {
  const { bin, server, database, connections, seconds, core } = options;
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bench-pgbench-'));
  try {
    const script = join(folder, 'create.sql');
    writeFileSync(script, await createScript(server, database));
    const [command = '', ...words] = [
      ...pinned(core),
      join(bin, 'pgbench'),
      '--no-vacuum',
      '--protocol',
      'prepared',
      '--file',
      script,
      '--define',
      'n=0',
      '--client',
      String(connections),
      '--time',
      String(seconds),
      server.url(database),
    ];
    const before = serverCpuSeconds(server);
    const { status, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const cpu = serverCpuSeconds(server) - before;
    const made = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
    return {
      perSecond: Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]),
      serverCpuMs: (cpu * 1000) / made,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The rows of the last create, with keys that no other client and no other transaction has. */
async function createScript(server: PostgresServer, database: string): Promise<string> {
  const [row = {}] = await server.run(
    `SELECT v.resource, v.epoch, v.written_at, v.text, e.entry
     FROM resource_version v
     JOIN audit_entry e ON (e.writer, e.number) = (v.audit_writer, v.audit_number)
     ORDER BY v.key DESC LIMIT 1`,
    database,
  );
  const entries = await server.run(
    `SELECT field, value, detail FROM search_entry WHERE resource = ${row.resource}`,
    database,
  );
  const at = quoted(row.written_at);
  const values = entries.map(
    ({ field, value, detail }) => `(${field}, ${KEY}, ${quoted(value)}, ${quoted(detail)})`,
  );
  return [
    '\\set n :n + 1',
    'BEGIN;',
    `INSERT INTO audit_entry (writer, number, recorded_at, entry, mac) VALUES (${WRITER}, :n, ${at},
      ${quoted(row.entry)}, sha256('entry'));`,
    `INSERT INTO resource (key, resource_type, id, current_version)
      VALUES (${KEY}, 'OrderResponse', '01900000-0000-7000-8000-' || ${KEY}, 1);`,
    `INSERT INTO resource_version (epoch, resource, version, written_at, method, audit_writer,
      audit_number, text) VALUES (${row.epoch}, ${KEY}, 1, ${at}, 'POST', ${WRITER}, :n,
      ${quoted(row.text)});`,
    `INSERT INTO search_entry (field, resource, value, detail) VALUES ${values.join(', ')};`,
    'COMMIT;',
  ]
    .map((statement) => statement.replaceAll(/\s*\n\s*/g, ' '))
    .join('\n');
}

/** Far above those of the program. A client has ten million numbers. */
const WRITER = '(1000000 + :client_id)';
const KEY = '(900000000000 + :client_id * 10000000 + :n)';

/** pgbench takes a colon and a name for a variable, and a literal of the program has none. */
function quoted(value: unknown): string {
  const text = String(value).replaceAll("'", "''");
  return text.includes(':')
    ? `replace('${text.replaceAll(':', '\u00a6')}', '\u00a6', ':')`
    : `'${text}'`;
}
