/** Errors of the system about files, in words. */
import { constants } from 'node:os';

/** Why a file cannot be read or written: the end of a sentence, without its full stop. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node has no name for the error of a quota.
  if ('errno' in error && error.errno === -constants.errno.EDQUOT) return NO_SPACE;
  const code = 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? error.message.split('\n', 1)[0] ?? code;
}

const NO_SPACE = 'there is no space left (disk, quota or file size limit)';
const DENIED = 'this user does not have the permission';
const TOO_MANY = 'too many files are open';
const IN_USE = 'another program uses it';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: DENIED,
  EBUSY: IN_USE,
  EFBIG: NO_SPACE,
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links lead back to themselves',
  EMFILE: TOO_MANY,
  ENAMETOOLONG: 'its name is too long',
  ENFILE: TOO_MANY,
  ENOENT: 'it does not exist',
  ENOSPC: NO_SPACE,
  ENOTDIR: 'its path leads through a file',
  EPERM: DENIED,
  EROFS: 'the file system is read-only',
  ETXTBSY: IN_USE,
};
