/** The small parts of an Organization that is read, and the notes that are taken on the way. */

import type { WarningKind } from '../../directory/import/source.ts';
import { type FhirObject, type FhirValue, isObject } from '../../fhir/format/resource.ts';
import { cleanText, printable, TEXT_LENGTH_MAX } from '../release-file/source-text.ts';
import type { Warning } from '../release-file/warning.ts';

export type { Warning };

/** A code without its prefix, and its display. */
export interface Coding {
  readonly code: string;
  readonly display: string | undefined;
}

/** What is noted while one resource is read. */
export interface Notes {
  /** Why the resource cannot be imported after all. */
  readonly problem: string | undefined;
  warn(kind: WarningKind, detail?: string): void;
  /** Notes an element that records have no place for; the same one is noted once. */
  leftOut(element: string): void;
  /** The text, trimmed and with single spaces; nothing where there is none. */
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

/** The objects of an array; none where there is no array. */
export function objectsOf(value: FhirValue | undefined): readonly FhirObject[] {
  return Array.isArray(value) ? value.filter(isObject) : NONE;
}

const NONE: readonly FhirObject[] = [];

export function stringIn(value: FhirValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Notes the elements of an object that are not known; `place` is what their names stand behind. */
export function noteOthers(
  object: FhirObject,
  known: ReadonlySet<string>,
  place: string,
  notes: Notes,
): void {
  for (const name in object) if (!known.has(name)) notes.leftOut(place + name);
}

/** Nothing where the code is none; `codeOf` takes its prefix away. */
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
