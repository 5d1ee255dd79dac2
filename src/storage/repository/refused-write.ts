/** Which changes of a resource the repository refuses for their clients. */
import type { Access, Identity } from '../../fhir/audit/audit.ts';
import { isObject } from '../../fhir/format/resource.ts';
import type { FieldEntry } from '../../fhir/search/criterion.ts';
import { containedOf, elementsAt } from '../../fhir/search/elements-at.ts';
import type { CountLimits, TooMany } from '../../fhir/stored/count-limits.ts';
import type { RefusedWrite } from '../../fhir/stored/preconditions.ts';
import type { PreconditionsRequest, StoredVersion, Update } from '../../fhir/stored/repository.ts';
import { stampText } from '../../fhir/stored/stored-text.ts';
import { PATIENT_PARAMETERS, PATIENT_PATH } from '../../orders/order-response/search-parameters.ts';
import { bounded } from './access-record.ts';
import { entriesOfText, resourceInText, rowsOf } from './search-rows.ts';

/** `creatorOf` reads who created the resource. */
export function refusedWrite(
  request: PreconditionsRequest | Update,
  current: StoredVersion,
  { identity }: Access,
  creatorOf: () => Identity | undefined,
): RefusedWrite | undefined {
  const { ifMatch, isCreator } = request.preconditions;
  if (isCreator && clientOf(identity) !== clientOf(creatorOf())) return { kind: 'not-creator' };
  // `*` does not say which version the client has read.
  const isBlind = (ifMatch === undefined || ifMatch === '*') && 'entries' in request;
  return isBlind && changesPatient(request, current) ? { kind: 'other-patient' } : undefined;
}

/** `creators`: of the resources that exist. `client` creates one more. */
export function exceededLimit(
  limits: CountLimits,
  creators: readonly (Identity | undefined)[],
  client: Identity | undefined,
): TooMany | undefined {
  if (creators.length >= limits.total) return { kind: 'too-many', limit: 'total' };
  const own = creators.filter((each) => clientOf(each) === clientOf(client));
  return own.length >= limits.perClient ? { kind: 'too-many', limit: 'perClient' } : undefined;
}

/** In the audit log. */
export const OUTCOMES = { 'not-creator': 'forbidden', 'other-patient': 'conflict' } as const;

/** As audit entries have it. */
function clientOf(identity: Identity | undefined): string | undefined {
  const name = identity?.client ?? identity?.subject;
  return name === undefined ? undefined : bounded(name);
}

/**
 * Whether the next version is about another patient. It may add identifiers to those of the current
 * version. If the current version has none, everything else about the patient must stay. The ids of
 * contained patients do not count.
 */
function changesPatient(
  { type, entries, text: next }: Update,
  { text = '', writtenAt }: StoredVersion,
): boolean {
  if (text === '') return false;
  const known = keysOf(type, entriesOfText(type, text, writtenAt));
  const after = keysOf(type, entries);
  if (known.size > 0) return !known.isSubsetOf(after);
  return after.size > 0 || patientIn(type, text) !== patientIn(type, stampText(next, 1, writtenAt));
}

function keysOf(type: string, entries: readonly FieldEntry[]): ReadonlySet<string> {
  return new Set(entries.filter((entry) => namesPatient(type, entry)).map(keyOf));
}

function patientIn(type: string, text: string): string {
  const resource = resourceInText(type, text);
  const subjects = elementsAt(resource, PATIENT_PATH).map((subject) => [
    { ...(isObject(subject) && subject), reference: undefined },
    { ...containedOf(resource, subject), id: undefined },
  ]);
  return JSON.stringify(subjects);
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
