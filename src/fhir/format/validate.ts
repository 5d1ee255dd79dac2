/** Checks a resource in JSON form against the definitions, and puts it into their order. */
import type {
  Definitions,
  PropertyDefinition,
  TypeDefinition,
} from '../definitions/definitions.ts';
import { addFinding, nameStep, quote, startFindings } from './findings.ts';
import { DEFAULT_LIMITS, startBudget } from './limits.ts';
import { parseNarrative } from './narrative.ts';
import {
  type AnyResource,
  type Decoded,
  type FhirObject,
  type FhirValue,
  isObject,
  type Resource,
} from './resource.ts';
import {
  collectSlots,
  describeValue,
  readPrimitiveValue,
  type Slot,
  type Validation,
} from './slots.ts';

/** The structural findings of a resource that was built or parsed elsewhere. */
export function validate(resource: AnyResource, definitions: Definitions): Decoded {
  const findings = startFindings();
  const budget = startBudget({ ...DEFAULT_LIMITS, elementsMax: Number.POSITIVE_INFINITY });
  const raw = resource as unknown as FhirValue;
  const read = validateResource(raw, { definitions, findings, budget });
  return {
    ...(read && { resource: read }),
    findings: findings.list,
    findingsTotal: findings.total,
    isWhole: findings.isWhole,
  };
}

/**
 * The resource in the order of the definitions, without unknown elements; undefined if its type is
 * unknown. Rules between elements (contained resources, references, the content of narratives) are
 * not checked here but on the result.
 */
export function validateResource(
  raw: FhirValue | undefined,
  validation: Validation,
): Resource | undefined {
  const { definitions, findings } = validation;
  if (!isObject(raw)) {
    addFinding(findings, 'structure', 'A resource is an object with a resourceType.');
    return undefined;
  }
  const resourceType = raw.resourceType;
  if (typeof resourceType !== 'string') {
    addFinding(findings, 'required', 'A resource needs a resourceType.');
    return undefined;
  }
  const type = definitions.resource(resourceType);
  if (type === undefined) {
    // The definitions of a version may lack types that the server does not use.
    const text = `${quote(resourceType)} is not a resource type that this server knows in FHIR ${definitions.version}.`;
    addFinding(findings, 'structure', text, nameStep(resourceType));
    return undefined;
  }
  findings.path.push(resourceType);
  const read: MutableObject & { resourceType: string } = { resourceType };
  readProperties(raw, type, read, validation);
  findings.path.pop();
  return read;
}

type MutableObject = Record<string, FhirValue>;

function readProperties(
  raw: FhirObject,
  type: TypeDefinition,
  read: MutableObject,
  validation: Validation,
): void {
  for (const slot of collectSlots(raw, type, validation)) {
    validation.findings.path.push(slot.property);
    if (slot.property.repeats) readRepeating(slot, read, validation);
    else readSingle(slot, read, validation);
    validation.findings.path.pop();
  }
}

function readSingle(slot: Slot, read: MutableObject, validation: Validation): void {
  const { property, value, sibling } = slot;
  if (Array.isArray(value) || Array.isArray(sibling)) {
    const text = `${property.name} does not repeat. Send it without an array.`;
    addFinding(validation.findings, 'structure', text);
    validation.findings.isWhole = false;
    return;
  }
  if (property.form === 'primitive') {
    const item = readPrimitive(slot, validation);
    if (item.value !== undefined) read[property.name] = item.value;
    if (item.sibling !== undefined) read[property.sibling] = item.sibling;
    return;
  }
  const item = readItem(property, value, validation);
  if (item !== undefined) read[property.name] = item;
}

function readRepeating(slot: Slot, read: MutableObject, validation: Validation): void {
  const { property, value, sibling } = slot;
  if (!isItems(value) || !isItems(sibling)) {
    addFinding(validation.findings, 'structure', `${property.name} repeats. Send it as an array.`);
    validation.findings.isWhole = false;
    return;
  }
  if (value?.length === 0 || sibling?.length === 0) {
    addFinding(validation.findings, 'structure', `${property.name} is an empty array.`);
    return;
  }
  if (property.form === 'primitive') {
    readPrimitives(property, value, sibling, read, validation);
    return;
  }
  const items: FhirValue[] = [];
  for (const [index, raw] of (value ?? []).entries()) {
    validation.findings.path.push(index + 1);
    // The XML reader leaves a gap where it has reported the item already. An empty object stands for
    // an item that cannot be read, so that the items after it keep their positions.
    items.push(readItem(property, raw, validation) ?? {});
    validation.findings.path.pop();
  }
  if (items.length > 0) read[property.name] = items;
}

type Items = readonly (FhirValue | undefined)[];

function isItems(value: FhirValue | undefined): value is Items | undefined {
  return value === undefined || Array.isArray(value);
}

/**
 * Reads two parallel arrays. Nulls fill out both, unless no item has an id or extensions: then there
 * is only the array of values. https://hl7.org/fhir/STU3/json.html#primitive
 */
function readPrimitives(
  property: PropertyDefinition,
  values: Items | undefined,
  siblings: Items | undefined,
  read: MutableObject,
  validation: Validation,
): void {
  const { path } = validation.findings;
  const length = Math.max(values?.length ?? 0, siblings?.length ?? 0);
  if (values !== undefined && siblings !== undefined && values.length !== siblings.length) {
    const text = `${property.name} and ${property.sibling} differ in length; null fills gaps.`;
    addFinding(validation.findings, 'structure', text);
  }
  const readValues: FhirValue[] = [];
  const readSiblings: FhirValue[] = [];
  for (let index = 0; index < length; index++) {
    path.push(index + 1);
    const value = values?.[index] ?? undefined;
    const item = readPrimitive(
      { property, value, sibling: siblings?.[index] ?? undefined },
      validation,
    );
    readValues.push(item.value ?? null);
    readSiblings.push(item.sibling ?? null);
    path.pop();
  }
  const hasSiblings = readSiblings.some((item) => item !== null);
  if (hasSiblings || readValues.some((item) => item !== null)) read[property.name] = readValues;
  if (hasSiblings) read[property.sibling] = readSiblings;
}

function readPrimitive({ property, value, sibling }: Slot, validation: Validation): PrimitiveParts {
  const { findings } = validation;
  const { name } = property;
  const details = readSibling(sibling, value === undefined, validation);
  if (value === null) {
    addFinding(findings, 'structure', `${name} is null; null only fills gaps in arrays.`);
    return { value: undefined, sibling: details };
  }
  if (value !== undefined) {
    return { value: readPrimitiveValue(property, value, validation), sibling: details };
  }
  if (details === undefined) {
    addFinding(findings, 'structure', `${name} is empty: it has neither a value nor extensions.`);
  } else if (!('extension' in details)) {
    addFinding(findings, 'structure', `${name} has nothing but an id (ele-1).`);
  }
  return { value, sibling: details };
}

interface PrimitiveParts {
  readonly value: FhirValue | undefined;
  readonly sibling: FhirObject | undefined;
}

/** The id and the extensions of a primitive. */
function readSibling(
  raw: FhirValue | undefined,
  isAlone: boolean,
  validation: Validation,
): FhirObject | undefined {
  const { definitions, findings } = validation;
  if (raw === undefined) return undefined;
  const type = definitions.type('Element');
  if (!isObject(raw) || type === undefined) {
    addFinding(findings, 'structure', 'Id and extensions of a primitive are in an object.');
    return undefined;
  }
  const names = Object.keys(raw);
  if (definitions.json.hasComments && names.length === 1 && names[0] === 'fhir_comments') {
    return undefined;
  }
  if (names.length === 0) {
    // If there is no value either, the caller reports that the element is empty.
    if (!isAlone) addFinding(findings, 'structure', 'Id and extensions are an empty object.');
    return undefined;
  }
  const read: MutableObject = {};
  readProperties(raw, type, read, validation);
  return read;
}

/** Reads an item that is not a primitive: an element with content, a resource, or a narrative. */
function readItem(
  property: PropertyDefinition,
  raw: FhirValue | undefined,
  validation: Validation,
): FhirValue | undefined {
  const item = raw === undefined ? undefined : readForm(property, raw, validation);
  if (item === undefined) validation.findings.isWhole = false;
  return item;
}

function readForm(
  property: PropertyDefinition,
  raw: FhirValue,
  validation: Validation,
): FhirValue | undefined {
  switch (property.form) {
    case 'resource':
      return validateResource(raw, validation);
    case 'xhtml':
      return readNarrative(raw, validation);
    default:
      return readElement(property, raw, validation);
  }
}

function readElement(
  property: PropertyDefinition,
  raw: FhirValue,
  validation: Validation,
): FhirValue | undefined {
  const { definitions, findings } = validation;
  const type = definitions.type(property.type);
  if (type === undefined) throw new Error(`The definitions lack the type ${property.type}.`);
  if (!isObject(raw)) {
    addFinding(findings, 'structure', `${property.name} is an object, not ${describeValue(raw)}.`);
    return undefined;
  }
  const names = Object.keys(raw);
  if (names.length === 0) {
    addFinding(findings, 'structure', `${property.name} is empty.`);
    return undefined;
  }
  const read: MutableObject = {};
  readProperties(raw, type, read, validation);
  if (names.length === 1 && names[0] === 'id') {
    addFinding(findings, 'structure', `${property.name} has nothing but an id (ele-1).`);
  }
  return read;
}

function readNarrative(raw: FhirValue, validation: Validation): FhirValue | undefined {
  const { definitions, findings, budget } = validation;
  // The XML reader returns null for a narrative that it has already reported.
  if (validation.isXml === true) return raw ?? undefined;
  if (typeof raw !== 'string') {
    addFinding(findings, 'value', `div is a string of XHTML, not ${describeValue(raw)}.`);
    return undefined;
  }
  // The path has at least one step for each level, so its length is a limit of the depth.
  const depth = findings.path.length;
  const narrative = parseNarrative(raw, definitions.json.isNamespaceOptional, budget, depth);
  for (const problem of narrative.problems) addFinding(findings, 'structure', problem);
  return narrative.div;
}
