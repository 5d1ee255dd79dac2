/** Checks the value of a primitive: its JSON type, its form, and its code. */
import type { PropertyDefinition } from '../definitions/definitions.ts';
import { addFinding, quote } from './findings.ts';
import { type FhirValue, isRawJSON, textOf } from './resource.ts';
import type { Validation } from './slots.ts';

/** Returns the value if its JSON type is right, even if the value is not valid. */
export function readPrimitiveValue(
  property: PropertyDefinition,
  value: FhirValue,
  { findings, isXml }: Validation,
): FhirValue | undefined {
  const { primitive, codes, name } = property;
  if (primitive === undefined) return undefined;
  const expected = `Expected ${primitive.expected}.`;
  if (jsonTypeOf(value) !== primitive.json) {
    const shown = typeof value === 'string' ? quote(value) : describeValue(value);
    const problem = isXml ? `valid ${primitive.name}` : `JSON ${primitive.json}`;
    addFinding(findings, 'value', `${name}: ${shown} is not a ${problem}. ${expected}`);
    findings.isWhole = false;
    return undefined;
  }
  let text = textOf(value);
  if (primitive.name === 'base64Binary') text = text.replaceAll(/[ \t\r\n]/g, '');
  if (text === '') {
    addFinding(findings, 'value', `${name} is empty. ${expected}`);
  } else if (!primitive.isValid(text)) {
    const problem = `${quote(text)} is not a valid ${primitive.name}`;
    addFinding(findings, 'value', `${name}: ${problem}. ${expected}`);
  } else if (codes !== undefined && !codes.has(text)) {
    const allowed = codes.size > CODES_SHOWN_MAX ? 'its code set' : [...codes].join(', ');
    addFinding(findings, 'value', `${name}: ${quote(text)} is not one of ${allowed}.`);
  }
  return typeof value === 'string' ? text : value;
}

/** A message shows no longer list of codes. */
const CODES_SHOWN_MAX = 20;

function jsonTypeOf(value: FhirValue): string {
  if (value === null) return 'null';
  if (isRawJSON(value)) return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Names the kind of a JSON value for a message. */
export function describeValue(value: FhirValue): string {
  return typeof value === 'string' ? 'a string' : `a JSON ${jsonTypeOf(value)}`;
}
