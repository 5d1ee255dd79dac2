/** Finds the code system of a request, and the properties that it names. */

import type { OperationInput, OperationParameter } from '../../../fhir/interactions/operation.ts';
import { type ErrorKind, FhirError } from '../../../fhir/service/fhir-error.ts';
import type { PublishedCodeSystem } from '../../edition/code-systems.ts';
import type { Edition } from '../../edition/edition.ts';
import type { R4CodeSystem } from './code-systems.ts';
import type { WantedProperties } from './found-code.ts';

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
  throw operationError(
    'no-record',
    `This server has no code system "${url}". It has ${urlsOf(systems)}.`,
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
    throw operationError(
      'invalid-parameter',
      `The URL of the code system is missing. Send ${parameter}.`,
    );
  }
  if (ofPath !== undefined && known !== ofPath.url) {
    throw operationError('invalid-value', `The URL of ${id} is ${ofPath.url}, not "${known}".`);
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
  throw operationError(
    'no-record',
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
  throw operationError(
    'invalid-value',
    `The code system ${system.url} has no property "${unknown.join('", "')}". ` +
      `Send one of ${known.join(', ')}.`,
  );
}

/** All properties, and those that FHIR defines for every code. No code here has some of the latter. */
const ALWAYS_KNOWN: ReadonlySet<string> = new Set([
  ...['*', 'url', 'name', 'version', 'display', 'definition', 'designation', 'parent', 'child'],
]);

export function urlsOf(systems: readonly Pick<PublishedCodeSystem, 'url'>[]): string {
  return LIST.format(systems.map(({ url }) => url));
}

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

export function operationError(kind: ErrorKind, diagnostics: string): FhirError {
  return new FhirError([{ kind, diagnostics }]);
}

/** Displays exist in one language only. */
export const DISPLAY_LANGUAGE: OperationParameter = {
  name: 'displayLanguage',
  type: 'code',
  documentation: 'No effect: displays are in English.',
};
