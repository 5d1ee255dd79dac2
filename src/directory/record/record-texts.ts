/** Splits a record into the key of its shape and its own texts. */
import type { OrganizationRecord, PeriodRecord } from './record.ts';

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
