/**
 * Replaces the links of a resource: references, URIs, and links in narratives.
 * https://hl7.org/fhir/STU3/http.html#transaction
 */
import type {
  Definitions,
  PropertyDefinition,
  TypeDefinition,
} from '../definitions/definitions.ts';
import { type PathStep, showPath } from '../format/findings.ts';
import { replaceAttributes } from '../format/narrative.ts';
import { type FhirObject, type FhirValue, isObject } from '../format/resource.ts';

export interface ResourceLink {
  /** `uri`: any element of this type, which need not be a link to a resource. */
  readonly kind: 'reference' | 'uri' | 'narrative';
  readonly text: string;
  /** The XPath of its element. */
  path(): string;
}

/** Returns the text to replace the link with, which can be the same. */
export type ReplaceLink = (link: ResourceLink) => string;

/** The resource with its links replaced. Elements that are unknown stay as they are. */
export function replaceLinks(
  resource: FhirObject,
  definitions: Definitions,
  replace: ReplaceLink,
): FhirObject {
  return replaceInResource(resource, { definitions, replace, path: [] });
}

interface Walk {
  readonly definitions: Definitions;
  readonly replace: ReplaceLink;
  readonly path: PathStep[];
}

function replaceInResource(resource: FhirObject, walk: Walk): FhirObject {
  const name = String(resource.resourceType);
  const type = walk.definitions.resource(name);
  if (type === undefined) return resource;
  walk.path.push(name);
  const replaced = replaceInObject(resource, type, walk);
  walk.path.pop();
  return replaced;
}

function replaceInObject(object: FhirObject, type: TypeDefinition, walk: Walk): FhirObject {
  const replaced: Record<string, FhirValue | undefined> = {};
  for (const name of Object.keys(object)) {
    const isSibling = name.startsWith('_');
    const property = type.properties.get(isSibling ? name.slice(1) : name);
    const value = object[name];
    replaced[name] =
      property === undefined ? value : replaceInValue(value, { property, isSibling, type }, walk);
  }
  return replaced;
}

/** The property of an object, or its sibling with the id and the extensions of a primitive. */
interface Place {
  readonly property: PropertyDefinition;
  readonly isSibling: boolean;
  /** The type of the object. */
  readonly type: TypeDefinition;
}

function replaceInValue(
  value: FhirValue | undefined,
  place: Place,
  walk: Walk,
): FhirValue | undefined {
  const { path } = walk;
  path.push(place.property);
  const replaced = Array.isArray(value)
    ? value.map((item, index) => {
        path.push(index + 1);
        const own = replaceInItem(item, place, walk);
        path.pop();
        return own;
      })
    : replaceInItem(value, place, walk);
  path.pop();
  return replaced;
}

function replaceInItem(
  value: FhirValue | undefined,
  { property, isSibling, type }: Place,
  walk: Walk,
): FhirValue | undefined {
  if (isObject(value)) {
    if (property.form === 'resource') return replaceInResource(value, walk);
    const own = walk.definitions.type(isSibling ? 'Element' : property.type);
    return own === undefined ? value : replaceInObject(value, own, walk);
  }
  if (typeof value !== 'string' || isSibling) return value;
  if (property.form === 'xhtml') return replaceInNarrative(value, walk);
  const kind = kindOf(property, type);
  return kind === undefined ? value : replaceOne(kind, value, walk);
}

function kindOf(
  property: PropertyDefinition,
  type: TypeDefinition,
): ResourceLink['kind'] | undefined {
  if (type.name === 'Reference' && property.name === 'reference') return 'reference';
  // The url of an extension names its definition. A canonical is never replaced.
  return URI_TYPES.has(property.type) && !property.element.isAttribute ? 'uri' : undefined;
}

const URI_TYPES: ReadonlySet<string> = new Set(['uri', 'url', 'oid', 'uuid']);

function replaceInNarrative(div: string, walk: Walk): string {
  // Most narratives have no links, so they need no parsing.
  if (!LINK_ATTRIBUTE.test(div)) return div;
  return replaceAttributes(div, (element, attribute, value) =>
    NARRATIVE_LINKS.has(`${element} ${attribute}`) ? replaceOne('narrative', value, walk) : value,
  );
}

const LINK_ATTRIBUTE = /\s(?:href|src)=/;

const NARRATIVE_LINKS: ReadonlySet<string> = new Set(['a href', 'img src']);

function replaceOne(kind: ResourceLink['kind'], text: string, { path, replace }: Walk): string {
  return replace({ kind, text, path: () => showPath(path) });
}
