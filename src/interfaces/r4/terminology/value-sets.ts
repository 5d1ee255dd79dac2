/** The value sets of the R4 face, each with all codes of a code system, and how a request names them. */
import type { OperationInput, OperationParameter } from '../../../fhir/interactions/operation.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { noRecord } from '../../../fhir/service/stored-resource.ts';
import { refuse } from '../../json/json-parameters.ts';
import { type OperationPlace, type R4CodeSystem, requireVersion } from './code-systems.ts';

export const VALUE_SET_URL: OperationParameter = {
  name: 'url',
  type: 'uri',
  documentation: 'The URL of the value set, or of the code system that it contains.',
};

export const VALUE_SET_VERSION: OperationParameter = {
  name: 'valueSetVersion',
  type: 'string',
  documentation: 'The version of the value set.',
};

/** A value set, which has all codes of the system. */
export interface R4ValueSet {
  readonly system: R4CodeSystem;
  readonly url: string;
}

/** The value set of the path or of the URL, which can end with a version. Throws a FhirError. */
export function valueSetAt(
  { systems, edition, id }: OperationPlace,
  input: OperationInput,
  operation: string,
): R4ValueSet {
  const valueSets = systems.flatMap((system) =>
    system.valueSetUrl === undefined ? [] : [{ system, url: system.valueSetUrl }],
  );
  const [givenUrl, versionOfUrl] = input.text('url')?.split('|', 2) ?? [];
  // The national service adds `/vs` to the URL of a code system.
  const url = givenUrl?.replace(/\/vs$/, '');
  const found = valueSets.find((each) =>
    id === '' ? each.url === url || each.system.url === url : each.system.id === id,
  );
  if (found === undefined) {
    if (url === undefined) {
      throw refuse(`${operation} needs the URL of a value set. Send url.`);
    }
    const known = valueSets.map((each) => each.url).join(', ');
    throw noRecord(`This server has no value set "${url}". It has ${known}.`);
  }
  if (id !== '' && url !== undefined && url !== found.url && url !== found.system.url) {
    throw FhirError.of('invalid-value', `The URL of ${id} is ${found.url}, not "${url}".`);
  }
  const version = input.text('valueSetVersion') ?? versionOfUrl;
  requireVersion('value set', found.url, version, edition);
  return found;
}
