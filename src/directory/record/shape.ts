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
const SLOT_CLOSE = '\uE001';
const NUMBER_OPEN = '\uE002';

/** The characters of markers. Sources leave them out of their texts. */
export const MARKER_CHARACTERS = /[\uE000-\uE002]/gu;

/** JSON writes a number without the quotation marks of a text. XML needs those of an attribute. */
const QUOTED_NUMBERS = /(?<!=)"(\uE002\d+\uE001)"/g;

/** Values of a record have slots from 0. Computed values, which no record has, have -1, -2, …. */
export function markerOf(slot: number): string {
  return `${SLOT_OPEN}${slot}${SLOT_CLOSE}`;
}

/** In a stored shape, the marker of a number is this number minus that of its slot. */
const NUMBER_SLOT = -2_000_000_000;

/**
 * A stored shape for an encoder: the markers of numbers are texts too. Replacing them before the text
 * is parsed takes a fraction of the time that a reviver of all its parts takes.
 */
export function shapeToEncode(stored: string): Shape {
  if (!stored.includes('"uniqueId":')) return JSON.parse(stored);
  const text = stored.replaceAll(
    STORED_NUMBERS,
    (_, number: string) =>
      `"uniqueId":"${NUMBER_OPEN}${NUMBER_SLOT - Number(number)}${SLOT_CLOSE}"`,
  );
  return JSON.parse(text);
}

/** A shape has no other numbers. A text in JSON cannot contain quotation marks like these. */
const STORED_NUMBERS = /"uniqueId":(-\d+)/g;

/** The texts around the markers of an encoded shape, one more than there are slots. */
export interface SplitText {
  readonly texts: readonly string[];
  readonly slots: readonly number[];
}

export function splitAtMarkers(encoded: string): SplitText {
  const hasNumbers = encoded.includes(NUMBER_OPEN);
  const text = hasNumbers ? encoded.replaceAll(QUOTED_NUMBERS, '$1') : encoded;
  const texts: string[] = [];
  const slots: number[] = [];
  let from = 0;
  // A regular expression that splits at both kinds of marker takes twice as long.
  let close = text.indexOf(SLOT_CLOSE);
  for (; close >= 0; close = text.indexOf(SLOT_CLOSE, close + 1)) {
    const open = openBefore(text, close, from);
    if (open === undefined) continue;
    texts.push(text.slice(from, open));
    slots.push(Number(text.slice(open + 1, close)));
    from = close + 1;
  }
  texts.push(text.slice(from));
  return { texts, slots };
}

/**
 * Where the marker begins that ends at `close`, at `from` or later. Undefined if there is more before
 * it than a number: a text of an edition that an earlier version imported can have the characters.
 */
function openBefore(text: string, close: number, from: number): number | undefined {
  let at = close - 1;
  while (at > from && isDigit(text.charCodeAt(at))) at--;
  const hasDigits = at < close - 1;
  if (hasDigits && at > from && text[at] === '-') at--;
  const isOpen = at >= from && (text[at] === SLOT_OPEN || text[at] === NUMBER_OPEN);
  return hasDigits && isOpen ? at : undefined;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** The value that is the organisation code. */
export const CODE_SLOT = 0;
/** The date of the last change; a time, if there is one, is the next value. */
export const LAST_UPDATED_SLOT = 1;

/** The shape of a record. `writeTexts` writes the texts of its slots, in their order. */
export function shapeOf(record: OrganizationRecord): Shape {
  let slots = 0;
  const slot = () => markerOf(slots++);
  const numberSlot = () => NUMBER_SLOT - slots++;
  const optional = <K extends string>(key: K, text: string | undefined) =>
    (text === undefined ? {} : { [key]: slot() }) as { [key in K]?: string };
  const periods = (list: OrganizationRecord['periods']) =>
    list.map(({ kind, start, end }) => ({
      kind,
      ...optional('start', start),
      ...optional('end', end),
    }));

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
    ...(recordClass !== undefined && { recordClass }),
    periods: periods(record.periods),
    roles: record.roles.map(({ code, isPrimary, isActive, ...role }) => ({
      code,
      isPrimary,
      isActive,
      periods: periods(role.periods),
      ...(role.uniqueId !== undefined && { uniqueId: numberSlot() }),
    })),
    telecoms: record.telecoms.map(({ system }) => ({ system, value: slot() })),
    ...(address !== undefined && {
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

/** The number of the value that a number of a stored shape stands for. */
export function slotOfNumber(stored: number): number {
  return NUMBER_SLOT - stored;
}

/**
 * Calls `write` for each text of a record, in the order of the slots of its shape. Returns a key,
 * which two records share if they have the same shape.
 */
export function writeTexts(record: OrganizationRecord, write: (text: string) => void): string {
  const { lastUpdated, recordClass, address } = record;
  const mark = (text: string | undefined): string => {
    if (text === undefined) return '-';
    write(text);
    return '+';
  };
  write(record.code);
  const time = lastUpdated.indexOf('T');
  write(time < 0 ? lastUpdated : lastUpdated.slice(0, time));
  let key = mark(time < 0 ? undefined : lastUpdated.slice(time + 1));
  key += `${mark(record.name)}${Number(record.isActive)}`;
  if (recordClass !== undefined) key += codeKey(recordClass);
  key += `;${periodsKey(record.periods, write)}`;
  for (const { code, isPrimary, isActive, periods, uniqueId } of record.roles) {
    key += `;${codeKey(code)}${Number(isPrimary)}${Number(isActive)}${periodsKey(periods, write)}`;
    key += mark(uniqueId === undefined ? undefined : String(uniqueId));
  }
  for (const { system, value } of record.telecoms) {
    key += `|${system}`;
    write(value);
  }
  if (address !== undefined) {
    const { lines, city, district, postalCode, country, uprn } = address;
    for (const line of lines) write(line);
    key += `@${lines.length}${mark(city)}${mark(district)}${mark(postalCode)}`;
    key += `${mark(country)}${mark(uprn)}`;
  }
  return key + mark(record.authority);
}

/** One letter for each period. */
function periodsKey(periods: readonly PeriodRecord[], write: (text: string) => void): string {
  let key = '';
  for (const { kind, start, end } of periods) {
    if (start !== undefined) write(start);
    if (end !== undefined) write(end);
    const [sinceStart, fromStartToEnd, untilEnd] = PERIOD_LETTERS[kind];
    if (start === undefined) key += untilEnd;
    else key += end === undefined ? sinceStart : fromStartToEnd;
  }
  return key;
}

/** For a period with a start alone, with both dates, and with an end alone. */
const PERIOD_LETTERS = { Operational: ['o', 'O', 'p'], Legal: ['l', 'L', 'm'] } as const;

/** A code with an end mark. A code with other characters is in quotation marks. */
function codeKey(code: string): string {
  return `${PLAIN.test(code) ? code : JSON.stringify(code)}:`;
}

const PLAIN = /^[A-Za-z0-9]+$/;
