/** One rule between the parts of an element, and the forms that most rules have. */
import type { FhirObject } from '../format/resource.ts';
import { areUnique, countOf, has, isOneOf, itemsOf, stringOf } from './element.ts';

export interface Invariant {
  /** As the specification calls it: `per-1`. */
  readonly key: string;
  readonly holds: Holds;
  /** What is right, as a sentence without its full stop. */
  readonly sentence: string;
  /** The property of the element that the finding points at; absent: the element. */
  readonly at?: string;
}

/** By type or part of one (`Order.when`), or by the place of an element (`Organization.telecom`). */
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
  const sentence = `Either ${name} or ${other} is there, not both`;
  return rule(key, sentence, (element) => countOf(element, [name, other]) < 2, other);
}

export function absent(key: string, name: string): Invariant {
  return rule(key, `${name} has no place here`, (element) => !has(element, name), name);
}

export function notAtHome(key: string, what: string): Invariant {
  const sentence = `The ${what} of an organization is never of use home`;
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
