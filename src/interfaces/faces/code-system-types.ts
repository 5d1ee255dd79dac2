/**
 * The code systems of an edition as resources, and a value set for each, which contains all codes.
 * https://hl7.org/fhir/codesystem.html, https://hl7.org/fhir/valueset.html
 */

import type { Edition } from '../../directory/edition/edition.ts';
import type { Concept } from '../../directory/record/record.ts';
import type { ResourceObject } from '../answer/resource-parts.ts';
import { type DefinitionParameter, USUAL_PARAMETERS } from './definition-search.ts';
import type { DefinitionType, EditionOperation } from './face.ts';

/** How a face publishes a code system of the directory. */
export interface PublishedCodeSystem {
  /** The id of the code system and of the value set. */
  readonly id: string;
  /** The name of both, if the id is no identifier of a program (csd-0, vsd-0). */
  readonly name?: string;
  readonly url: string;
  /** Absent: the code system has too many codes for a value set. */
  readonly valueSetUrl?: string;
  readonly title: string;
  /** What to do if the edition lacks the data of the code system. Undefined: it has it. */
  remedyOf?(edition: Edition): string | undefined;
  /** The properties that its codes have. */
  propertiesOf?(edition: Edition): readonly PropertyDeclaration[];
  /** All codes. Undefined if the resource does not list them. */
  conceptsOf(edition: Edition): readonly PublishedConcept[] | undefined;
}

/** A code as the face writes it. */
export interface PublishedConcept extends Concept {
  readonly properties?: readonly CodeProperty[];
}

/** A property of a code, with its value as FHIR writes it: `{ valueBoolean: true }`. */
export interface CodeProperty {
  readonly code: string;
  readonly value: Readonly<Record<string, PropertyValue>>;
  /** The meaning of the value, such as the display of a code. */
  readonly description?: string;
}

/** An object is a Coding. */
export type PropertyValue = string | boolean | Readonly<Record<string, string>>;

/** https://hl7.org/fhir/R4/codesystem-definitions.html#CodeSystem.property */
export interface PropertyDeclaration {
  readonly code: string;
  readonly description: string;
  readonly type: 'boolean' | 'code' | 'Coding' | 'dateTime' | 'string';
}

/** The operations of both types. */
export interface CodeOperations {
  readonly codeSystem?: readonly EditionOperation[];
  readonly valueSet?: readonly EditionOperation[];
}

/** The types CodeSystem and ValueSet of a face. */
export function codeSystemDefinitions(
  systems: readonly PublishedCodeSystem[],
  operations: CodeOperations = {},
  searchedBy: Readonly<Record<keyof CodeOperations, readonly DefinitionParameter[]>> = {
    codeSystem: USUAL_PARAMETERS,
    valueSet: USUAL_PARAMETERS,
  },
): readonly DefinitionType[] {
  const ids = systems.map(({ id }) => id);
  const withValueSet = systems.filter(({ valueSetUrl }) => valueSetUrl !== undefined);
  const valueSetIds = withValueSet.map(({ id }) => id);
  const resourceOf =
    (
      published: readonly PublishedCodeSystem[],
      make: (system: PublishedCodeSystem, edition: Edition) => ResourceObject,
    ) =>
    (id: string, edition: Edition) => {
      const system = published.find((one) => one.id === id);
      const isMissing = system?.remedyOf?.(edition) !== undefined;
      return system === undefined || isMissing ? undefined : make(system, edition);
    };
  const missing = (id: string, edition: Edition) => {
    const remedy = systems.find((one) => one.id === id)?.remedyOf?.(edition);
    return remedy === undefined ? undefined : `This directory has no ${id}. ${remedy}`;
  };
  return [
    {
      name: 'CodeSystem',
      documentation: 'The codes that organisations have, with their displays.',
      notFound: `The code systems are ${LIST.format(ids)}.`,
      ids,
      searchedBy: searchedBy.codeSystem,
      resourceOf: resourceOf(systems, codeSystemResource),
      missing,
      ...(operations.codeSystem !== undefined && { operations: operations.codeSystem }),
      ...(operations.codeSystem && { codeSystems: systems.map(({ url }) => url) }),
    },
    {
      name: 'ValueSet',
      documentation: 'All codes of each code system.',
      notFound: `The value sets are ${LIST.format(valueSetIds)}.`,
      ids: valueSetIds,
      searchedBy: searchedBy.valueSet,
      resourceOf: resourceOf(withValueSet, valueSetResource),
      missing,
      ...(operations.valueSet !== undefined && { operations: operations.valueSet }),
    },
  ];
}

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function codeSystemResource(system: PublishedCodeSystem, edition: Edition): ResourceObject {
  const { title, url, valueSetUrl } = system;
  const concepts = system.conceptsOf(edition);
  const properties = system.propertiesOf?.(edition);
  return {
    ...definitionElements('CodeSystem', url, system, edition),
    description: `${title} codes of the directory, as its source publishes them.`,
    caseSensitive: true,
    ...(valueSetUrl !== undefined && { valueSet: valueSetUrl }),
    content: concepts === undefined ? 'not-present' : 'complete',
    ...(concepts !== undefined && { count: concepts.length }),
    ...(properties !== undefined && properties.length > 0 && { property: properties }),
    // FHIR has no empty arrays.
    ...(concepts === undefined || concepts.length === 0
      ? {}
      : { concept: concepts.map(conceptElement) }),
  };
}

function valueSetResource(system: PublishedCodeSystem, edition: Edition): ResourceObject {
  const { title, url, valueSetUrl = '' } = system;
  return {
    ...definitionElements('ValueSet', valueSetUrl, system, edition),
    description: `All ${title.toLowerCase()} codes of the directory.`,
    compose: { include: [{ system: url }] },
  };
}

/** The first elements of a code system or value set. */
export function definitionElements(
  resourceType: string,
  url: string,
  { id, name = id, title }: PublishedCodeSystem,
  edition: Edition,
): ResourceObject {
  return {
    resourceType,
    id,
    meta: { lastUpdated: edition.publishedAt },
    url,
    version: String(edition.number),
    name,
    title,
    status: 'active',
    experimental: false,
    date: edition.publishedAt,
  };
}

function conceptElement({ code, display, properties }: PublishedConcept) {
  return {
    code,
    ...(display !== undefined && { display }),
    ...(properties !== undefined && {
      property: properties.map((each) => ({ code: each.code, ...each.value })),
    }),
  };
}
