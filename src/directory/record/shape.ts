/**
 * The shapes of records, and the texts of a record. Many records have the same shape, and differ only
 * in their texts.
 */
import type { OrganizationRecord, PeriodRecord } from './record.ts';

/**
 * A record whose texts are replaced by markers; the marker of value n is `SLOT_OPEN n SLOT_CLOSE`.
 * Two records have the same shape if they differ in text only: the same fields, the same roles with
 * the same status, the same kinds of period.
 */
export type Shape = OrganizationRecord;

/** Private-use characters, which encoders of JSON and XML do not change. */
const SLOT_OPEN = '\uE000';
const SLOT_OPEN_UNIT = SLOT_OPEN.charCodeAt(0);
const SLOT_CLOSE = '\uE001';

/** Finds markers; the first group is the number of the value. */
export const SLOT_PATTERN = /\uE000(\d+)\uE001/g;

/**
 * The marker of a number is a number too, so that it passes through any mapping: this one minus the
 * number of its value. It fits into FHIR's integer. A record has no other negative numbers.
 */
const NUMBER_SLOT = -2_000_000_000;
/** A marker of a number in JSON or XML, where it is all of a value. */
const NUMBER_SLOT_PATTERN = /(?<=[:"])-2(\d{9})(?=[",}\]])/g;

/** The text of an encoded shape, with the markers of numbers replaced by those of texts. */
export function withTextMarkers(encoded: string): string {
  return encoded.replace(
    NUMBER_SLOT_PATTERN,
    (_, slot: string) => `${SLOT_OPEN}${Number(slot)}${SLOT_CLOSE}`,
  );
}

/**
 * Markers of texts that are not values of the record: the version and the time of the edition in which
 * the record changed last. The numbers of their slots are above those of all values.
 */
export const CHANGE_SLOT = 1_000_000_000;
export const CHANGE_MARKERS = {
  versionId: `${SLOT_OPEN}${CHANGE_SLOT}${SLOT_CLOSE}`,
  lastUpdated: `${SLOT_OPEN}${CHANGE_SLOT + 1}${SLOT_CLOSE}`,
};

/** The value that is the organisation code. */
export const CODE_SLOT = 0;
/** The date of the last change; a time, if there is one, is the next value. */
export const LAST_UPDATED_SLOT = 1;

/** The shape of a record. `writeTexts` writes the texts of its slots, in their order. */
export function shapeOf(record: OrganizationRecord): Shape {
  let slots = 0;
  const slot = () => `${SLOT_OPEN}${slots++}${SLOT_CLOSE}`;
  const numberSlot = () => NUMBER_SLOT - slots++;
  const optional = <K extends string>(key: K, text: string | undefined) =>
    (text === undefined ? {} : { [key]: slot() }) as { [key in K]?: string };
  const periods = (list: OrganizationRecord['periods']) =>
    list.map(({ kind, end }) => ({ kind, start: slot(), ...optional('end', end) }));

  // The first two calls give CODE_SLOT and LAST_UPDATED_SLOT.
  const code = slot();
  const date = slot();
  const lastUpdated = record.lastUpdated.includes('T') ? `${date}T${slot()}` : date;
  const { address, recordClass } = record;
  return {
    code,
    ...optional('name', record.name),
    isActive: record.isActive,
    lastUpdated,
    ...(recordClass === undefined ? {} : { recordClass }),
    periods: periods(record.periods),
    roles: record.roles.map(({ code, isPrimary, isActive, ...role }) => ({
      code,
      isPrimary,
      isActive,
      periods: periods(role.periods),
      ...(role.uniqueId === undefined ? {} : { uniqueId: numberSlot() }),
    })),
    telecoms: record.telecoms.map(({ system }) => ({ system, value: slot() })),
    ...(address === undefined
      ? {}
      : {
          address: {
            lines: address.lines.map(slot),
            ...optional('city', address.city),
            ...optional('district', address.district),
            ...optional('postalCode', address.postalCode),
            ...optional('country', address.country),
            ...optional('uprn', address.uprn),
          },
        }),
    ...optional('authority', record.authority),
  };
}

/** The number of the value that a marker of a text stands for. */
export function slotOf(marker: string): number {
  return Number(marker.slice(1, -1));
}

/** A deep copy of the shape with each marker replaced by its value. */
export function fillShape(shape: Shape, values: readonly string[]): OrganizationRecord {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') {
      // A text with markers begins with one, and most have no more than that.
      if (part.charCodeAt(0) !== SLOT_OPEN_UNIT) return part;
      if (part.indexOf(SLOT_CLOSE) === part.length - 1)
        return values[Number(part.slice(1, -1))] ?? '';
      return part.replace(SLOT_PATTERN, (_, slot: string) => values[Number(slot)] ?? '');
    }
    if (typeof part === 'number') return Number(values[NUMBER_SLOT - part]);
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    const filled: Record<string, unknown> = {};
    // Faster than `Object.entries`.
    for (const key of Object.keys(part)) filled[key] = fill(part[key as keyof typeof part]);
    return filled;
  };
  return fill(shape) as OrganizationRecord;
}

/** Two records have the same key if they have the same shape. */
export function shapeKey(record: OrganizationRecord): string {
  const { address, recordClass } = record;
  let key = `${mark(record.name)}${mark(record.authority)}${Number(record.isActive)}`;
  key += record.lastUpdated.includes('T') ? 'T' : 'D';
  if (recordClass !== undefined) key += codeKey(recordClass);
  key += `;${periodsKey(record.periods)}`;
  for (const { code, isPrimary, isActive, periods, uniqueId } of record.roles) {
    key += `;${codeKey(code)}${Number(isPrimary)}${Number(isActive)}${mark(uniqueId)}`;
    key += periodsKey(periods);
  }
  for (const { system } of record.telecoms) key += `|${system}`;
  if (address === undefined) return key;
  const { lines, city, district, postalCode, country, uprn } = address;
  key += `@${lines.length}${mark(city)}${mark(district)}${mark(postalCode)}`;
  return `${key}${mark(country)}${mark(uprn)}`;
}

/** Calls `write` for each text of a record, in the order of the slots of its shape. */
export function writeTexts(record: OrganizationRecord, write: (text: string) => void): void {
  const { lastUpdated, name, authority, address } = record;
  write(record.code);
  const time = lastUpdated.indexOf('T');
  if (time < 0) {
    write(lastUpdated);
  } else {
    write(lastUpdated.slice(0, time));
    write(lastUpdated.slice(time + 1));
  }
  if (name !== undefined) write(name);
  writePeriods(record.periods, write);
  for (const { periods, uniqueId } of record.roles) {
    writePeriods(periods, write);
    if (uniqueId !== undefined) write(String(uniqueId));
  }
  for (const { value } of record.telecoms) write(value);
  if (address !== undefined) {
    const { lines, city, district, postalCode, country, uprn } = address;
    for (const line of lines) write(line);
    if (city !== undefined) write(city);
    if (district !== undefined) write(district);
    if (postalCode !== undefined) write(postalCode);
    if (country !== undefined) write(country);
    if (uprn !== undefined) write(uprn);
  }
  if (authority !== undefined) write(authority);
}

function writePeriods(periods: readonly PeriodRecord[], write: (text: string) => void): void {
  for (const { start, end } of periods) {
    write(start);
    if (end !== undefined) write(end);
  }
}

function mark(value: unknown): string {
  return value === undefined ? '-' : '+';
}

/** One letter for each period. */
function periodsKey(periods: readonly PeriodRecord[]): string {
  let key = '';
  for (const { kind, end } of periods) {
    if (kind === 'Operational') key += end === undefined ? 'o' : 'O';
    else key += end === undefined ? 'l' : 'L';
  }
  return key;
}

/** A code with an end mark. A code with other characters is in quotation marks. */
function codeKey(code: string): string {
  return `${PLAIN.test(code) ? code : JSON.stringify(code)}:`;
}

const PLAIN = /^[A-Za-z0-9]+$/;
