/**
 * Makes the names in a folder durable. Without this, a power loss can remove a new file or
 * folder.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';

export function syncFolder(path: string): void {
  if (process.platform === 'win32') {
    return; // Windows cannot open a folder, and keeps its entries in order itself
  }
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
