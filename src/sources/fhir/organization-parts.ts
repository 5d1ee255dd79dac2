/** Reads the parts of an Organization that all FHIR versions have, and collects notes about it. */

import type { KnownCodeSystems } from '../../directory/import/collector.ts';
import type {
  AddressRecord,
  CodeSystemName,
  Concept,
  PeriodRecord,
  TelecomRecord,
} from '../../directory/record/record.ts';
import type { LeftOutReason, Warning, WarningKind } from '../../directory/record/source.ts';
import { type FhirObject, type FhirValue, isObject } from '../../fhir/format/resource.ts';
import { makeAddress } from '../text/make-address.ts';
import { classCode, relationshipCode, roleCode } from '../text/source-codes.ts';
import { cleanText, printable, TEXT_LENGTH_MAX } from '../text/source-text.ts';

/** A code without its prefix, and its display. */
export interface Coding extends Concept {
  readonly system: CodeSystemName;
}

/** Why a resource is left out. The code is empty if it has none. */
export interface LeftOut {
  readonly leftOut: LeftOutReason;
  readonly code: string;
  readonly detail?: string;
}

/** What a resource says, or why it is left out. */
export type ResourceOutcome<Content> =
  | (Content & {
      readonly warnings: readonly Warning[];
      /** For their displays. */
      readonly codings: readonly Coding[];
    })
  | LeftOut;

/** The notes about one resource that is being read. */
export interface Notes {
  /** The reason why the resource cannot be imported. */
  readonly problem: string | undefined;
  warn(kind: WarningKind, detail?: string): void;
  /** Notes an element that records do not have, once for each element. */
  leftOut(element: string): void;
  /** The text, trimmed and with single spaces; undefined if there is none. */
  text(value: FhirValue | undefined): string | undefined;
  /** Undefined if the code is not valid. `place` is the prefix of its name in the notes. */
  coding(system: CodeSystemName, coding: FhirObject, place: string): Coding | undefined;
  /** All warnings, and the codings that were read. */
  all(): { readonly warnings: readonly Warning[]; readonly codings: readonly Coding[] };
}

export function createNotes(): Notes {
  const warnings: Warning[] = [];
  const codings: Coding[] = [];
  const leftOut = new Set<string>();
  let problem: string | undefined;
  const notes: Notes = {
    get problem() {
      return problem;
    },
    warn: (kind, detail) => warnings.push({ kind, ...(detail !== undefined && { detail }) }),
    leftOut: (element) => leftOut.add(element),
    text: (value) => {
      const text = cleanText(stringIn(value));
      if (text === undefined || text.length <= TEXT_LENGTH_MAX) return text;
      problem = `a text is longer than ${TEXT_LENGTH_MAX} characters`;
      return undefined;
    },
    coding: (system, coding, place) => {
      noteOthers(coding, CODING, place, notes);
      const given = stringIn(coding.code);
      const code = CODES[system](given);
      if (code === undefined) {
        leftOut.add(`${place}code ${printable(given ?? '(none)')}`);
        return undefined;
      }
      const display = notes.text(coding.display);
      const read = { system, code, ...(display !== undefined && { display }) };
      codings.push(read);
      return read;
    },
    all: () => ({
      warnings: [
        ...warnings,
        ...[...leftOut].map((detail): Warning => ({ kind: 'element-left-out', detail })),
      ],
      codings,
    }),
  };
  return notes;
}

/** The codes of each system without their prefixes. */
const CODES = { roles: roleCode, relationships: relationshipCode, recordClasses: classCode };

const CODING = new Set(['system', 'code', 'display']);

/** Adds the codes that have a display. */
export function addDisplays(known: KnownCodeSystems, codings: readonly Coding[]): void {
  for (const { system, code, display } of codings) {
    if (display !== undefined) known.put(system, { code, display });
  }
}

/** The objects of an array; empty if the value is not an array. */
export function objectsOf(value: FhirValue | undefined): readonly FhirObject[] {
  return Array.isArray(value) ? value.filter(isObject) : NONE;
}

const NONE: readonly FhirObject[] = [];

export function stringIn(value: FhirValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Notes the unknown elements of an object. `place` is the prefix of their names in the notes. */
export function noteOthers(
  object: FhirObject,
  known: ReadonlySet<string>,
  place: string,
  notes: Notes,
): void {
  for (const name in object) if (!known.has(name)) notes.leftOut(place + name);
}

/** The elements that become part of a record. The import leaves out and reports all others. */
const TELECOM_ELEMENTS = new Set(['system', 'value']);
const ADDRESS_ELEMENTS = new Set([
  'extension',
  'line',
  'city',
  'district',
  'postalCode',
  'country',
]);

export function telecomRecords(organization: FhirObject, notes: Notes): readonly TelecomRecord[] {
  const telecoms: TelecomRecord[] = [];
  for (const telecom of objectsOf(organization.telecom)) {
    noteOthers(telecom, TELECOM_ELEMENTS, 'telecom.', notes);
    const value = notes.text(telecom.value);
    if (value === undefined) continue;
    const given = stringIn(telecom.system);
    const system = TELECOM_SYSTEMS.find((each) => each === given);
    if (system === undefined) notes.warn('unknown-contact-type', printable(given ?? '(none)'));
    telecoms.push({ system: system ?? 'other', value });
  }
  return telecoms;
}

/** The systems of a record. STU3 also has pager and sms. */
const TELECOM_SYSTEMS: readonly TelecomRecord['system'][] = [
  'phone',
  'fax',
  'email',
  'url',
  'other',
];

/** `uprnIn` reads the UPRN of an extension of the address; undefined for another extension. */
export function addressRecord(
  organization: FhirObject,
  uprnIn: (extension: FhirObject) => FhirValue | undefined,
  notes: Notes,
): AddressRecord | undefined {
  const [address, ...others] = objectsOf(organization.address);
  if (others.length > 0) notes.leftOut('another address');
  if (address === undefined) return undefined;
  noteOthers(address, ADDRESS_ELEMENTS, 'address.', notes);
  const { city, district, postalCode, country } = address;
  const lines = Array.isArray(address.line) ? address.line : [];
  const uprn = uprnOf(address, uprnIn, notes);
  return makeAddress({ lines, city, district, postalCode, country, uprn }, notes.text);
}

function uprnOf(
  address: FhirObject,
  uprnIn: (extension: FhirObject) => FhirValue | undefined,
  notes: Notes,
): string | undefined {
  let uprn: string | undefined;
  for (const extension of objectsOf(address.extension)) {
    const value = uprnIn(extension);
    if (value !== undefined) uprn ??= notes.text(value);
    else notes.leftOut(`extension ${printable(stringIn(extension.url) ?? '')} of the address`);
  }
  return uprn;
}

/**
 * An instant in the form of records: midnight in UTC, in any notation, becomes a date, and any
 * other instant keeps its time. Undefined if the text is not an instant after the year 0.
 */
export function lastChangeOf(instant: string | undefined): string | undefined {
  if (instant === undefined || !/^\d/.test(instant) || Number.isNaN(Date.parse(instant))) {
    return undefined;
  }
  return instant.replace(MIDNIGHT, '');
}

const MIDNIGHT = /T00:00:00(?:\.0+)?(?:Z|[+-]00:00)$/;

/** An active period as it was read. */
export interface PeriodPart {
  readonly kind: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** Operational first, then Legal, each in the order of the resource. */
export function periodsOf(parts: readonly PeriodPart[], notes: Notes): readonly PeriodRecord[] {
  const operational: PeriodRecord[] = [];
  const legal: PeriodRecord[] = [];
  for (const part of parts) {
    const period = periodOf(part, notes);
    if (period !== undefined) (period.kind === 'Operational' ? operational : legal).push(period);
  }
  return [...operational, ...legal];
}

function periodOf(part: PeriodPart, notes: Notes): PeriodRecord | undefined {
  const { kind } = part;
  if (kind !== 'Operational' && kind !== 'Legal') {
    notes.leftOut(`a period of type ${printable(kind ?? '(none)')}`);
    return undefined;
  }
  const start = dateOf(part.start, `${kind} start`, notes);
  const end = dateOf(part.end, `${kind} end`, notes);
  if (start === undefined) {
    notes.warn('period-without-start', kind);
    return end === undefined ? undefined : { kind, end };
  }
  if (end === undefined) return { kind, start };
  // Compares the parts that both dates have: a period may start on a day and end in the same year
  // (FHIR's per-1).
  const length = Math.min(start.length, end.length);
  if (end.slice(0, length) >= start.slice(0, length)) return { kind, start, end };
  notes.warn('invalid-date', `${kind} end ${end} before its start ${start}`);
  return { kind, start };
}

/** The date of a dateTime, which may be a year or a month. */
function dateOf(dateTime: string | undefined, place: string, notes: Notes): string | undefined {
  if (dateTime === undefined) return undefined;
  const [date = '', time] = dateTime.split('T');
  if (!/^\d{4}(?:-\d\d){0,2}$/.test(date)) {
    notes.warn('invalid-date', `${place} ${printable(dateTime)}`);
    return undefined;
  }
  if (time !== undefined) notes.leftOut('the time of day of a period');
  return date;
}
