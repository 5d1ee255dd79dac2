/** The limits on the content of a body, applied while it is read. */
import { type FhirValue, isObject } from './resource.ts';

export interface Limits {
  /** Levels of nested elements, narrative included. */
  readonly depthMax: number;
  /**
   * All elements of the body, including repeated and nested elements and those of narratives.
   * In XML, attributes and namespace declarations count too, because each costs as much as an
   * element.
   */
  readonly elementsMax: number;
  /**
   * XML attributes and namespace declarations of one tag. FHIR's elements have two, and those of
   * narratives have few. In a tag, 40,000 different ones take 100 ms.
   */
  readonly attributesMax: number;
  /**
   * Tags, references, line breaks and tabs of an XML body. The XML reader takes much longer for
   * each than for a letter.
   */
  readonly marksMax: number;
  /**
   * Characters of the comments, processing instructions and CDATA sections of an XML body, in all.
   */
  readonly sectionsLengthMax: number;
  /**
   * Characters of a narrative. The limit applies to the text as sent and as stored, because
   * the server reads both.
   */
  readonly narrativeLengthMax: number;
}

/**
 * FHIR's own resources stay below 20 levels; the readers recurse, and at this depth no input
 * exhausts the stack. An OrderResponse has tens of elements, a full search page a few thousand.
 */
export const DEFAULT_LIMITS: Limits = {
  depthMax: 64,
  elementsMax: 5_000,
  attributesMax: 100,
  marksMax: 50_000,
  sectionsLengthMax: 64 * 1024,
  narrativeLengthMax: 64 * 1024,
};

/** The limits for content that has been counted before. */
export const UNLIMITED: Limits = {
  depthMax: Number.POSITIVE_INFINITY,
  elementsMax: Number.POSITIVE_INFINITY,
  attributesMax: Number.POSITIVE_INFINITY,
  marksMax: Number.POSITIVE_INFINITY,
  sectionsLengthMax: Number.POSITIVE_INFINITY,
  narrativeLengthMax: Number.POSITIVE_INFINITY,
};

/** The limits of a body, and how much of them a reader has used. */
export interface Budget {
  readonly limits: Limits;
  elements: number;
}

/** The reason why a body cannot be read. The decoders report it as their only finding. */
export class MalformedBody extends Error {
  readonly code: 'structure' | 'too-long';
  /** Where in the body: in UTF-16 units of JSON, in bytes of XML. */
  readonly offset: number;

  constructor(code: 'structure' | 'too-long', message: string, offset: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/** A missing limit means no limit. */
export function startBudget(limits: Partial<Limits>): Budget {
  return { limits: { ...UNLIMITED, ...limits }, elements: 0 };
}

/** Counts one element or attribute at a depth; throws MalformedBody once there are too many. */
export function takeElement(budget: Budget, depth: number, offset: number): void {
  const { elementsMax, depthMax } = budget.limits;
  budget.elements += 1;
  if (budget.elements > elementsMax) {
    const message = `The body has more than ${elementsMax} elements and attributes.`;
    throw new MalformedBody('too-long', message, offset);
  }
  if (depth > depthMax) {
    const message = `The body is nested more than ${depthMax} levels deep.`;
    throw new MalformedBody('too-long', message, offset);
  }
}

/** Throws MalformedBody where an XML body has too many marks. */
export function requireFewMarks(bytes: Uint8Array, { marksMax }: Limits): void {
  if (bytes.length <= marksMax) return;
  let marks = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (!isMark(bytes[at] ?? 0)) continue;
    marks += 1;
    if (marks <= marksMax) continue;
    const message = `The body has more than ${marksMax} tags, references, line breaks and tabs.`;
    throw new MalformedBody('too-long', message, at);
  }
}

function isMark(byte: number): boolean {
  return byte === 0x3c || byte === 0x3e || byte === 0x26 || (byte >= 0x09 && byte <= 0x0d);
}

/**
 * Whether a part of a decoded body is certainly within the limits of a separate body. It counts what
 * may be elements and attributes of a narrative, and decodes nothing.
 */
export function isWithin(part: FhirValue, limits: Partial<Limits>): boolean {
  const { depthMax, elementsMax } = { ...DEFAULT_LIMITS, ...limits };
  let elements = 0;
  const isPartWithin = (value: FhirValue | undefined, depth: number): boolean => {
    if (Array.isArray(value)) return value.every((item) => isPartWithin(item, depth));
    elements += 1;
    if (elements > elementsMax || depth > depthMax) return false;
    if (!isObject(value)) return true;
    return Object.entries(value).every(([name, own]) => {
      if (name !== 'div' || typeof own !== 'string') return isPartWithin(own, depth + 1);
      // The property itself is an element, and so is the root of the narrative.
      const marks = 1 + (own.match(NARRATIVE_MARKS)?.length ?? 0);
      elements += marks;
      return elements <= elementsMax && depth + marks <= depthMax;
    });
  };
  return isPartWithin(part, 1);
}

const NARRATIVE_MARKS = /<(?!\/)|=/g;
