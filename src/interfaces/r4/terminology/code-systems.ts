/** The code systems of the R4 face: their URLs, codes and properties, and how a request names them. */

import {
  primaryRoleCodes,
  recordClassConcepts,
  relationshipConcepts,
  roleConcepts,
} from '../../../directory/edition/code-systems.ts';
import { type Edition, perEdition, requireLinks } from '../../../directory/edition/edition.ts';
import { prefixedId } from '../../../directory/record/ids.ts';
import type { Concept } from '../../../directory/record/record.ts';
import type { OperationInput } from '../../../fhir/interactions/operation.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { unknownName } from '../../../fhir/request/unknown-name.ts';
import { noRecord } from '../../../fhir/service/stored-resource.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import type {
  PropertyDeclaration,
  PublishedCodeSystem,
  PublishedConcept,
} from '../../faces/code-system-types.ts';
import { refuse } from '../../json/json-parameters.ts';
import { R4_SYSTEMS } from '../resources/systems.ts';
import {
  type FoundCode,
  findOrganizationCode,
  isOrganizationProperty,
  isWanted,
  organizationPropertiesOf,
  type WantedProperties,
} from './organization-properties.ts';

/** A code system that has operations. */
export interface R4CodeSystem extends PublishedCodeSystem {
  /** All codes. Throws a FhirError if the edition does not know them. */
  codes(edition: Edition): readonly PublishedConcept[];
  /** Undefined if the code system does not have the code. */
  find(code: string, edition: Edition): FoundCode | undefined;
  /** The properties that `$lookup` returns if the client names none. */
  readonly usualProperties: readonly string[];
  /** Whether codes can have the property. */
  hasProperty(property: string): boolean;
}

export function r4CodeSystems({
  organizationCodeSystem,
}: DirectorySettings): readonly R4CodeSystem[] {
  return [
    organizationCodes(organizationCodeSystem),
    listedCodes({
      url: R4_SYSTEMS.role,
      title: 'Organisation role',
      usualProperties: ['primaryRole'],
      properties: [
        {
          code: 'primaryRole',
          description: 'Whether it can be the primary role of an organisation.',
          type: 'boolean',
        },
      ],
      conceptsOf: (edition) => {
        const primary = primaryRoleCodes(edition);
        return roleConcepts(edition).map((concept) => ({
          ...prefixed('RO', concept),
          properties: [{ code: 'primaryRole', value: { valueBoolean: primary.has(concept.code) } }],
        }));
      },
    }),
    listedCodes({
      url: R4_SYSTEMS.relationship,
      title: 'Organisation relationship',
      needsLinks: true,
      conceptsOf: (edition) =>
        relationshipConcepts(edition).map((concept) => prefixed('RE', concept)),
    }),
    listedCodes({
      url: R4_SYSTEMS.recordClass,
      title: 'Organisation record class',
      conceptsOf: (edition) =>
        recordClassConcepts(edition).map((concept) => prefixed('RC', concept)),
    }),
    listedCodes({
      url: R4_SYSTEMS.recordUse,
      name: 'EnglandODSRecordUseType',
      title: 'Record use type',
      conceptsOf: () => RECORD_USE_TYPES,
    }),
  ];
}

const RECORD_USE_TYPES = ['Full', 'RefOnly'].map((code) => ({ code, display: code }));

/** Too many codes for a list. */
function organizationCodes(url: string): R4CodeSystem {
  return {
    id: 'ods-organization-code',
    name: 'ODSOrganizationCode',
    url,
    title: 'Organisation',
    propertiesOf: organizationPropertiesOf,
    usualProperties: ['status', 'inactive'],
    conceptsOf: () => undefined,
    codes: () => [],
    find: findOrganizationCode,
    hasProperty: isOrganizationProperty,
  };
}

interface ListedCodes extends Pick<PublishedCodeSystem, 'url' | 'name' | 'title'> {
  readonly properties?: readonly PropertyDeclaration[];
  readonly usualProperties?: readonly string[];
  /** An edition without relationships does not know their types either. */
  readonly needsLinks?: boolean;
  conceptsOf(edition: Edition): readonly PublishedConcept[];
}

function listedCodes({
  conceptsOf,
  properties = [],
  needsLinks = false,
  ...system
}: ListedCodes): R4CodeSystem {
  const conceptsByCode = perEdition(
    (edition) => new Map(conceptsOf(edition).map((concept) => [concept.code, concept])),
  );
  const known = (edition: Edition) => {
    if (needsLinks) requireLinks(edition);
    return conceptsByCode(edition);
  };
  const codes = (edition: Edition) => [...known(edition).values()];
  return {
    id: system.url.slice(system.url.lastIndexOf('/') + 1),
    valueSetUrl: system.url.replace('/CodeSystem/', '/ValueSet/'),
    usualProperties: [],
    ...system,
    conceptsOf: (edition) => (needsLinks && !edition.hasLinks ? undefined : codes(edition)),
    codes,
    ...(properties.length > 0 && { propertiesOf: () => properties }),
    hasProperty: (property) => properties.some(({ code }) => code === property),
    find: (code, edition) => {
      const concept = known(edition).get(code);
      if (concept === undefined) return undefined;
      const { properties: values = [], ...rest } = concept;
      return {
        ...rest,
        properties: (wanted) => values.filter((each) => isWanted(wanted, each.code)),
      };
    },
  };
}

function prefixed(prefix: 'RO' | 'RE' | 'RC', concept: Concept): Concept {
  return { ...concept, code: prefixedId(prefix, concept.code) };
}

/** Throws a FhirError if no code system has the URL, or the edition has another version of it. */
export function codeSystemOf(
  systems: readonly R4CodeSystem[],
  url: string,
  version: string | undefined,
  edition: Edition,
): R4CodeSystem {
  const system = systems.find((each) => each.url === url);
  if (system !== undefined) {
    requireVersion('code system', url, version, edition);
    return system;
  }
  throw noRecord(
    `This server has no code system "${url}". It has ${LIST.format(systems.map((each) => each.url))}.`,
  );
}

export interface OperationPlace {
  readonly systems: readonly R4CodeSystem[];
  readonly edition: Edition;
  /** Empty if the client uses the operation for the type. */
  readonly id: string;
}

/** The code system of the path, or of the URL, which `parameter` has. Throws a FhirError. */
export function codeSystemAt(
  { systems, edition, id }: OperationPlace,
  url: string | undefined,
  version: string | undefined,
  parameter: 'url' | 'system',
): R4CodeSystem {
  const ofPath = systems.find((each) => each.id === id);
  const known = url ?? ofPath?.url;
  if (known === undefined) {
    throw refuse(`The URL of the code system is missing. Send ${parameter}.`);
  }
  if (ofPath !== undefined && known !== ofPath.url) {
    throw FhirError.of('invalid-value', `The URL of ${id} is ${ofPath.url}, not "${known}".`);
  }
  return codeSystemOf(systems, known, version, edition);
}

/** The version of every code system and value set is the number of the edition. */
export function requireVersion(
  kind: string,
  url: string,
  version: string | undefined,
  { number }: Edition,
): void {
  if (version === undefined || version === String(number)) return;
  throw noRecord(
    `The ${kind} ${url} has version ${number} on this server, not "${version}". Leave the version out.`,
  );
}

/**
 * The properties that the request names. Throws a FhirError if the code system does not have one of
 * them.
 */
export function namedProperties(
  input: OperationInput,
  system: R4CodeSystem,
  edition: Edition,
): WantedProperties {
  const names = input.texts('property');
  const unknown = names.filter((name) => !ALWAYS_KNOWN.has(name) && !system.hasProperty(name));
  if (unknown.length === 0) return new Set(names);
  const known = system.propertiesOf?.(edition).map(({ code }) => code) ?? ['*'];
  throw FhirError.of(
    'invalid-value',
    unknownName({
      kind: `property of ${system.url}`,
      sent: unknown.join(', '),
      known,
      listedAt: `[base]/CodeSystem?url=${system.url}`,
    }),
  );
}

/** All properties, and those that FHIR defines for every code. No code here has some of the latter. */
const ALWAYS_KNOWN: ReadonlySet<string> = new Set([
  '*',
  'url',
  'name',
  'version',
  'display',
  'definition',
  'designation',
  'parent',
  'child',
]);

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Throws a FhirError if the code system does not have the code. */
export function requireCode(system: R4CodeSystem, code: string, edition: Edition): FoundCode {
  const found = system.find(code, edition);
  if (found === undefined) throw noRecord(noCode(system, code));
  return found;
}

export function noCode({ url }: R4CodeSystem, code: string): string {
  return `The code system ${url} has no code "${code}".`;
}
