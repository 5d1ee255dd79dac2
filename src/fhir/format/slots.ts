/** Checks the elements of an object: known names, cardinality, choices, and the values of primitives. */
import type {
  Definitions,
  PropertyDefinition,
  TypeDefinition,
} from '../definitions/definitions.ts';
import { addFinding, type Findings, nameStep, quote, quoteValue } from './findings.ts';
import type { Budget } from './limits.ts';
import { type FhirObject, type FhirValue, isRawJSON, textOf } from './resource.ts';

/** The state that a decoder passes to the checks. */
export interface Validation {
  readonly definitions: Definitions;
  readonly findings: Findings;
  /** The budget that narratives use. */
  readonly budget: Budget;
  /** The names that objects of a JSON body have more than once. */
  readonly duplicates?: ReadonlyMap<FhirObject, readonly string[]>;
  /** Whether the body is XML: narratives are canonical, and values of a wrong type are texts. */
  readonly isXml?: boolean;
}

/** One property of an object, and the property `_name` that JSON has beside a primitive. */
export interface Slot {
  readonly property: PropertyDefinition;
  value: FhirValue | undefined;
  sibling: FhirValue | undefined;
}

/** The known properties in the order of the definitions. Reports unknown and missing ones. */
export function collectSlots(
  raw: FhirObject,
  type: TypeDefinition,
  validation: Validation,
): Slot[] {
  const { findings, definitions, duplicates } = validation;
  const slots: Slot[] = [];
  let isOrdered = true;
  for (const name of Object.keys(raw)) {
    const value = raw[name];
    if (value === undefined || (name === 'resourceType' && type.kind === 'resource')) continue;
    if (name === 'fhir_comments' && definitions.json.hasComments) continue;
    const isSibling = name.startsWith('_');
    const property = type.properties.get(isSibling ? name.slice(1) : name);
    if (property === undefined || (isSibling && !hasSibling(property))) {
      const text = `${quote(name)} is not an element of ${type.name}.`;
      addFinding(findings, 'structure', text, nameStep(name));
      continue;
    }
    let slot = slots.find((candidate) => candidate.property === property);
    if (slot === undefined) {
      slot = { property, value: undefined, sibling: undefined };
      isOrdered &&= property.rank > (slots.at(-1)?.property.rank ?? -1);
      slots.push(slot);
    }
    if (isSibling) slot.sibling = value;
    else slot.value = value;
  }
  for (const name of duplicates?.get(raw) ?? []) {
    addFinding(
      findings,
      'structure',
      `The name ${quote(name)} occurs twice in one object.`,
      nameStep(name),
    );
  }
  if (!isOrdered) slots.sort((a, b) => a.property.rank - b.property.rank);
  checkElements(slots, type, validation);
  return slots;
}

function hasSibling(property: PropertyDefinition): boolean {
  return property.form === 'primitive' && !property.element.isAttribute;
}

/** Cardinality, choices, and that an extension has a value or extensions. */
function checkElements(slots: readonly Slot[], type: TypeDefinition, validation: Validation): void {
  const { findings } = validation;
  for (const element of type.required) {
    if (slots.some((slot) => slot.property.element === element)) continue;
    const [property] = element.properties;
    const name = element.isChoice ? `${element.name}[x]` : element.name;
    const path = element.isChoice || property === undefined ? [] : [property];
    addFinding(findings, 'required', `${type.name} needs ${name}.`, path);
  }
  for (const [index, { property }] of slots.entries()) {
    const { element } = property;
    if (element.max === 0) {
      const text = `${element.name} is not allowed in ${type.name}.`;
      addFinding(findings, 'structure', text, [property]);
    }
    if (element.isChoice && slots[index - 1]?.property.element === element) {
      const text = `${element.name}[x] is a choice. Send only one of its types.`;
      addFinding(findings, 'structure', text, [property]);
    }
  }
  if (type.name === 'Extension') checkExtension(slots, validation);
}

/** ext-1. */
function checkExtension(slots: readonly Slot[], { findings }: Validation): void {
  const hasValue = slots.some((slot) => slot.property.element.isChoice);
  const hasExtensions = slots.some((slot) => slot.property.name === 'extension');
  if (hasValue !== hasExtensions) return;
  const text = 'An extension must have either a value or extensions (ext-1).';
  addFinding(findings, 'invariant', text);
}

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
    const shown = typeof value === 'string' ? quoteValue(value, findings) : describeValue(value);
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
    const problem = `${quoteValue(text, findings)} is not a valid ${primitive.name}`;
    addFinding(findings, 'value', `${name}: ${problem}. ${expected}`);
  } else if (codes !== undefined && !codes.has(text)) {
    const allowed = codes.size > CODES_SHOWN_MAX ? 'its code set' : [...codes].join(', ');
    addFinding(
      findings,
      'value',
      `${name}: ${quoteValue(text, findings)} is not one of ${allowed}.`,
    );
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
