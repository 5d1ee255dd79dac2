/** Which changes of a resource the repository refuses for their clients. */
import type { Access, Identity } from '../fhir/access.ts';
import type { RefusedWrite } from '../fhir/preconditions.ts';
import type { PreconditionsRequest, StoredVersion, Update } from '../fhir/repository.ts';
import type { FieldEntry } from '../fhir/search/criterion.ts';
import { PATIENT_PARAMETERS } from '../order-response/search-parameters.ts';
import { bounded } from './access-record.ts';
import { entriesOfText, rowsOf } from './search-rows.ts';

/** `creatorOf` reads who created the resource. */
export function refusedWrite(
  request: PreconditionsRequest | Update,
  current: StoredVersion,
  { identity }: Access,
  creatorOf: () => Identity | undefined,
): RefusedWrite | undefined {
  const { ifMatch, isCreator } = request.preconditions;
  if (isCreator && clientOf(identity) !== clientOf(creatorOf())) return { kind: 'not-creator' };
  const isBlind = ifMatch === undefined && 'entries' in request;
  return isBlind && changesPatient(request, current) ? { kind: 'other-patient' } : undefined;
}

/** In the audit log. */
export const OUTCOMES = { 'not-creator': 'forbidden', 'other-patient': 'conflict' } as const;

/** As audit entries have it. */
function clientOf(identity: Identity | undefined): string | undefined {
  const name = identity?.client ?? identity?.subject;
  return name === undefined ? undefined : bounded(name);
}

/**
 * Whether something that identifies the patient of the current version is missing in the next one.
 * The next one may add identifiers. The ids of contained patients do not count.
 */
function changesPatient(
  { type, entries }: Update,
  { text = '', writtenAt }: StoredVersion,
): boolean {
  const next = new Set(entries.map(keyOf));
  return entriesOfText(type, text, writtenAt).some(
    (entry) => namesPatient(type, entry) && !next.has(keyOf(entry)),
  );
}

function namesPatient(type: string, entry: FieldEntry): boolean {
  if ('prefix' in entry && entry.prefix === '#') return false;
  return [...PATIENT_PARAMETERS.values()]
    .flat()
    .some((each) => each.type === type && each.field === entry.field);
}

function keyOf(entry: FieldEntry): string {
  return rowsOf(entry)
    .map(({ name, value, detail }) => JSON.stringify([name, value, detail]))
    .join();
}
