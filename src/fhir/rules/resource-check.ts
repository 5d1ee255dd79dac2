/** The state of one check of a resource: where it is, what it found, what `#id` means there. */
import type { Definitions } from '../definitions/definitions.ts';
import type { Finding, FindingCode } from '../finding.ts';
import { type PathStep, showPath } from '../format/findings.ts';
import { type FhirObject, isObject } from '../format/resource.ts';

export interface ResourceCheck {
  readonly definitions: Definitions;
  readonly findings: Finding[];
  /** Where the check is. */
  readonly path: PathStep[];
  /** The resource around it that may contain others. */
  scope: ReferenceScope | undefined;
}

/** A resource and what it contains: the room in which `#id` means something. */
export interface ReferenceScope {
  readonly contained: ReadonlyMap<string, FhirObject>;
  readonly all: readonly FhirObject[];
  /** Those that something besides themselves refers to. */
  readonly referredTo: Set<FhirObject>;
  /** The contained resource that the check is in. */
  current: FhirObject | undefined;
  /** Around it, for the resource of an entry. */
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

/** `more` leads on from where the check is. */
export function report(
  { findings, path }: ResourceCheck,
  code: FindingCode,
  text: string,
  more: readonly PathStep[] = [],
): void {
  findings.push({ path: showPath([...path, ...more]), code, text });
}
