/** Checks that `#id` resolves, and that references name a type that their element allows. */
import type { PropertyDefinition } from '../definitions/definitions.ts';
import { quote } from '../format/findings.ts';
import type { FhirObject } from '../format/resource.ts';
import { type ReferenceScope, type ResourceCheck, report } from './resource-check.ts';

export function checkReference(
  { reference }: FhirObject,
  property: PropertyDefinition,
  check: ResourceCheck,
): void {
  if (typeof reference !== 'string') return;
  const type = reference.startsWith('#')
    ? resolve(reference, check)
    : relativePattern.exec(reference)?.[1];
  const { targets, name } = property;
  if (type === undefined || targets === undefined || targets.includes(type)) return;
  if (check.definitions.resource(type) === undefined) return;
  const text = `${name} refers to ${quote(reference)}, a ${type}. Expected ${targets.join(', ')}.`;
  report(check, 'value', text, ['reference']);
}

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
