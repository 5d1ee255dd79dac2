/** How large a body may be inside: the limits that hold while it is still being read. */

export interface Limits {
  /** Levels of elements inside each other, narrative included. */
  readonly depthMax: number;
  /**
   * Elements of the whole body: repetitions, nested ones, those of narratives, and in XML the
   * attributes and namespace declarations, which cost a reader as much.
   */
  readonly elementsMax: number;
}

/**
 * FHIR's own resources stay below 20 levels; the readers recurse, and at this depth no input
 * exhausts the stack. An OrderResponse has tens of elements, a full search page some thousands.
 */
export const DEFAULT_LIMITS: Limits = { depthMax: 64, elementsMax: 5_000 };

/** What a reader has used up of its limits. */
export interface Budget {
  readonly limits: Limits;
  elements: number;
}

/** Why a body cannot be read any further; the decoders turn it into their only finding. */
export class MalformedBody extends Error {
  readonly code: 'structure' | 'too-long';
  /** Where in the text, in UTF-16 units. */
  readonly offset: number;

  constructor(code: 'structure' | 'too-long', message: string, offset: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

export function startBudget(limits: Limits): Budget {
  return { limits, elements: 0 };
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
