/**
 * The code systems of an edition as resources, and a value set for each, which contains all codes.
 * https://hl7.org/fhir/codesystem.html, https://hl7.org/fhir/valueset.html
 */
import type { Edition } from './edition.ts';
import type { DefinitionType, ResourceObject } from './face.ts';
import type { Concept } from './record.ts';

/** How a face publishes a code system of the directory. */
export interface PublishedCodeSystem {
  /** The id of the code system and of the value set. */
  readonly id: string;
  readonly url: string;
  readonly valueSetUrl: string;
  readonly title: string;
  readonly conceptsOf: (edition: Edition) => readonly Concept[];
}

/** The types CodeSystem and ValueSet of a face. */
export function codeSystemDefinitions(
  systems: readonly PublishedCodeSystem[],
): readonly DefinitionType[] {
  const ids = systems.map(({ id }) => id);
  const resourceOf =
    (make: (system: PublishedCodeSystem, edition: Edition) => ResourceObject) =>
    (id: string, edition: Edition) => {
      const system = systems.find((one) => one.id === id);
      return system && make(system, edition);
    };
  return [
    {
      name: 'CodeSystem',
      documentation: 'The codes that organisations have, with their displays.',
      notFound: `There are the code systems ${ids.join(' and ')}.`,
      ids,
      resourceOf: resourceOf(codeSystemResource),
    },
    {
      name: 'ValueSet',
      documentation: 'All codes of each code system.',
      notFound: `There are the value sets ${ids.join(' and ')}.`,
      ids,
      resourceOf: resourceOf(valueSetResource),
    },
  ];
}

/** The roles of the edition's source, and those that only its records use. */
export function roleConcepts(edition: Edition): readonly Concept[] {
  // A source may lack codes that its records use; a complete code system has them.
  const used = edition.roleCodes().map((code) => ({ code }));
  return unique([...edition.codeSystems.roles, ...used]);
}

export function recordClassConcepts({ codeSystems }: Edition): readonly Concept[] {
  return unique(codeSystems.recordClasses);
}

function codeSystemResource(system: PublishedCodeSystem, edition: Edition): ResourceObject {
  const { title, url, valueSetUrl } = system;
  const concepts = system.conceptsOf(edition);
  return {
    ...head('CodeSystem', url, system, edition),
    description: `${title} codes of the directory, as its source publishes them.`,
    caseSensitive: true,
    valueSet: valueSetUrl,
    content: 'complete',
    count: concepts.length,
    // FHIR has no empty arrays.
    ...(concepts.length === 0 ? {} : { concept: concepts.map(conceptElement) }),
  };
}

function valueSetResource(system: PublishedCodeSystem, edition: Edition): ResourceObject {
  const { title, url, valueSetUrl } = system;
  return {
    ...head('ValueSet', valueSetUrl, system, edition),
    description: `All ${title.toLowerCase()} codes of the directory.`,
    compose: { include: [{ system: url }] },
  };
}

function head(
  resourceType: string,
  url: string,
  { id, title }: PublishedCodeSystem,
  edition: Edition,
) {
  return {
    resourceType,
    id,
    meta: { lastUpdated: edition.publishedAt },
    url,
    version: String(edition.number),
    name: id,
    title,
    status: 'active',
    experimental: false,
    date: edition.publishedAt,
  };
}

/** The first of each code, because codes of a code system are unique (csd-1). */
function unique(concepts: readonly Concept[]): readonly Concept[] {
  const byCode = new Map<string, Concept>();
  for (const concept of concepts) if (!byCode.has(concept.code)) byCode.set(concept.code, concept);
  return [...byCode.values()];
}

function conceptElement({ code, display }: Concept) {
  return { code, ...(display === undefined ? {} : { display }) };
}
