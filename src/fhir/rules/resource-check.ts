/** The state of the check of one resource: its place, its findings, and the scope of `#id`. */
import type { Definitions } from '../definitions/definitions.ts';
import { type PathStep, showPath } from '../format/findings.ts';
import { type FhirObject, isObject } from '../format/resource.ts';
import type { Finding, FindingCode } from './finding.ts';

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
