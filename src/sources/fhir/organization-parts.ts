/** Reads the small parts of an Organization, and collects notes about it. */

import type { WarningKind } from '../../directory/import/source.ts';
import type { Concept } from '../../directory/record/record.ts';
import { type FhirObject, type FhirValue, isObject } from '../../fhir/format/resource.ts';
import { cleanText, printable, TEXT_LENGTH_MAX } from '../release-file/source-text.ts';
import type { Warning } from '../release-file/warning.ts';

export type { Warning };

/** A code without its prefix, and its display. */
export interface Coding {
  readonly code: string;
  readonly display: string | undefined;
}

/** The notes about one resource that is being read. */
export interface Notes {
  /** The reason why the resource cannot be imported. */
  readonly problem: string | undefined;
  warn(kind: WarningKind, detail?: string): void;
  /** Notes an element that records do not have, once for each element. */
  leftOut(element: string): void;
  /** The text, trimmed and with single spaces; undefined if there is none. */
  text(value: FhirValue | undefined): string | undefined;
  warnings(): readonly Warning[];
}

export function createNotes(): Notes {
  const warnings: Warning[] = [];
  const leftOut = new Set<string>();
  let problem: string | undefined;
  return {
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
    warnings: () => [
      ...warnings,
      ...[...leftOut].map((detail): Warning => ({ kind: 'element-left-out', detail })),
    ],
  };
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

/** Undefined if the code is not valid. `codeOf` removes the prefix of the code. */
export function codingOf(
  coding: FhirObject,
  codeOf: (text: string | undefined) => string | undefined,
  place: string,
  notes: Notes,
): Coding | undefined {
  noteOthers(coding, CODING, place, notes);
  const given = stringIn(coding.code);
  const code = codeOf(given);
  if (code !== undefined) return { code, display: notes.text(coding.display) };
  notes.leftOut(`${place}code ${printable(given ?? '(none)')}`);
  return undefined;
}

const CODING = new Set(['system', 'code', 'display']);

/** Keeps the first display of a code. */
export function addDisplay(known: Map<string, Concept>, { code, display }: Coding): void {
  if (display === undefined || known.has(code) || known.size >= CONCEPTS_MAX) return;
  known.set(code, { code, display });
}

/** The same limit as for a code system of a release. Real ones have 200 concepts. */
const CONCEPTS_MAX = 10_000;
