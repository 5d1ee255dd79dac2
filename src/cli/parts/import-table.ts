/** What the commands share that import a table beside the editions. */
import type { NamedArrays } from '../../directory/arrays/arrays.ts';
import type { AboutTable } from '../../directory/arrays/stored-table.ts';
import { encodeTable } from '../../storage/tables/table-bytes.ts';
import type { TableStore } from '../../storage/tables/table-store.ts';
import { CommandError, type CommandOption } from './command.ts';

/** Of the entries of the version before. Without them, a file was probably cut off. */
const SHARE_MIN = 0.9;

/** `what`: what the table holds. */
export function allowShrinkOption(what: string): CommandOption {
  return {
    syntax: '--allow-shrink',
    help: `Import even if there are fewer than ${SHARE_MIN * 100} % as many ${what} as before`,
  };
}

/** Replaces the table. Throws a `CommandError` if it has shrunk, unless it may. */
export async function publishTable<About extends AboutTable>(
  store: TableStore<About>,
  about: Omit<About, 'version'>,
  arrays: NamedArrays,
  mayShrink: boolean,
): Promise<void> {
  const bytes = encodeTable(store.kind, about, arrays);
  if (!mayShrink) await refuseShrinking(store, about);
  await store.publish(bytes);
}

async function refuseShrinking<About extends AboutTable>(
  store: TableStore<About>,
  about: Omit<About, 'version'>,
): Promise<void> {
  const { name, count } = store.kind;
  // A table that is damaged is replaced.
  const before = await store.read().catch(() => undefined);
  const known = before === undefined ? 0 : count(before.about);
  const found = count(about);
  if (found >= known * SHARE_MIN) return;
  throw new CommandError(
    `${about.source} has ${found} ${name}, and the version before has ${known}. If this is correct, ` +
      'import it with --allow-shrink.',
  );
}
