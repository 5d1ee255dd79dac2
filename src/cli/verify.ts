/** `gazetteer verify`: whether what is stored is what was written. */
import { existsSync } from 'node:fs';
import { type ChainHead, headText, parseHead } from '../storage/audit-chain.ts';
import { type DataFolder, openDataFolder } from '../storage/data-folder.ts';
import { openOrdersSnapshot } from '../storage/sqlite/orders-database.ts';
import { type OrdersVerdict, verifyOrders } from '../storage/sqlite/verify-orders.ts';
import { StorageError, withStorageErrors } from '../storage/storage-error.ts';
import { tellsOfData } from '../storage/verification.ts';
import { type CheckedPart, verifyEditions } from '../storage/verify-editions.ts';
import { type Command, CommandError, UsageError } from './command.ts';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Check the directory, order responses and the audit log, also while a server runs',
  settings: ['data'],
  options: [
    {
      syntax: '--head <head>',
      help: 'An audit head that an earlier verify printed, which the log must still contain',
    },
  ],
  run: async ({ config, options, streams, stopped }) => {
    const expectedHead = headOf(options.head);
    const folder = openDataFolder(config.data, { mustExist: 'either' });
    let wrong = 0;
    let unchecked = 0;
    const tell = ({ name, findings, isUnchecked }: CheckedPart, sound = 'sound') => {
      if (isUnchecked === true) {
        unchecked++;
        streams.output.write(`${name}: could not be checked: ${findings.join('; ')}\n`);
        return;
      }
      wrong += findings.length;
      const lines = findings.length === 0 ? [sound] : findings;
      for (const line of lines) streams.output.write(`${name}: ${line}\n`);
    };
    if (existsSync(folder.directoryDatabase)) {
      for (const part of verifyEditions(folder)) {
        if (stopped.aborted) throw new CommandError('Stopped before the end.');
        tell(part);
      }
    }
    if (existsSync(folder.ordersDatabase) || expectedHead !== undefined) {
      const verdict = checkOrders(folder, expectedHead, stopped);
      if (verdict instanceof StorageError) {
        const isUnchecked = !tellsOfData(verdict);
        tell({ name: 'orders.db', findings: [verdict.message], isUnchecked });
      } else {
        const { findings, findingsTotal, orderResponses, versions, head } = verdict;
        const unlisted = findingsTotal - findings.length;
        const more = unlisted > 0 ? [`and ${unlisted} more`] : [];
        const sound = `sound, ${orderResponses} order responses, ${versions} versions`;
        tell({ name: 'orders.db', findings: [...findings, ...more] }, sound);
        streams.output.write(`audit head ${headText(head)}\n`);
      }
    }
    if (wrong > 0) {
      throw new CommandError('Some stored data differs from what was written. Restore a backup.');
    }
    if (unchecked > 0) {
      throw new CommandError(
        'Some stored data could not be checked. Do what the lines above say, and verify again.',
      );
    }
  },
};

function headOf(text: string | boolean | undefined): ChainHead | undefined {
  if (text === undefined) return undefined;
  const head = parseHead(String(text));
  if (head !== undefined) return head;
  throw new UsageError(`--head takes what verify printed as the audit head, not "${text}".`);
}

/** A database that cannot even be read is one finding more. */
function checkOrders(
  folder: DataFolder,
  expectedHead: ChainHead | undefined,
  stopped: AbortSignal,
): OrdersVerdict | StorageError {
  try {
    return withStorageErrors(folder.ordersDatabase, () => {
      const orders = openOrdersSnapshot(folder);
      try {
        return verifyOrders(orders, { stopped, ...(expectedHead && { expectedHead }) });
      } finally {
        orders.database.close();
      }
    });
  } catch (error) {
    if (error instanceof StorageError) return error;
    if (stopped.aborted) throw new CommandError('Stopped before the end.');
    throw error;
  }
}
