/**
 * Models the contents of a disk after a power loss: all synced data, and none, all or any part
 * of the data that was not synced. A name is durable only after a sync of its folder.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../scripts/release/random.ts';
import { type Change, ROOT_ID } from './recording.ts';

/** What happens to the data that was not synced. */
export const LOSSES = [
  'all-lost',
  'all-kept',
  'contents-lost',
  'zeroes',
  'any-subset',
  'torn-sectors',
  'torn-ends',
  'in-order',
] as const;

export type Loss = (typeof LOSSES)[number];

const SECTOR_BYTES = 512;
const PAGE_BYTES = 4096;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

type Names = Map<string, number>;

export class Disk {
  /** The durable names of each folder. */
  readonly #folders = new Map<number, Names>([[ROOT_ID, new Map()]]);
  /** The names that the program sees. */
  readonly #seen = new Map<number, Names>([[ROOT_ID, new Map()]]);
  #namesPending: NameChange[] = [];
  readonly #files = new Map<number, FileOnDisk>();

  /** Takes the next change; `random` decides what of a failed sync arrives. */
  apply(change: Change, random: Random): void {
    switch (change.kind) {
      case 'create':
        this.#files.set(change.value, new FileOnDisk());
        this.#applyName(change);
        break;
      case 'make-folder':
        this.#folders.set(change.value, new Map());
        this.#seen.set(change.value, new Map());
        this.#applyName(change);
        break;
      case 'write':
      case 'truncate':
        this.#files.get(change.id)?.change(change);
        break;
      case 'sync':
        this.#files.get(change.id)?.sync();
        break;
      case 'sync-folder':
        this.#syncFolder(change.id);
        break;
      case 'failed-sync':
        this.#files.get(change.id)?.failSync(random);
        break;
      case 'none':
      case 'mapped':
      case 'unrecorded':
        break;
      default:
        this.#applyName(change);
    }
  }

  /** Writes one possible state of the folder after the power loss. */
  write(path: string, loss: Loss, random: Random): void {
    const folders = new Map([...this.#folders].map(([id, names]) => [id, new Map(names)]));
    for (const change of namesKept(this.#namesPending, loss, random)) rename(folders, change);
    this.#writeFolder(ROOT_ID, path, { folders, loss, random });
  }

  #applyName(change: Change): void {
    const id =
      change.kind === 'rename'
        ? this.#seen.get(change.id)?.get(change.name)
        : change.kind === 'unlink' || change.kind === 'remove-folder'
          ? undefined
          : change.value;
    const named = { change, id };
    rename(this.#seen, named);
    this.#namesPending.push(named);
  }

  #syncFolder(id: number): void {
    const rest: NameChange[] = [];
    for (const named of this.#namesPending) {
      const { change } = named;
      const isHere = change.id === id || change.target?.folder === id;
      if (isHere) rename(this.#folders, named);
      else rest.push(named);
    }
    this.#namesPending = rest;
  }

  #writeFolder(id: number, path: string, state: WrittenState): void {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
    for (const [name, child] of state.folders.get(id) ?? []) {
      const childPath = join(path, name);
      if (state.folders.has(child)) this.#writeFolder(child, childPath, state);
      else writeFileSync(childPath, this.#contentOf(child, name, state), { mode: PRIVATE_FILE });
    }
  }

  #contentOf(id: number, name: string, { loss, random }: WrittenState): Buffer {
    const content = this.#files.get(id)!.after(loss, random);
    // The program maps this file into memory, so the disk may have any content.
    if (name.endsWith('-shm') && loss !== 'all-kept')
      return content.map(() => random.below(256)) as Buffer;
    return content;
  }
}

interface WrittenState {
  readonly folders: ReadonlyMap<number, Names>;
  readonly loss: Loss;
  readonly random: Random;
}

/** A change of names with the id that gets the name, if one does. */
interface NameChange {
  readonly change: Change;
  readonly id: number | undefined;
}

function rename(folders: Map<number, Names>, { change, id }: NameChange): void {
  const names = folders.get(change.id);
  if (change.target !== undefined) {
    if (names?.get(change.name) === id) names?.delete(change.name);
    if (id !== undefined) folders.get(change.target.folder)?.set(change.target.name, id);
  } else if (id === undefined) names?.delete(change.name);
  else names?.set(change.name, id);
}

function namesKept(
  pending: readonly NameChange[],
  loss: Loss,
  random: Random,
): readonly NameChange[] {
  switch (loss) {
    case 'all-lost':
      return [];
    case 'all-kept':
    case 'contents-lost':
    case 'zeroes':
      return pending;
    case 'any-subset':
      return pending.filter(() => random.isChance(5000));
    default:
      return pending.slice(0, random.below(pending.length + 1));
  }
}

type ContentChange = Pick<Change, 'kind' | 'value' | 'bytes'>;

/** A file: its durable content, and the changes that are not durable yet. */
class FileOnDisk {
  #sure = new Content();
  #pending: ContentChange[] = [];
  /** What the program reads, where a sync has failed and the two differ. */
  #cached: Content | undefined;

  change(change: ContentChange): void {
    this.#cached?.apply(change);
    this.#pending.push(this.#cached === undefined ? change : wholePages(change, this.#cached));
  }

  sync(): void {
    for (const change of this.#pending) this.#sure.apply(change);
    this.#pending = [];
  }

  /** The system takes its pages for written: what did not arrive is lost, unless written again. */
  failSync(random: Random): void {
    this.#cached ??= this.#after((content, change) => content.apply(change));
    for (const change of this.#pending) {
      if (change.kind === 'truncate' || random.isChance(3000)) this.#sure.apply(change);
    }
    this.#pending = [];
  }

  after(loss: Loss, random: Random): Buffer {
    const cut = random.below(this.#pending.length + 1);
    return this.#after((content, change, at) => {
      switch (loss) {
        case 'all-lost':
        case 'contents-lost':
          return;
        case 'all-kept':
          return content.apply(change);
        case 'zeroes':
          return random.isChance(5000) ? content.extend(change) : content.apply(change);
        case 'any-subset':
          return random.isChance(5000) ? content.apply(change) : undefined;
        case 'torn-sectors':
        case 'torn-ends':
          return random.isChance(3000) ? undefined : content.applyTorn(change, loss, random);
        case 'in-order':
          if (at < cut) content.apply(change);
          else if (at === cut) content.applyTorn(change, 'torn-sectors', random);
      }
    }).bytes();
  }

  #after(apply: (content: Content, change: ContentChange, at: number) => void): Content {
    const content = this.#sure.copy();
    this.#pending.forEach((change, at) => {
      apply(content, change, at);
    });
    return content;
  }
}

/** Once a sync has failed, the system writes the whole pages that a write touches, as it has them. */
function wholePages(change: ContentChange, cached: Content): ContentChange {
  if (change.kind === 'truncate') return change;
  const value = Math.floor(change.value / PAGE_BYTES) * PAGE_BYTES;
  const end = Math.ceil((change.value + change.bytes.length) / PAGE_BYTES) * PAGE_BYTES;
  return { kind: 'write', value, bytes: Buffer.from(cached.bytes().subarray(value, end)) };
}

/** Bytes that grow; what lies beyond what was written is zero. */
class Content {
  #buffer: Buffer;
  #length: number;

  constructor(buffer = Buffer.alloc(0), length = 0) {
    this.#buffer = buffer;
    this.#length = length;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  copy(): Content {
    return new Content(Buffer.from(this.bytes()), this.#length);
  }

  apply({ kind, value, bytes }: ContentChange): void {
    if (kind === 'truncate') {
      if (value < this.#length) this.#buffer.fill(0, value, this.#length);
      this.#reach(value);
      this.#length = value;
      return;
    }
    this.#reach(value + bytes.length);
    bytes.copy(this.#buffer, value);
  }

  /** Only the length of a write arrives. */
  extend(change: ContentChange): void {
    if (change.kind === 'truncate') this.apply(change);
    else this.#reach(change.value + change.bytes.length);
  }

  /** Some sectors of a write arrive, or those up to somewhere. */
  applyTorn(change: ContentChange, loss: Loss, random: Random): void {
    const { kind, value, bytes } = change;
    if (kind === 'truncate' || random.isChance(5000)) {
      this.apply(change);
      return;
    }
    const sectors =
      Math.ceil((value + bytes.length) / SECTOR_BYTES) - Math.floor(value / SECTOR_BYTES);
    const cut = random.below(sectors + 1);
    const first = Math.floor(value / SECTOR_BYTES) * SECTOR_BYTES;
    for (let sector = 0; sector < sectors; sector++) {
      const isThere = loss === 'torn-ends' ? sector < cut : random.isChance(5000);
      const from = Math.max(value, first + sector * SECTOR_BYTES);
      const to = Math.min(value + bytes.length, first + (sector + 1) * SECTOR_BYTES);
      const part = { kind, value: from, bytes: bytes.subarray(from - value, to - value) };
      if (isThere) this.apply(part);
      else if (loss === 'torn-sectors') this.extend(part);
    }
  }

  #reach(length: number): void {
    if (length > this.#buffer.length) {
      const grown = Buffer.alloc(Math.max(length, 2 * this.#buffer.length, PAGE_BYTES));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    if (length > this.#length) this.#length = length;
  }
}
