/** The table of the code systems of the R4 face, and how a request names one and its properties. */

import type { Edition } from '../../../directory/edition/edition.ts';
import type { OperationInput } from '../../../fhir/interactions/operation-input.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { unknownName } from '../../../fhir/request/unknown-name.ts';
import { noRecord } from '../../../fhir/service/stored-resource.ts';
import type { DirectorySettings } from '../../answer/settings.ts';
import { refuse } from '../../json/json-parameters.ts';
import type { FoundCode, R4CodeSystem, WantedProperties } from './systems/code-system.ts';
import {
  RELATIONSHIP_INSTANCE_CODES,
  ROLE_INSTANCE_CODES,
  SUCCESSION_CODES,
} from './systems/instances.ts';
import { organizationCodes } from './systems/organizations.ts';
import { GEOGRAPHY_NAME_CODES, POSTCODE_CODES } from './systems/places.ts';
import { PRACTITIONER_SYSTEMS } from './systems/practitioners.ts';
import {
  RECORD_CLASS_CODES,
  RECORD_USE_CODES,
  RELATIONSHIP_TYPE_CODES,
  ROLE_CODES,
} from './systems/reference-data.ts';

/** `systems/code-system-row.ts` tells how to add one. */
export function r4CodeSystems({
  organizationCodeSystem,
  sharePractitioners,
}: Pick<
  DirectorySettings,
  'organizationCodeSystem' | 'sharePractitioners'
>): readonly R4CodeSystem[] {
  return [
    organizationCodes(organizationCodeSystem),
    ROLE_CODES,
    RELATIONSHIP_TYPE_CODES,
    RECORD_CLASS_CODES,
    RECORD_USE_CODES,
    ROLE_INSTANCE_CODES,
    RELATIONSHIP_INSTANCE_CODES,
    SUCCESSION_CODES,
    POSTCODE_CODES,
    GEOGRAPHY_NAME_CODES,
    // Pages of every origin may read the answers of this interface.
    ...(sharePractitioners ? PRACTITIONER_SYSTEMS : []),
  ];
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
  const known = present(systems, edition).map((each) => each.url);
  const listedAt = '[base]/CodeSystem';
  throw noRecord(unknownName({ kind: 'code system', sent: url, known, listedAt }));
}

/** The code systems of which the edition has the data. */
export function present(
  systems: readonly R4CodeSystem[],
  edition: Edition,
): readonly R4CodeSystem[] {
  return systems.filter((system) => system.remedyOf?.(edition) === undefined);
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

/** The properties that the request names, which the code system must have. Throws a FhirError. */
export function namedProperties(
  input: OperationInput,
  system: R4CodeSystem,
  edition: Edition,
): WantedProperties {
  const names = input.texts('property');
  const unknown = names.filter((name) => !ALWAYS_KNOWN.has(name) && !system.hasProperty(name));
  if (unknown.length > 0) throw noProperty(system, unknown, edition);
  return new Set(names);
}

export function noProperty(
  system: R4CodeSystem,
  unknown: readonly string[],
  edition: Edition,
): FhirError {
  const known = system.propertiesOf(edition).map(({ code }) => code);
  return FhirError.of(
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

/** Throws a FhirError if the code system does not have the code. */
export function requireCode(system: R4CodeSystem, code: string, edition: Edition): FoundCode {
  const found = system.find(code, edition);
  if (found === undefined) throw noRecord(noCode(system, code));
  return found;
}

export function noCode({ url }: R4CodeSystem, code: string): string {
  return `The code system ${url} has no code "${code}".`;
}
