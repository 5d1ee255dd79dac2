/** Which subscriptions name the patient of an order response, so that an erasure can include them. */
import { DSTU2 } from '../../fhir/definitions/fhir-version.ts';
import { parseQueryString } from '../../fhir/http/query-string.ts';
import { elementsAt } from '../../fhir/search/elements-at.ts';
import { parseStored } from '../../fhir/service/stored-resource.ts';
import { plainText } from '../subscriptions/subscription.ts';
import { PATIENT_PATH } from './search-parameters.ts';

/**
 * The names of the patient of a version that criteria can have: identifiers, such as an NHS number,
 * and the address of the Patient. `text`: an order response as JSON.
 */
export function patientNamesIn(text: string): readonly string[] {
  const resource = parseStored(text, DSTU2.definitions);
  const identifiers = elementsAt(resource, [...PATIENT_PATH, 'Patient', 'identifier', 'value']);
  const references = elementsAt(resource, [...PATIENT_PATH, 'reference'])
    .map((reference) => plainText(reference))
    .filter((reference) => !reference.startsWith('#'));
  return [
    ...identifiers.map((value) => plainText(value).trim()),
    ...references.flatMap((reference) => [reference, reference.split('/').at(-1) ?? '']),
  ].filter((name) => name !== '');
}

/** Whether the criteria of a subscription have one of the names as a value. `text`: its JSON. */
export function namesPatient(text: string, names: ReadonlySet<string>): boolean {
  const resource = parseStored(text, DSTU2.definitions);
  const [, query = ''] = /^[^?]*\?(.*)$/s.exec(plainText(resource.criteria)) ?? [];
  return parseQueryString(query).some(({ value }) =>
    // Alternatives, and the system of an identifier before its value.
    value.split(/[,|]/).some((part) => names.has(unescaped(part)) || names.has(lastOf(part))),
  );
}

/** https://hl7.org/fhir/DSTU2/search.html#escaping */
function unescaped(part: string): string {
  return part.replace(/\\(.)/g, '$1').trim();
}

/** The id in an address of a Patient. */
function lastOf(part: string): string {
  return part.includes('/') ? unescaped(part.slice(part.lastIndexOf('/') + 1)) : '';
}
