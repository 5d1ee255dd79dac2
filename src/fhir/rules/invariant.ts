/** Invariants: rules about the parts of one element, and the functions that read the element for them. */
import { type FhirObject, type FhirValue, isObject, textOf } from '../format/resource.ts';

/** Whether the element is present, with a value or only with extensions. */
export function has(element: FhirObject, name: string): boolean {
  return element[name] !== undefined || element[`_${name}`] !== undefined;
}

/** Like `has`, for a choice: `value` is present as `valueString`, or with any other type. */
export function hasChoice(element: FhirObject, name: string): boolean {
  const choice = new RegExp(`^_?${name}[A-Z]`);
  return Object.keys(element).some((key) => choice.test(key));
}

export function countOf(element: FhirObject, names: readonly string[]): number {
  return names.filter((name) => has(element, name)).length;
}

/** The number of repetitions of an element, including those that have only extensions. */
export function lengthOf(element: FhirObject, name: string): number {
  const lists = [element[name], element[`_${name}`]];
  return Math.max(...lists.map((list) => (Array.isArray(list) ? list.length : 0)));
}

/** The objects of an element, which may repeat; empty if the element is absent. */
export function itemsOf(element: FhirObject, name: string): readonly FhirObject[] {
  const value = element[name];
  if (Array.isArray(value)) return value.filter(isObject);
  return isObject(value) ? [value] : [];
}

export function stringOf(element: FhirObject, name: string): string | undefined {
  const value = element[name];
  return typeof value === 'string' ? value : undefined;
}

export function isOneOf(element: FhirObject, name: string, codes: readonly string[]): boolean {
  const code = stringOf(element, name);
  return code !== undefined && codes.includes(code);
}

export function numberAt(element: FhirObject | undefined, name: string): number {
  const value: FhirValue | undefined = element?.[name];
  return value === undefined ? Number.NaN : Number(textOf(value));
}

export function areUnique(texts: readonly (string | undefined)[]): boolean {
  const known = texts.filter((text) => text !== undefined);
  return new Set(known).size === known.length;
}

/**
 * Whether one FHIR dateTime is certainly after another. A date has no zone, and stands for
 * any of its moments. Parts that only one of the two texts has are not compared.
 */
export function isAfter(one: string, other: string): boolean {
  if (one.startsWith('-') || other.startsWith('-')) return false;
  if (!one.includes('T') && !other.includes('T')) {
    const length = Math.min(one.length, other.length);
    return one.slice(0, length) > other.slice(0, length);
  }
  return startOf(one) > endOf(other);
}

/** The widest offsets: UTC-12:00 to UTC+14:00. */
const HOURS_BEFORE_MS = 14 * 3_600_000;
const HOURS_AFTER_MS = 12 * 3_600_000;

function startOf(text: string): number {
  return text.includes('T') ? Date.parse(text) : Date.parse(text) - HOURS_BEFORE_MS;
}

function endOf(text: string): number {
  if (text.includes('T')) return Date.parse(text);
  const [year = 0, month, day] = text.split('-').map(Number);
  const next = new Date(0);
  if (month === undefined) next.setUTCFullYear(year + 1, 0, 1);
  else if (day === undefined) next.setUTCFullYear(year, month, 1);
  else next.setUTCFullYear(year, month - 1, day + 1);
  return next.getTime() + HOURS_AFTER_MS;
}

export interface Invariant {
  /** The key in the specification: `per-1`. */
  readonly key: string;
  readonly holds: Holds;
  /** The rule as a sentence without its full stop. */
  readonly sentence: string;
  /** The property that the finding points at. Absent: the finding points at the element. */
  readonly at?: string;
}

/** By the name of a type or of a part (`Order.when`), or by the name of an element (`Organization.telecom`). */
export type Invariants = Readonly<Record<string, readonly Invariant[]>>;

type Holds = (element: FhirObject) => boolean;

export function rule(key: string, sentence: string, holds: Holds, at?: string): Invariant {
  return { key, sentence, holds, ...(at !== undefined && { at }) };
}

export function atLeastOne(key: string, what: string, names: readonly string[]): Invariant {
  return rule(
    key,
    `${what} has at least one of ${names.join(', ')}`,
    (element) => countOf(element, names) > 0,
  );
}

export function notBoth(key: string, name: string, other: string): Invariant {
  const sentence = `Only one of ${name} and ${other} is allowed`;
  return rule(key, sentence, (element) => countOf(element, [name, other]) < 2, other);
}

export function absent(key: string, name: string): Invariant {
  return rule(key, `${name} is not allowed here`, (element) => !has(element, name), name);
}

export function notAtHome(key: string, what: string): Invariant {
  const sentence = `The ${what} of an organization must not have the use home`;
  return rule(key, sentence, (element) => element.use !== 'home', 'use');
}

export function bothOrNeither(name: string, other: string): Holds {
  return (element) => has(element, name) === has(element, other);
}

export function needs(name: string, other: string): Holds {
  return (element) => !has(element, name) || has(element, other);
}

/** `start` is not after `end`. */
export function inOrder(start: string, end: string): Holds {
  return (element) => {
    const [first, last] = [stringOf(element, start), stringOf(element, end)];
    return first === undefined || last === undefined || !isAfter(first, last);
  };
}

export function notNegative(name: string): Holds {
  return (element) => !(numberAt(element, name) < 0);
}

/** Only an element with one of the codes has the part. */
export function onlyIn(name: string, codes: readonly string[], at = 'type'): Holds {
  return (element) => !has(element, name) || isOneOf(element, at, codes);
}

/** Only the items of an element with one of the codes have the part. */
export function entriesIn(
  name: string,
  codes: readonly string[],
  { at = 'type', items = 'entry' } = {},
): Holds {
  return (element) =>
    isOneOf(element, at, codes) || !itemsOf(element, items).some((item) => has(item, name));
}

export function unlessType(name: string, codes: readonly string[], at = 'type'): Holds {
  return (element) => !has(element, name) || !isOneOf(element, at, codes);
}

/** Only an element with the flag has the part. */
export function onlyWith(name: string, flag: string): Holds {
  return (element) => element[flag] === true || !has(element, name);
}

export function unlessFlag(name: string, flag: string, value: boolean): Holds {
  return (element) => element[flag] !== value || !has(element, name);
}

export function uniqueIn(name: string, key: string): Holds {
  return (element) => areUnique(itemsOf(element, name).map((item) => stringOf(item, key)));
}
