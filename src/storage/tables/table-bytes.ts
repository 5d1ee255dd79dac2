/** A table as the bytes of one file: a line of JSON, spaces up to a whole word, then the arrays. */
import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import type { NamedArrays, NumberArray } from '../../directory/arrays/arrays.ts';
import type { AboutTable, StoredTable } from '../../directory/arrays/stored-table.ts';
import { type ArrayForm, alignedBytesOf, arrayOver, formOf } from '../editions/shared-arrays.ts';
import { StorageError } from '../files/storage-error.ts';
import type { TableKind } from './table-kinds.ts';

/** The first line of the file. */
interface Head<About> {
  readonly format: number;
  readonly byteOrder: 'LE' | 'BE';
  readonly about: About;
  readonly arrays: readonly ArrayForm[];
  /** Of all bytes that follow the head, SHA-256. */
  readonly checksum: string;
}

/** The head begins at the start of a word, and so do the arrays. */
const WORD_BYTES = 8;
const HEAD_BYTES_MAX = 1 << 16;

/** The version is made of the content: the same file imported again has the same one. */
export function encodeTable<About extends AboutTable>(
  kind: TableKind<About>,
  about: Omit<About, 'version'>,
  arrays: NamedArrays,
): Uint8Array {
  const forms = Object.entries(arrays).map(([name, array]) => formOf(name, array));
  const dataBytes = forms.reduce((sum, form) => sum + alignedBytesOf(form), 0);
  const data = new Uint8Array(dataBytes);
  let at = 0;
  for (const form of forms) {
    data.set(bytesOf(arrays[form.name]!), at);
    at += alignedBytesOf(form);
  }
  const checksum = checksumOf(data);
  const head: Head<object> = {
    format: kind.format,
    byteOrder: endianness(),
    about: { ...about, version: checksum.slice(0, VERSION_LENGTH) },
    arrays: forms,
    checksum,
  };
  const line = Buffer.from(JSON.stringify(head));
  const headBytes = Math.ceil((line.length + 1) / WORD_BYTES) * WORD_BYTES;
  const bytes = new Uint8Array(headBytes + dataBytes).fill(SPACE, line.length, headBytes - 1);
  bytes.set(line);
  bytes[headBytes - 1] = LINE_END;
  bytes.set(data, headBytes);
  return bytes;
}

const VERSION_LENGTH = 16;
const SPACE = 0x20;
const LINE_END = 0x0a;

/**
 * Opens bytes in shared memory, without a copy. `place` is for messages. Throws a `StorageError` if
 * a byte differs from what was written.
 */
export function decodeTable<About extends AboutTable>(
  kind: TableKind<About>,
  place: string,
  memory: SharedArrayBuffer,
): StoredTable<About> {
  const bytes = new Uint8Array(memory);
  const headBytes = bytes.subarray(0, HEAD_BYTES_MAX).indexOf(LINE_END) + 1;
  const head = readHead(kind, place, bytes.subarray(0, headBytes));
  const dataBytes = head.arrays.reduce((sum, form) => sum + alignedBytesOf(form), 0);
  if (bytes.length !== headBytes + dataBytes) throw damaged(kind, place);
  if (checksumOf(bytes.subarray(headBytes)) !== head.checksum) throw damaged(kind, place);
  const arrays: Record<string, NumberArray> = {};
  let at = headBytes;
  for (const form of head.arrays) {
    arrays[form.name] = arrayOver(form, memory, at);
    at += alignedBytesOf(form);
  }
  return { about: head.about, arrays };
}

function readHead<About extends AboutTable>(
  kind: TableKind<About>,
  place: string,
  bytes: Uint8Array,
): Head<About> {
  let head: Head<About>;
  try {
    head = JSON.parse(new TextDecoder().decode(bytes.slice()));
  } catch {
    throw damaged(kind, place);
  }
  if (head.format === kind.format && head.byteOrder === endianness()) return head;
  const by = head.format === kind.format ? 'on another kind of machine' : 'by another version';
  throw new StorageError('unusable', `${place}: made ${by}; ${remedyOf(kind)}`);
}

function checksumOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function remedyOf({ name, command }: Pick<TableKind, 'name' | 'command'>): string {
  return `import the ${name} again with "gazetteer ${command}"`;
}

function damaged(kind: Pick<TableKind, 'name' | 'command'>, place: string): StorageError {
  return new StorageError(
    'damaged',
    `${place}: its content differs from what was written; ${remedyOf(kind)}`,
  );
}
