/** The data of an edition in a database: its files, cut into chunks. */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { checkFiles, MANIFEST_NAME } from '../../editions/edition-folder.ts';
import { FILE_MODE, FOLDER_MODE } from '../../files/data-folder.ts';
import { inParts } from '../../store/store-contents.ts';
import type { Connection } from '../connection/connection.ts';

const CHUNK_BYTES = 1 << 20;

/** The chunks of one transaction, and of one answer. */
const CHUNKS_AT_ONCE = 8;

interface Chunk {
  readonly file: string;
  /** From 0. */
  readonly part: number;
  readonly bytes: Buffer;
}

/**
 * Copies a folder to the database. It becomes durable with the next commit, so that a commit for
 * each transaction of chunks need not wait for the disk and for replicas.
 */
export async function uploadFolder(
  connection: Connection,
  content: string,
  path: string,
): Promise<void> {
  for await (const group of inParts(chunksOfFolder(path), CHUNKS_AT_ONCE)) {
    await connection.transaction(async () => {
      await Promise.all([
        connection.query('SET LOCAL synchronous_commit = off'),
        ...group.map(({ file, part, bytes }) =>
          connection.queryPrepared(
            'INSERT INTO edition_chunk (content, file, part, bytes) VALUES ($1, $2, $3, $4)',
            [content, file, part, bytes],
          ),
        ),
      ]);
    });
  }
}

/** Writes the files into a new folder. The loader checks them against the manifest. */
export async function downloadFolder(
  connection: Connection,
  content: string,
  path: string,
): Promise<void> {
  mkdirSync(path, { mode: FOLDER_MODE });
  let opened: { readonly name: string; readonly file: number } | undefined;
  try {
    for await (const { file: name, bytes } of readChunks(connection, content)) {
      if (opened?.name !== name) {
        if (opened !== undefined) closeSync(opened.file);
        opened = { name, file: openSync(join(path, name), 'wx', FILE_MODE) };
      }
      for (let at = 0; at < bytes.length; ) at += writeSync(opened.file, bytes, at);
    }
  } finally {
    if (opened !== undefined) closeSync(opened.file);
  }
}

/**
 * Reads the data, and compares it with its manifest. Throws a `StorageError` of kind `damaged`.
 * `place` names the edition in its message.
 */
export async function checkChunks(
  connection: Connection,
  content: string,
  manifestChecksum: number,
  place: string,
): Promise<void> {
  const manifest: Buffer[] = [];
  for await (const { bytes } of readChunks(connection, content, MANIFEST_NAME)) {
    manifest.push(bytes);
  }
  const check = checkFiles(place, Buffer.concat(manifest), manifestChecksum);
  for await (const { file, bytes } of readChunks(connection, content)) check.add(file, bytes);
  check.finish();
}

export async function hasChunks(
  connection: Connection,
  content: string,
  file: string,
): Promise<boolean> {
  const [row] = await connection.query(
    'SELECT EXISTS (SELECT 1 FROM edition_chunk WHERE content = $1 AND file = $2) AS found',
    [content, file],
  );
  return row?.found === true;
}

export async function removeChunks(connection: Connection, content: string): Promise<void> {
  await connection.query('DELETE FROM edition_chunk WHERE content = $1', [content]);
}

/** Each file, and the chunks of each file, in order. It asks for the next chunks in advance. */
async function* readChunks(
  connection: Connection,
  content: string,
  file?: string,
): AsyncGenerator<Chunk> {
  const keys = await connection.query(
    `SELECT file, part FROM edition_chunk WHERE content = $1 AND file = coalesce($2, file)
     ORDER BY file, part`,
    [content, file ?? null],
  );
  const readGroup = (at: number) => {
    const [first] = keys.slice(at, at + 1);
    const last = keys.slice(at, at + CHUNKS_AT_ONCE).at(-1);
    if (first === undefined || last === undefined) return Promise.resolve([]);
    const read = connection.queryPrepared(SELECT_GROUP, [
      content,
      String(first.file),
      Number(first.part),
      String(last.file),
      Number(last.part),
    ]);
    read.catch(() => {}); // The generator throws it when it gets there.
    return read;
  };
  let group = readGroup(0);
  for (let at = 0; at < keys.length; at += CHUNKS_AT_ONCE) {
    const next = readGroup(at + CHUNKS_AT_ONCE);
    for (const row of await group) yield chunkOf(row);
    group = next;
  }
}

const SELECT_GROUP = `
  SELECT file, part, bytes FROM edition_chunk
  WHERE content = $1 AND (file, part) >= ($2, $3) AND (file, part) <= ($4, $5)
  ORDER BY file, part`;

function chunkOf({ file, part, bytes }: Readonly<Record<string, unknown>>): Chunk {
  if (!Buffer.isBuffer(bytes)) throw new TypeError('a chunk of an edition has no bytes');
  return { file: String(file), part: Number(part), bytes };
}

function* chunksOfFolder(path: string): Generator<Chunk, undefined> {
  for (const file of readdirSync(path)) {
    const opened = openSync(join(path, file), 'r');
    try {
      for (let part = 0; ; part++) {
        const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
        const count = readFully(opened, bytes);
        if (count > 0 || part === 0) yield { file, part, bytes: bytes.subarray(0, count) };
        if (count < CHUNK_BYTES) break;
      }
    } finally {
      closeSync(opened);
    }
  }
}

/** Returns the number of bytes, which is less than the buffer's at the end of the file. */
function readFully(file: number, buffer: Buffer): number {
  let at = 0;
  for (;;) {
    const count = readSync(file, buffer, at, buffer.length - at, null);
    at += count;
    if (count === 0 || at === buffer.length) return at;
  }
}
