/** The length of a file. */
import { statSync } from 'node:fs';

/** The length of a file in bytes; 0 if it does not exist. */
export function fileLength(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
