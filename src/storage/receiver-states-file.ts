/** Which edition each receiver of webhooks has, in a file of the data folder, which has one server. */
import { readFileSync } from 'node:fs';
import type { ReceiverState, ReceiverStates } from '../subscriptions/webhooks.ts';
import type { DataFolder } from './data-folder.ts';
import { replaceFile } from './replace-file.ts';
import { systemCode, withStorageErrors } from './storage-error.ts';

/** A missing file has no receivers, and one that is not JSON neither. Throws a `StorageError`. */
export function createReceiverStatesFile(open: () => DataFolder): ReceiverStates {
  return {
    exclusively: async (receiver, action) => {
      const { webhooks: path } = open();
      const save = async (state: ReceiverState) => {
        const text = JSON.stringify({ ...readStates(path), [receiver]: state });
        replaceFile(path, Buffer.from(`${text}\n`));
      };
      return await action(readStates(path)[receiver], save);
    },
  };
}

function readStates(path: string): Readonly<Record<string, ReceiverState>> {
  return withStorageErrors(path, () => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) ?? {};
    } catch (error) {
      if (error instanceof SyntaxError || systemCode(error) === 'ENOENT') return {};
      throw error;
    }
  });
}
