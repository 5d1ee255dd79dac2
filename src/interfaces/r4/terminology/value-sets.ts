/** The value sets of the R4 face, each with all codes of a code system, and how a request names them. */
import type {
  OperationInput,
  OperationParameter,
} from '../../../fhir/interactions/operation-input.ts';
import { FhirError } from '../../../fhir/request/fhir-error.ts';
import { unknownName } from '../../../fhir/request/unknown-name.ts';
import { noRecord } from '../../../fhir/service/stored-resource.ts';
import { refuse } from '../../json/json-parameters.ts';
import { type OperationPlace, present, requireVersion } from './code-systems.ts';
import type { R4CodeSystem } from './systems/code-system.ts';

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

/** The code system of the value set of the path or of the URL, which can end with a version. */
export function valueSetAt(
  { systems, edition, id }: OperationPlace,
  input: OperationInput,
  operation: string,
): R4CodeSystem {
  const [givenUrl, versionOfUrl] = input.text('url')?.split('|', 2) ?? [];
  // The national service adds `/vs` to the URL of a code system.
  const url = givenUrl?.replace(/\/vs$/, '');
  const found = systems.find((each) => (id === '' ? hasUrl(each, url) : each.id === id));
  if (found === undefined) {
    if (url === undefined) {
      throw refuse(`${operation} needs the URL of a value set. Send url.`);
    }
    const known = present(systems, edition).map((each) => each.valueSetUrl);
    const listedAt = '[base]/ValueSet';
    throw noRecord(unknownName({ kind: 'value set', sent: url, known, listedAt }));
  }
  if (id !== '' && url !== undefined && !hasUrl(found, url)) {
    throw FhirError.of(
      'invalid-value',
      `The URL of ${id} is ${found.valueSetUrl}, not "${givenUrl}".`,
    );
  }
  const version = input.text('valueSetVersion') ?? versionOfUrl;
  requireVersion('value set', found.valueSetUrl, version, edition);
  return found;
}

/** `url` is without `/vs`. */
function hasUrl({ url, valueSetUrl }: R4CodeSystem, given: string | undefined): boolean {
  return given === url || given === valueSetUrl.replace(/\/vs$/, '');
}
