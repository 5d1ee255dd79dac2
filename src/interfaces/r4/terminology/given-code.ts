/** A code as a request of an operation names it, and the parameters for that. */
import type { FhirObject, FhirValue } from '../../../fhir/format/resource.ts';
import type { OperationParameter } from '../../../fhir/interactions/operation-input.ts';

export const CODE: OperationParameter = {
  name: 'code',
  type: 'code',
  documentation: 'The code, such as RR8 or RO197.',
};

export const SYSTEM: OperationParameter = {
  name: 'system',
  type: 'uri',
  documentation: 'The URL of the code system.',
};

export const VERSION: OperationParameter = {
  name: 'version',
  type: 'string',
  documentation: 'The version of the code system.',
};

/** Displays exist in one language only. */
export const DISPLAY_LANGUAGE: OperationParameter = {
  name: 'displayLanguage',
  type: 'code',
  documentation: 'No effect: displays are in English.',
};

/** A code of a request. */
export interface GivenCode {
  readonly code: string;
  readonly url?: string | undefined;
  readonly version?: string | undefined;
  readonly display?: string | undefined;
}

/** The code of a Coding; undefined if it has none. */
export function givenCode({ code, system, version, display }: FhirObject): GivenCode | undefined {
  if (typeof code !== 'string') return undefined;
  return { code, url: textIn(system), version: textIn(version), display: textIn(display) };
}

function textIn(value: FhirValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
