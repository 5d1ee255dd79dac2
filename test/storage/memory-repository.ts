/** A store of order responses that forgets: for tests of what lies above it. */
import type { Access } from '../../src/fhir/access.ts';
import { brokenPrecondition } from '../../src/fhir/preconditions.ts';
import {
  type BusinessIdentifier,
  historyPage,
  type Repository,
  type ResourceAddress,
  type StoredVersion,
  stampText,
} from '../../src/fhir/repository.ts';

export interface MemoryRepository extends Repository {
  /** What was written down, oldest first: `create stored`, `read absent`, `update invalid`. */
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
      const at = writtenAt();
      const stored: StoredVersion = {
        id,
        version: 1,
        writtenAt: at,
        method: 'POST',
        text: stampText(text, 1, at),
      };
      resources.set(key, { type, versions: [stored], identifiers });
      return { kind: 'stored', stored };
    },
    update: async ({ type, id, text, identifiers, preconditions }, access) => {
      note(access, 'update');
      const kept = resources.get(keyOf({ type, id }));
      if (kept === undefined) return { kind: 'absent' };
      const currentVersion = kept.versions.length;
      const current = kept.versions.at(-1)!;
      const header = brokenPrecondition(preconditions, current, () => kept.versions.at(-2));
      if (header !== undefined) return { kind: 'conflict', header, currentVersion };
      const last = current.writtenAt;
      const now = writtenAt();
      const at = now < last ? last : now;
      const version = currentVersion + 1;
      const stored: StoredVersion = {
        id,
        version,
        writtenAt: at,
        method: 'PUT',
        text: stampText(text, version, at),
      };
      kept.versions.push(stored);
      kept.identifiers = identifiers;
      return { kind: 'stored', stored };
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

function keyOf({ type, id }: ResourceAddress): string {
  return `${type}/${id}`;
}

function isSame(one: BusinessIdentifier, other: BusinessIdentifier): boolean {
  return one.system === other.system && one.value === other.value;
}
