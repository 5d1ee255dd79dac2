/** The rules of contained resources: each has a unique id, has no narrative, and is referred to. */
import { quote } from '../format/findings.ts';
import type { FhirObject } from '../format/resource.ts';
import { has, itemsOf } from './element.ts';
import { type ReferenceScope, type ResourceCheck, report } from './resource-check.ts';

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
