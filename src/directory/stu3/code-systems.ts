/**
 * The code systems of the directory as resources, with a value set for each: they hold what the
 * edition holds. https://hl7.org/fhir/STU3/codesystem.html, https://hl7.org/fhir/STU3/valueset.html
 */
import type { Edition } from '../edition.ts';
import type { Concept } from '../record.ts';
import type { DirectorySettings } from '../settings.ts';
import type { ResourceObject } from './organization.ts';

export const CODE_SYSTEM_IDS = [
  'ODSAPI-OrganizationRole-1',
  'ODSAPI-OrganizationRecordClass-1',
] as const;

/** Where the resources are published, whatever serves them. */
export const PUBLISHED_BASE = 'https://fhir.nhs.uk/STU3';

/** The code system with this id, or nothing. */
export function codeSystemResource(
  id: string,
  edition: Edition,
  settings: DirectorySettings,
): ResourceObject | undefined {
  const description = describe(id, edition, settings);
  if (description === undefined) return undefined;
  const { title, url, concepts } = description;
  return {
    ...head('CodeSystem', id, url, title, edition),
    description: `${title} codes of the directory, as its source publishes them.`,
    caseSensitive: true,
    valueSet: valueSetUrl(id),
    content: 'complete',
    count: concepts.length,
    // FHIR has no empty arrays.
    ...(concepts.length === 0 ? {} : { concept: concepts.map(conceptElement) }),
  };
}

/** All codes of the code system with the same id, or nothing. */
export function valueSetResource(
  id: string,
  edition: Edition,
  settings: DirectorySettings,
): ResourceObject | undefined {
  const description = describe(id, edition, settings);
  if (description === undefined) return undefined;
  const { title, url } = description;
  return {
    ...head('ValueSet', id, valueSetUrl(id), title, edition),
    description: `All ${title.toLowerCase()} codes of the directory.`,
    compose: { include: [{ system: url }] },
  };
}

interface Description {
  readonly title: string;
  readonly url: string;
  readonly concepts: readonly Concept[];
}

function describe(
  id: string,
  edition: Edition,
  settings: DirectorySettings,
): Description | undefined {
  const { roles, recordClasses } = edition.codeSystems;
  switch (id) {
    case 'ODSAPI-OrganizationRole-1': {
      // A source may lack codes that its records use; a complete code system has them.
      const used = edition.roleCodes().map((code) => ({ code }));
      const concepts = unique([...roles, ...used]);
      return { title: 'Organisation role', url: settings.roleSystem, concepts };
    }
    case 'ODSAPI-OrganizationRecordClass-1': {
      const concepts = unique(recordClasses);
      return { title: 'Organisation record class', url: settings.recordClassSystem, concepts };
    }
    default:
      return undefined;
  }
}

function head(resourceType: string, id: string, url: string, title: string, edition: Edition) {
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

function valueSetUrl(id: string): string {
  return `${PUBLISHED_BASE}/ValueSet/${id}`;
}

/** The first of each code: https://hl7.org/fhir/STU3/codesystem.html#invs has them unique. */
function unique(concepts: readonly Concept[]): readonly Concept[] {
  const byCode = new Map<string, Concept>();
  for (const concept of concepts) if (!byCode.has(concept.code)) byCode.set(concept.code, concept);
  return [...byCode.values()];
}

function conceptElement({ code, display }: Concept) {
  return { code, ...(display === undefined ? {} : { display }) };
}
