/** A repository in memory, for tests of the code that uses one. */
import type { Access } from '../../src/fhir/access.ts';
import { brokenPrecondition } from '../../src/fhir/preconditions.ts';
import {
  type BusinessIdentifier,
  historyPage,
  type Repository,
  type ResourceAddress,
  type StoredVersion,
  stampText,
  type UnstampedText,
} from '../../src/fhir/repository.ts';

export interface MemoryRepository extends Repository {
  /** The recorded operations, oldest first: `create create`, `update invalid`. */
  readonly journal: readonly { readonly entry: string; readonly access: Access }[];
  /** Every operation fails with this while it is set. */
  failure: Error | undefined;
}

interface Kept {
  readonly type: string;
  readonly versions: StoredVersion[];
  identifiers: readonly BusinessIdentifier[];
}

export function createMemoryRepository(now: () => Date = () => new Date()): MemoryRepository {
  const resources = new Map<string, Kept>();
  const journal: { entry: string; access: Access }[] = [];
  const writtenAt = () => now().toISOString().replace('Z', '+00:00');
  const store: MemoryRepository = {
    journal,
    failure: undefined,
    create: async ({ type, id, text, identifiers, ifNoneExist }, access) => {
      note(access, 'create');
      const same = [...resources.values()].filter(
        (kept) =>
          kept.type === type &&
          ifNoneExist &&
          kept.identifiers.some((one) => isSame(one, ifNoneExist)),
      );
      const [first] = same;
      if (same.length > 1) return { kind: 'several', count: same.length };
      if (first !== undefined) return { kind: 'exists', stored: first.versions.at(-1)! };
      const key = keyOf({ type, id });
      if (resources.has(key)) throw new Error(`${id} was used`);
      const kept: Kept = { type, versions: [], identifiers };
      resources.set(key, kept);
      return { kind: 'stored', stored: addVersion(kept, id, 'POST', text, writtenAt()) };
    },
    update: async ({ type, id, text, identifiers, preconditions }, access) => {
      note(access, 'update');
      const kept = resources.get(keyOf({ type, id }));
      if (kept === undefined) return { kind: 'absent' };
      const currentVersion = kept.versions.length;
      const current = kept.versions.at(-1)!;
      const header = brokenPrecondition(preconditions, current, () => kept.versions.at(-2));
      if (header !== undefined) return { kind: 'conflict', header, currentVersion };
      kept.identifiers = identifiers;
      return { kind: 'stored', stored: addVersion(kept, id, 'PUT', text, writtenAt()) };
    },
    read: async ({ version, ...address }, access) => {
      note(access, 'read');
      const versions = resources.get(keyOf(address))?.versions ?? [];
      if (version === undefined) return versions.at(-1);
      return versions.find((stored) => String(stored.version) === version);
    },
    history: async (request, access) => {
      note(access, 'history');
      const { sinceMs, before } = request;
      const versions = resources.get(keyOf(request))?.versions;
      if (versions === undefined) return undefined;
      const since = versions.filter((one) => Date.parse(one.writtenAt) >= (sinceMs ?? 0));
      const older = since.filter(({ version }) => version < (before ?? Number.POSITIVE_INFINITY));
      return historyPage(older.toReversed(), request, since.length);
    },
    checkPreconditions: async ({ preconditions, ...address }) => {
      if (store.failure !== undefined) throw store.failure;
      const versions = resources.get(keyOf(address))?.versions ?? [];
      const current = versions.at(-1);
      if (current === undefined) return undefined;
      const header = brokenPrecondition(preconditions, current, () => versions.at(-2));
      return { currentVersion: current.version, ...(header !== undefined && { header }) };
    },
    recordRefusal: async ({ reason }, access) => note(access, reason),
  };
  const note = (access: Access, entry: string): void => {
    if (store.failure !== undefined) throw store.failure;
    journal.push({ entry: `${access.interaction} ${entry}`, access });
  };
  return store;
}

/** No version is written earlier than the one before it. */
function addVersion(
  { versions }: Kept,
  id: string,
  method: StoredVersion['method'],
  text: UnstampedText,
  now: string,
): StoredVersion {
  const last = versions.at(-1)?.writtenAt ?? '';
  const writtenAt = now < last ? last : now;
  const version = versions.length + 1;
  const stored = { id, version, writtenAt, method, text: stampText(text, version, writtenAt) };
  versions.push(stored);
  return stored;
}

function keyOf({ type, id }: ResourceAddress): string {
  return `${type}/${id}`;
}

function isSame(one: BusinessIdentifier, other: BusinessIdentifier): boolean {
  return one.system === other.system && one.value === other.value;
}
