/** Checks a decoded resource against the rules of FHIR beyond the structure of its types. */
import type {
  Definitions,
  PropertyDefinition,
  TypeDefinition,
} from '../definitions/definitions.ts';
import { quote } from '../format/findings.ts';
import { type FhirObject, type FhirValue, isObject, type Resource } from '../format/resource.ts';
import type { Finding } from '../request/finding.ts';
import { DATA_TYPE_INVARIANTS, DSTU2_DATA_TYPE_INVARIANTS } from './data-type-invariants.ts';
import { type Binding, DSTU2_BINDINGS } from './dstu2-bindings.ts';
import { DSTU2_INVARIANTS_A_L } from './dstu2-invariants-a-l.ts';
import { DSTU2_INVARIANTS_M_Z } from './dstu2-invariants-m-z.ts';
import type { Invariant, Invariants } from './invariant.ts';
import { narrativeProblems } from './narrative-safety.ts';
import {
  checkContained,
  checkReference,
  checkReferredTo,
  openScope,
  type ResourceCheck,
  report,
} from './references.ts';

/**
 * Checks invariants, contained resources, references, required value sets, the URLs of extensions,
 * and narratives. Problems of a narrative have the code `business-rule`, because FHIR lets each
 * server decide what it accepts there.
 *
 * @param resource as a decoder made it, and complete
 */
export function checkResource(resource: Resource, definitions: Definitions): Finding[] {
  const check: ResourceCheck = { definitions, findings: [], path: [], scope: undefined };
  checkRoot(resource, check);
  return check.findings;
}

/** Checks a resource that is not contained: the root, or the resource of a bundle's entry. */
function checkRoot(resource: FhirObject, check: ResourceCheck): void {
  const outer = check.scope;
  const scope = openScope(resource, outer);
  check.scope = scope;
  walkResource(resource, check);
  check.path.push(String(resource.resourceType));
  checkReferredTo(scope, check);
  check.path.pop();
  check.scope = outer;
}

function walkResource(resource: FhirObject, check: ResourceCheck): void {
  const name = String(resource.resourceType);
  const type = check.definitions.resource(name);
  if (type === undefined) return;
  check.path.push(name);
  walk(resource, type, check);
  check.path.pop();
}

function walk(object: FhirObject, type: TypeDefinition, check: ResourceCheck): void {
  const { invariants, places } = typeRules(type, check.definitions);
  for (const invariant of invariants) {
    if (!invariant.holds(object)) reportInvariant(invariant, type, check);
  }
  for (const name of Object.keys(object)) {
    const value = object[name];
    const property = type.properties.get(name);
    if (property === undefined) {
      if (name.startsWith('_')) walkSibling(value, type.properties.get(name.slice(1)), check);
      continue;
    }
    const place = places.get(property);
    if (property.form === 'primitive' && place === undefined) continue;
    check.path.push(property);
    if (Array.isArray(value)) walkItems(value, property, place, type, check);
    else walkItem(value, property, place, type, check);
    check.path.pop();
  }
}

function walkItems(
  items: readonly (FhirValue | undefined)[],
  property: PropertyDefinition,
  place: PlaceRules | undefined,
  parent: TypeDefinition,
  check: ResourceCheck,
): void {
  for (const [index, item] of items.entries()) {
    check.path.push(index + 1);
    walkItem(item, property, place, parent, check);
    check.path.pop();
  }
}

function walkItem(
  value: FhirValue | undefined,
  property: PropertyDefinition,
  place: PlaceRules | undefined,
  parent: TypeDefinition,
  check: ResourceCheck,
): void {
  if (value === undefined || value === null) return;
  if (place !== undefined) checkPlace(value, property, place, check);
  switch (property.form) {
    case 'xhtml':
      for (const problem of narrativeProblems(String(value))) {
        report(check, 'business-rule', problem);
      }
      return;
    case 'resource':
      if (isObject(value)) walkInner(value, property, check);
      return;
    case 'complex':
      if (isObject(value)) walkElement(value, property, parent, check);
  }
}

/** A contained resource shares the scope of its container; the resource of an entry opens a new one. */
function walkInner(resource: FhirObject, property: PropertyDefinition, check: ResourceCheck): void {
  const { scope } = check;
  if (property.name !== 'contained' || scope === undefined) {
    checkRoot(resource, check);
    return;
  }
  const outer = scope.current;
  if (outer === undefined) scope.current = resource;
  check.path.push(String(resource.resourceType));
  checkContained(resource, outer !== undefined, scope, check);
  check.path.pop();
  walkResource(resource, check);
  scope.current = outer;
}

function walkElement(
  element: FhirObject,
  property: PropertyDefinition,
  parent: TypeDefinition,
  check: ResourceCheck,
): void {
  const type = check.definitions.type(property.type);
  if (type === undefined) return;
  if (type.name === 'Reference') checkReference(element, property, check);
  if (type.name === 'Extension' && parent.name !== 'Extension') checkExtensionUrl(element, check);
  walk(element, type, check);
}

/** The extensions of primitives. */
function walkSibling(
  value: FhirValue | undefined,
  property: PropertyDefinition | undefined,
  check: ResourceCheck,
): void {
  const type = check.definitions.type('Element');
  if (property === undefined || type === undefined) return;
  check.path.push(property);
  if (isObject(value)) walk(value, type, check);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (!isObject(item)) continue;
      check.path.push(index + 1);
      walk(item, type, check);
      check.path.pop();
    }
  }
  check.path.pop();
}

function checkPlace(
  value: FhirValue,
  { name }: PropertyDefinition,
  { invariants, binding }: PlaceRules,
  check: ResourceCheck,
): void {
  if (binding !== undefined && !binding.isMet(value)) {
    const shown = typeof value === 'string' ? `${quote(value)} is not valid` : 'no coding is valid';
    report(check, 'code-invalid', `${name}: ${shown}. Expected ${binding.expected}.`);
  }
  if (!isObject(value)) return;
  for (const { key, at, holds, sentence } of invariants) {
    if (!holds(value)) report(check, 'invariant', `${sentence} (${key}).`, at ? [at] : []);
  }
}

function reportInvariant(
  { key, at, sentence }: Invariant,
  type: TypeDefinition,
  check: ResourceCheck,
): void {
  const property = at === undefined ? undefined : type.properties.get(at);
  const more = property === undefined ? [] : property.repeats ? [property, 1] : [property];
  report(check, 'invariant', `${sentence} (${key}).`, more);
}

const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Only an extension inside another extension may have a relative url. */
function checkExtensionUrl({ url }: FhirObject, check: ResourceCheck): void {
  if (typeof url !== 'string' || absolute.test(url)) return;
  const text = `${quote(url)} is not absolute. Send the absolute url of the extension's definition.`;
  report(check, 'value', text);
}

export interface VersionRules {
  /**
   * By the name of a type, or of an element. Contained resources (dom-1 to dom-4), references
   * (ref-1) and narratives (txt-1 to txt-3) are checked elsewhere, because their rules need more
   * than one element. The codec checks ele-1 and ext-1.
   */
  readonly invariants: Invariants;
  /** By the name of an element. */
  readonly bindings: Readonly<Record<string, Binding>>;
}

export function versionRulesOf(version: string): VersionRules {
  return version === 'DSTU2' ? DSTU2_RULES : COMMON_RULES;
}

/** For FHIR versions whose resources clients cannot write. */
const COMMON_RULES: VersionRules = { invariants: DATA_TYPE_INVARIANTS, bindings: {} };

/**
 * Taken from the StructureDefinitions of 1.0.2. The server does not check warnings, rules of
 * Parameters and FamilyMemberHistory (no element has the name that they test), or the rules of
 * TestScript and StructureDefinition about the structure of definitions.
 */
const DSTU2_RULES: VersionRules = {
  invariants: {
    ...DATA_TYPE_INVARIANTS,
    ...DSTU2_DATA_TYPE_INVARIANTS,
    ...DSTU2_INVARIANTS_A_L,
    ...DSTU2_INVARIANTS_M_Z,
  },
  bindings: DSTU2_BINDINGS,
};

export interface TypeRules {
  readonly invariants: readonly Invariant[];
  readonly places: ReadonlyMap<PropertyDefinition, PlaceRules>;
}

export interface PlaceRules {
  readonly invariants: readonly Invariant[];
  readonly binding: Binding | undefined;
}

function typeRules(type: TypeDefinition, definitions: Definitions): TypeRules {
  let rules = gathered.get(type);
  if (rules === undefined) {
    rules = gather(type, definitions);
    gathered.set(type, rules);
  }
  return rules;
}

const gathered = new WeakMap<TypeDefinition, TypeRules>();

function gather(type: TypeDefinition, { version }: Definitions): TypeRules {
  const { invariants, bindings } = versionRulesOf(version);
  const places = new Map<PropertyDefinition, PlaceRules>();
  for (const property of type.properties.values()) {
    const owner = property.name === 'language' && type.kind === 'resource' ? 'Resource' : type.name;
    const place = `${owner}.${property.name}`;
    const binding = bindings[place];
    // A part has the same name as its element, and has its invariants as a type.
    const own = property.type === place ? undefined : invariants[place];
    if (own !== undefined || binding !== undefined) {
      places.set(property, { invariants: own ?? [], binding });
    }
  }
  return { invariants: invariants[type.name] ?? [], places };
}
