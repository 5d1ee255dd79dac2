/** Which subscriptions name the patient of an order response, so that an erasure can include them. */
import { DSTU2 } from '../../fhir/definitions/fhir-version.ts';
import { parseQueryString } from '../../fhir/http/query-string.ts';
import { elementsAt } from '../../fhir/search/elements-at.ts';
import { parseStored } from '../../fhir/service/stored-resource.ts';
import { plainText } from '../subscriptions/subscription.ts';
import { PATIENT_PATH } from './search-parameters.ts';

/**
 * The names of the patient of a version that criteria can have: identifiers, such as an NHS number,
 * and `Patient/` with the id in the address of the Patient. `text`: an order response as JSON.
 */
export function patientNamesIn(text: string): readonly string[] {
  const resource = parseStored(text, DSTU2.definitions);
  const identifiers = elementsAt(resource, [...PATIENT_PATH, 'Patient', 'identifier', 'value']);
  const references = elementsAt(resource, [...PATIENT_PATH, 'reference']).map(plainText);
  return [
    ...identifiers.map((value) => plainText(value).trim()),
    ...references
      .filter((reference) => !reference.startsWith('#'))
      .flatMap((reference) => [reference, PATIENT.exec(reference)?.[0] ?? '']),
  ].filter((name) => name !== '');
}

/** In an address, also in that of a version. */
const PATIENT = /\bPatient\/[A-Za-z0-9\-.]{1,64}/;

/** Whether the criteria of a subscription have one of the names as a value. `text`: its JSON. */
export function namesPatient(text: string, names: ReadonlySet<string>): boolean {
  const resource = parseStored(text, DSTU2.definitions);
  const [, query = ''] = /^[^?]*\?(.*)$/s.exec(plainText(resource.criteria)) ?? [];
  return parseQueryString(query).some(({ name, value }) =>
    partsOf(value).some((part) => {
      const last = part.slice(part.lastIndexOf('/') + 1);
      // The id of a Patient can be the value of something else, such as 1.
      const isId = PATIENT_REFERENCE.test(name) && names.has(`Patient/${last}`);
      return isId || names.has(part) || names.has(last);
    }),
  );
}

/** The parameters whose values are addresses of a Patient. */
const PATIENT_REFERENCE = /(?:^|\.)patient(?::Patient)?$/;

/**
 * The alternatives of a value, and the system of an identifier apart from its value.
 * https://hl7.org/fhir/DSTU2/search.html#escaping
 */
function partsOf(value: string): readonly string[] {
  const parts = value.match(/(?:[^\\,|]|\\.|\\$)+/gs) ?? [];
  return parts.map((part) => part.replace(/\\(.)/gs, '$1').trim());
}
