/** Applies a top-up to an edition: pushes all records of the next edition to a receiver. */
import { primaryRoleCodes } from '../edition/code-systems.ts';
import { haveSameContent } from '../edition/difference.ts';
import type { Edition, LoadedEdition } from '../edition/edition.ts';
import { recordAt } from '../edition/edition-records.ts';
import { sourceRecordAt } from '../edition/source-record.ts';
import {
  type AddressRecord,
  lastUpdatedMs,
  type PeriodRecord,
  type RelationshipRecord,
  type RoleRecord,
  type SourceRecord,
  type TargetRecord,
} from '../record/record.ts';
import type { LeftOutReason, SourceReceiver } from '../record/source.ts';
import { type PartialRecord, type Patch, type Removal, type TopUp, touchedBy } from './top-up.ts';

/** What a top-up did. */
export interface TopUpSummary {
  /** The number of the edition that it was applied to. */
  readonly edition: number;
  /** The number of its records, and of its relationships that are not part of a record. */
  readonly records: number;
  readonly relationships: number;
  readonly removals: number;
}

/** The `publicationType` of the manifest that each top-up adds to those of its edition. */
export const TOP_UP = 'TopUp';

/** Rows of both sections come in the order of the edition, and new records after them. */
export function applyTopUp(
  edition: LoadedEdition,
  topUp: TopUp,
  receiver: SourceReceiver,
): TopUpSummary {
  const { links, manifests } = edition;
  const isNew = new Set([...topUp.patches.keys(), ...topUp.relationships.keys()]);
  const next = createNextRecord(edition, topUp, receiver);
  let newestMs = Number.NEGATIVE_INFINITY;
  const add = (record: SourceRecord) => {
    const changedMs = lastUpdatedMs(record);
    if (!topUp.isToCome(changedMs)) newestMs = Math.max(newestMs, changedMs);
    receiver.record(record);
  };
  for (const manifest of manifests) receiver.manifest(manifest);
  // Concepts keep their order, because entity tags depend on it. New ones follow at the end.
  for (const systems of [edition.codeSystems, ...topUp.systems]) receiver.codeSystems(systems);
  const isTouched = touchedBy(topUp, links.rowOf);
  for (let row = 0; row < links.rowCount; row++) {
    if (isTouched(row)) {
      const code = links.codeOf(row);
      const before = sourceRecordAt(edition, row);
      const record = next(code, before);
      isNew.delete(code);
      if (record !== before) {
        if (record !== undefined) add(record);
        continue;
      }
    }
    receiver.keep(edition, row);
  }
  for (const code of isNew) {
    const record = next(code, undefined);
    if (record !== undefined) add(record);
  }
  const known = manifests.map(({ publicationDate }) => publicationDate);
  const published = [...known, ...topUp.publicationDates];
  const newest = newestMs > 0 ? [new Date(newestMs).toISOString().slice(0, 10)] : [];
  receiver.manifest({
    publicationDate: [...published, ...newest].sort().at(-1) ?? edition.publishedAt.slice(0, 10),
    publicationType: TOP_UP,
    hasRelations: edition.hasLinks,
  });
  const sizes = (maps: Iterable<ReadonlyMap<unknown, unknown>>) =>
    [...maps].reduce((sum, { size }) => sum + size, 0);
  return {
    edition: edition.number,
    records: topUp.patches.size,
    relationships: sizes(topUp.relationships.values()),
    removals: sizes(Object.values(topUp.removals)),
  };
}

type NextRecord = (code: string, before: SourceRecord | undefined) => SourceRecord | undefined;

/** The same record if nothing changes; undefined if there is none. */
function createNextRecord(edition: Edition, topUp: TopUp, receiver: SourceReceiver): NextRecord {
  const { patches, relationships, removals } = topUp;
  return (code, before) => {
    const patch = patches.get(code);
    const patched = patch === undefined ? before : patchedRecord(patch, before);
    if (patched === undefined) {
      if (patch === undefined) {
        receiver.warning('invalid-relationship', code, 'the directory has no such organisation');
      }
      return undefined;
    }
    const removedAt = removals.organization.get(code);
    if (removedAt !== undefined && Date.parse(removedAt) >= knownMs(patched)) return undefined;
    return withoutRemoved(withRelationships(patched, relationships.get(code), edition), removals);
  };

  /** The time of a change. A date after today is not reliable, so any other change counts as later. */
  function knownMs(record: SourceRecord): number {
    const changedMs = lastUpdatedMs(record);
    return topUp.isToCome(changedMs) ? Number.NEGATIVE_INFINITY : changedMs;
  }

  function patchedRecord(patch: Patch, before: SourceRecord | undefined): SourceRecord | undefined {
    const { record } = patch;
    const { code } = record;
    if (before !== undefined) {
      const isLess = record.isReferenceOnly === true && before.isReferenceOnly !== true;
      if (isLess || lastUpdatedMs(record) < knownMs(before)) {
        receiver.leftOut(isLess ? 'reference-only' : 'older', code);
        return before;
      }
    }
    if (patch.kind === 'whole')
      return haveSameContent(before, patch.record) ? before : patch.record;
    const merged = mergeRecord(before, patch.record, primaryRoleCodes(edition));
    if ('leftOut' in merged) {
      receiver.leftOut(merged.leftOut, code, merged.detail);
      return before;
    }
    for (const detail of merged.notStated) receiver.warning('not-stated', code, detail);
    return haveSameContent(before, merged.record) ? before : merged.record;
  }
}

function withRelationships(
  record: SourceRecord,
  patches: ReadonlyMap<number, RelationshipRecord> | undefined,
  edition: Edition,
): SourceRecord {
  if (patches === undefined) return record;
  const left = new Map(patches);
  const known = (record.relationships ?? []).map((relationship) => {
    const { uniqueId = 0, target } = relationship;
    const patch = left.get(uniqueId);
    left.delete(uniqueId);
    if (patch === undefined) return relationship;
    return { ...patch, target: patch.target.code === target.code ? target : patch.target };
  });
  const added = [...left.values()].map((relationship) => ({
    ...relationship,
    target: withPrimaryRole(relationship.target, edition),
  }));
  const next = { ...record, relationships: [...known, ...added] };
  return haveSameContent(record, next) ? record : next;
}

/** The source states only the code of a target. */
function withPrimaryRole(target: TargetRecord, edition: Edition): TargetRecord {
  const row = edition.links.rowOf(target.code);
  if (row === undefined) return target;
  const role = recordAt(edition, row).roles.find(({ isPrimary }) => isPrimary);
  if (role === undefined) return target;
  const { code, uniqueId } = role;
  return {
    ...target,
    primaryRole: code,
    ...(uniqueId !== undefined && { primaryRoleId: uniqueId }),
  };
}

/** An organisation keeps its primary role, because it needs one. */
function withoutRemoved(record: SourceRecord, removals: TopUp['removals']): SourceRecord {
  const stays = (kind: Removal['kind']) => {
    const removed = removals[kind];
    return ({ uniqueId = 0 }: { readonly uniqueId?: number }) => !removed.has(String(uniqueId));
  };
  const { relationships = [], successions = [], roles } = record;
  const isKept = stays('role');
  const next = {
    ...record,
    roles: roles.filter((role) => role.isPrimary || isKept(role)),
    relationships: relationships.filter(stays('relationship')),
    successions: successions.filter(stays('succession')),
  };
  const isSame =
    next.roles.length === roles.length &&
    next.relationships.length === relationships.length &&
    next.successions.length === successions.length;
  return isSame ? record : next;
}

type MergeOutcome =
  | {
      readonly record: SourceRecord;
      /** What the partial record does not state, and what replaces it. */
      readonly notStated: readonly string[];
    }
  | { readonly leftOut: LeftOutReason; readonly detail: string };

type PartialRole = PartialRecord['roles'][number];

/**
 * Merges a partial record over the record that the edition has. `primaryCodes` are the codes of roles that can be primary. Fax numbers, relationships, successions
 * and the organisation's own periods stay as they are, because the partial record has none.
 */
function mergeRecord(
  before: SourceRecord | undefined,
  partial: PartialRecord,
  primaryCodes: ReadonlySet<string>,
): MergeOutcome {
  const notStated: string[] = [];
  const primary = primaryRole(before, partial, primaryCodes, notStated);
  if (primary !== undefined && 'leftOut' in primary) return primary;
  const { isReferenceOnly, roles, telecoms, address, ...rest } = partial;
  const authority = partial.authority ?? before?.authority;
  const recordClass = partial.recordClass ?? before?.recordClass;
  const merged = mergeAddress(before?.address, address);
  return {
    record: {
      ...rest,
      ...(recordClass !== undefined && { recordClass }),
      periods: periodsOf(before, partial, primary, notStated),
      roles: primaryFirst(roles, primary),
      telecoms: [...telecoms, ...keptTelecoms(before, partial)],
      ...(merged !== undefined && { address: merged }),
      ...(authority !== undefined && { authority }),
      ...(isReferenceOnly && { isReferenceOnly }),
      ...(before?.relationships !== undefined && { relationships: before.relationships }),
      ...(before?.successions !== undefined && { successions: before.successions }),
    },
    notStated,
  };
}

/** Undefined for a reference-only record, which needs no primary role. */
function primaryRole(
  before: SourceRecord | undefined,
  { roles, isReferenceOnly }: PartialRecord,
  primaryCodes: ReadonlySet<string>,
  notStated: string[],
): PartialRole | Extract<MergeOutcome, { leftOut: LeftOutReason }> | undefined {
  const known = before?.roles.find(({ isPrimary }) => isPrimary);
  const same =
    roles.find(({ uniqueId }) => uniqueId !== undefined && uniqueId === known?.uniqueId) ??
    roles.find(({ code, isActive }) => code === known?.code && isActive) ??
    roles.find(({ code }) => code === known?.code);
  if (same !== undefined) return same;
  const possible = roles.filter(({ code }) => primaryCodes.has(code));
  const active = possible.filter(({ isActive }) => isActive);
  const [only, ...others] = active.length > 0 ? active : possible;
  if (only !== undefined && others.every(({ code }) => code === only.code)) {
    notStated.push(`the primary role, taken from its code RO${only.code}`);
    return only;
  }
  if (isReferenceOnly) return undefined;
  const detail = roles.map(({ code }) => `RO${code}`).join(', ');
  if (roles.length === 0) return { leftOut: 'no-role', detail: 'the source states no role' };
  return only === undefined
    ? { leftOut: 'no-primary-role', detail: `none of ${detail} is a primary role elsewhere` }
    : { leftOut: 'several-primary-roles', detail: `more than one of ${detail} can be primary` };
}

function primaryFirst(
  roles: readonly PartialRole[],
  primary: PartialRole | undefined,
): readonly RoleRecord[] {
  const ordered =
    primary === undefined ? roles : [primary, ...roles.filter((role) => role !== primary)];
  return ordered.map((role) => ({ ...role, isPrimary: role === primary }));
}

/** An organisation opens and closes with its primary role, in nearly all records. */
function periodsOf(
  before: SourceRecord | undefined,
  { isActive }: PartialRecord,
  primary: PartialRole | undefined,
  notStated: string[],
): readonly PeriodRecord[] {
  if (before !== undefined && before.isActive === isActive) return before.periods;
  if (primary === undefined) return before?.periods ?? [];
  notStated.push(`its own periods, taken from its role RO${primary.code}`);
  return primary.periods;
}

/** The service has no fax numbers. */
function keptTelecoms(before: SourceRecord | undefined, { telecoms }: PartialRecord) {
  if (before === undefined || telecoms.some(({ system }) => system === 'fax')) return [];
  return before.telecoms.filter(({ system }) => system === 'fax');
}

/** The service does not state counties. A county stays if the place is the same. */
function mergeAddress(
  before: AddressRecord | undefined,
  now: AddressRecord | undefined,
): AddressRecord | undefined {
  if (now === undefined || now.district !== undefined || before?.district === undefined) return now;
  const isSamePlace = now.postalCode === before.postalCode && now.city === before.city;
  return isSamePlace ? { ...now, district: before.district } : now;
}
