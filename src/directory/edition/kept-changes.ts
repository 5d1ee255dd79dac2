/**
 * What an edition keeps of the editions before it: in which of them each record changed last, and
 * what they removed.
 *
 * Arrays: `changes.editions` (JSON: the earlier editions that the others name), `changes.rows` (row
 * of either section → 0 for this edition, or the place of an earlier one, from 1), `changes.deletions`
 * (JSON: of each kind the ids, each with an edition in the same form), `changes.names` (JSON: of each
 * organisation whose name has changed, the code and the names before, the last one first).
 */
import { isDeepStrictEqual } from 'node:util';
import { createOffsets, jsonBytes, jsonNamed, offsetsNamed } from '../arrays/array-named.ts';
import type { NamedArrays } from '../arrays/arrays.ts';
import type { RelationshipSource } from '../index/relationship-index.ts';
import { displaysOf } from '../record/concepts.ts';
import type { CodeSystemName, CodeSystems } from '../record/record.ts';
import { type ComparableEdition, walkEditions } from './difference.ts';
import type { EditionRecords } from './edition-records.ts';
import { recordAt } from './edition-records.ts';
import { type FormerNames, renamed } from './former-names.ts';
import { relationshipsOf } from './source-record.ts';

/** What identifies an edition to clients. */
export interface PublishedEdition {
  readonly number: number;
  /** An ISO instant: the last change of every search result. */
  readonly publishedAt: string;
}

/**
 * The version of what changed last in an edition: when it was published, in milliseconds. Its number
 * is not enough, because another data folder also begins with edition 1.
 */
export function versionIdOf({ publishedAt }: PublishedEdition): string {
  return String(Date.parse(publishedAt));
}

export type DeletedKind = 'organizations' | 'roles' | 'relationships' | 'successions';

/** Something that an edition removed, and that no later edition has again. */
export interface Deletion {
  /** The code of an organisation, or the unique number of a part. */
  readonly id: string;
  readonly deletedIn: PublishedEdition;
}

export interface KeptChanges {
  /**
   * The edition in which the record of a row changed last, also in its relationships and
   * successions, in the displays of its codes, and in which of its targets have a record. Rows are
   * numbered as in `links`.
   */
  changedIn(row: number): PublishedEdition;
  /**
   * What this edition and those before it removed. A record that moved to the archive of its
   * release is not deleted. Reads the list each time.
   */
  deletions(kind: DeletedKind): readonly Deletion[];
  /**
   * The names that organisations of this edition had in editions before it, the last one first, by
   * code. Reads the list each time.
   */
  formerNames(): FormerNames;
}

export function openChanges(
  { number, publishedAt }: PublishedEdition,
  arrays: NamedArrays,
): KeptChanges {
  const self = { number, publishedAt };
  // Earlier versions of the program kept nothing.
  if (arrays['changes.rows'] === undefined) {
    return { changedIn: () => self, deletions: () => [], formerNames: () => new Map() };
  }
  const rows = offsetsNamed(arrays, 'changes.rows');
  const editions = [self, ...jsonNamed<readonly PublishedEdition[]>(arrays, 'changes.editions')];
  return {
    changedIn: (row) => editions[rows[row]!]!,
    deletions: (kind) =>
      jsonNamed<StoredDeletions>(arrays, 'changes.deletions')[kind].map(([id, place]) => ({
        id,
        deletedIn: editions[place]!,
      })),
    formerNames: () =>
      new Map(
        arrays['changes.names'] === undefined
          ? []
          : jsonNamed<readonly (readonly [string, readonly string[]])[]>(arrays, 'changes.names'),
      ),
  };
}

/**
 * The edition in which a relationship changed last, with its organisation. Without a number, it has
 * no name by which an earlier edition could have it.
 */
export function relationshipChangedIn(
  edition: PublishedEdition & Pick<KeptChanges, 'changedIn'>,
  { uniqueId, sourceRow }: RelationshipSource,
): PublishedEdition {
  return uniqueId === undefined ? edition : edition.changedIn(sourceRow);
}

/** The records of an edition, with both sections in a form that can be compared. */
export interface ComparableRecords extends EditionRecords {
  readonly codeSystems: CodeSystems;
  readonly sections: readonly [full: ComparableEdition, references: ComparableEdition];
}

export interface BuiltChanges {
  readonly arrays: NamedArrays;
  /** Whether a record of either section was added, changed or removed, or a code system changed. */
  readonly hasChanges: boolean;
}

/**
 * The changes of editions that were published after the compared one and cannot be read. Clients
 * have seen these changes, so the organisations count as changed again.
 */
export interface UnreadChanges {
  /** The codes of organisations that they added or removed. */
  readonly moved: ReadonlySet<string>;
  /** Whether they may have changed, added or removed an organisation. */
  isTouched(code: string): boolean;
}

interface KnownOfChanges {
  /** Whether the record of a removed code has moved to the archive. Absent: no. */
  readonly isArchived?: (code: string) => boolean;
  readonly unread?: UnreadChanges | undefined;
}

export function buildChanges(
  before: (ComparableRecords & KeptChanges) | undefined,
  next: ComparableRecords,
  { isArchived = () => false, unread }: KnownOfChanges = {},
): BuiltChanges {
  const editions = new EditionPlaces();
  const changed = new Uint32Array(next.links.rowCount);
  const isGone = (code: string) => next.links.rowOf(code) === undefined && !isArchived(code);
  const unreadGone = [...(unread?.moved ?? [])].filter(isGone);
  if (before === undefined) {
    const deletions = { ...eachKind(() => []), organizations: unreadGone.map(deletedNow) };
    return { arrays: changeArrays(changed, editions, deletions, new Map()), hasChanges: true };
  }
  // If only one of them knows links, every record changes, and no number counts as deleted.
  const haveSameParts = before.hasLinks === next.hasLinks;
  const removed = new RecordIds(before, haveSameParts);
  const present = new RecordIds(next, haveSameParts);
  // The list of editions does not say what changed in reference-only records.
  const isUnread = (at: 0 | 1, row: number) =>
    unread !== undefined && (at === 1 || unread.isTouched(next.links.codeOf(row)));
  const showsOtherDisplay = createDisplayCheck(before, next);
  const relinked: string[] = [...(unread?.moved ?? [])];
  const names = new Map(before.formerNames());
  let hasChanges =
    unread !== undefined ||
    !haveSameParts ||
    !isDeepStrictEqual(before.codeSystems, next.codeSystems);
  for (const at of [0, 1] as const) {
    const firstRow = at === 0 ? 0 : next.rows.count;
    const firstBefore = at === 0 ? 0 : before.rows.count;
    walkEditions(before.sections[at], next.sections[at], (oldRow, newRow, isSame) => {
      const row = firstRow + newRow!;
      const rowBefore = firstBefore + oldRow!;
      if (isSame && haveSameParts && !isUnread(at, row)) {
        if (showsOtherDisplay(row)) return;
        changed[row] = editions.placeOf(before.changedIn(rowBefore));
        return;
      }
      hasChanges = true;
      const code = newRow === undefined ? before.links.codeOf(rowBefore) : next.links.codeOf(row);
      const isThere = next.links.rowOf(code) !== undefined;
      if (isThere !== (before.links.rowOf(code) !== undefined)) relinked.push(code);
      if (newRow === undefined) names.delete(code);
      else if (at === 0 && oldRow !== undefined) {
        const old = before.rows.recordAt(oldRow).name;
        renamed(names, code, { old, name: next.rows.recordAt(newRow).name });
      }
      if (newRow !== undefined) present.add(row);
      if (oldRow !== undefined && (isThere || !isArchived(code))) removed.add(rowBefore);
    });
  }
  for (const code of unreadGone) removed.of.organizations.add(code);
  for (const code of relinked) {
    for (const ordinal of next.links.incoming(code)) {
      changed[next.links.at(ordinal).sourceRow] = THIS_EDITION;
    }
  }
  const deletionsOf = (kind: DeletedKind): StoredDeletions[DeletedKind] => [
    ...before
      .deletions(kind)
      .filter(({ id }) => !present.of[kind].has(id))
      .map(({ id, deletedIn }) => [id, editions.placeOf(deletedIn)] as const),
    ...[...removed.of[kind]].filter((id) => !present.of[kind].has(id)).map(deletedNow),
  ];
  const deletions = eachKind(deletionsOf);
  return { arrays: changeArrays(changed, editions, deletions, names), hasChanges };
}

type StoredDeletions = Readonly<
  Record<DeletedKind, readonly (readonly [id: string, edition: number])[]>
>;

function eachKind<T>(make: (kind: DeletedKind) => T): Readonly<Record<DeletedKind, T>> {
  return {
    organizations: make('organizations'),
    roles: make('roles'),
    relationships: make('relationships'),
    successions: make('successions'),
  };
}

const THIS_EDITION = 0;

const deletedNow = (id: string) => [id, THIS_EDITION] as const;

/** Whether a row of the next edition has a code whose display was another before. */
function createDisplayCheck(
  before: ComparableRecords,
  next: ComparableRecords,
): (row: number) => boolean {
  const othersOf = (name: CodeSystemName): ReadonlySet<string> => {
    const old = displaysOf(before.codeSystems[name]);
    const now = displaysOf(next.codeSystems[name]);
    return new Set(
      [...old.keys(), ...now.keys()].filter((code) => old.get(code) !== now.get(code)),
    );
  };
  const [roles, classes] = [othersOf('roles'), othersOf('recordClasses')];
  const types = othersOf('relationships');
  if (roles.size + classes.size + types.size === 0) return () => false;
  return (row) => {
    const record = recordAt(next, row);
    if (classes.has(record.recordClass ?? '')) return true;
    if (record.roles.some(({ code }) => roles.has(code))) return true;
    return types.size > 0 && relationshipsOf(next, row).some(({ type }) => types.has(type));
  };
}

/** The earlier editions that an edition names. */
class EditionPlaces {
  readonly list: PublishedEdition[] = [];
  readonly #places = new Map<number, number>();

  /** From 1. */
  placeOf({ number, publishedAt }: PublishedEdition): number {
    let place = this.#places.get(number);
    if (place === undefined) {
      place = this.list.push({ number, publishedAt });
      this.#places.set(number, place);
    }
    return place;
  }
}

function changeArrays(
  changed: Uint32Array,
  { list }: EditionPlaces,
  deletions: StoredDeletions,
  names: FormerNames,
): NamedArrays {
  const rows = createOffsets(changed.length, list.length);
  rows.set(changed);
  return {
    'changes.rows': rows,
    'changes.editions': jsonBytes(list),
    'changes.deletions': jsonBytes(deletions),
    'changes.names': jsonBytes([...names]),
  };
}

/** The ids of records and of their parts. */
class RecordIds {
  readonly of = eachKind(() => new Set<string>());
  readonly #records: EditionRecords;
  readonly #hasParts: boolean;

  constructor(records: EditionRecords, hasParts: boolean) {
    this.#records = records;
    this.#hasParts = hasParts;
  }

  add(row: number): void {
    const { links } = this.#records;
    this.of.organizations.add(links.codeOf(row));
    if (!this.#hasParts) return;
    addIds(this.of.roles, recordAt(this.#records, row).roles);
    addIds(this.of.relationships, relationshipsOf(this.#records, row));
    addIds(this.of.successions, links.successionsOf(row));
  }
}

function addIds(ids: Set<string>, parts: readonly { readonly uniqueId?: number }[]): void {
  for (const { uniqueId } of parts) if (uniqueId !== undefined) ids.add(String(uniqueId));
}
