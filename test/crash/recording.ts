/** A recording of the file operations of a run of the program, and of its promises. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** As in recorder.c. */
const KINDS = [
  'none',
  'create',
  'make-folder',
  'unlink',
  'remove-folder',
  'rename',
  'link',
  'write',
  'truncate',
  'sync',
  'failed-sync',
  'mapped',
  'unrecorded',
] as const;

export type ChangeKind = (typeof KINDS)[number] | 'sync-folder';

/** One change of a file or folder. */
export interface Change {
  readonly kind: ChangeKind;
  /** On the clock of `process.hrtime.bigint()`. */
  readonly beganAt: bigint;
  readonly endedAt: bigint;
  /** The file, or the folder that the name is in. */
  readonly id: number;
  /** Of a write: the offset. Of a truncation: the length. Of a name: the id that it is given to. */
  readonly value: number;
  /** Of a write: the bytes. */
  readonly bytes: Buffer;
  readonly name: string;
  /** Of a rename: the folder and the name afterwards. */
  readonly target?: { readonly folder: number; readonly name: string };
  /** The path of the file, relative to the recorded folder. */
  readonly path: string;
}

/** What the program promised, and when the answer had come. Times are those of `Change`, as text. */
export type Promised = { readonly at: string } & (
  | { readonly kind: 'token' }
  | {
      readonly kind: 'version';
      readonly id: string;
      readonly version: number;
      readonly mark: string;
    }
  | { readonly kind: 'read' }
  | { readonly kind: 'head'; readonly head: string }
  | { readonly kind: 'edition'; readonly number: number; readonly begunAt: string }
  | { readonly kind: 'backup'; readonly versions: number }
  | { readonly kind: 'restore' }
);

/** The folder that is recorded. */
export const ROOT_ID = 1;

export interface Recording {
  readonly changes: readonly Change[];
  readonly promises: readonly Promised[];
}

/** Where the parts of a recording are in its folder. */
export function recordingPaths(folder: string) {
  return {
    /** The folder that is recorded. */
    root: join(folder, 'root'),
    log: join(folder, 'log'),
    library: join(folder, 'recorder.so'),
    promises: join(folder, 'promises.json'),
  };
}

export function writePromises(folder: string, promises: readonly Promised[]): void {
  writeFileSync(recordingPaths(folder).promises, JSON.stringify(promises));
}

/** Reads the recording, without changes to files outside the recorded folder. */
export function readRecording(folder: string): Recording {
  const paths = recordingPaths(folder);
  const root = statSync(paths.root).ino;
  const promises: Promised[] = JSON.parse(readFileSync(paths.promises, 'utf8'));
  promises.sort((one, other) => Number(BigInt(one.at) - BigInt(other.at)));
  return { promises, changes: ourChanges(readFileSync(paths.log), root) };
}

const HEAD_BYTES = 41;

function* readChanges(log: Buffer): Generator<Change> {
  for (let at = 0; at < log.length; ) {
    const length = log.readUInt32LE(at);
    const kind = KINDS[log.readUInt8(at + 4)]!;
    const value = Number(log.readBigUInt64LE(at + 29));
    const middle = at + HEAD_BYTES + log.readUInt32LE(at + 37);
    const bytes = log.subarray(at + HEAD_BYTES, middle);
    yield {
      kind,
      beganAt: log.readBigInt64LE(at + 5),
      endedAt: log.readBigInt64LE(at + 13),
      id: Number(log.readBigUInt64LE(at + 21)),
      value,
      bytes,
      name: kind === 'write' ? '' : bytes.toString(),
      ...(kind === 'rename' && {
        target: { folder: value, name: log.toString('utf8', middle, at + length) },
      }),
      path: '',
    };
    at += length;
  }
}

/** A file or folder that is there now; file systems give inodes out again. */
interface Node {
  readonly id: number;
  readonly isFolder: boolean;
  path: string;
}

/** Follows names through the log, and keeps what is below the root; inodes become ids. */
function ourChanges(log: Buffer, root: number): Change[] {
  const nodes = new Map<number, Node>([[root, { id: ROOT_ID, isFolder: true, path: '' }]]);
  let ids = ROOT_ID;
  const changes: Change[] = [];
  for (const change of readChanges(log)) {
    const { kind, id: inode, name, value, target } = change;
    const node = nodes.get(inode);
    const isMaking = kind === 'create' || kind === 'make-folder';
    if (isMaking) nodes.delete(value); // outside of the root it may be one that was ours before
    if (node === undefined) continue;
    const path = name === '' ? node.path : join(node.path, name);
    requireRecordable(kind, path);
    if (isMaking) nodes.set(value, { id: ++ids, isFolder: kind === 'make-folder', path });
    const named = isMaking || kind === 'link' ? nodes.get(value) : undefined;
    if (named !== undefined) named.path = path;
    const folder = target === undefined ? undefined : nodes.get(target.folder);
    if (folder !== undefined && target !== undefined) {
      renamePaths(nodes.values(), path, join(folder.path, target.name));
    }
    changes.push({
      ...change,
      id: node.id,
      path,
      kind: kind === 'sync' && node.isFolder ? 'sync-folder' : kind,
      value: named?.id ?? value,
      ...(folder && target && { target: { folder: folder.id, name: target.name } }),
    });
  }
  return changes;
}

function renamePaths(nodes: Iterable<Node>, from: string, to: string): void {
  for (const node of nodes) {
    const isBelow = node.path === from || node.path.startsWith(`${from}/`);
    if (isBelow) node.path = to + node.path.slice(from.length);
  }
}

/** SQLite maps the index of its log, which it makes anew after a crash; all else must be recorded. */
function requireRecordable(kind: ChangeKind, path: string): void {
  if (kind === 'unrecorded' || (kind === 'mapped' && !path.endsWith('-shm'))) {
    throw new Error(`${path} was changed by a call that the recorder cannot record`);
  }
}
