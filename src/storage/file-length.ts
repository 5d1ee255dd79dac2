/** The length of a file in bytes; 0 where there is no such file. */
import { statSync } from 'node:fs';

export function fileLength(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
