/** An invariant: a rule about the parts of one element. Also functions that make common invariants. */
import type { FhirObject } from '../format/resource.ts';
import { areUnique, countOf, has, isOneOf, itemsOf, stringOf } from './element.ts';

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

export function onlyIn(name: string, types: readonly string[]): Holds {
  return (element) => !has(element, name) || isOneOf(element, 'type', types);
}

export function entriesIn(name: string, types: readonly string[]): Holds {
  return (element) =>
    isOneOf(element, 'type', types) || !itemsOf(element, 'entry').some((entry) => has(entry, name));
}

export function unlessType(name: string, types: readonly string[]): Holds {
  return (element) => !has(element, name) || !isOneOf(element, 'type', types);
}

export function unlessFlag(name: string, flag: string, value: boolean): Holds {
  return (element) => element[flag] !== value || !has(element, name);
}

export function uniqueIn(name: string, key: string): Holds {
  return (element) => areUnique(itemsOf(element, name).map((item) => stringOf(item, key)));
}
