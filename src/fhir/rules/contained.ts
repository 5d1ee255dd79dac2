/** Contained resources: with an id, alone of its name, without narrative, and referred to. */
import { quote } from '../format/findings.ts';
import type { FhirObject } from '../format/resource.ts';
import { has, itemsOf } from './element.ts';
import { type ReferenceScope, type ResourceCheck, report } from './resource-check.ts';

/** @param isNested it is in a resource that is contained itself */
export function checkContained(
  resource: FhirObject,
  isNested: boolean,
  scope: ReferenceScope,
  check: ResourceCheck,
): void {
  const { id } = resource;
  if (isNested) return;
  if (typeof id !== 'string') {
    report(check, 'required', 'A contained resource needs an id, which references name as #id.');
  } else if (scope.contained.get(id) !== resource) {
    const text = `Two contained resources have the id ${quote(id)}. Ids are unique in the resource.`;
    report(check, 'value', text, ['id']);
  }
  if (has(resource, 'text')) {
    report(check, 'invariant', 'A contained resource has no narrative (dom-1).', ['text']);
  }
  if (has(resource, 'contained')) {
    const text = 'A contained resource contains no others (dom-2). Let the outer one contain them.';
    report(check, 'invariant', text, ['contained']);
  }
  for (const meta of itemsOf(resource, 'meta')) checkMeta(meta, check);
}

function checkMeta(meta: FhirObject, check: ResourceCheck): void {
  for (const name of ['versionId', 'lastUpdated']) {
    if (!has(meta, name)) continue;
    const text = `A contained resource has no versions of its own: leave meta.${name} out (dom-4).`;
    report(check, 'invariant', text, ['meta', name]);
  }
}

/** dom-3, once the whole resource has been seen. */
export function checkReferredTo(
  { all, referredTo, contained }: ReferenceScope,
  check: ResourceCheck,
): void {
  for (const [index, resource] of all.entries()) {
    const { id, resourceType } = resource;
    if (typeof id !== 'string' || contained.get(id) !== resource || referredTo.has(resource)) {
      continue;
    }
    const text = `Nothing refers to the contained ${resourceType} ${quote(id)} (dom-3).`;
    report(check, 'invariant', text, ['contained', index + 1, String(resourceType)]);
  }
}
