/** Contained resources and references: the scope in which `#id` resolves, and the rules of both. */
import type { Definitions, PropertyDefinition } from '../definitions/definitions.ts';
import { type PathStep, quote, showPath } from '../format/findings.ts';
import { type FhirObject, isObject } from '../format/resource.ts';
import type { Finding, FindingCode } from '../request/finding.ts';
import { has, itemsOf } from './invariant.ts';

export interface ResourceCheck {
  readonly definitions: Definitions;
  readonly findings: Finding[];
  /** The place of the element that is being checked. */
  readonly path: PathStep[];
  /** The scope of the nearest resource around the element that is not contained. */
  scope: ReferenceScope | undefined;
}

/** A resource with its contained resources: the scope in which `#id` resolves. */
export interface ReferenceScope {
  readonly contained: ReadonlyMap<string, FhirObject>;
  readonly all: readonly FhirObject[];
  /** The contained resources that something other than themselves refers to. */
  readonly referredTo: Set<FhirObject>;
  /** The contained resource that is being checked. */
  current: FhirObject | undefined;
  /** The scope around this one, for the resource of a bundle's entry. */
  readonly outer: ReferenceScope | undefined;
}

export function openScope(resource: FhirObject, outer: ReferenceScope | undefined): ReferenceScope {
  const { contained } = resource;
  const all = Array.isArray(contained) ? contained.filter(isObject) : [];
  const byId = new Map<string, FhirObject>();
  for (const one of all) {
    if (typeof one.id === 'string' && !byId.has(one.id)) byId.set(one.id, one);
  }
  return { contained: byId, all, referredTo: new Set(), current: undefined, outer };
}

/** `more` is the path from the current element to that of the finding. */
export function report(
  { findings, path }: ResourceCheck,
  code: FindingCode,
  text: string,
  more: readonly PathStep[] = [],
): void {
  findings.push({ path: showPath([...path, ...more]), code, text });
}

export function checkReference(
  { reference }: FhirObject,
  property: PropertyDefinition,
  check: ResourceCheck,
): void {
  if (typeof reference !== 'string') return;
  if (reference.trim() !== reference) {
    const text = `${property.name} refers to ${quote(reference)}. Remove the white space around it.`;
    report(check, 'value', text, ['reference']);
    return;
  }
  if (searchPattern.test(reference)) {
    const text =
      `${property.name} refers to the search ${quote(reference)}, which is only possible in a ` +
      'transaction. Send the address of the resource.';
    report(check, 'value', text, ['reference']);
    return;
  }
  const type = reference.startsWith('#')
    ? resolve(reference, check)
    : relativePattern.exec(reference)?.[1];
  const { targets, name } = property;
  if (type === undefined || targets === undefined || targets.includes(type)) return;
  if (check.definitions.resource(type) === undefined) return;
  const text = `${name} refers to ${quote(reference)}, a ${type}. Expected ${targets.join(', ')}.`;
  report(check, 'value', text, ['reference']);
}

/** `Patient?identifier=1`: https://hl7.org/fhir/STU3/http.html#transaction, conditional references. No address has a query. */
const searchPattern = /^[^:#?]*\?/;

/** `Patient/1`. The path of an absolute address need not contain the type. */
const relativePattern =
  /^([A-Z][A-Za-z]+)\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/;

/** The type of the contained resource (ref-1). */
function resolve(reference: string, check: ResourceCheck): string | undefined {
  const id = reference.slice(1);
  for (
    let scope: ReferenceScope | undefined = check.scope;
    scope !== undefined;
    scope = scope.outer
  ) {
    const resource = scope.contained.get(id);
    if (resource === undefined) continue;
    if (resource !== scope.current) scope.referredTo.add(resource);
    return String(resource.resourceType);
  }
  const text = `${quote(reference)} is not a contained resource (ref-1). Contain the resource, or send its address.`;
  report(check, 'invariant', text, ['reference']);
  return undefined;
}

/** @param isNested whether the resource is inside another contained resource */
export function checkContained(
  resource: FhirObject,
  isNested: boolean,
  scope: ReferenceScope,
  check: ResourceCheck,
): void {
  const { id } = resource;
  if (isNested) return;
  if (typeof id !== 'string') {
    report(
      check,
      'required',
      'A contained resource needs an id. References to it have the form #id.',
    );
  } else if (scope.contained.get(id) !== resource) {
    const text = `Two contained resources have the id ${quote(id)}. Ids are unique in the resource.`;
    report(check, 'value', text, ['id']);
  }
  if (has(resource, 'text')) {
    report(check, 'invariant', 'A contained resource must not have a narrative (dom-1).', ['text']);
  }
  if (has(resource, 'contained')) {
    const text =
      'A contained resource must not contain resources (dom-2). Move them to the outer resource.';
    report(check, 'invariant', text, ['contained']);
  }
  for (const meta of itemsOf(resource, 'meta')) checkMeta(meta, check);
}

function checkMeta(meta: FhirObject, check: ResourceCheck): void {
  for (const name of ['versionId', 'lastUpdated']) {
    if (!has(meta, name)) continue;
    const text = `A contained resource has no versions (dom-4). Leave meta.${name} out.`;
    report(check, 'invariant', text, ['meta', name]);
  }
}

/** Checks dom-3. Call it after the check of the whole resource. */
export function checkReferredTo(
  { all, referredTo, contained }: ReferenceScope,
  check: ResourceCheck,
): void {
  for (const [index, resource] of all.entries()) {
    const { id, resourceType } = resource;
    if (typeof id !== 'string' || contained.get(id) !== resource || referredTo.has(resource)) {
      continue;
    }
    const text = `Nothing refers to the contained ${resourceType} ${quote(id)} (dom-3). Refer to it, or leave it out.`;
    report(check, 'invariant', text, ['contained', index + 1, String(resourceType)]);
  }
}
